// Collectives along axes of the mesh, within the function of a `shardMap`: `collectives.allReduce(x, 'tp')`. Gradients flow
// through them. Along an axis with a single rank, they return what they are given.
import type { BinaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import { type CollectiveGroups, collectiveAlong } from '../../hlo/sharding/mesh.ts';
import { checkTensors, wrongArgument } from '../check-arguments.ts';
import { tensor } from '../functions/create.ts';
import { indexAlong, permuted } from '../lower/collectives.ts';
import { dimOf } from '../lower/shapes.ts';
import { checkWord } from '../settings.ts';
import { record, type Tensor } from '../tensor.ts';
import { manualOf } from './manual-axes.ts';

/** An axis of the mesh, or several, from major to minor. */
export type AxisNames = string | readonly string[];
/** How `collectives.allReduce` combines elements. */
export type ReduceName = 'sum' | 'avg' | 'max' | 'min';
const combiners: Readonly<Record<ReduceName, BinaryName>> = { sum: 'add', avg: 'add', max: 'maximum', min: 'minimum' };

/** The ranks along some axes. */
interface Group {
  readonly size: number;
  readonly attributes: CollectiveGroups;
}
function groupOf(call: string, axis: AxisNames): Group {
  const axes = typeof axis === 'string' ? [axis] : axis;
  const { mesh } = manualOf(call, axes);
  const size = axes.reduce((product, name) => product * mesh.axes.find(one => one.name === name)!.size, 1);
  return { size, attributes: collectiveAlong({ axes: mesh.axes }, axes) };
}
function collective(
  call: string,
  x: Tensor,
  axis: AxisNames,
  lower: (b: Builder, value: Value, group: Group) => Value,
): Tensor {
  checkTensors(`collectives.${call}`, { x });
  const group = groupOf(call, axis);
  return group.size === 1 ? x : record(call, [x], (b, [value]) => lower(b, value!, group));
}
/** Collectives that move elements list devices without saying so. */
const moving = ({
  useGlobalDeviceIds: _,
  ...attributes
}: CollectiveGroups): Omit<CollectiveGroups, 'useGlobalDeviceIds'> => attributes;
const dimIn = (call: string, x: Tensor, dim: number, b: Builder): number =>
  dimOf(b, `collectives.${call}`, x.shape, dim);

/**
 * Each element combined with those of all ranks along an axis: their sum by default. The gradient is that of a sum or an average.
 * PyTorch: `torch.distributed._functional_collectives.all_reduce`. JAX: `jax.lax.psum`.
 * @throws {WRONG_ARGUMENT} outside `shardMap`, or for another axis
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * shardMap((x: Tensor) => collectives.allReduce(x, 'tp'), { mesh, inSpecs: [['tp']], outSpecs: [null] })(ones([2])) // [1, 1]
 */
export function allReduce(x: Tensor, axis: AxisNames, op: ReduceName = 'sum'): Tensor {
  const call = 'allReduce';
  checkWord(`collectives.${call}`, 'op', op, ['sum', 'avg', 'max', 'min']);
  return collective(call, x, axis, (b, value, { size, attributes }) => {
    const region = b.combiner(combiners[op], x.type.elementType);
    const all = b.emit1('all_reduce', [value], attributes, [region]);
    return op === 'avg' ? b.divide(all, b.like(all, size)) : all;
  });
}
/**
 * The tensors of all ranks along an axis, one after the other along a dim. PyTorch: `all_gather_tensor`. JAX:
 * `jax.lax.all_gather(…, tiled=True)`.
 * @throws {WRONG_ARGUMENT} outside `shardMap`, or for another axis
 * @throws {BAD_DIM}
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * shardMap((x: Tensor) => collectives.allGather(x, 'tp'), { mesh, inSpecs: [['tp']], outSpecs: [null] })(ones([2])) // [1, 1]
 */
export function allGather(x: Tensor, axis: AxisNames, dim = 0): Tensor {
  return collective('allGather', x, axis, (b, value, { attributes }) =>
    b.emit1('all_gather', [value], { ...attributes, allGatherDim: dimIn('allGather', x, dim, b) }),
  );
}
/**
 * The sum over all ranks along an axis, of which each gets its part of a dim. PyTorch: `reduce_scatter_tensor`. JAX:
 * `jax.lax.psum_scatter(…, tiled=True)`.
 * @throws {WRONG_ARGUMENT} outside `shardMap`, for another axis, and for a dim that the ranks cannot share evenly
 * @throws {BAD_DIM}
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * shardMap((x: Tensor) => collectives.reduceScatter(x, 'tp'), { mesh, inSpecs: [[null]], outSpecs: ['tp'] })(ones([2])) // [1, 1]
 */
export function reduceScatter(x: Tensor, axis: AxisNames, dim = 0): Tensor {
  const call = 'reduceScatter';
  return collective(call, x, axis, (b, value, { size, attributes }) => {
    const scatterDimension = evenDim(call, x, dimIn(call, x, dim, b), size);
    const region = b.combiner('add', x.type.elementType);
    return b.emit1('reduce_scatter', [value], { ...attributes, scatterDimension }, [region]);
  });
}
/**
 * Cuts a dim into a part for each rank along an axis, and joins those that this rank gets along another dim, or the same one.
 * PyTorch: `all_to_all_single`. JAX: `jax.lax.all_to_all(…, tiled=True)`.
 * @throws {WRONG_ARGUMENT} outside `shardMap`, for another axis, and for a dim that the ranks cannot share evenly
 * @throws {BAD_DIM}
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const swap = (x: Tensor) => collectives.allToAll(x, 'tp', 1, 0);
 * shardMap(swap, { mesh, inSpecs: [['tp']], outSpecs: [null, 'tp'] })(ones([2, 2])).shape // [2, 2]
 */
export function allToAll(x: Tensor, axis: AxisNames, splitDim: number, concatDim: number): Tensor {
  const call = 'allToAll';
  return collective(call, x, axis, (b, value, { size, attributes }) => {
    const splitDimension = evenDim(call, x, dimIn(call, x, splitDim, b), size);
    const concatDimension = dimIn(call, x, concatDim, b);
    return b.emit1('all_to_all', [value], {
      ...moving(attributes),
      splitDimension,
      concatDimension,
      splitCount: size,
    });
  });
}
/**
 * The tensor of another rank along an axis, by pairs of a sender and a receiver; zeros where nothing is received. PyTorch:
 * `permute_tensor`. JAX: `jax.lax.ppermute`.
 * @throws {WRONG_ARGUMENT} outside `shardMap`, for another axis, for other ranks, and for two pairs with one receiver
 * @example
 * const mesh = initDeviceMesh({ cp: 1 });
 * const next = (x: Tensor) => collectives.permute(x, 'cp', [[0, 0]]);
 * shardMap(next, { mesh, inSpecs: [['cp']], outSpecs: ['cp'] })(ones([2])) // [1, 1]
 */
export function permute(x: Tensor, axis: AxisNames, pairs: readonly (readonly [from: number, to: number])[]): Tensor {
  const call = 'permute';
  checkTensors(`collectives.${call}`, { x });
  const group = groupOf(call, axis);
  const isRank = (rank: unknown): boolean =>
    Number.isInteger(rank) && (rank as number) >= 0 && (rank as number) < group.size;
  const areOnce = [0, 1].every(at => new Set(pairs.map(pair => pair[at])).size === pairs.length);
  if (!Array.isArray(pairs) || !areOnce || !pairs.every(pair => pair.length === 2 && pair.every(isRank)))
    throw wrongArgument(
      { call: `collectives.${call}`, argument: 'the pairs' },
      JSON.stringify(pairs),
      `pairs of ranks from 0 to ${group.size - 1}, each a sender and a receiver once`,
    );
  return record(call, [x], (b, [value]) =>
    group.size === 1
      ? pairs.length === 1
        ? value!
        : b.multiply(value!, b.like(value!, 0))
      : permuted(b, value!, group.attributes, pairs),
  );
}
/**
 * The coordinate of this rank along an axis, an int32. PyTorch: `DeviceMesh.get_local_rank`. JAX: `jax.lax.axis_index`.
 * @throws {WRONG_ARGUMENT} outside `shardMap`, or for another axis
 * @example
 * const mesh = initDeviceMesh({ cp: 1 });
 * const numbered = (x: Tensor) => x.add(collectives.axisIndex('cp'));
 * shardMap(numbered, { mesh, inSpecs: [['cp']], outSpecs: ['cp'] })(ones([2])) // [1, 1]
 */
export function axisIndex(axis: AxisNames): Tensor {
  const axes = typeof axis === 'string' ? [axis] : axis;
  const { device, mesh } = manualOf('axisIndex', axes);
  const zero = tensor(0, { dtype: 'int32', device });
  return device.mesh.dividesPrograms
    ? record('axisIndex', [zero], b => indexAlong(b, { axes: mesh.axes }, axes))
    : zero;
}
function evenDim(call: string, x: Tensor, dim: number, size: number): number {
  if (x.shape[dim]! % size === 0) return dim;
  throw wrongArgument(
    { call: `collectives.${call}`, argument: `dim ${dim}` },
    `a dim of size ${x.shape[dim]}`,
    `a dim that ${size} ranks can share evenly`,
  );
}
