// Replica groups given as axes of a mesh. Specification: "Replica groups". A mesh is a grid of devices with named axes;
// the groups are the lines along the named axes, the first one outermost.
//
//   mesh x = 2, y = 2          axes [x]: [[0, 2], [1, 3]]     axes [y]: [[0, 1], [2, 3]]
//
// Attributes of this kind are kept as MLIR text; what is in it is read here.
import { TrenioError } from '../base/errors.ts';
import type { Module } from './program.ts';
import { elementCount, stridesOf } from './types.ts';

interface Axis {
  readonly name: string;
  readonly size: number;
}

/** The symbol of the mesh that a `#stablehlo.replica_group_mesh_axes<…>` names; undefined where the mesh is inline. */
export const meshSymbol = (meshAxes: string): string | undefined => /mesh\s*=\s*@"?([\w.$-]+)"?/.exec(meshAxes)?.[1];

/** True when the module holds something of this name: a mesh, or any other symbol. */
export function hasSymbol(module: Module, name: string): boolean {
  return module.functions.some(f => f.name === name) || declarationOf(module, name) !== undefined;
}

/** The groups of flattened device ids. Throws INVALID_PROGRAM when there is no such mesh or axis. */
export function meshGroups(meshAxes: string, module: Module): readonly (readonly number[])[] {
  const refuse = (detail: string): never => {
    throw new TrenioError('INVALID_PROGRAM', { function: module.name, detail: `${meshAxes}: ${detail}` });
  };
  const symbol = meshSymbol(meshAxes);
  const mesh = symbol === undefined ? meshAxes : declarationOf(module, symbol);
  if (mesh === undefined) return refuse(`the module has no mesh @${symbol}`);
  const axes = axesOf(mesh);
  const named = [...meshAxes.matchAll(/axis_ref\s*<\s*name\s*=\s*"([^"]*)"\s*(,)?/g)].map(([, name, more]) => {
    if (more !== undefined) refuse('parts of an axis are not supported');
    const at = axes.findIndex(axis => axis.name === name);
    return at === -1 ? refuse(`the mesh has no axis "${name}"`) : at;
  });
  const sizes = axes.map(axis => axis.size);
  const strides = stridesOf(sizes);
  const ids = deviceIdsOf(mesh) ?? Array.from({ length: elementCount(sizes) }, (_, i) => i);
  const others = axes.map((_, i) => i).filter(i => !named.includes(i));
  const offsets = (dims: readonly number[]): number[] =>
    dims.reduce<number[]>(
      (at, d) => at.flatMap(o => Array.from({ length: sizes[d]! }, (_, k) => o + k * strides[d]!)),
      [0],
    );
  const within = offsets(named);
  return offsets(others).map(start => within.map(offset => ids[start + offset]!));
}

function declarationOf(module: Module, name: string): string | undefined {
  return module.declarations?.find(text => text.includes(`@${name} `) || text.includes(`sym_name = "${name}"`));
}
function axesOf(mesh: string): readonly Axis[] {
  const long = [...mesh.matchAll(/name\s*=\s*"([^"]*)"\s*,\s*size\s*=\s*(\d+)/g)];
  const short = [...mesh.matchAll(/"([^"]*)"\s*=\s*(\d+)/g)];
  return (long.length > 0 ? long : short).map(([, name, size]) => ({ name: name!, size: Number(size) }));
}
function deviceIdsOf(mesh: string): readonly number[] | undefined {
  const list =
    /device_ids\s*=\s*(?:dense<)?\[([^\]]*)\]/.exec(mesh)?.[1] ?? /device_ids\s*=\s*dense<(\d+)>/.exec(mesh)?.[1];
  const ids = list?.match(/\d+/g)?.map(Number);
  return ids === undefined || ids.length === 0 ? undefined : ids;
}
