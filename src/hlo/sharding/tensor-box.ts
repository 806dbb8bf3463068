// Boxes of a tensor, each stored row by row: a piece of it in a file, the part of a rank, or all of it.
import { elementBytes, elementCount, type TensorType } from '../types.ts';

/** A box of a tensor: the elements from an offset on, of some shape. */
export interface TensorBox {
  /** The start, by dim. */
  readonly offset: readonly number[];
  /** The size, by dim. */
  readonly shape: readonly number[];
}
export const wholeBox = ({ shape }: TensorType): TensorBox => ({ offset: shape.map(() => 0), shape });

/** The bytes that two boxes have in common, in runs that are contiguous in both. */
export interface CommonRuns {
  readonly count: number;
  readonly runBytes: number;
  /** Where run `i` begins in the first box. */
  from(i: number): number;
  /** Where it begins in the second one. */
  to(i: number): number;
}

export function commonRuns({ elementType }: TensorType, first: TensorBox, second: TensorBox): CommonRuns {
  const offset = first.offset.map((at, dim) => Math.max(at, second.offset[dim]!));
  const endOf = (box: TensorBox, dim: number): number => box.offset[dim]! + box.shape[dim]!;
  const shape = offset.map((at, dim) => Math.max(0, Math.min(endOf(first, dim), endOf(second, dim)) - at));
  // The last dim of which the boxes do not have the same: below it, bytes are contiguous in both.
  const cutDim = Math.max(
    0,
    shape.findLastIndex((size, dim) => size !== first.shape[dim] || size !== second.shape[dim]),
  );
  const outer = shape.slice(0, cutDim);
  const width = elementBytes(elementType);
  const startIn = (box: TensorBox): CommonRuns['from'] => {
    const strides = box.shape.map((_, dim) => elementCount(box.shape.slice(dim + 1)) * width);
    const base = offset.reduce((sum, at, dim) => sum + (at - box.offset[dim]!) * strides[dim]!, 0);
    return i => {
      let at = base;
      for (let dim = cutDim - 1, rest = i; dim >= 0; dim--) {
        at += (rest % outer[dim]!) * strides[dim]!;
        rest = Math.floor(rest / outer[dim]!);
      }
      return at;
    };
  };
  return {
    count: shape.includes(0) ? 0 : elementCount(outer),
    runBytes: elementCount(shape.slice(cutDim)) * width,
    from: startIn(first),
    to: startIn(second),
  };
}

/** The bytes of a box in memory. */
export interface BoxBytes {
  readonly box: TensorBox;
  readonly bytes: Uint8Array;
}
/** Copies what two boxes of a tensor have in common. */
export function copyCommon(type: TensorType, source: BoxBytes, target: BoxBytes): void {
  const { count, runBytes, from, to } = commonRuns(type, source.box, target.box);
  for (let i = 0; i < count; i++) target.bytes.set(source.bytes.subarray(from(i), from(i) + runBytes), to(i));
}
