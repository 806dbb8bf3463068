// Linear indices of many elements at once, used by the reference evaluation to move elements.
//
//   shape [2, 3] in row-major order, strides [1, 2], offset 0 (a transpose):   0 2 4 1 3 5
import { type Literal, type LiteralData, zeros } from '../literal.ts';
import { elementCount, type TensorType } from '../types.ts';
import { entriesOf } from './element-data.ts';

/** offset + Σ index[d] · strides[d] for every index of `shape`, in row-major order. */
export function affineIndices(shape: readonly number[], strides: readonly number[], offset = 0): Int32Array {
  const out = new Int32Array(elementCount(shape));
  if (out.length === 0) return out;
  out[0] = offset;
  for (let d = shape.length - 1, size = 1; d >= 0; d--) {
    const steps = shape[d]!;
    const stride = strides[d]!;
    for (let k = 1; k < steps; k++) {
      const shift = k * stride;
      for (let j = 0; j < size; j++) out[k * size + j] = out[j]! + shift;
    }
    size *= steps;
  }
  return out;
}

/** Σ over dims of one entry of each list, for every combination in row-major order; -1 if an entry is negative. */
export function combinedIndices(lists: readonly (readonly number[])[]): Int32Array {
  let out = Int32Array.of(0);
  for (const list of lists) {
    const next = new Int32Array(out.length * list.length);
    for (let i = 0, at = 0; i < out.length; i++) {
      for (const entry of list) next[at++] = out[i]! < 0 || entry < 0 ? -1 : out[i]! + entry;
    }
    out = next;
  }
  return out;
}

/** A literal of `type` whose element i is element indices[i] of the source; zero if negative. */
export function take(type: TensorType, source: Literal, indices: ArrayLike<number>): Literal {
  const out = zeros(type);
  const entries = entriesOf(type.elementType);
  const [to, from] = [out.data as Float64Array, source.data as Float64Array];
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (index < 0) continue;
    for (let e = 0; e < entries; e++) to[i * entries + e] = from[index * entries + e]!;
  }
  return out;
}

/** Writes element i of the source to element indices[i] of `target`, unless that is negative. */
export function put(target: Literal, source: Literal, indices: ArrayLike<number>): void {
  const entries = entriesOf(target.type.elementType);
  const [to, from] = [target.data as Float64Array, source.data as Float64Array];
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (index < 0) continue;
    for (let e = 0; e < entries; e++) to[index * entries + e] = from[i * entries + e]!;
  }
}

/** A literal with all elements equal to a scalar. */
export function filled(type: TensorType, one: Literal): Literal {
  return take(type, one, new Int32Array(elementCount(type.shape)));
}

export function copyOf(lit: Literal): Literal {
  return { type: lit.type, data: (lit.data as Float64Array).slice() as LiteralData };
}
