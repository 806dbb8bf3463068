// The mesh as seen by one process: how the ranks of a run are arranged, and the coordinates of this one. A rank is just the
// number of a process; its role (which share of the data, which part of a layer) is given by its coordinate on an axis, so code
// that needs one reads the coordinate on that axis.
//
//   new DeviceMesh({ data: 2, tensor: 4 }, 6)      tensor ─▶
//                                            data  0 1 2 3        coordinate('data') 1, coordinate('tensor') 2
//                                             ▼    4 5[6]7        group('data') [2 6], group('tensor') [4 5 6 7]
//
// The names match PyTorch's torch.distributed.device_mesh. A DeviceMesh starts no processes and sends nothing.
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import {
  type CollectiveGroups,
  checkMesh,
  collectiveAlong,
  coordinateOf,
  deviceCount,
  groupsAlong,
  indexAlong,
  type Mesh,
  type MeshAxis,
} from './mesh.ts';

/**
 * The axes that ranks can be split along. Along `data`, each rank records the program of its own share of the batch. Along all
 * others, the program is that of whole tensors, and each rank computes its part of it: `dp_replicate` and `dp_shard`, the batch;
 * `tp` (or `tensor`), layers; `cp` (`context`), sequences; `ep` (`expert`), experts; `pp` (`pipeline`), the sequence of layers.
 */
export const meshAxisNames = [
  'data',
  'dp_replicate',
  'dp_shard',
  'tp',
  'tensor',
  'cp',
  'context',
  'ep',
  'expert',
  'pp',
  'pipeline',
] as const;
/** Names of the same axis. */
const sameAxes: readonly (readonly MeshAxisName[])[] = [
  ['tp', 'tensor'],
  ['cp', 'context'],
  ['ep', 'expert'],
  ['pp', 'pipeline'],
];
/** The names of the axes of a device mesh. */
export type MeshAxisName = (typeof meshAxisNames)[number];
/** How many coordinates each axis has. The order of the axes is from major to minor: neighboring ranks differ in the last. */
export type MeshSizes = { readonly [A in MeshAxisName]?: number | undefined };

/**
 * An immutable arrangement of all ranks of a run along named axes, as seen by one of them.
 * @example
 * const mesh = initDeviceMesh({ data: 1 });
 * mesh.size('data') // 1
 */
export class DeviceMesh {
  /** From major to minor. */
  readonly axes: readonly MeshAxis[];
  /** The number of this process among all ranks. */
  readonly rank: number;
  /** The axes that programs are divided along: those of the mesh, or of the ranks that one rank stands for. */
  readonly programAxes: readonly MeshAxis[];
  /** Whether programs are divided along an axis other than `data`. */
  readonly dividesPrograms: boolean;
  readonly #mesh: Mesh;

  /**
   * `programSizes`: of the ranks that this one stands for, on a mesh of one rank.
   * @throws {UNKNOWN_MESH_AXIS} for an axis that is not one of `meshAxisNames`
   * @throws {INVALID_MESH} for a mesh without axes, sizes below 1, or a rank that is not in the mesh
   */
  constructor(sizes: MeshSizes, rank = 0, programSizes = sizes) {
    this.programAxes = Object.freeze(axesOf(programSizes).map(axis => Object.freeze(axis)));
    this.axes = Object.freeze(axesOf(sizes).map(axis => Object.freeze(axis)));
    this.#mesh = { axes: this.axes };
    this.rank = rank;
    this.dividesPrograms = this.programAxes.some(({ name, size }) => name !== 'data' && size > 1);
    const problem = problemOf(this.axes) ?? problemOf(this.programAxes);
    if (problem !== undefined) throw invalid(sizes, problem);
    const count = deviceCount(this.#mesh);
    if (coordinateOf(this.#mesh, rank) === undefined)
      throw invalid(sizes, `there is no rank ${rank} among its ${count} rank${count === 1 ? '' : 's'}`);
    Object.freeze(this);
  }

  /**
   * The number of coordinates of an axis, 1 for an axis that the mesh lacks; without an axis, the number of ranks.
   * @throws {UNKNOWN_MESH_AXIS}
   */
  size(axis?: MeshAxisName): number {
    return axis === undefined ? deviceCount(this.#mesh) : (this.#axis(axis)?.size ?? 1);
  }

  /** The coordinate of this rank on an axis, from 0; 0 on an axis that the mesh lacks. @throws {UNKNOWN_MESH_AXIS} */
  coordinate(axis: MeshAxisName): number {
    return this.#axis(axis) === undefined
      ? 0
      : indexAlong(this.#mesh, coordinateOf(this.#mesh, this.rank)!, { name: axis });
  }

  /** The ranks that differ from this one only on an axis, including itself, in the order of their coordinates. @throws {UNKNOWN_MESH_AXIS} */
  group(axis: MeshAxisName): readonly number[] {
    return this.groups(axis).find(group => group.includes(this.rank))!;
  }

  /** The groups of all ranks along an axis, as a collective along it lists them. @throws {UNKNOWN_MESH_AXIS} */
  groups(axis: MeshAxisName): readonly (readonly number[])[] {
    return groupsAlong(this.#mesh, this.#axis(axis) === undefined ? [] : [{ name: axis }]);
  }

  /** The groups of a collective along an axis, as its op has them. @throws {UNKNOWN_MESH_AXIS} */
  collective(axis: MeshAxisName): CollectiveGroups {
    return collectiveAlong(this.#mesh, this.#axis(axis) === undefined ? [] : [axis]);
  }

  /** Whether tensors may have parts. */
  get hasParts(): boolean {
    return this.size() > 1 || this.dividesPrograms;
  }
  /** Whether one rank computes what those along `programAxes` would. */
  get standsForOthers(): boolean {
    return this.size() === 1 && this.dividesPrograms;
  }

  #axis(name: MeshAxisName): MeshAxis | undefined {
    requireKnown(name);
    return this.axes.find(axis => axis.name === name);
  }

  /** `{ data: 2, tensor: 4 }` */
  toString(): string {
    return formatMeshSizes(Object.fromEntries(this.programAxes.map(({ name, size }) => [name, size])));
  }
}

/**
 * The sizes of a mesh of `worldSize` ranks, with a size of -1 replaced by the quotient of `worldSize` and the others. `location`:
 * the user's line, for errors.
 * @throws {UNKNOWN_MESH_AXIS} for an axis that is not one of `meshAxisNames`
 * @throws {INVALID_MESH} for sizes whose product is not `worldSize`, more than one -1, and two names of one axis
 * @example
 * hlo.sharding.meshSizesFor({ data: -1, tensor: 2 }, 8) // { data: 4, tensor: 2 }
 */
export function meshSizesFor(sizes: MeshSizes, worldSize: number, location?: SourceLocation): MeshSizes {
  const refuse = (problem: string | undefined): void => {
    if (problem !== undefined) throw invalid(sizes, problem, { ranks: worldSize, location });
  };
  const axes = axesOf(sizes, location);
  const open = axes.filter(({ size }) => size === -1);
  const fixed = axes.filter(({ size }) => size !== -1);
  if (open.length > 1) refuse(`${open.length} axes are -1, but only one can stand for the remaining ranks`);
  refuse(open.length === 1 ? checkMesh({ axes: fixed }) : problemOf(axes));
  const product = deviceCount({ axes: fixed });
  const ranks = `${worldSize} rank${worldSize === 1 ? '' : 's'}`;
  if (open.length === 1) {
    if (worldSize % product !== 0)
      refuse(`the product of the other axes is ${product}, which does not divide ${ranks}`);
    return { ...sizes, [open[0]!.name]: worldSize / product };
  }
  if (product !== worldSize) refuse(`the product of its axes is ${product}, and the run has ${ranks}`);
  return sizes;
}

const problemOf = (axes: readonly MeshAxis[]): string | undefined =>
  axes.length === 0 ? 'it has no axes' : checkMesh({ axes });

function axesOf(sizes: MeshSizes, location?: SourceLocation): MeshAxis[] {
  const axes: MeshAxis[] = [];
  const names = sameAxes.find(list => list.every(name => sizes[name] !== undefined));
  if (names !== undefined)
    throw invalid(sizes, `${names.join(' and ')} are two names of one axis`, { location, names });
  for (const [name, size] of Object.entries(sizes)) {
    requireKnown(name, location);
    if (size !== undefined) axes.push({ name, size });
  }
  return axes;
}

function requireKnown(axis: string, location?: SourceLocation): void {
  if ((meshAxisNames as readonly string[]).includes(axis)) return;
  const nearest = nearestName(String(axis), meshAxisNames);
  throw new TrenioError('UNKNOWN_MESH_AXIS', { axis: String(axis), nearest, known: meshAxisNames }, { location });
}

const formatMeshSizes = (sizes: MeshSizes): string => {
  const axes = Object.entries(sizes).filter(([, size]) => size !== undefined);
  return axes.length === 0 ? '{}' : `{ ${axes.map(([name, size]) => `${name}: ${String(size)}`).join(', ')} }`;
};

interface Refusal {
  readonly ranks?: number;
  readonly location?: SourceLocation | undefined;
  readonly names?: readonly string[];
}
const invalid = (
  sizes: MeshSizes,
  detail: string,
  { ranks, location, names }: Refusal = {},
): TrenioError<'INVALID_MESH'> =>
  new TrenioError('INVALID_MESH', { mesh: formatMeshSizes(sizes), detail, ranks, names }, { location });
