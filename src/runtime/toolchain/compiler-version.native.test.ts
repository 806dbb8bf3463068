// A CC that is not a C compiler is reported as such, whatever it does.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quiet, temporaryDirectory } from '../engine.testing.ts';
import { findCompiler } from './c-compiler.ts';
import { CompileCache } from './compile-cache.ts';

const request = { units: [{ name: 'a.c', source: 'int a;\n' }], headers: [], flags: [] };
function attempt(CC: string): unknown {
  using directory = temporaryDirectory();
  try {
    const compiler = findCompiler({ CC, PATH: '/usr/bin:/bin' });
    const cache = new CompileCache(join(directory.path, 'cache'), quiet, directory.path);
    cache.begin(request, compiler);
    return cache.obtain(request, compiler);
  } catch (error) {
    return error;
  }
}

describe('CC names', () => {
  test.each([
    ['/bin/false', 'C_COMPILER_UNUSABLE', /\/bin\/false .*'--version' ends with exit code 1/],
    ['/bin/true', 'C_COMPILER_UNUSABLE', /\/bin\/true .* succeeds but writes no output/],
    ['/bin/cat', 'C_COMPILER_UNUSABLE', /\/bin\/cat .*compiling an empty function ends with exit code 1:\n.*cat:/],
    ['/nowhere/gcc', 'NO_C_COMPILER', /CC=\/nowhere\/gcc: no such file/],
    ['no-such-gcc', 'NO_C_COMPILER', /CC=no-such-gcc: no such command is on PATH/],
    ['gcc -O2', 'NO_C_COMPILER', /CC=gcc -O2: .*CC takes no arguments/],
    ['/tmp', 'NO_C_COMPILER', /CC=\/tmp: it is a directory/],
    ['/etc/passwd', 'NO_C_COMPILER', /CC=\/etc\/passwd: it is not executable/],
  ])('%s', (CC, code, message) => {
    expect(attempt(CC)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
  test('an executable file that is not a program', () => {
    using tools = temporaryDirectory();
    const path = join(tools.path, 'cc');
    writeFileSync(path, '\u007fELF no program');
    chmodSync(path, 0o755);
    expect(attempt(path)).toMatchObject({
      code: 'C_COMPILER_UNUSABLE',
      message: expect.stringMatching(/'--version' (cannot be run|ends with exit code 127)/),
    });
    mkdirSync(join(tools.path, 'gcc'));
    expect(attempt(join(tools.path, 'gcc'))).toMatchObject({ code: 'NO_C_COMPILER' });
  });
  test('a compiler that reports its name and is killed while compiling', () => {
    using tools = temporaryDirectory();
    const path = join(tools.path, 'cc');
    writeFileSync(path, '#!/bin/sh\n[ "$1" = --version ] && echo mine 1.0 && exit\nkill -9 $$\n', { mode: 0o755 });
    expect(attempt(path)).toMatchObject({
      code: 'C_COMPILER_UNUSABLE',
      message: expect.stringMatching(/compiling an empty function is ended by SIGKILL/),
    });
  });
});
