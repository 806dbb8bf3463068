// The meshes that a module declares, and the shardings that its ops, arguments and results name.
import { TrenioError } from '../../base/errors.ts';
import type { Module } from '../program.ts';
import type { Mesh } from './mesh.ts';
import { groupsOfMeshAxes, type MeshAxes } from './mesh-axes.ts';
import { checkSharding, type Sharding } from './sharding.ts';
import { printSharding } from './shardy-printer.ts';

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
