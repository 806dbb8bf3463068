// How the launcher creates the memory that its ranks share, without the rest of the runtime: the launcher computes nothing
// and should start as quickly as a command can.

import { readVariable, type Variables } from '../../base/environment.ts';
import { loggerFrom } from '../../base/logger.ts';
import { loadNativeLibrary, type NativeLibrary } from '../execution/native-library.ts';
import { findCompiler } from '../toolchain/c-compiler.ts';
import { cacheDirectory } from '../toolchain/cache-directory.ts';
import { CompileCache } from '../toolchain/compile-cache.ts';
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
  const sharing = readVariable('TRENIO_CACHE_SHARED', variables);
  const cache = new CompileCache(cacheDirectory(variables), loggerFrom(variables), undefined, undefined, sharing);
  return loadNativeLibrary(cache, findCompiler(variables));
}
