// Shared by gather and scatter: the index vectors in a tensor of indices, and the positions that they refer to.
//
//   indices  [batch…, index_vector_dim, batch…]      one vector for each batch index
import type { Literal } from '../literal.ts';
import { stridesOf } from '../types.ts';
import { affineIndices } from './indices.ts';

export interface IndexVectors {
  /** Sizes of the dims of the indices, without the index vector dim. */
  readonly batchShape: readonly number[];
  /** Batch index i of component c of the vector. */
  component(batch: number, c: number): number;
}

export function indexVectors(indices: Literal, indexVectorDim: number): IndexVectors {
  const { shape } = indices.type;
  const strides = stridesOf(shape);
  const isBatch = (_: number, d: number): boolean => d !== indexVectorDim;
  const batchShape = shape.filter(isBatch);
  const bases = affineIndices(batchShape, strides.filter(isBatch));
  const step = strides[indexVectorDim] ?? 0;
  return { batchShape, component: (batch, c) => Number(indices.data[bases[batch]! + c * step]) };
}

/** The index vector dim is an implicit dim of size 1 if it is one past the last. */
export const vectorLength = (shape: readonly number[], indexVectorDim: number): number => shape[indexVectorDim] ?? 1;
