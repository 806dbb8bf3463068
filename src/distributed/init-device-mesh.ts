// Arranges the ranks of a run: a script calls this to assign ranks to mesh axes.
import { readVariable } from '../base/environment.ts';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { DeviceMesh, type MeshSizes, meshSizesFor } from '../hlo/sharding/device-mesh.ts';
import { type Device, type DeviceName, device, deviceFrom, userLocation, wrongArgument } from '../tensor/index.ts';

/**
 * Arranges the ranks of this run along named axes, from major to minor, and sets the mesh of a device, `device()` by
 * default. The size of one axis may be -1: the remaining ranks. Call it on every rank, with the same sizes, before recording
 * anything.
 *
 *     const mesh = initDeviceMesh({ data: -1, tensor: 2 });
 *     mesh.coordinate('data'); // which share of the batch is this rank's
 *
 * Without sizes, they are those of `trenio run --layout dp_shard=2,tp=2` (TRENIO_LAYOUT). Without those, and without this call,
 * all ranks are on one axis, `data`.
 * @throws {INVALID_MESH} for sizes whose product is not the number of ranks, and two names of one axis, such as `tp` and `tensor`
 * @throws {UNKNOWN_MESH_AXIS} for an axis that is not one of `data`, `dp_replicate`, `dp_shard`, `tp`, `cp`, `ep`, `pp` and their long names
 * @throws {BAD_ENVIRONMENT} for an invalid TRENIO_LAYOUT
 * @throws {MESH_IN_USE} if the device has another mesh and something was recorded on it
 * @throws {WRONG_ARGUMENT} for sizes that are not an object, or for an invalid device
 * @example
 * const mesh = initDeviceMesh({ data: 1 });
 * mesh.size('data') // 1
 */
export function initDeviceMesh(sizes: MeshSizes = launchedSizes(), given: Device | DeviceName = device()): DeviceMesh {
  const call = 'initDeviceMesh';
  if (typeof sizes !== 'object' || sizes === null || Array.isArray(sizes))
    throw wrongArgument({ call, argument: 'the sizes' }, sizes, 'the sizes of axes, such as { data: 2, tensor: 4 }');
  const target = deviceFrom(call, given);
  const { mesh } = target;
  target.setMesh(new DeviceMesh(sizesFor(sizes, mesh.size()), mesh.rank));
  return target.mesh;
}

const launchedSizes = (): MeshSizes => readVariable('TRENIO_LAYOUT') ?? { data: -1 };

function sizesFor(sizes: MeshSizes, ranks: number): MeshSizes {
  try {
    return meshSizesFor(sizes, ranks, userLocation());
  } catch (error) {
    const isTraced = readVariable('TRENIO_TRACE_ONLY') !== undefined;
    if (!isTraced || !isTrenioError(error, 'INVALID_MESH')) throw error;
    throw new TrenioError('INVALID_MESH', { ...error.data, traced: true }, { location: error.location });
  }
}
