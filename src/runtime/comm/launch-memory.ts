// Creates the memory that the ranks of a launcher share, without loading the rest of the runtime: the launcher computes nothing
// and should start quickly.

import type { Variables } from '../../base/environment.ts';
import { loggerFrom } from '../../base/logger.ts';
import { loadNativeLibrary, type NativeLibrary } from '../execution/native-library.ts';
import { findCompiler } from '../toolchain/c-compiler.ts';
import { CompileCache } from '../toolchain/compile-cache.ts';
import { nativeRequest } from '../toolchain/native-sources.ts';
import { createSegment, type SharedSegment } from './shared-memory.ts';

/**
 * Memory for `worldSize` ranks on this machine.
 * @throws {SHARED_MEMORY_FAILED}
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 */
export function createLaunchMemory(worldSize: number, variables?: Variables): SharedSegment {
  return createSegment(loadLaunchLibrary(variables), worldSize);
}

/** The runtime's native library. */
export function loadLaunchLibrary(variables?: Variables): NativeLibrary {
  return loadNativeLibrary(CompileCache.of(variables, loggerFrom(variables)), findCompiler(variables));
}

/** Compiles the native library in the background; ends the compiler when `signal` is aborted. */
export async function prepareLaunchLibrary(variables: Variables, signal: AbortSignal): Promise<void> {
  const cache = CompileCache.of(variables, loggerFrom(variables));
  const compiler = findCompiler(variables);
  await cache.prepare(nativeRequest(), compiler, signal);
  if (!signal.aborted) loadNativeLibrary(cache, compiler);
}
