// Whole examples packed into sequences of at most one length (best-fit decreasing, as TRL's `bfd`): each goes into the sequence
// with the least room that fits it. Examples are not split; longer ones are cut off. For streams that may be split, see
// `packSequences`.
import { TrenioError } from '../../base/errors.ts';
import { ignoredLabel, type TrainingExample } from './training-examples.ts';

/** Several examples in one sequence. */
export interface PackedExamples extends TrainingExample {
  /** The position of each token in its example. */
  readonly positionIds: readonly number[];
  /** The number of the example of each token in the sequence, from 1. */
  readonly segmentIds: readonly number[];
}

/**
 * Packs examples into sequences of at most `length` tokens. The first token of each example has no label: it would be predicted
 * from the previous example.
 * @throws {INVALID_OPTION}
 * @example
 * const example = (...ids: number[]) => ({ inputIds: ids, labels: ids });
 * packExamples([example(1, 2, 3), example(4, 5), example(6)], 4).map(one => one.inputIds) // [[1, 2, 3, 6], [4, 5]]
 */
export function packExamples(examples: readonly TrainingExample[], length: number): readonly PackedExamples[] {
  if (!Number.isInteger(length) || length < 1) {
    const data = { what: 'packExamples', option: 'length', got: String(length), expected: 'an integer, 1 or more' };
    throw new TrenioError('INVALID_OPTION', data);
  }
  const cut = examples
    .map(({ inputIds, labels }) => ({ inputIds: inputIds.slice(0, length), labels: labels.slice(0, length) }))
    .filter(({ inputIds }) => inputIds.length > 0)
    .sort((a, b) => b.inputIds.length - a.inputIds.length);
  const sequences: TrainingExample[][] = [];
  /** The sequences with this many tokens of room, in the order in which they reached it. */
  const withRoom: TrainingExample[][][] = Array.from({ length: length + 1 }, () => []);
  for (const example of cut) {
    const size = example.inputIds.length;
    let room = size;
    while (room < length && withRoom[room]!.length === 0) room++;
    const found = room < length ? withRoom[room]!.shift() : undefined;
    const sequence = found ?? [];
    if (found === undefined) sequences.push(sequence);
    sequence.push(example);
    withRoom[room - size]!.push(sequence);
  }
  return sequences.map(joined);
}

function joined(examples: readonly TrainingExample[]): PackedExamples {
  return {
    inputIds: examples.flatMap(({ inputIds }) => inputIds),
    labels: examples.flatMap(({ labels }) => [ignoredLabel, ...labels.slice(1)]),
    positionIds: examples.flatMap(({ inputIds }) => inputIds.map((_, i) => i)),
    segmentIds: examples.flatMap(({ inputIds }, number) => inputIds.map(() => number + 1)),
  };
}
