// Where the elements of a tensor are: the type of the whole, and how it is divided over a mesh. Programs and files name the
// whole; the memory of a process holds its part.
//
//   tensor<10xf32> along data = 4      0 1 2 | 3 4 5 | 6 7 8 | 9 · ·      each part has 3 elements, the last one 2 of padding
import type { TensorType } from '../types.ts';
import type { DeviceMesh } from './device-mesh.ts';
import { coordinateOf } from './mesh.ts';
import { type Sharding, shardIndex, shardShape } from './sharding.ts';
import type { TensorBox } from './tensor-box.ts';

/** A tensor that is divided over a mesh, as one process sees it. */
export interface Placement {
  /** The type of the whole tensor. */
  readonly type: TensorType;
  /** How it is divided. */
  readonly sharding: Sharding;
  /** The mesh that the sharding is over. */
  readonly mesh: DeviceMesh;
}

/** The shape of the part of this process, with padding. */
export const localShape = ({ type, sharding, mesh }: Placement): readonly number[] =>
  shardShape(type.shape, sharding, mesh);

/** The part of this process, with padding, which is beyond the end of the tensor. */
export function paddedBox(placement: Placement): TensorBox {
  const shape = localShape(placement);
  return { offset: indexOf(placement, placement.mesh.rank).map((index, d) => index * shape[d]!), shape };
}
/** The elements of the whole tensor that this process has, without padding. */
export function localBox(placement: Placement): TensorBox {
  const padded = paddedBox(placement);
  const sizes = placement.type.shape;
  const offset = padded.offset.map((at, d) => Math.min(sizes[d]!, at));
  return { offset, shape: padded.shape.map((size, d) => Math.min(size, sizes[d]! - offset[d]!)) };
}
/** The ranks that have the same part as this process, which is one of them. */
export function replicas(placement: Placement): readonly number[] {
  const { mesh } = placement;
  const mine = indexOf(placement, mesh.rank).join();
  const ranks = Array.from({ length: mesh.size() }, (_, rank) => rank);
  return ranks.filter(rank => indexOf(placement, rank).join() === mine);
}
/** The index of a rank's part, by dim. */
const indexOf = ({ sharding, mesh }: Placement, rank: number): readonly number[] =>
  shardIndex(sharding, mesh, coordinateOf(mesh, rank)!);
