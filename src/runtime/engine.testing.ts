// For the tests of this folder: a separate engine with a temporary cache, and hand-written programs.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createLogger } from '../base/logger.ts';
import { type TensorType, tensorType } from '../hlo/types.ts';
import { rankInfo } from './comm/ranks.ts';
import { Engine } from './execution/engine.ts';
import type { Executable } from './execution/executable.ts';
import { loadNativeLibrary, type NativeLibrary } from './execution/native-library.ts';
import { loadProgram, type NativeHost, type NativeProgram } from './execution/native-program.ts';
import type { RankInfo } from './execution/rank-info.ts';
import { type CCompiler, findCompiler } from './toolchain/c-compiler.ts';
import { CompileCache } from './toolchain/compile-cache.ts';
import { nativeRequest } from './toolchain/native-sources.ts';

export const quiet = createLogger('silent');

/** A directory that is removed when the scope ends. */
export function temporaryDirectory(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'trenio-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * The same, as a compile cache with the runtime library of the shared cache: compiling it takes longer than most tests of
 * programs.
 */
export function temporaryCache(): { readonly path: string } & Disposable {
  const { path } = CompileCache.of(undefined, quiet).obtain(nativeRequest(), findCompiler());
  const directory = temporaryDirectory();
  const entry = dirname(path);
  cpSync(entry, join(directory.path, basename(entry)), { recursive: true });
  return directory;
}

let native: NativeLibrary | undefined;
/** An engine with unpinned threads, ended with the scope. It uses the runtime library and the cache of the process. */
export function testHost(cacheDirectory: string, threads = 2, ranks: RankInfo = rankInfo({})): NativeHost & Disposable {
  const compiler: CCompiler = findCompiler();
  const cache = new CompileCache(cacheDirectory, quiet);
  native ??= loadNativeLibrary(cache, compiler);
  const engine = new Engine(native, new Int32Array(threads).fill(-1), ranks);
  return { engine, cache, compiler, [Symbol.dispose]: () => void engine.stream.close() };
}

/** A hand-written step; its body sees `rt`, `args` and `arena`. */
export function handWritten(
  body: string,
  inputTypes: readonly TensorType[],
  outputTypes: readonly TensorType[],
  options: { name?: string; donated?: readonly (number | undefined)[]; arenaBytes?: number; before?: string } = {},
): NativeProgram {
  const { name = 'hand-written', arenaBytes = 0, donated = outputTypes.map(() => undefined), before = '' } = options;
  const source = `#include <unistd.h>\n#include "trenio_rt.h"\n${before}
int step(const trenio_rt *rt, void *const *args, char *arena) {
  (void)rt, (void)args, (void)arena;
  ${body}
  return 0;
}
`;
  return {
    name,
    units: [{ name: 'step.c', source }],
    flags: ['-O1'],
    entry: 'step',
    inputTypes,
    outputTypes,
    donated,
    arenaBytes,
    kernels: 1,
  };
}

export const f32 = (...shape: readonly number[]): TensorType => tensorType('f32', shape);
export const compiled = (host: NativeHost, program: NativeProgram): Executable => loadProgram(host, program).executable;
export const floats = (bytes: Uint8Array): number[] => [
  ...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4),
];
