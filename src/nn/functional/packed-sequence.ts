// Sequences of different lengths: packed without padding, or padded to one length, as in torch.nn.utils.rnn.
import { cat, full, stack, type Tensor, tensor, wrongArgument } from '../../tensor/index.ts';
import { type Settings, settle, wrongText } from '../../tensor/settings.ts';

/**
 * Steps of several sequences without padding: those of the first step, of the second …, the longest sequence first.
 * @example
 * const packed = nn.utils.rnn.packSequence([tensor([1, 2, 3]), tensor([4, 5])]);
 * packed.data // [1, 4, 2, 5, 3]
 * packed.batchSizes // [2, 2, 1]
 */
export class PackedSequence {
  /** [total steps, …] */
  readonly data: Tensor;
  /** The number of sequences that have each step. */
  readonly batchSizes: readonly number[];
  /** The position of each sequence in the batch before sorting by length. */
  readonly sortedIndices: readonly number[];
  constructor(data: Tensor, batchSizes: readonly number[], sortedIndices: readonly number[]) {
    this.data = data;
    this.batchSizes = batchSizes;
    this.sortedIndices = sortedIndices;
  }
  /** The lengths of the sequences, sorted: the longest first. */
  get lengths(): readonly number[] {
    return Array.from({ length: this.batchSizes[0] ?? 0 }, (_, i) => this.batchSizes.filter(size => size > i).length);
  }
}

/** Options of `packPaddedSequence` and `packSequence`. N is the batch, T the length. */
export interface PackOptions {
  /** [N, T, …] in place of [T, N, …]. */
  readonly batchFirst?: boolean;
  /** The lengths are sorted, the longest first; true by default, as in PyTorch. */
  readonly enforceSorted?: boolean;
}
/**
 * Removes the padding of [T, N, …], where sequence i has lengths[i] steps.
 * @throws {WRONG_ARGUMENT} for lengths that do not match, or are not sorted
 * @example
 * const padded = tensor([[1, 2, 3], [4, 5, 0]]);
 * nn.utils.rnn.packPaddedSequence(padded, [3, 2], { batchFirst: true }).data // [1, 4, 2, 5, 3]
 */
export function packPaddedSequence(
  x: Tensor,
  lengths: readonly number[] | Tensor,
  ...rest: Settings<PackOptions, ['batchFirst', 'enforceSorted']>
): PackedSequence {
  const order = ['batchFirst', 'enforceSorted'] as const;
  const { batchFirst = false, enforceSorted = true } = settle<PackOptions>('packPaddedSequence', order, rest);
  const list = listOf(lengths);
  const time = batchFirst ? x.transpose(0, 1) : x;
  const [steps, count] = time.shape as [number, number];
  if (list.length !== count || list.some(n => !(Number.isInteger(n) && n >= 1 && n <= steps)))
    throw wrongText(
      { call: 'packPaddedSequence', argument: 'lengths' },
      `[${list}]`,
      `${count} integers from 1 to ${steps}`,
    );
  if (enforceSorted && list.some((n, i) => i > 0 && n > list[i - 1]!))
    throw wrongText(
      { call: 'packPaddedSequence', argument: 'lengths' },
      `[${list}]`,
      'the longest first',
      'pass { enforceSorted: false }',
    );
  const sorted = Array.from(list, (_, i) => i).sort((a, b) => list[b]! - list[a]! || a - b);
  const positions: number[] = [];
  const batchSizes: number[] = [];
  for (let t = 0; t < Math.max(...list); t++) {
    const here = sorted.filter(i => list[i]! > t);
    batchSizes.push(here.length);
    positions.push(...here.map(i => t * count + i));
  }
  const flat = time.reshape([steps * count, ...time.shape.slice(2)]);
  return new PackedSequence(flat.indexSelect(0, indices(positions, x)), batchSizes, sorted);
}
const listOf = (lengths: readonly number[] | Tensor): readonly number[] =>
  Array.isArray(lengths) ? (lengths as readonly number[]) : Array.from((lengths as Tensor).data, Number);
const indices = (positions: readonly number[], like: Tensor): Tensor =>
  tensor(Int32Array.from(positions), { device: like.device });

/** Options of `padPackedSequence`. */
export interface PadOptions {
  /** Whether the batch is the first dim: [batch, time, features] instead of [time, batch, features]. */
  readonly batchFirst?: boolean;
  /** The value that fills up shorter sequences. Default: 0. */
  readonly paddingValue?: number;
  /** The padded length; by default, that of the longest sequence. */
  readonly totalLength?: number;
}
/**
 * [[T, N, …] with padding, the lengths], in the order before sorting.
 * @throws {WRONG_ARGUMENT} for a total length that is too short
 * @example
 * const packed = nn.utils.rnn.packSequence([tensor([1, 2, 3]), tensor([4, 5])]);
 * const [padded, lengths] = nn.utils.rnn.padPackedSequence(packed, { batchFirst: true });
 * padded // [[1, 2, 3], [4, 5, 0]]
 */
export function padPackedSequence(
  packed: PackedSequence,
  ...options: Settings<PadOptions, ['batchFirst', 'paddingValue', 'totalLength']>
): readonly [Tensor, number[]] {
  const order = ['batchFirst', 'paddingValue', 'totalLength'] as const;
  const given = settle<PadOptions>('padPackedSequence', order, options);
  const { batchFirst = false, paddingValue = 0, totalLength = packed.batchSizes.length } = given;
  if (totalLength < packed.batchSizes.length)
    throw wrongArgument(
      { call: 'padPackedSequence', argument: 'totalLength' },
      totalLength,
      `at least ${packed.batchSizes.length}`,
    );
  const { data, sortedIndices, lengths } = packed;
  const count = sortedIndices.length;
  const rest = data.shape.slice(1);
  const padding = full([1, ...rest], paddingValue, { dtype: data.dtype, device: data.device });
  const positionOf = sortedIndices.map((_, i) => sortedIndices.indexOf(i));
  const starts = packed.batchSizes.map((_, t) => packed.batchSizes.slice(0, t).reduce((a, c) => a + c, 0));
  const total = data.shape[0]!;
  const positions = Array.from({ length: totalLength * count }, (_, k) => {
    const [t, i] = [Math.floor(k / count), positionOf[k % count]!];
    return t < packed.batchSizes.length && i < packed.batchSizes[t]! ? starts[t]! + i : total;
  });
  const padded = cat([data, padding])
    .indexSelect(0, indices(positions, data))
    .reshape([totalLength, count, ...rest]);
  return [batchFirst ? padded.transpose(0, 1) : padded, positionOf.map(i => lengths[i]!)];
}

/** Options of `padSequence`. */
export interface PadSequenceOptions extends Omit<PadOptions, 'totalLength'> {
  /** Where shorter sequences are filled up. Default: `right`. */
  readonly paddingSide?: 'left' | 'right';
}
/**
 * Sequences [Tᵢ, …] as one tensor [T, N, …], the shorter ones padded.
 * @throws {WRONG_ARGUMENT} for an empty list
 * @example
 * nn.utils.rnn.padSequence([tensor([1, 2, 3]), tensor([4, 5])], { batchFirst: true }) // [[1, 2, 3], [4, 5, 0]]
 */
export function padSequence(
  sequences: readonly Tensor[],
  ...rest: Settings<PadSequenceOptions, ['batchFirst', 'paddingValue', 'paddingSide']>
): Tensor {
  const order = ['batchFirst', 'paddingValue', 'paddingSide'] as const;
  const {
    batchFirst = false,
    paddingValue = 0,
    paddingSide = 'right',
  } = settle<PadSequenceOptions>('padSequence', order, rest);
  if (!Array.isArray(sequences) || sequences.length === 0)
    throw wrongArgument(
      { call: 'padSequence', argument: 'the sequences' },
      sequences,
      'an array of at least one tensor',
    );
  const longest = Math.max(...sequences.map(s => s.shape[0]!));
  const padded = sequences.map((s: Tensor) => {
    const missing = longest - s.shape[0]!;
    if (missing === 0) return s;
    const padding = full([missing, ...s.shape.slice(1)], paddingValue, { dtype: s.dtype, device: s.device });
    return cat(paddingSide === 'right' ? [s, padding] : [padding, s]);
  });
  return stack(padded, batchFirst ? 0 : 1);
}
/**
 * Sequences [Tᵢ, …] packed.
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.utils.rnn.packSequence([tensor([1, 2, 3]), tensor([4, 5])]).data // [1, 4, 2, 5, 3]
 */
export function packSequence(
  sequences: readonly Tensor[],
  ...rest: Settings<Pick<PackOptions, 'enforceSorted'>, ['enforceSorted']>
): PackedSequence {
  const { enforceSorted = true } = settle<PackOptions>('packSequence', ['enforceSorted'], rest);
  return packPaddedSequence(
    padSequence(sequences),
    sequences.map(s => s.shape[0]!),
    { enforceSorted },
  );
}
/**
 * The sequences [Tᵢ, …] of a packed one, in their order before sorting: the inverse of `packSequence`.
 *
 *     nn.utils.rnn.unpackSequence(nn.utils.rnn.packSequence([a, b])); // [a, b]
 * @example
 * const packed = nn.utils.rnn.packSequence([tensor([1, 2, 3]), tensor([4, 5])]);
 * nn.utils.rnn.unpackSequence(packed) // [[1, 2, 3], [4, 5]]
 */
export function unpackSequence(packed: PackedSequence): Tensor[] {
  const [padded, lengths] = padPackedSequence(packed, { batchFirst: true });
  return unpadSequence(padded, lengths, true);
}
/**
 * The sequences of a padded tensor, each of its length.
 * @example
 * nn.utils.rnn.unpadSequence(tensor([[1, 2, 3], [4, 5, 0]]), [3, 2], true) // [[1, 2, 3], [4, 5]]
 */
export function unpadSequence(
  padded: Tensor,
  lengths: readonly number[] | Tensor,
  ...rest: Settings<Pick<PackOptions, 'batchFirst'>, ['batchFirst']>
): Tensor[] {
  const { batchFirst = false } = settle<PackOptions>('unpadSequence', ['batchFirst'], rest);
  return listOf(lengths).map((length, i) => padded.select(batchFirst ? 0 : 1, i).narrow(0, 0, length));
}
