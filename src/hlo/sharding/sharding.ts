// A sharding: how the dims of one tensor are divided along the axes of a mesh.
//
//   tensor<8x16xf32>  <@mesh, [{"data"}, {"tensor"}]>      data = 2, tensor = 4: each device holds 4x4
//
// A tensor without a sharding is open in every dim: a partitioner may choose. Specification: Shardy's `#sdy.sharding`.
import { dynamicDim } from '../types.ts';
import { type AxisRef, axisNamed, axisRefSize, type Coordinate, checkAxisUse, indexAlong, type Mesh } from './mesh.ts';

/** The axes that divide a dim. */
export interface DimSharding {
  /** From major to minor: the first one cuts the dim into the largest blocks. */
  readonly axes: readonly AxisRef[];
  /** Whether a partitioner may divide the dim further. */
  readonly isOpen: boolean;
  /** The order in which a partitioner propagates the dim, 0 first. */
  readonly priority?: number;
}

/** How the terms of an unreduced tensor are combined. */
export const reductionKinds = ['sum', 'max', 'min'] as const;
/** How the terms of an unreduced tensor are combined. */
export type ReductionKind = (typeof reductionKinds)[number];

/** How a tensor is divided among the devices of a mesh, as in `#sdy.sharding`. */
export interface Sharding {
  /** The name of a mesh of the module, or the mesh itself. */
  readonly mesh: string | Mesh;
  /** The axes that each dim is split along. */
  readonly dims: readonly DimSharding[];
  /** Axes along which the tensor must be replicated. */
  readonly replicated: readonly AxisRef[];
  /** Axes along which each device has a partial result; `reduction` is how they are combined. */
  readonly unreduced: readonly AxisRef[];
  /** How unreduced parts are combined. */
  readonly reduction: ReductionKind;
}

/**
 * Divides dim i along `axes[i]`, in order; an empty list leaves the dim whole. All dims are closed.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.printSharding(hlo.sharding.shardingOf(mesh, [['data'], []])) // '<mesh<["data"=2, "tensor"=4]>, [{"data"}, {}]>'
 */
export function shardingOf(mesh: string | Mesh, axes: readonly (readonly string[])[]): Sharding {
  const dims = axes.map(names => ({ axes: names.map(name => ({ name })), isOpen: false }));
  return { mesh, dims, replicated: [], unreduced: [], reduction: 'sum' };
}

/**
 * The number of parts of a dim.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.partsOf(hlo.sharding.shardingOf(mesh, [['tensor']]).dims[0]!, mesh) // 4
 */
export const partsOf = (dim: DimSharding, mesh: Mesh): number =>
  dim.axes.reduce((count, axis) => count * axisRefSize(mesh, axis), 1);

/**
 * The shape that one device holds; the last parts of a dim that does not divide evenly are padded to the others' size.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.shardShape([8, 16], hlo.sharding.shardingOf(mesh, [['data'], ['tensor']]), mesh) // [4, 4]
 */
export function shardShape(shape: readonly number[], sharding: Sharding, mesh: Mesh): readonly number[] {
  return shape.map((size, d) => (size === dynamicDim ? size : Math.ceil(size / partsOf(sharding.dims[d]!, mesh))));
}

/**
 * The index of the part of each dim that the device at a coordinate holds.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * const sharding = hlo.sharding.shardingOf(mesh, [['data'], ['tensor']]);
 * hlo.sharding.shardIndex(sharding, mesh, hlo.sharding.coordinateOf(mesh, 5)!) // [1, 1]
 */
export function shardIndex(sharding: Sharding, mesh: Mesh, coordinate: Coordinate): readonly number[] {
  return sharding.dims.map(dim =>
    dim.axes.reduce((index, axis) => index * axisRefSize(mesh, axis) + indexAlong(mesh, coordinate, axis), 0),
  );
}

/**
 * Every axis that a sharding uses.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.axesOf(hlo.sharding.shardingOf(mesh, [['data'], ['tensor']])).map(({ name }) => name) // ['data', 'tensor']
 */
export const axesOf = ({ dims, replicated, unreduced }: Sharding): readonly AxisRef[] => [
  ...dims.flatMap(dim => dim.axes),
  ...replicated,
  ...unreduced,
];

/**
 * An axis, or a part of one, as MLIR text.
 * @example
 * hlo.sharding.formatAxisRef({ name: 'data' }) // '"data"'
 */
export const formatAxisRef = ({ name, subAxis }: AxisRef): string =>
  subAxis === undefined ? `"${name}"` : `"${name}":(${subAxis.preSize})${subAxis.size}`;

/**
 * Returns the problem with a sharding of a tensor with this number of dims, or undefined. The rules are Shardy's, except that
 * dims need not divide evenly, which only some of its passes require.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.checkSharding(hlo.sharding.shardingOf(mesh, [['data']]), mesh, 1) // undefined
 */
export function checkSharding(sharding: Sharding, mesh: Mesh, rank: number): string | undefined {
  const axes = axesOf(sharding);
  if (mesh.axes.length === 0 && mesh.deviceIds !== undefined) {
    return axes.length + sharding.dims.length === 0
      ? undefined
      : 'on a mesh of one given device, a sharding has no dims and no axes';
  }
  if (sharding.dims.length !== rank) return `it has ${sharding.dims.length} dims, the tensor has ${rank}`;
  for (const [d, dim] of sharding.dims.entries()) {
    if (dim.priority !== undefined && !dim.isOpen && dim.axes.length === 0) {
      return `dim ${d} is closed and has no axes, so it cannot have a priority`;
    }
  }
  for (const { name } of axes) {
    if (axisNamed(mesh, name) === undefined) return `the mesh has no axis "${name}"`;
  }
  for (const { name, size } of mesh.axes) {
    const problem = checkAxisUse(
      axes.filter(axis => axis.name === name),
      size,
    );
    if (problem !== undefined) return `"${name}": ${problem}`;
  }
  for (const list of [...sharding.dims.map(dim => dim.axes), sharding.replicated, sharding.unreduced]) {
    const merged = list.find((axis, i) => i > 0 && continues(list[i - 1]!, axis));
    if (merged !== undefined) return `${formatAxisRef(merged)} continues the sub-axis before it: write the two as one`;
  }
  if (!isOrdered(sharding.replicated, mesh)) return 'the replicated axes are not in the order of the mesh';
  if (!isOrdered(sharding.unreduced, mesh)) return 'the unreduced axes are not in the order of the mesh';
  return undefined;
}

const continues = (a: AxisRef, b: AxisRef): boolean =>
  a.name === b.name &&
  a.subAxis !== undefined &&
  b.subAxis !== undefined &&
  a.subAxis.preSize * a.subAxis.size === b.subAxis.preSize;

function isOrdered(axes: readonly AxisRef[], mesh: Mesh): boolean {
  const at = axes.map(axis => mesh.axes.findIndex(a => a.name === axis.name));
  return axes.every((axis, i) => {
    if (i === 0 || at[i]! > at[i - 1]!) return true;
    return at[i] === at[i - 1] && (axis.subAxis?.preSize ?? 0) >= (axes[i - 1]!.subAxis?.preSize ?? 0);
  });
}
