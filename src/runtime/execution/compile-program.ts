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
/** A program that is compiled while this process continues. */
export interface PendingProgram {
  /** Whether `obtain` does not wait for a compiler. */
  readonly isDone: boolean;
  /** @throws what `compileProgram` throws */
  obtain(): ReadyProgram;
}
/** A module to compile. */
export interface ProgramSource {
  readonly module: Module;
  readonly operators: Operators;
  /** The key of its computation and its operators. */
  readonly moduleKey: string;
  readonly target: CpuTarget;
}

/** The program if the module was compiled before: nothing is then planned or printed again. */
export function recallProgram({ cache, compiler }: CompileHost, source: ProgramSource): ReadyProgram | undefined {
  const known = cache.recall(keyOf(source, compiler));
  if (known === undefined) return undefined;
  // The key ensures that this compiler wrote it, and the cache that it is complete.
  const description = known.description as ProgramDescription;
  return { library: { path: known.path, fromCache: true, functions: { compiled: 0, kept: 0 } }, description };
}

/**
 * Reads the program from the cache, or compiles it. `meanwhile` is called while the C compiler runs.
 * @throws {UNSUPPORTED}
 * @throws {C_COMPILER_FAILED}
 * @throws {C_COMPILER_TOO_OLD}
 * @throws {CACHE_UNUSABLE}
 * @throws {Interrupted}
 */
export function compileProgram(
  host: CompileHost,
  source: ProgramSource,
  meanwhile: () => void = () => {},
): ReadyProgram {
  const known = recallProgram(host, source);
  if (known !== undefined) return known;
  const { cache, compiler } = host;
  const { request, description } = printed(host, source);
  cache.begin(request, compiler);
  meanwhile();
  const library = cache.obtain(request, compiler);
  cache.keep(keyOf(source, compiler), library.path, description);
  return { library, description };
}

/**
 * Starts to compile a program that is not in the cache.
 * @throws {UNSUPPORTED}
 * @throws {C_COMPILER_TOO_OLD}
 */
export function compileProgramLater(host: CompileHost, source: ProgramSource): PendingProgram {
  const { cache, compiler } = host;
  const { request, description } = printed(host, source);
  const pending = cache.compileLater(request, compiler);
  return {
    get isDone() {
      return pending.isDone;
    },
    obtain: () => {
      const library = pending.obtain();
      cache.keep(keyOf(source, compiler), library.path, description);
      return { library, description };
    },
  };
}

const keyOf = ({ module, moduleKey, target }: ProgramSource, compiler: CCompiler): string =>
  programKey(module, moduleKey, target, compiler);

function printed(
  { compiler }: CompileHost,
  { module, operators, target }: ProgramSource,
): { readonly request: CompileRequest; readonly description: ProgramDescription } {
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
  return { request: requestOf(program, target), description };
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
