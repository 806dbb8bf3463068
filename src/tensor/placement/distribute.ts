// Divides tensors over the ranks. The program stays that of whole tensors: a division changes which rank computes what, and what
// is sent, but no result.

import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { type Sharding, shardingOf } from '../../hlo/sharding/sharding.ts';
import { checkTensors, wrongArgument } from '../check-arguments.ts';
import { userLocation } from '../location.ts';
import { record, type Tensor } from '../tensor.ts';
import { homeOf, setHome } from './homes.ts';
import {
  checkAxis,
  type PartitionSpec,
  type Placement,
  placementsOf,
  Replicate,
  shardingOfPlacements,
  shardingOfSpec,
} from './layouts.ts';
import { meshName } from './partitioned.ts';
import { shardingOfBuffer } from './sharded-buffer.ts';

/**
 * The same tensor, each rank with its part. `placements`: one for each axis of the mesh. Every rank must give the same elements.
 * PyTorch: `torch.distributed.tensor.distribute_tensor`.
 * @throws {WRONG_ARGUMENT} for another number of placements than axes, or a dim that the tensor lacks
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * distributeTensor(tensor([[1, 2], [3, 4]]), mesh, [Shard(0)]) // [[1, 2], [3, 4]]
 */
export function distributeTensor(x: Tensor, mesh: DeviceMesh, placements: readonly Placement[]): Tensor {
  return resharded('distributeTensor', x, mesh, placements);
}
/**
 * The same tensor, divided in another way. PyTorch: `DTensor.redistribute`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const x = distributeTensor(tensor([1, 2]), mesh, [Shard(0)]);
 * redistribute(x, [Replicate()]) // [1, 2]
 */
export function redistribute(x: Tensor, placements: readonly Placement[]): Tensor {
  return resharded('redistribute', x, x.device.mesh, placements);
}
/**
 * The same tensor, whole on every rank. Every rank must call it. PyTorch: `DTensor.full_tensor`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * fullTensor(distributeTensor(tensor([1, 2]), mesh, [Shard(0)])) // [1, 2]
 */
export function fullTensor(x: Tensor): Tensor {
  checkTensors('fullTensor', { x });
  return resharded('fullTensor', x, x.device.mesh, x.device.mesh.axes.map(Replicate));
}
/**
 * How a tensor that has been computed is divided: a placement for each axis of the mesh of its device. PyTorch:
 * `DTensor.placements`.
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * placements(tensor([1, 2])) // [{ kind: 'replicate' }]
 */
export function placements(x: Tensor): readonly Placement[] {
  checkTensors('placements', { x });
  return placementsOf(shardingOfBuffer(x.device.read(x)), x.device.mesh);
}

function resharded(call: string, x: Tensor, mesh: DeviceMesh, wanted: readonly Placement[]): Tensor {
  checkTensors(call, { x });
  checkMesh(call, x, mesh);
  const sharding = shardingOfPlacements(wanted, { call, mesh, rank: x.ndim });
  return record(call, [x], (b, [value]) => b.emit1('sdy.reshard', [value!], { sharding }));
}
function checkMesh(call: string, x: Tensor, mesh: DeviceMesh): void {
  if (String(mesh) !== String(x.device.mesh))
    throw wrongArgument({ call, argument: 'the mesh' }, mesh, `that of the device of the tensor, ${x.device.mesh}`);
}

/**
 * The same tensor, computed in parts as `spec` says: one entry for each dim, an axis of the mesh of its device, several, `null`
 * for a whole dim, or `'?'` for a dim that the partitioner may divide. Its gradient is divided in the same way. JAX:
 * `jax.lax.with_sharding_constraint`.
 * @throws {INVALID_SHARDING} for more entries than dims, and axes that are used twice
 * @throws {UNKNOWN_MESH_AXIS} for axes that the mesh lacks
 * @example
 * const mesh = initDeviceMesh({ dp_shard: 1, tp: 1 });
 * withShardingConstraint(tensor([[1, 2]]), ['dp_shard', 'tp']) // [[1, 2]]
 */
export function withShardingConstraint(x: Tensor, spec: PartitionSpec): Tensor {
  const call = 'withShardingConstraint';
  checkTensors(call, { x });
  return constrained(x, shardingOfSpec(spec, { call, mesh: x.device.mesh, rank: x.ndim }));
}
export const constrained = (x: Tensor, sharding: Sharding): Tensor =>
  record('withShardingConstraint', [x], (b, [value]) => b.emit1('sdy.sharding_constraint', [value!], { sharding }));

/** The axes that divide each dim of parameters, and of the state that optimizers keep for them if in another way. */
const divisions = new WeakMap<Tensor, readonly (readonly string[])[]>();
const stateDivisions = new WeakMap<Tensor, readonly (readonly string[])[]>();
/**
 * As before if the axis divides this dim already.
 * @throws {UNKNOWN_MESH_AXIS} if the mesh of the tensor's device lacks the axis
 * @throws {INVALID_SHARDING} if it divides another dim
 */
function withAxis(x: Tensor, dim: number, axis: string): readonly (readonly string[])[] {
  if (axis !== 'data') checkAxis(axis, x.device.mesh);
  const before = divisionOf(x);
  const at = before.findIndex(axes => axes.includes(axis));
  if (at === dim) return before;
  const after = before.map((axes, d) => (d === dim ? [...axes, axis] : axes));
  if (at < 0) return after;
  const detail = `the axis '${axis}' divides dim ${at} already`;
  throw new TrenioError('INVALID_SHARDING', { sharding: JSON.stringify(after), detail }, { location: userLocation() });
}
const divisionOf = (x: Tensor): readonly (readonly string[])[] => divisions.get(x) ?? x.shape.map(() => []);

/** How programs use a parameter: in parts, or gathered, once in a step or again in the backward pass. */
export type DividedUse = 'parts' | 'gathered' | 'gathered again';
/** Divides a dim of a parameter along one more axis. */
export function divide(x: Tensor, dim: number, axis: string, use: DividedUse): void {
  const before = divisionOf(x);
  const after = withAxis(x, dim, axis);
  if (after === before) return;
  divisions.set(x, after);
  place(x, after);
  if (use !== 'parts') x.usedAs = { sharding: shardingOf(meshName, before), isRepeated: use === 'gathered again' };
}
/** The state that an optimizer keeps for a parameter is divided along one more axis. */
export const divideState = (x: Tensor, dim: number, axis: string): void =>
  void stateDivisions.set(x, withAxis(x, dim, axis));
/**
 * The division of a parameter's state, if it is along `data`, too. Tensors of a program differ along that axis, unless they were
 * averaged, so these divisions are said where they begin and end, and do not spread.
 */
export function dividedAlongData(x: Tensor): Sharding | undefined {
  const division = stateDivisions.get(x);
  return division?.some(axes => axes.includes('data')) ? shardingOf(meshName, division) : undefined;
}
/** A value that every rank along `data` has whole. */
export function wholeAlongData(b: Builder, value: Value): Value {
  const dims = shapeOf(value).map(() => ({ axes: [], isOpen: true }));
  const sharding = { mesh: meshName, dims, replicated: [{ name: 'data' }], unreduced: [], reduction: 'sum' } as const;
  return b.emit1('sdy.sharding_constraint', [value], { sharding });
}
/** Places new state of an optimizer, with the shape of its parameter. */
export function divideLike(state: Tensor, parameter: Tensor): void {
  const home = homeOf(parameter);
  if (home !== undefined) setHome(state, home);
  const division = stateDivisions.get(parameter) ?? divisions.get(parameter);
  if (division !== undefined || home !== undefined) place(state, division ?? divisionOf(state));
}
/** Puts a parameter on one of the ranks along a pipeline. */
export function placeOnStage(x: Tensor, home: number): void {
  setHome(x, home);
  place(x, divisionOf(x));
}
function place(x: Tensor, division: readonly (readonly string[])[]): void {
  const { device } = x;
  if (!device.mesh.hasParts) return;
  x.replace(device.placements.divided(device.read(x), shardingOf(meshName, division), homeOf(x)));
}
