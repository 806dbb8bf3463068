// Replica groups as axes of a mesh, in StableHLO's text:
//
//   #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>
//   #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>], device_ids = dense<[1, 0]> : tensor<2xi64>>
//
// Specification: "Replica groups".
import { TrenioError } from '../../base/errors.ts';
import { dialectName, type Lexer, tokens } from '../text/lexer.ts';
import { quoted, symbol, unquote } from '../text/strings.ts';
import { type AxisRef, groupsAlong, type Mesh, type MeshAxis } from './mesh.ts';

/** Axes of a mesh: the groups of a collective are lines along them. */
export interface MeshAxes {
  /** The name of a mesh of the module, or the mesh itself. */
  readonly mesh: string | Mesh;
  /** From major to minor; a number is the position of an axis in the mesh. */
  readonly axes: readonly (AxisRef | number)[];
}

/** How the text of mesh axes starts. */
export const meshAxesPrefix = '#stablehlo.replica_group_mesh_axes<';

/** Reads mesh axes from text that follows `meshAxesPrefix`. */
export function readMeshAxes(lexer: Lexer): MeshAxes {
  dialectName(lexer, '#stablehlo.replica_group_mesh_axes');
  lexer.expect('<');
  field(lexer, 'mesh');
  const mesh = lexer.kind === tokens.symbol ? symbolName(lexer) : readStablehloMesh(lexer);
  lexer.expect(',');
  field(lexer, 'axes');
  const axes: (AxisRef | number)[] = [];
  lexer.expect('[');
  lexer.list(']', () => axes.push(lexer.kind === tokens.integer ? typedInteger(lexer) : readAxisRef(lexer)));
  lexer.expect('>');
  return { mesh, axes };
}

/**
 * Mesh axes as MLIR text.
 * @example
 * ```ts
 * hlo.sharding.printMeshAxes({ mesh: 'mesh', axes: [{ name: 'data' }] }) // '#stablehlo.replica_group_mesh_axes<mesh = @mesh, …'
 * ```
 */
export function printMeshAxes({ mesh, axes }: MeshAxes): string {
  const where = typeof mesh === 'string' ? symbol(mesh) : printStablehloMesh(mesh);
  const list = axes.map(axis => (typeof axis === 'number' ? `${axis} : i64` : printAxisRef(axis)));
  return `${meshAxesPrefix}mesh = ${where}, axes = [${list.join(', ')}]>`;
}

/** The groups of device ids along the axes. @throws {INVALID_SHARDING} for axes that the mesh lacks */
export function groupsOfMeshAxes({ axes }: MeshAxes, mesh: Mesh): readonly (readonly number[])[] {
  const named = axes.map((axis): AxisRef => {
    if (typeof axis !== 'number') return axis;
    const found = mesh.axes[axis];
    if (found !== undefined) return { name: found.name };
    throw new TrenioError('INVALID_SHARDING', {
      sharding: `the axis ${axis}`,
      detail: `the mesh has ${mesh.axes.length} axes`,
    });
  });
  return groupsAlong(mesh, named);
}

function readStablehloMesh(lexer: Lexer): Mesh {
  dialectName(lexer, '#stablehlo.mesh');
  lexer.expect('<');
  field(lexer, 'axes');
  const axes: MeshAxis[] = [];
  lexer.expect('[');
  lexer.list(']', () => {
    dialectName(lexer, '#stablehlo.mesh_axis');
    lexer.expect('<');
    field(lexer, 'name');
    const name = string(lexer);
    lexer.expect(',');
    field(lexer, 'size');
    axes.push({ name, size: lexer.integer('the size of an axis') });
    lexer.expect('>');
  });
  const deviceIds = lexer.take(',') ? readDeviceIds(lexer) : undefined;
  lexer.expect('>');
  return deviceIds === undefined ? { axes } : { axes, deviceIds };
}

/** `device_ids = dense<[1, 0]> : tensor<2xi64>`; a single id may be written without brackets. */
function readDeviceIds(lexer: Lexer): readonly number[] {
  field(lexer, 'device_ids');
  lexer.expectWord('dense');
  lexer.expect('<');
  const ids: number[] = [];
  const id = (): number => ids.push(lexer.integer('a device id'));
  if (lexer.take('[')) lexer.list(']', id);
  else id();
  lexer.expect('>');
  lexer.expect(':');
  lexer.expectWord('tensor');
  lexer.skipBalanced();
  return ids;
}

function printStablehloMesh({ axes, deviceIds }: Mesh): string {
  const list = axes.map(({ name, size }) => `#stablehlo.mesh_axis<name = ${quoted(name)}, size = ${size}>`);
  const ids =
    deviceIds === undefined ? '' : `, device_ids = dense<[${deviceIds.join(', ')}]> : tensor<${deviceIds.length}xi64>`;
  return `#stablehlo.mesh<axes = [${list.join(', ')}]${ids}>`;
}

function readAxisRef(lexer: Lexer): AxisRef {
  dialectName(lexer, '#stablehlo.axis_ref');
  lexer.expect('<');
  field(lexer, 'name');
  const name = string(lexer);
  const subAxis = lexer.take(',') ? readSubAxis(lexer) : undefined;
  lexer.expect('>');
  return subAxis === undefined ? { name } : { name, subAxis };
}

/** `(1)2`, or the same as an attribute with names. */
function readSubAxis(lexer: Lexer): NonNullable<AxisRef['subAxis']> {
  field(lexer, 'sub_axis_info');
  const number = (): number => lexer.integer('a size');
  if (lexer.take('(')) {
    const preSize = number();
    lexer.expect(')');
    return { preSize, size: number() };
  }
  dialectName(lexer, '#stablehlo.sub_axis_info');
  lexer.expect('<');
  if (lexer.take('(')) {
    const preSize = number();
    lexer.expect(')');
    const size = number();
    lexer.expect('>');
    return { preSize, size };
  }
  field(lexer, 'pre_size');
  const preSize = number();
  lexer.expect(',');
  field(lexer, 'size');
  const size = number();
  lexer.expect('>');
  return { preSize, size };
}

const printAxisRef = ({ name, subAxis }: AxisRef): string =>
  `#stablehlo.axis_ref<name = ${quoted(name)}${subAxis === undefined ? '' : `, sub_axis_info = (${subAxis.preSize})${subAxis.size}`}>`;

function field(lexer: Lexer, name: string): void {
  lexer.expectWord(name);
  lexer.expect('=');
}
const string = (lexer: Lexer): string => unquote(lexer.takeText(tokens.string, 'a name in quotes'));
function symbolName(lexer: Lexer): string {
  const name = lexer.takeText(tokens.symbol, "'@name'").slice(1);
  return name.startsWith('"') ? unquote(name) : name;
}
function typedInteger(lexer: Lexer): number {
  const value = lexer.integer('the position of an axis');
  if (lexer.take(':')) lexer.takeText(tokens.word, 'a type');
  return value;
}
