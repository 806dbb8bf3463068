// The key under which the description of a compiled module is stored between runs: equal only if the same version of
// our compiler would generate the same C, and the same C compiler the same machine code. The user's lines are part of it, since
// profiles show them; they are not part of the key of the machine code (compile-cache.ts).
import { hash } from 'node:crypto';
import { type CpuTarget, compilerFlags } from '../../compiler/index.ts';
import type { Module } from '../../hlo/program.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { type CCompiler, flagsIdentity, processorIdentity } from './c-compiler.ts';
import { compilerIdentity } from './compiler-identity.ts';

/** `moduleKey`: the key of the module's computation, and of the operators that it calls. */
export function programKey(module: Module, moduleKey: string, target: CpuTarget, compiler: CCompiler): string {
  const rest = JSON.stringify([
    moduleKey,
    module.name,
    module.discardable,
    module.meshes,
    module.declarations,
    module.functions.map(f => [f.name, f.visibility, f.discardable, f.argAttributes, f.resultAttributes]),
    target,
    flagsIdentity(compilerFlags(target)),
    compiler.identity,
    processorIdentity(),
    compilerIdentity(),
    process.versions.v8, // what `node:v8` writes
  ]);
  return hash('sha256', `${rest}${linesOf(module)}`, 'hex');
}

/** The line of each op, and attribute values that are not part of the module's key. */
function linesOf(module: Module): string {
  const lines: string[] = [];
  for (const func of module.functions)
    forEachOp(func.body, ({ location, sharding, discardable }) => {
      lines.push(location === undefined ? '' : `${location.file}:${location.line}:${location.column}`);
      if (sharding !== undefined || discardable !== undefined) lines.push(JSON.stringify([sharding, discardable]));
    });
  return lines.join('\n');
}
