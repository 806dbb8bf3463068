// The algebra of axes and parts of axes, as Shardy defines it (AxisRefAttr): x, and x:(pre)size, the middle dim of x reshaped
// to [pre, size, rest].
//
//   "x":(1)2 is a prefix of "x":(1)4       "x":(1)2 and "x":(2)2 are neighbors: together "x":(1)4
import { type AxisRef, axisNamed, axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';

export type Axes = readonly AxisRef[];

const preSizeOf = ({ subAxis }: AxisRef): number => subAxis?.preSize ?? 1;
/** Where the next part of the axis starts; unbounded for a whole axis, which has none. */
const endOf = ({ subAxis }: AxisRef): number => (subAxis === undefined ? Infinity : subAxis.preSize * subAxis.size);

export const sameAxis = (a: AxisRef, b: AxisRef): boolean =>
  a.name === b.name && preSizeOf(a) === preSizeOf(b) && a.subAxis?.size === b.subAxis?.size;

/** Whether `b` is a part of `a`, or equal to it. */
export const contains = (a: AxisRef, b: AxisRef): boolean =>
  a.name === b.name && preSizeOf(a) <= preSizeOf(b) && endOf(a) >= endOf(b);
export const isPrefix = (a: AxisRef, b: AxisRef): boolean => contains(b, a) && preSizeOf(a) === preSizeOf(b);
export const overlaps = (a: AxisRef, b: AxisRef): boolean =>
  a.name === b.name && preSizeOf(a) < endOf(b) && preSizeOf(b) < endOf(a);

/** Whether the axis can be cut such that both are products of its parts. */
function canCoexist(a: AxisRef, b: AxisRef): boolean {
  if (a.name !== b.name || a.subAxis === undefined || b.subAxis === undefined) return true;
  const [low, high] = [Math.min(preSizeOf(a), preSizeOf(b)), Math.max(preSizeOf(a), preSizeOf(b))];
  const [lowEnd, highEnd] = [Math.min(endOf(a), endOf(b)), Math.max(endOf(a), endOf(b))];
  return lowEnd > high ? lowEnd % high === 0 && high % low === 0 && highEnd % lowEnd === 0 : high % lowEnd === 0;
}

/** The major part of `axis` that does not overlap `other`; undefined if there is none. */
function prefixWithout(axis: AxisRef, other: AxisRef): AxisRef | undefined {
  if (!canCoexist(axis, other)) return undefined;
  if (!overlaps(axis, other)) return axis;
  const [start, end] = [preSizeOf(axis), preSizeOf(other)];
  return start >= end ? undefined : { name: axis.name, subAxis: { preSize: start, size: end / start } };
}
/** The major part of `axis` that does not overlap any of `others`. */
export function prefixWithoutAll(axis: AxisRef, others: Axes): AxisRef | undefined {
  let result: AxisRef | undefined = axis;
  for (const other of others) result = result && prefixWithout(result, other);
  return result;
}

/** How a list of axes relates to a longer or equal one. */
export function prefixStatus(first: Axes, second: Axes): 'equal' | 'strict' | 'none' {
  if (first.length === 0) return second.length === 0 ? 'equal' : 'strict';
  if (first.length > second.length) return 'none';
  const last = first.length - 1;
  if (first.some((axis, i) => i < last && !sameAxis(axis, second[i]!))) return 'none';
  if (first.length === second.length && sameAxis(first[last]!, second[last]!)) return 'equal';
  return isPrefix(first[last]!, second[last]!) ? 'strict' : 'none';
}

/** Appends an axis, joined with the last one if it is the part before it. */
export function appendAxis(axes: AxisRef[], axis: AxisRef, mesh: Mesh): void {
  const last = axes.at(-1);
  if (last?.subAxis === undefined || axis.subAxis === undefined || last.name !== axis.name) axes.push(axis);
  else if (endOf(last) !== axis.subAxis.preSize) axes.push(axis);
  else axes[axes.length - 1] = partOf(axis.name, last.subAxis.preSize, last.subAxis.size * axis.subAxis.size, mesh);
}

/** The axes of some lists, one after another, with neighboring parts joined. */
export function joinedAxes(lists: readonly Axes[], mesh: Mesh): Axes {
  const axes: AxisRef[] = [];
  for (const axis of lists.flat()) appendAxis(axes, axis, mesh);
  return axes;
}
/** The parts of an axis of prime sizes, from major to minor. */
export function primeParts({ name, subAxis }: AxisRef, mesh: Mesh): Axes {
  const parts: AxisRef[] = [];
  let preSize = subAxis?.preSize ?? 1;
  let rest = subAxis?.size ?? axisNamed(mesh, name)!.size;
  for (let prime = 2; rest > 1; prime++)
    for (; rest % prime === 0; rest /= prime) {
      parts.push(partOf(name, preSize, prime, mesh));
      preSize *= prime;
    }
  return parts;
}

/** A part of an axis; the axis itself if the part is all of it. */
export const partOf = (name: string, preSize: number, size: number, mesh: Mesh): AxisRef =>
  size === axisNamed(mesh, name)!.size ? { name } : { name, subAxis: { preSize, size } };

export const sizeOfAxes = (axes: Axes, mesh: Mesh): number =>
  axes.reduce((product, axis) => product * axisRefSize(mesh, axis), 1);

export function inMeshOrder(axes: Axes, mesh: Mesh): Axes {
  const at = (axis: AxisRef): number => mesh.axes.findIndex(({ name }) => name === axis.name);
  return [...axes].sort((a, b) => at(a) - at(b) || preSizeOf(a) - preSizeOf(b));
}
/** In the order of the mesh, with neighboring parts joined. */
export function sortedAxes(axes: Axes, mesh: Mesh): Axes {
  const result: AxisRef[] = [];
  for (const axis of inMeshOrder(axes, mesh)) appendAxis(result, axis, mesh);
  return result;
}

/** The parts of an axis that none of `used` covers. */
export function partsWithout(name: string, used: Axes, mesh: Mesh): Axes {
  const { size } = axisNamed(mesh, name)!;
  const parts: AxisRef[] = [];
  let start = 1;
  for (const axis of sortedAxes(
    used.filter(other => other.name === name),
    mesh,
  )) {
    if (axis.subAxis === undefined) return [];
    if (axis.subAxis.preSize > start) parts.push(partOf(name, start, axis.subAxis.preSize / start, mesh));
    start = endOf(axis);
  }
  if (start < size) parts.push(partOf(name, start, size / start, mesh));
  return parts;
}
