// Compiles a module to machine code in the cache, with the information needed to run it. Loading is separate: a program can
// be compiled ahead of time, or for a machine with another number of cores.
import {
  type CompiledProgram,
  type CpuTarget,
  compilerFlags,
  compileToC,
  type Operators,
  type Unit,
} from '../../compiler/index.ts';
import type { Module } from '../../hlo/program.ts';
import type { CCompiler } from '../toolchain/c-compiler.ts';
import type { CompileCache, CompiledLibrary } from '../toolchain/compile-cache.ts';
import type { CompileRequest } from '../toolchain/compile-request.ts';
import { requireVersion } from '../toolchain/compiler-version.ts';
import { programHeaders } from '../toolchain/native-sources.ts';
import { programKey } from '../toolchain/program-key.ts';
import type { ProgramDescription } from './native-program.ts';

export interface CompileHost {
  readonly cache: CompileCache;
  readonly compiler: CCompiler;
}
export interface ReadyProgram {
  readonly library: Pick<CompiledLibrary, 'path' | 'fromCache' | 'functions'>;
  readonly description: ProgramDescription;
}

/**
 * Reads the program from the cache if the module was compiled before: nothing is then planned or printed again. `moduleKey`: the
 * key of its computation and its operators. `meanwhile` is called while the C compiler runs.
 * @throws {UNSUPPORTED}
 * @throws {C_COMPILER_FAILED}
 * @throws {C_COMPILER_TOO_OLD}
 * @throws {CACHE_UNUSABLE}
 * @throws {Interrupted}
 */
export function compileProgram(
  { cache, compiler }: CompileHost,
  module: Module,
  operators: Operators,
  moduleKey: string,
  target: CpuTarget,
  meanwhile: () => void = () => {},
): ReadyProgram {
  const key = programKey(module, moduleKey, target, compiler);
  const known = cache.recall(key);
  if (known !== undefined) {
    // The key ensures that this compiler wrote it, and the cache that it is complete.
    const description = known.description as ProgramDescription;
    return { library: { path: known.path, fromCache: true, functions: { compiled: 0, kept: 0 } }, description };
  }
  requireVersion(compiler);
  const program = compileToC(module, target, operators);
  const { entry, arenaBytes, inputTypes, outputTypes, donated, kernels, calls, dynamic } = program;
  const description: ProgramDescription = {
    name: module.name,
    entry,
    arenaBytes,
    inputTypes,
    outputTypes,
    donated,
    kernels: kernels.length,
    parts: { kernels, calls },
    ...(dynamic === undefined ? {} : { dynamic }),
  };
  const request = requestOf(program, target);
  cache.begin(request, compiler);
  meanwhile();
  const library = cache.obtain(request, compiler);
  cache.keep(key, library.path, description);
  return { library, description };
}

function requestOf({ units, text }: CompiledProgram, target: CpuTarget): CompileRequest {
  const file = <T extends Unit>(unit: T): T => ({ ...unit, name: `${unit.name}.c` });
  const common = { headers: programHeaders(), flags: compilerFlags(target), commentsIgnored: true };
  if (text === undefined) return { ...common, units: units.map(file) };
  const shared = {
    keys: text.functions.map(f => f.key),
    unitsOf: (members: readonly number[], count: number) => text.unitsOf(members, count).map(file),
  };
  return { ...common, units: [file(text.step)], shared };
}
