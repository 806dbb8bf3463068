// How a value is divided while a program is made local: the axes of each dim, without notes for propagation.
import type { BinaryName } from '../../hlo/attributes.ts';
import {
  type AxisRef,
  axisNamed,
  coordinateOf,
  deviceAt,
  deviceCount,
  indexAlong,
  type Mesh,
} from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { dynamicDim, type Type } from '../../hlo/types.ts';
import { type Axes, partOf, sameAxis, sizeOfAxes } from './axes.ts';

/** The axes of each dim, from major to minor. */
export type Layout = readonly Axes[];

/** How a value is made of terms: each device along some axes has one, and they are not combined yet. */
export interface Terms {
  readonly axes: Axes;
  readonly combiner: BinaryName;
}

export const sameTerms = (a: Terms | undefined, b: Terms | undefined): boolean =>
  a?.combiner === b?.combiner &&
  a?.axes.length === b?.axes.length &&
  a?.axes.every(axis => b!.axes.some(other => sameAxis(axis, other))) !== false;

/** How the operands and results of an op are divided. */
export interface OpLayouts {
  readonly operands: readonly Layout[];
  readonly results: readonly Layout[];
  /** The axes along which the results are terms, to be combined. */
  readonly reduced: Axes;
}

export const whole = (type: Type): Layout => (type.kind === 'tensor' ? type.shape.map(() => []) : []);
export const sameLayout = (a: Layout, b: Layout): boolean =>
  a.every((axes, d) => axes.length === b[d]!.length && axes.every((axis, i) => sameAxis(axis, b[d]![i]!)));

/** Whether each part of `a` is a part of one of `b`. */
export const refines = (a: Layout, b: Layout): boolean =>
  b.every((axes, d) => axes.every((axis, i) => a[d]![i] !== undefined && sameAxis(axis, a[d]![i]!)));

/** The layout that a sharding states for a value of this type; whole if it cannot be divided. */
export function layoutOf(sharding: Sharding | undefined, type: Type): Layout {
  const isDivisible =
    type.kind === 'tensor' && type.quantization === undefined && sharding?.dims.length === type.shape.length;
  return isDivisible
    ? sharding.dims.map((dim, d) => (type.shape[d]! === 0 || type.shape[d] === dynamicDim ? [] : dim.axes))
    : whole(type);
}

/** The type of a part; the last parts of a dim that does not divide evenly are padded. */
export const localType = (type: Type, layout: Layout, mesh: Mesh): Type =>
  type.kind === 'tensor'
    ? { ...type, shape: type.shape.map((size, d) => (size === dynamicDim ? size : localSize(size, layout[d]!, mesh))) }
    : type;
export const localSize = (size: number, axes: Axes, mesh: Mesh): number => Math.ceil(size / sizeOfAxes(axes, mesh));

/** The axes of a list, cut where any of `all` begins or ends, so that parts can be compared; undefined if they cannot be cut. */
export function cutAxes(axes: Axes, all: Axes, mesh: Mesh): Axes | undefined {
  const result: AxisRef[] = [];
  for (const { name, subAxis } of axes) {
    const { size } = axisNamed(mesh, name)!;
    const cuts = all.flatMap(other => (other.name === name ? boundsOf(other, size) : []));
    const [start, end] = boundsOf({ name, ...(subAxis === undefined ? {} : { subAxis }) }, size) as [number, number];
    const within = [...new Set(cuts)].filter(cut => cut >= start && cut <= end).sort((a, b) => a - b);
    for (let k = 1; k < within.length; k++) {
      if (within[k]! % within[k - 1]! !== 0) return undefined;
      result.push(partOf(name, within[k - 1]!, within[k]! / within[k - 1]!, mesh));
    }
  }
  return result;
}
const boundsOf = ({ subAxis }: AxisRef, size: number): readonly number[] =>
  subAxis === undefined ? [1, size] : [subAxis.preSize, subAxis.preSize * subAxis.size];

/** For each device, by its number, the index along some axes. */
export function indexTable(axes: Axes, mesh: Mesh): readonly number[] {
  const table = new Array<number>(deviceCount(mesh)).fill(0);
  for (let position = 0; position < table.length; position++) {
    const device = deviceAt(mesh, position);
    const coordinate = coordinateOf(mesh, device)!;
    table[device] = axes.reduce(
      (index, axis) => index * sizeOfAxes([axis], mesh) + indexAlong(mesh, coordinate, axis),
      0,
    );
  }
  return table;
}
