// The meshes that a module declares, and the shardings that its ops, arguments and results name.
import { TrenioError } from '../../base/errors.ts';
import type { DiscardableAttributes } from '../attributes.ts';
import type { Module } from '../program.ts';
import { dialectName, readAll } from '../text/lexer.ts';
import { readGspmd } from './gspmd.ts';
import type { Mesh } from './mesh.ts';
import { groupsOfMeshAxes, type MeshAxes } from './mesh-axes.ts';
import { checkSharding, type Sharding } from './sharding.ts';
import { printSharding } from './shardy-printer.ts';
import { readSharding, readShardings } from './shardy-reader.ts';

/** The mesh itself, or the one of this name. */
export const meshOf = (mesh: string | Mesh, module: Module): Mesh | undefined =>
  typeof mesh === 'string' ? module.meshes?.find(m => m.name === mesh)?.mesh : mesh;

/** True if the module has a symbol of this name: a mesh, or any other. */
export const hasSymbol = (module: Module, name: string): boolean =>
  module.functions.some(f => f.name === name) ||
  module.meshes?.some(m => m.name === name) === true ||
  module.declarations?.some(text => text.includes(`sym_name = "${name}"`)) === true;

/** The groups of device ids. @throws {INVALID_SHARDING} when there is no such mesh or axis */
export function meshGroups(meshAxes: MeshAxes, module: Module): readonly (readonly number[])[] {
  const mesh = meshOf(meshAxes.mesh, module);
  if (mesh !== undefined) return groupsOfMeshAxes(meshAxes, mesh);
  const sharding = `the replica groups along @${meshAxes.mesh}`;
  throw new TrenioError('INVALID_SHARDING', { sharding, detail: `the module has no mesh @${meshAxes.mesh}` });
}

/** The problem with a sharding of a tensor of this many dims in this module, if any. */
export function checkShardingIn(sharding: Sharding, module: Module, rank: number): string | undefined {
  const mesh = meshOf(sharding.mesh, module);
  if (mesh === undefined) return `the module has no mesh @${sharding.mesh}`;
  const problem = checkSharding(sharding, mesh, rank);
  return problem === undefined ? undefined : `${printSharding(sharding)}: ${problem}`;
}

/** The sharding of a value in `sdy.sharding`. @throws {HLO_SYNTAX} */
export function shardingOfValue(attributes: DiscardableAttributes | undefined): Sharding | undefined {
  const text = attributes?.['sdy.sharding'];
  if (text === undefined) return undefined;
  return readAll(text, lexer => {
    dialectName(lexer, '#sdy.sharding');
    return readSharding(lexer);
  });
}

/** The sharding of each result of an op in `sdy.sharding`. @throws {HLO_SYNTAX} */
export function shardingsOfResults(attributes: DiscardableAttributes | undefined): readonly Sharding[] | undefined {
  const text = attributes?.['sdy.sharding'];
  if (text === undefined) return undefined;
  return readAll(text, lexer => {
    dialectName(lexer, '#sdy.sharding_per_value');
    lexer.expect('<');
    const shardings = readShardings(lexer);
    lexer.expect('>');
    return shardings;
  });
}

/** Checks the form of `mhlo.sharding`, unless it is a serialized protocol buffer. @throws {INVALID_SHARDING} */
export function checkGspmdText(attributes: DiscardableAttributes | undefined): void {
  const text = attributes?.['mhlo.sharding'];
  // XLA also writes shardings over named axes, '{mesh[…]…}', which are not read.
  if (text?.startsWith('"{') && !text.startsWith('"{mesh[')) readGspmd(text.slice(1, -1));
}
