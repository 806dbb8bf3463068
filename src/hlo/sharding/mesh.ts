// A mesh: devices in a grid whose axes have names. Axes are ordered from major to minor; positions are row-major.
//
//   data = 2, tensor = 4        tensor ─▶
//                         data  0 1 2 3        along {tensor}: [0 1 2 3] [4 5 6 7]
//                          ▼    4 5 6 7        along {data}:   [0 4] [1 5] [2 6] [3 7]
//
// A mesh does not depend on tensors; a Sharding describes how a tensor is laid out over one. Specification: Shardy's
// `sdy.mesh`, and StableHLO's `#stablehlo.mesh`.
import { TrenioError } from '../../base/errors.ts';
import { elementCount, stridesOf } from '../types.ts';

/** An axis of a mesh. */
export interface MeshAxis {
  /** The name of the axis. */
  readonly name: string;
  /** The size. */
  readonly size: number;
}

/** Devices in a grid with named axes. */
export interface Mesh {
  /** From major to minor. A mesh without axes is one device. */
  readonly axes: readonly MeshAxis[];
  /** The device at each position; omitted if it equals the position. */
  readonly deviceIds?: readonly number[];
}

/** A whole axis, or a part of one: the middle dim of the axis reshaped to [preSize, size, rest]. */
export interface AxisRef {
  /** The name of the axis. */
  readonly name: string;
  /** The part of the axis; omitted for the whole axis. */
  readonly subAxis?: {
    /** The size of the part of the axis before this one. */
    readonly preSize: number;
    /** The size. */
    readonly size: number;
  };
}

/** A position in a mesh: an index for each axis, in the order of the axes. */
export type Coordinate = readonly number[];

/**
 * The size of each axis.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.axisSizes(mesh) // [2, 4]
 */
export const axisSizes = (mesh: Mesh): readonly number[] => mesh.axes.map(axis => axis.size);
/**
 * The number of devices.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.deviceCount(mesh) // 8
 */
export const deviceCount = (mesh: Mesh): number => elementCount(axisSizes(mesh));
/**
 * The axis with this name.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.axisNamed(mesh, 'tensor')!.size // 4
 */
export const axisNamed = (mesh: Mesh, name: string): MeshAxis | undefined => mesh.axes.find(a => a.name === name);

/**
 * The number of parts that an axis cuts something into.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.axisRefSize(mesh, { name: 'tensor' }) // 4
 */
export function axisRefSize(mesh: Mesh, { name, subAxis }: AxisRef): number {
  return subAxis?.size ?? mesh.axes[axisPosition(mesh, name)]!.size;
}

/**
 * The index of the axis with this name.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.axisPosition(mesh, 'tensor') // 1
 */
export function axisPosition(mesh: Mesh, name: string): number {
  const at = mesh.axes.findIndex(axis => axis.name === name);
  if (at >= 0) return at;
  const known = mesh.axes.map(axis => `"${axis.name}"`).join(', ');
  throw new TrenioError('INVALID_SHARDING', {
    sharding: `the axis "${name}"`,
    detail: known === '' ? 'the mesh has no axes' : `the mesh has only the axes ${known}`,
  });
}

/**
 * The device at a position, counted along the axes from major to minor.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.deviceAt(mesh, 3) // 3
 */
export const deviceAt = (mesh: Mesh, position: number): number => mesh.deviceIds?.[position] ?? position;

/**
 * The coordinates of a device; undefined for a device that is not in the mesh.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.coordinateOf(mesh, 5) // [1, 1]
 */
export function coordinateOf(mesh: Mesh, device: number): Coordinate | undefined {
  const count = deviceCount(mesh);
  const position = mesh.deviceIds === undefined ? device : mesh.deviceIds.indexOf(device);
  if (!Number.isInteger(position) || position < 0 || position >= count) return undefined;
  const strides = stridesOf(axisSizes(mesh));
  return mesh.axes.map((axis, i) => Math.floor(position / strides[i]!) % axis.size);
}

/**
 * The index of a coordinate along an axis or a part of one.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * const coordinate = hlo.sharding.coordinateOf(mesh, 5)!;
 * hlo.sharding.indexAlong(mesh, coordinate, { name: 'tensor' }) // 1
 */
export function indexAlong(mesh: Mesh, coordinate: Coordinate, { name, subAxis }: AxisRef): number {
  const at = axisPosition(mesh, name);
  const index = coordinate[at]!;
  if (subAxis === undefined) return index;
  const rest = mesh.axes[at]!.size / (subAxis.preSize * subAxis.size);
  return Math.floor(index / rest) % subAxis.size;
}

/**
 * The devices that differ only in their index along some axes: one group for each combination of the other indices.
 * The first axis given is the major one within a group. StableHLO specification: "Replica groups".
 * @throws {INVALID_SHARDING} for an unknown or repeated axis, or a sub-axis that does not divide its axis
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.groupsAlong(mesh, [{ name: 'tensor' }]) // [[0, 1, 2, 3], [4, 5, 6, 7]]
 */
export function groupsAlong(mesh: Mesh, axes: readonly AxisRef[]): readonly (readonly number[])[] {
  const digits = digitsOf(mesh, axes);
  const named = axes.map(axis => digitOf(digits, axis));
  const within = offsets(named);
  const others = offsets(digits.filter(d => !named.includes(d)));
  return others.map(start => within.map(offset => deviceAt(mesh, start + offset)));
}

/** The groups of ranks that exchange with each other in a collective, as attributes of its op. */
export interface CollectiveGroups {
  /** The ranks of each group. */
  readonly replicaGroups: readonly (readonly number[])[];
  /** With `useGlobalDeviceIds`: the groups list devices. */
  readonly channelId?: number;
  /** The kind of the channel: between devices. */
  readonly channelType?: number;
  /** Whether the groups list devices. */
  readonly useGlobalDeviceIds?: boolean;
}
/**
 * A collective between the devices along some axes, as attributes of its op.
 * @throws {INVALID_SHARDING} for an axis that the mesh lacks
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 2 }] };
 * hlo.sharding.collectiveAlong(mesh, ['tensor']).replicaGroups // [[0, 1], [2, 3]]
 */
export const collectiveAlong = (mesh: Mesh, axes: readonly string[]): CollectiveGroups => ({
  replicaGroups: groupsAlong(
    mesh,
    axes.map(name => ({ name })),
  ),
  channelId: 1,
  channelType: 1,
  useGlobalDeviceIds: true,
});

/** An axis or a part of one: `size` indices, each `stride` positions from the next. */
export interface Digit {
  /** The name of the axis. */
  readonly name: string;
  /** The size of the part of the axis before this one. */
  readonly preSize: number;
  /** The size. */
  readonly size: number;
  /** The distance in device numbers between neighbors. */
  readonly stride: number;
}
/**
 * The digit of an axis among those that `digitsOf` returned for a list of axes that contains it.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * const digits = hlo.sharding.digitsOf(mesh, [{ name: 'tensor' }]);
 * hlo.sharding.digitOf(digits, { name: 'tensor' }).size // 4
 */
export const digitOf = (digits: readonly Digit[], { name, subAxis }: AxisRef): Digit =>
  digits.find(d => d.name === name && d.preSize === (subAxis?.preSize ?? 1))!;

/**
 * The axes of the mesh from major to minor, each cut where one of the given sub-axes begins or ends.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.digitsOf(mesh, [{ name: 'tensor' }]).map(({ size }) => size) // [2, 4]
 */
export function digitsOf(mesh: Mesh, axes: readonly AxisRef[]): readonly Digit[] {
  const strides = stridesOf(axisSizes(mesh));
  for (const axis of axes) axisPosition(mesh, axis.name);
  return mesh.axes.flatMap(({ name, size }, i) => {
    const given = axes.filter(axis => axis.name === name);
    const problem = checkAxisUse(given, size);
    if (problem !== undefined)
      throw new TrenioError('INVALID_SHARDING', { sharding: `the axis "${name}"`, detail: problem });
    const bounds = [
      1,
      size,
      ...given.flatMap(({ subAxis: s }) => (s === undefined ? [] : [s.preSize, s.preSize * s.size])),
    ];
    const sorted = [...new Set(bounds)].sort((a, b) => a - b);
    if (size === 1) return [{ name, preSize: 1, size: 1, stride: strides[i]! }];
    return sorted.slice(1).map((end, k) => {
      const preSize = sorted[k]!;
      return { name, preSize, size: end / preSize, stride: strides[i]! * (size / end) };
    });
  });
}

const offsets = (digits: readonly Digit[]): readonly number[] =>
  digits.reduce<readonly number[]>(
    (starts, d) => starts.flatMap(start => Array.from({ length: d.size }, (_, k) => start + k * d.stride)),
    [0],
  );

/**
 * The problem with the uses of one axis of this size, if anything: overlaps, and sub-axes that do not divide it.
 * @example
 * hlo.sharding.checkAxisUse([{ name: 'data' }], 2) // undefined
 */
export function checkAxisUse(uses: readonly AxisRef[], size: number): string | undefined {
  const parts = uses.flatMap(({ subAxis }) => (subAxis === undefined ? [] : [subAxis]));
  if (parts.length < uses.length && uses.length > 1) {
    return parts.length === 0 ? 'the axis is used twice' : 'the axis is used both whole and in part';
  }
  let end = 1;
  for (const { preSize, size: part } of [...parts].sort((a, b) => a.preSize - b.preSize)) {
    const text = `(${preSize})${part}`;
    if (preSize < 1) return `the sub-axis ${text} must begin at 1 or more`;
    if (part <= 1) return `the sub-axis ${text} must have a size of 2 or more`;
    if (size % (preSize * part) !== 0) return `the sub-axis ${text} does not divide the axis, whose size is ${size}`;
    if (part === size) return `the sub-axis ${text} is the whole axis: write the axis alone`;
    if (preSize < end || preSize % end !== 0) return `the sub-axis ${text} overlaps another one`;
    end = preSize * part;
  }
  return undefined;
}

/**
 * The problem with a mesh, if any.
 * @example
 * const mesh = { axes: [{ name: 'data', size: 2 }, { name: 'tensor', size: 4 }] };
 * hlo.sharding.checkMesh(mesh) // undefined
 */
export function checkMesh({ axes, deviceIds }: Mesh): string | undefined {
  const names = new Set<string>();
  for (const { name, size } of axes) {
    if (names.has(name)) return `the axis "${name}" occurs twice`;
    names.add(name);
    if (!Number.isSafeInteger(size) || size < 1) return `the axis "${name}" has the size ${size}, expected 1 or more`;
  }
  const count = deviceCount({ axes });
  if (!Number.isSafeInteger(count)) return 'the number of devices is too large';
  if (deviceIds === undefined) return undefined;
  if (deviceIds.length !== count) return `it has ${count} positions and ${deviceIds.length} device ids`;
  const negative = deviceIds.find(id => id < 0);
  if (negative !== undefined) return `the device id ${negative} is negative`;
  // A mesh without axes is any one device.
  if (axes.length === 0) return undefined;
  const seen = new Set(deviceIds);
  const missing = deviceIds.findIndex((_, i) => !seen.has(i));
  return missing < 0 ? undefined : `its device ids must be 0 to ${count - 1} in some order; ${missing} is missing`;
}
