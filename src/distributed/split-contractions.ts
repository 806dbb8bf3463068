// One rank that computes as several would: to tell the order of sums from mistakes when a layout is compared with one rank.
import { DeviceMesh, type MeshSizes, meshSizesFor } from '../hlo/sharding/device-mesh.ts';
import { type Device, type DeviceName, device, deviceFrom, userLocation, wrongArgument } from '../tensor/index.ts';

/**
 * A mesh of one rank that computes each sum in the parts, and in the order, of a layout on a mesh of these sizes: contractions,
 * averages, norms. `parallelize` and the like take it, and losses, gradients and parameters have the bits of the layout on as
 * many ranks. It is slower, and needs the memory of the whole model. Call it instead of `initDeviceMesh`.
 *
 *     const mesh = splitContractions({ tp: 2 }); // on one rank: the bits of initDeviceMesh({ tp: 2 }) on two
 *     parallelize(model, mesh);
 *
 * @throws {WRONG_ARGUMENT} on several ranks, and for the axes `data` and `pp`, whose ranks have programs of their own
 * @throws {UNKNOWN_MESH_AXIS}
 * @throws {INVALID_MESH} for sizes below 1
 * @example
 * const mesh = splitContractions({ tp: 2 });
 * const model = parallelize(new nn.Sequential(new nn.Linear(4, 6), new nn.Linear(6, 4)), mesh, {
 *   0: ColwiseParallel(),
 *   1: RowwiseParallel(),
 * });
 * model(ones([2, 4])).shape // [2, 4]
 */
export function splitContractions(sizes: MeshSizes, given: Device | DeviceName = device()): DeviceMesh {
  const call = 'splitContractions';
  if (typeof sizes !== 'object' || sizes === null || Array.isArray(sizes))
    throw wrongArgument({ call, argument: 'the sizes' }, sizes, 'the sizes of axes, such as { dp_shard: 2, tp: 2 }');
  const target = deviceFrom(call, given);
  const ranks = target.mesh.size();
  if (ranks > 1) throw wrongArgument({ call, argument: 'the run' }, `${ranks} ranks`, 'one rank');
  const own = (['data', 'pp', 'pipeline'] as const).find(axis => (sizes[axis] ?? 1) > 1);
  if (own !== undefined)
    throw wrongArgument(
      { call, argument: 'an axis' },
      own,
      'axes other than data and pp',
      'pipeline() has cuts for one rank',
    );
  if (Object.values(sizes).includes(-1))
    throw wrongArgument({ call, argument: 'a size' }, -1, '1 or more, as no number of ranks is given');
  const count = Object.values(sizes).reduce<number>((product, size) => product * (size ?? 1), 1);
  const wanted = meshSizesFor(sizes, count, userLocation());
  const ones = Object.fromEntries(Object.keys(wanted).map(axis => [axis, 1]));
  target.setMesh(new DeviceMesh(ones, 0, wanted));
  return target.mesh;
}
