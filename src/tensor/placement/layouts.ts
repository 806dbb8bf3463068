// How a tensor is divided over the ranks of a mesh, in the words of users: placements (PyTorch), one for each axis of the mesh,
// or a partition spec (JAX), one entry for each dim of the tensor.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { type DimSharding, type Sharding, shardingOf } from '../../hlo/sharding/sharding.ts';
import { wrongArgument } from '../check-arguments.ts';
import { userLocation } from '../location.ts';
import { meshName } from './partitioned.ts';

/** How a tensor is divided along one axis of a mesh. PyTorch: `torch.distributed.tensor.Placement`. */
export type Placement =
  | {
      /** Each rank has a part of one dim. */
      readonly kind: 'shard';
      /** The dim. */
      readonly dim: number;
    }
  | {
      /** Each rank has all of it. */
      readonly kind: 'replicate';
    };
/**
 * A part of dim `dim` for each rank along an axis. PyTorch: `torch.distributed.tensor.Shard`.
 * @example
 * Shard(0) // { kind: 'shard', dim: 0 }
 */
export const Shard = (dim: number): Placement => ({ kind: 'shard', dim });
/**
 * The whole tensor on each rank along an axis. PyTorch: `torch.distributed.tensor.Replicate`.
 * @example
 * Replicate() // { kind: 'replicate' }
 */
export const Replicate = (): Placement => ({ kind: 'replicate' });

/**
 * For each dim of a tensor, the axis or axes that divide it, from major to minor; `null` for none, `'?'` if the partitioner may
 * choose. Dims at the end may be left out: they are whole. JAX: `PartitionSpec`.
 */
export type PartitionSpec = readonly (string | readonly string[] | null)[];

interface Place {
  readonly call: string;
  readonly mesh: DeviceMesh;
  readonly rank: number;
}

/** @throws {WRONG_ARGUMENT} for another number of placements than axes, or a dim that the tensor lacks */
export function shardingOfPlacements(placements: readonly Placement[], { call, mesh, rank }: Place): Sharding {
  const expected = `a placement for each axis of the mesh ${mesh}: Shard(dim) or Replicate()`;
  const isList = Array.isArray(placements) && placements.length === mesh.axes.length;
  if (!isList) throw wrongArgument({ call, argument: 'the placements' }, placements, expected);
  const dims = Array.from({ length: rank }, (): string[] => []);
  for (const [i, placement] of placements.entries()) {
    if (placement?.kind === 'replicate') continue;
    const dim = placement?.kind === 'shard' ? placement.dim : undefined;
    const axes = dim === undefined ? undefined : dims.at(dim);
    if (axes === undefined || !Number.isInteger(dim))
      throw wrongArgument(
        { call, argument: `placement ${i}` },
        placement,
        `Shard(dim) of one of ${rank} dims, or Replicate()`,
      );
    axes.push(mesh.axes[i]!.name);
  }
  return shardingOf(meshName, dims);
}

/** @throws {INVALID_SHARDING} for more entries than dims, and axes that do not exist or are used twice */
export function shardingOfSpec(spec: PartitionSpec, place: Place): Sharding {
  const { call, mesh, rank } = place;
  if (!Array.isArray(spec))
    throw wrongArgument({ call, argument: 'the spec' }, spec, "an array such as ['dp_shard', null, 'tp']");
  const text = JSON.stringify(spec);
  if (spec.length > rank) throw invalid(text, `it has ${spec.length} entries, the tensor has ${rank} dims`);
  const used = new Set<string>();
  const dims = Array.from({ length: rank }, (_, d): DimSharding => {
    const entry = spec[d] ?? null;
    if (entry === '?') return { axes: [], isOpen: true };
    const names: readonly string[] = entry === null ? [] : typeof entry === 'string' ? [entry] : entry;
    for (const name of names) {
      checkAxis(name, mesh);
      if (used.has(name)) throw invalid(text, `it uses the axis '${name}' twice`);
      used.add(name);
    }
    return { axes: names.map(name => ({ name })), isOpen: false };
  });
  return { mesh: meshName, dims, replicated: [], unreduced: [], reduction: 'sum' };
}

/** @throws {UNKNOWN_MESH_AXIS} for an axis that the mesh lacks, or along which ranks have tensors of their own */
export function checkAxis(name: string, mesh: DeviceMesh): void {
  const known = mesh.axes.map(axis => axis.name).filter(axis => axis !== 'data');
  if (known.includes(name)) return;
  throw new TrenioError(
    'UNKNOWN_MESH_AXIS',
    { axis: String(name), nearest: nearestName(String(name), known), known },
    { location: userLocation() },
  );
}

/** The placements of a sharding. */
export function placementsOf(sharding: Sharding | undefined, mesh: DeviceMesh): readonly Placement[] {
  return mesh.axes.map(({ name }) => {
    const dim = sharding?.dims.findIndex(({ axes }) => axes.some(axis => axis.name === name)) ?? -1;
    return dim < 0 ? Replicate() : Shard(dim);
  });
}

const invalid = (sharding: string, detail: string): TrenioError =>
  new TrenioError('INVALID_SHARDING', { sharding, detail }, { location: userLocation() });
