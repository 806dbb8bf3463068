// The bytes of a box of a tensor, stored row by row.
import type { TensorBox } from '../../hlo/sharding/placement.ts';
import { byteSize, type TensorType, tensorType } from '../../hlo/types.ts';

/** The number of bytes of a box that are also contiguous in the tensor. */
export interface BoxRuns {
  /** The size of the box. */
  readonly bytes: number;
  readonly runBytes: number;
  /** Where run `i` begins in the tensor. */
  startOf(i: number): number;
}

export function boxRuns(type: TensorType, { offset, shape }: TensorBox): BoxRuns {
  const bytes = byteSize(tensorType(type.elementType, shape));
  // The last dim of which the box does not have everything: below it, bytes are contiguous in both.
  const cutDim = shape.findLastIndex((extent, dim) => extent !== type.shape[dim]);
  const runs = cutDim < 0 ? 1 : shape.slice(0, cutDim).reduce((product, extent) => product * extent, 1);
  const elementBytes = byteSize(tensorType(type.elementType, []));
  const strides = type.shape.map((_, dim) => type.shape.slice(dim + 1).reduce((a, b) => a * b, 1) * elementBytes);
  const base = offset.reduce((sum, at, dim) => sum + at * strides[dim]!, 0);
  return {
    bytes,
    runBytes: bytes / runs,
    startOf(i) {
      let at = base;
      for (let dim = cutDim - 1, rest = i; dim >= 0; dim--) {
        at += (rest % shape[dim]!) * strides[dim]!;
        rest = Math.floor(rest / shape[dim]!);
      }
      return at;
    },
  };
}

/** Copies the bytes of a box to their positions in the tensor. */
export function copyBox(tensor: Uint8Array, type: TensorType, box: TensorBox, data: Uint8Array): void {
  const { bytes, runBytes, startOf } = boxRuns(type, box);
  for (let at = 0, run = 0; at < bytes; at += runBytes, run++)
    tensor.set(data.subarray(at, at + runBytes), startOf(run));
}
