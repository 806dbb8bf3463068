import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quiet, temporaryDirectory } from '../engine.testing.ts';
import { findCompiler } from '../toolchain/c-compiler.ts';
import { CompileCache } from '../toolchain/compile-cache.ts';
import { nativeRequest } from '../toolchain/native-sources.ts';
import { addressOf, loadNativeLibrary } from './native-library.ts';

test('the runtime compiles without warnings', () => {
  using directory = temporaryDirectory();
  const request = nativeRequest();
  const strict = { ...request, flags: [...request.flags, '-Wall', '-Wextra', '-Wpedantic', '-Werror'] };
  expect(new CompileCache(directory.path, quiet).obtain(strict, findCompiler()).fromCache).toBe(false);
});

test('a file that is not a program, or lacks its entry, cannot be loaded', () => {
  using directory = temporaryDirectory();
  const cache = new CompileCache(directory.path, quiet);
  const native = loadNativeLibrary(cache, findCompiler());
  const file = join(directory.path, 'text.so');
  writeFileSync(file, 'no machine code '.repeat(100));
  expect(() => native.load(file, 'step')).toThrow(/could not load .*text\.so: .*invalid ELF header/);
  const request = { units: [{ name: 'a.c', source: 'int a;' }], headers: [], flags: [] };
  expect(() => native.load(cache.obtain(request, findCompiler()).path, 'step')).toThrow(/undefined symbol: step/);
});

test('native code reads memory at its address', () => {
  const memory = new ArrayBuffer(64);
  expect(addressOf(memory) > 0n).toBe(true);
  expect(addressOf(memory)).toBe(addressOf(memory));
});
