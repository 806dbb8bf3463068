// Where the elements of a tensor are: the type of the whole, and how it is divided over a mesh. Programs and files name the
// whole; the memory of a process holds its part.
//
//   tensor<10xf32> along data = 4      0 1 2 | 3 4 5 | 6 7 8 | 9 · ·      each part has 3 elements, the last one 2 of padding
import type { TensorType } from '../types.ts';
import type { DeviceMesh } from './device-mesh.ts';
import { coordinateOf } from './mesh.ts';
import { type Sharding, shardIndex, shardShape } from './sharding.ts';

/** A tensor that is divided over a mesh, as one process sees it. */
export interface Placement {
  /** The type of the whole tensor. */
  readonly type: TensorType;
  /** How it is divided. */
  readonly sharding: Sharding;
  /** The mesh that the sharding is over. */
  readonly mesh: DeviceMesh;
}

/** A box of a tensor: the elements from an offset on, of some shape. */
export interface TensorBox {
  /** The start, by dim. */
  readonly offset: readonly number[];
  /** The size, by dim. */
  readonly shape: readonly number[];
}

/** The shape of the part of this process, with padding. */
export const localShape = ({ type, sharding, mesh }: Placement): readonly number[] =>
  shardShape(type.shape, sharding, mesh);

/** The elements of the whole tensor that this process has, without padding. */
export function localBox(placement: Placement): TensorBox {
  const { type, sharding, mesh } = placement;
  const local = localShape(placement);
  const offset = shardIndex(sharding, mesh, coordinateOf(mesh, mesh.rank)!).map((index, d) =>
    Math.min(type.shape[d]!, index * local[d]!),
  );
  return { offset, shape: local.map((size, d) => Math.min(size, type.shape[d]! - offset[d]!)) };
}
