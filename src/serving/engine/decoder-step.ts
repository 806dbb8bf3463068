// The steps of a decoder: parts of sequences become rows of a compiled program, and its results the chosen tokens.
import { toNumbers } from '../../hlo/literal.ts';
import { AdapterSlots } from '../../models/adapters/adapter-slots.ts';
import type { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { BlockPool } from '../../models/generation/paged-cache.ts';
import { PagedModel, type StepKind, type StepOutput, stepKinds } from '../../models/generation/paged-model.ts';
import type { DType } from '../../tensor/index.ts';
import type { Choice, Chosen, StepModel, StepPart } from './step-model.ts';

export interface DecoderStepOptions {
  readonly blocks: number;
  /** Positions of a block, a multiple of 16. */
  readonly blockSize: number;
  readonly mostSequences: number;
  /** Tokens of a step. */
  readonly mostTokens: number;
  /** The maximum number of tokens of a sequence. */
  readonly positions: number;
  /** The type of keys and values. */
  readonly dtype: DType;
  /** The adapters that can be loaded, and their maximum rank. */
  readonly adapters?: { readonly count: number; readonly rank: number } | undefined;
}

/** The bytes of a block of a model's keys and values. */
export function blockBytesOf(model: Pick<DecoderForCausalLM, 'generative'>, blockSize: number, dtype: DType): number {
  const { layers, keyHeads, headDim, device } = model.generative();
  const elementBytes = dtype === 'f32' || dtype === 'float32' ? 4 : 2;
  return BlockPool.blockBytes({ layers, keyHeads, headDim, blockSize, dtype, device }, elementBytes);
}

/** Tokens that a step chooses, at most: the head of a model multiplies as many rows in every step. */
const mostChoices = 32;

export class DecoderStep implements StepModel {
  readonly vocabulary: number;
  readonly positions: number;
  readonly blockSize: number;
  readonly blocks: number;
  readonly mostSequences: number;
  readonly mostTokens: number;
  readonly adapters: AdapterSlots | undefined;
  readonly #paged: PagedModel;

  constructor(model: Pick<DecoderForCausalLM, 'generative'>, options: DecoderStepOptions) {
    const { blocks, blockSize, mostSequences, mostTokens, positions, dtype } = options;
    this.blocks = blocks;
    this.blockSize = blockSize;
    this.mostSequences = mostSequences;
    this.mostTokens = mostTokens;
    this.positions = positions;
    const sizes = { blocks, blockSize, positions, mostSequences, mostTokens, dtype };
    const generative = model.generative();
    const { module, device } = generative;
    this.adapters =
      options.adapters && new AdapterSlots(module, { ...options.adapters, device, dtype: generative.dtype });
    this.#paged = new PagedModel(
      generative,
      { ...sizes, mostChoices: Math.min(mostChoices, mostTokens) },
      this.adapters,
    );
    this.vocabulary = this.#paged.vocabulary;
  }

  /** Compiles the programs of all numbers of tokens, or takes them from the cache. */
  async prepare(): Promise<void> {
    await this.adapters?.prepare();
    const programs = this.#paged.buckets.flatMap(tokens => stepKinds.map(kind => ({ tokens, kind })));
    for (const { tokens, kind } of programs) {
      const nowhere = { ids: new Int32Array(tokens), positions: new Int32Array(tokens), last: new Int32Array(0) };
      const sequences = new Int32Array(tokens);
      // All of it is padding: the pool stays as it is.
      const output = this.#paged.run({ ...nowhere, sequences, tables: [[this.blocks]] }, [], kind);
      await output.ids.ready();
    }
  }

  padded(tokens: number): number {
    return this.#paged.buckets.find(bucket => bucket >= tokens) ?? tokens;
  }

  async run(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[])[]> {
    const results = parts.map((): Chosen[] => []);
    const divided = parts.flatMap((part, owner) => piecesOf(part).map(piece => ({ piece, owner })));
    for (const group of groupsOf(divided)) {
      const chosen = await this.#runGroup(group.map(({ piece }) => piece));
      group.forEach(({ owner }, i) => {
        results[owner]!.push(...chosen[i]!);
      });
    }
    return results;
  }

  async #runGroup(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[])[]> {
    const tokens = parts.flatMap(({ ids, from }, sequence) =>
      ids.map((id, i) => ({ id, position: from + i, sequence })),
    );
    const list = (of: (token: (typeof tokens)[number]) => number): Int32Array => Int32Array.from(tokens, of);
    let end = 0;
    const last = parts.flatMap(({ ids, choices }) => {
      end += ids.length;
      return choices.map((_, i) => end - choices.length + i);
    });
    const choices = parts.flatMap(part => part.choices);
    const kind = kindOf(choices);
    const output = this.#paged.run(
      {
        ids: list(t => t.id),
        positions: list(t => t.position),
        sequences: list(t => t.sequence),
        tables: parts.map(({ blocks }) => blocks),
        adapters: parts.map(({ adapter = -1 }) => adapter),
        last: Int32Array.from(last),
      },
      choices,
      kind,
      kind === 'edited' ? (row, factors, added) => edit(choices[row]!, factors, added) : undefined,
    );
    await output.ids.ready();
    const chosen = chosenOf(output, choices, this.vocabulary);
    let row = 0;
    return parts.map(part => part.choices.map(() => chosen[row++]!));
  }
}

/** A part in pieces, one after another, with at most as many choices as a step has. */
function piecesOf({ ids, from, choices, ...part }: StepPart): readonly StepPart[] {
  if (choices.length <= mostChoices) return [{ ids, from, choices, ...part }];
  const before = ids.length - choices.length;
  return Array.from({ length: Math.ceil(choices.length / mostChoices) }, (_, i) => {
    const [start, end] = [i * mostChoices, (i + 1) * mostChoices];
    const first = i === 0 ? 0 : before + start;
    return {
      ...part,
      ids: ids.slice(first, before + end),
      from: from + first,
      choices: choices.slice(start, end),
    };
  });
}

/** Pieces in groups with at most as many choices as a step has, and one piece of each part. */
function groupsOf<T extends { readonly piece: StepPart; readonly owner: number }>(
  pieces: readonly T[],
): readonly T[][] {
  const groups: T[][] = [];
  let choices = Number.POSITIVE_INFINITY;
  for (const one of pieces) {
    const { length } = one.piece.choices;
    if (choices + length > mostChoices || groups.at(-1)?.at(-1)?.owner === one.owner) {
      groups.push([]);
      choices = 0;
    }
    groups.at(-1)!.push(one);
    choices += length;
  }
  return groups;
}

function kindOf(choices: readonly Choice[]): StepKind {
  if (choices.some(({ edits, mask }) => edits !== undefined || mask !== undefined)) return 'edited';
  return choices.every(({ temperature, top }) => temperature === 0 && top === undefined) ? 'best' : 'chosen';
}

const edit = ({ edits, mask }: Choice, factors: Float32Array, added: Float32Array): void => {
  edits?.ids.forEach((id, i) => {
    factors[id] = edits.factors[i]!;
    added[id] = edits.adds[i]!;
  });
  if (mask === undefined) return;
  for (let id = 0; id < added.length; id++)
    if (((mask[id >>> 5]! >>> (id & 31)) & 1) === 0) added[id] = Number.NEGATIVE_INFINITY;
};

function chosenOf({ ids, chosen, logits }: StepOutput, choices: readonly Choice[], vocabulary: number): Chosen[] {
  const next = toNumbers(ids.literal());
  if (chosen === undefined || choices.every(({ top }) => top === undefined))
    return choices.map((_, i) => ({ id: next[i]! }));
  const [logprobs, ranks, normalizers] = [chosen.logprobs, chosen.ranks, chosen.normalizers].map(x =>
    toNumbers(x.literal()),
  );
  const all = choices.some(({ top = 0 }) => top > 0) ? (logits!.literal().data as Float32Array) : undefined;
  return choices.map(({ top }, i) => {
    if (top === undefined) return { id: next[i]! };
    const most = all === undefined || top === 0 ? [] : largest(all.subarray(i * vocabulary, (i + 1) * vocabulary), top);
    return {
      id: next[i]!,
      logprob: logprobs![i]!,
      rank: ranks![i]!,
      top: most.map(({ id, logit }) => ({ id, logprob: Math.fround(logit - normalizers![i]!) })),
    };
  });
}

/** The `count` largest logits, the largest first; equal ones in the order of their ids. */
function largest(logits: Float32Array, count: number): readonly { readonly id: number; readonly logit: number }[] {
  const found: { id: number; logit: number }[] = [];
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    if (found.length === count && !(logit > found.at(-1)!.logit)) continue;
    const at = found.findIndex(one => logit > one.logit);
    found.splice(at < 0 ? found.length : at, 0, { id, logit });
    if (found.length > count) found.pop();
  }
  return found;
}
