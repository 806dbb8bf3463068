import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { readIfThere } from '../../base/file-error.ts';
import { createLogger } from '../../base/logger.ts';
import { quiet, temporaryDirectory } from '../engine.testing.ts';
import { resolveImports, startScript, until } from '../processes.testing.ts';
import { compilerVersion, findCompiler, startCompiling } from './c-compiler.ts';
import { libraryName } from './cache-entries.ts';
import { CompileCache } from './compile-cache.ts';
import { type CompileRequest, cacheKey } from './compile-request.ts';
import { slowCompiler } from './slow-compiler.testing.ts';

const compiler = findCompiler();
const request: CompileRequest = {
  units: [
    { name: 'a.c', source: '#include "answer.h"\nint b(void);\nint a(void) { return b() + ANSWER; }' },
    { name: 'b.c', source: 'int b(void) { return 1; }' },
  ],
  headers: [{ name: 'answer.h', source: '#define ANSWER 42' }],
  flags: ['-O1'],
};
const entries = (directory: string): string[] => readdirSync(directory).filter(name => !name.startsWith('.'));

const script = (directory: string, cc: string, method: 'obtain' | 'begin' = 'obtain'): string => `
  import { findCompiler } from './c-compiler.ts';
  import { CompileCache } from './compile-cache.ts';
  import { createLogger } from '${new URL('../../base/logger.ts', import.meta.url)}';
  const cache = new CompileCache(${JSON.stringify(directory)}, createLogger('silent'));
  console.log(JSON.stringify(cache.${method}(${JSON.stringify(request)}, findCompiler({ CC: ${JSON.stringify(cc)} }))));`;

describe('the compile cache', () => {
  test('compiles once, and keeps the sources next to the result', () => {
    using directory = temporaryDirectory();
    const first = new CompileCache(directory.path, quiet).obtain(request, compiler);
    expect(first).toMatchObject({
      fromCache: false,
      path: join(directory.path, cacheKey(request, compiler), libraryName),
    });
    const second = new CompileCache(directory.path, quiet).obtain(request, compiler);
    expect(second).toMatchObject({ path: first.path, fromCache: true, compileMs: 0 });
    expect(entries(join(directory.path, entries(directory.path)[0]!))).toEqual([
      'a.c',
      'answer.h',
      'b.c',
      'sha256',
      libraryName,
    ]);
  });

  test('the key changes with the sources, the headers, the flags and the compiler', () => {
    const keys = [
      cacheKey(request, compiler),
      cacheKey({ ...request, flags: ['-O2'] }, compiler),
      cacheKey({ ...request, headers: [{ name: 'answer.h', source: '#define ANSWER 43' }] }, compiler),
      cacheKey({ ...request, units: [...request.units].reverse() }, compiler),
      cacheKey(request, { ...compiler, identity: 'another' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a truncated, changed or incomplete entry is compiled again, never trusted', () => {
    using directory = temporaryDirectory();
    const warnings: string[] = [];
    const cache = new CompileCache(
      directory.path,
      createLogger('warn', line => warnings.push(line)),
    );
    const { path } = cache.obtain(request, compiler);
    const whole = readFileSync(path);
    const damages = [
      () => truncateSync(path, 100),
      () =>
        writeFileSync(
          path,
          whole.map((byte, i) => (i === 5000 ? byte ^ 1 : byte)),
        ),
      () => rmSync(path),
      () => rmSync(join(path, '../sha256')),
      () => writeFileSync(join(path, '../sha256'), ''),
    ];
    for (const damage of damages) {
      damage();
      expect(cache.obtain(request, compiler)).toMatchObject({ path, fromCache: false });
      expect(cache.obtain(request, compiler).fromCache).toBe(true);
    }
    expect(entries(directory.path)).toEqual([cacheKey(request, compiler)]);
    expect(warnings[0]).toMatch(/is damaged; compiling it again/);
  });

  test('processes that compile the same program concurrently all get it, and leave one entry', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const children = [1, 2, 3].map(() => startScript(import.meta.url, script(directory.path, slow.path)));
    await until(slow.begun);
    slow.goOn();
    const outcomes = await Promise.all(children.map(child => child.outcome));
    const results = outcomes.map(({ stdout, stderr }) => JSON.parse(stdout || `"${stderr}"`));
    expect(new Set(results.map(result => result.path)).size).toBe(1);
    expect(entries(directory.path)).toHaveLength(1);
  });

  test('on a terminal, the compilation of the runtime is reported at once', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const child = startScript(
      import.meta.url,
      `
  import { findCompiler } from './c-compiler.ts';
  import { CompileCache } from './compile-cache.ts';
  import { nativeUnit } from './native-sources.ts';
  import { createLogger } from '${new URL('../../base/logger.ts', import.meta.url)}';
  const cache = CompileCache.of({ TRENIO_CACHE_DIR: ${JSON.stringify(directory.path)}, TRENIO_LAUNCHER_TERMINAL: '1' }, createLogger('silent'));
  cache.obtain({ units: [{ name: nativeUnit, source: 'int a;' }], headers: [], flags: [] }, findCompiler({ CC: ${JSON.stringify(slow.path)} }));`,
    );
    await until(slow.begun);
    await setTimeout(700);
    slow.goOn();
    expect((await child.outcome).stderr).toBe('compiling the runtime: 0 s\n');
  });

  test('a program compiled in the background is returned once, and its compile error is thrown by obtain()', () => {
    using directory = temporaryDirectory();
    const cache = new CompileCache(directory.path, quiet);
    expect(cache.begin(request, compiler)).toBe(true);
    expect(cache.begin(request, compiler)).toBe(true);
    const key = cacheKey(request, compiler);
    expect(existsSync(join(directory.path, `claim-${key}`))).toBe(true);
    expect(cache.obtain(request, compiler)).toMatchObject({ fromCache: false });
    expect(entries(directory.path)).toEqual([key]);
    expect(entries(join(directory.path, key))).toEqual(['a.c', 'answer.h', 'b.c', 'sha256', libraryName]);
    expect(cache.begin(request, compiler)).toBe(false);
    expect(cache.obtain(request, compiler)).toMatchObject({ fromCache: true });
    const wrong = { ...request, headers: [{ name: 'answer.h', source: '#define ANSWER nowhere' }] };
    expect(cache.begin(wrong, compiler)).toBe(true);
    expect(() => cache.obtain(wrong, compiler)).toThrow(expect.objectContaining({ code: 'C_COMPILER_FAILED' }));
    expect(entries(directory.path).filter(name => name.startsWith('claim-') || name.startsWith('tmp-'))).toEqual([]);
  });
  test('a compilation that is polled: its result is obtained without waiting', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const cache = new CompileCache(directory.path, quiet);
    const slow = slowCompiler(tools.path);
    const pending = cache.compileLater(request, { ...compiler, path: slow.path });
    await until(slow.begun);
    expect(pending.isDone).toBe(false);
    slow.goOn();
    await until(() => pending.isDone);
    expect(pending.obtain()).toMatchObject({ fromCache: false });
    expect(entries(directory.path)).toEqual([cacheKey(request, { ...compiler, path: slow.path })]);
  });
  test('of two processes that compile the same at low priority, the second one compiles it if the first gives up', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const held = startScript(
      import.meta.url,
      `${script(directory.path, slow.path, 'begin')} setInterval(() => {}, 1000);`,
    );
    await until(slow.begun);
    const pending = new CompileCache(directory.path, quiet).compileLater(request, findCompiler({ CC: slow.path }));
    expect(pending.isDone).toBe(false);
    held.process.kill('SIGKILL');
    slow.goOn();
    await until(() => pending.isDone);
    expect(pending.obtain()).toMatchObject({ fromCache: false });
    expect(entries(directory.path)).toEqual([cacheKey(request, findCompiler({ CC: slow.path }))]);
  });
  test('a failing compilation that is polled is done, and its error is thrown when it is obtained', async () => {
    using directory = temporaryDirectory();
    const wrong = { ...request, headers: [{ name: 'answer.h', source: '#define ANSWER nowhere' }] };
    const pending = new CompileCache(directory.path, quiet).compileLater(wrong, compiler);
    await until(() => pending.isDone);
    expect(() => pending.obtain()).toThrow(expect.objectContaining({ code: 'C_COMPILER_FAILED' }));
  });
  test('if another process finishes before a background compilation, its entry is used and the claim is released', async () => {
    using directory = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    const key = cacheKey(request, compiler);
    new CompileCache(elsewhere.path, quiet).obtain(request, compiler);
    const cache = new CompileCache(directory.path, quiet);
    expect(cache.begin(request, compiler)).toBe(true);
    cpSync(join(elsewhere.path, key), join(directory.path, key), { recursive: true });
    expect(cache.obtain(request, compiler)).toMatchObject({ fromCache: true });
    expect(existsSync(join(directory.path, `claim-${key}`))).toBe(false);
    await until(() => entries(directory.path).join() === key); // its compiler is ended
  });
  test('a background compilation that is never used does not delay the end of the process and leaves no files', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const child = startScript(import.meta.url, script(directory.path, slow.path, 'begin'));
    expect(await child.outcome).toMatchObject({ status: 0, stdout: 'true\n', stderr: '' });
    await until(() => entries(directory.path).length === 0);
    slow.goOn();
  });

  test('compilers that are starting when their compilation is canceled end, too', async () => {
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const folders: string[] = [];
    for (let i = 0; i < 40; i++) {
      const directory = join(tools.path, `work-${i}`);
      mkdirSync(directory);
      folders.push(directory);
      const started = startCompiling(
        { ...compiler, path: slow.path },
        { directory, units: ['a.c', 'b.c'], output: libraryName, flags: [] },
      );
      await setTimeout(i / 2);
      started!.cancel();
    }
    const isAlive = (pid: string): boolean => {
      const command = readIfThere(`/proc/${pid}/cmdline`) ?? '';
      return command.includes(slow.path);
    };
    await until(() => !readdirSync('/proc').some(isAlive));
    await until(() => !folders.some(folder => existsSync(folder)));
  });

  test('a process killed while compiling does not affect the next one', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const child = startScript(import.meta.url, script(directory.path, slow.path));
    await until(slow.begun);
    process.kill(-child.process.pid!, 'SIGKILL'); // including its compilers
    await child.outcome;
    expect(entries(directory.path)).toHaveLength(2); // its claim and its work
    slow.goOn();
    const result = new CompileCache(directory.path, quiet).obtain(request, findCompiler({ CC: slow.path }));
    expect(result.fromCache).toBe(false);
    expect(entries(directory.path)).toEqual([cacheKey(request, findCompiler({ CC: slow.path }))]);
  });

  const asFirst = [
    '--pid',
    '--fork',
    '--mount-proc',
    '--kill-child',
    ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  ];
  const canContain = spawnSync('unshare', [...asFirst, 'true']).status === 0;
  test.skipIf(!canContain)(
    'process 1 of a container, killed while compiling, does not block process 1 of the next container',
    async () => {
      using directory = temporaryDirectory();
      using tools = temporaryDirectory();
      const slow = slowCompiler(tools.path);
      const located = resolveImports(import.meta.url, script(directory.path, slow.path));
      const contain = (): ChildProcess =>
        spawn(
          'unshare',
          [...asFirst, process.execPath, '--no-warnings', '--input-type=module-typescript', '-e', located],
          {
            stdio: ['ignore', 'pipe', 'ignore'],
          },
        );
      const killed = contain();
      await until(slow.begun);
      const ended = once(killed, 'exit');
      killed.kill('SIGKILL');
      await ended;
      slow.goOn();
      const next = contain();
      let said = '';
      next.stdout!.on('data', text => {
        said += text;
      });
      await once(next, 'close');
      expect(JSON.parse(said)).toMatchObject({ fromCache: false });
    },
  );

  test.each(['SIGKILL', 'SIGTERM'] as const)('%s of the process alone ends its compilers, too', async signal => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const child = startScript(import.meta.url, script(directory.path, slow.path));
    await until(slow.begun);
    child.process.kill(signal);
    expect((await child.outcome).signal).toBe(signal);
    await until(() => entries(directory.path).length === 0);
    await until(() => !groupLives(child.process.pid!));
  });

  test('an interrupt ends the compilers and leaves no files', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const child = startScript(import.meta.url, script(directory.path, slow.path));
    await until(slow.begun);
    process.kill(-child.process.pid!, 'SIGINT');
    expect((await child.outcome).signal).toBe('SIGINT');
    await until(() => entries(directory.path).length === 0);
    await until(() => !groupLives(child.process.pid!));
  });

  test('an interrupt that is repeated ends the compilers, too', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const child = startScript(import.meta.url, script(directory.path, slow.path));
    await until(slow.begun);
    const group = child.process.pid!;
    for (let i = 0; i < 50 && groupLives(group); i++) {
      process.kill(-group, i % 2 === 0 ? 'SIGINT' : 'SIGTERM');
      await setTimeout(2);
    }
    await until(() => !groupLives(group));
    expect(entries(directory.path)).toEqual([]);
  });

  test('a compiler ended by the SIGTERM of a job is restarted if its process continues to save a checkpoint', async () => {
    using directory = temporaryDirectory();
    using tools = temporaryDirectory();
    const slow = slowCompiler(tools.path);
    const keeps = `import { keepStopSignals } from '${new URL('../../base/interrupted.ts', import.meta.url)}';
      process.on('SIGTERM', () => {});
      keepStopSignals(true);`;
    const child = startScript(import.meta.url, keeps + script(directory.path, slow.path));
    await until(slow.begun);
    process.kill(-child.process.pid!, 'SIGTERM');
    slow.goOn();
    const { stdout, stderr } = await child.outcome;
    expect(JSON.parse(stdout || `"${stderr}"`)).toMatchObject({ fromCache: false });
    expect(entries(directory.path)).toHaveLength(1);
  });

  test('a failed compilation: the error contains the output of the compiler, and the source is kept', () => {
    using directory = temporaryDirectory();
    const cache = new CompileCache(directory.path, quiet);
    const bad = { ...request, units: [...request.units, { name: 'bad.c', source: 'int c(void) { return oops; }' }] };
    const kept = join(directory.path, `failed-${cacheKey(bad, compiler)}`);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(() => cache.obtain(bad, compiler)).toThrow(
        expect.objectContaining({
          code: 'C_COMPILER_FAILED',
          message: expect.stringMatching(/bad\.c:1:.*oops[\s\S]*the source is kept in .*failed-/),
        }),
      );
      expect(readFileSync(join(kept, 'bad.c'), 'utf8')).toContain('oops');
    }
    expect(entries(directory.path)).toHaveLength(1);
  });

  test('if the directory is not writable, it warns and uses a temporary directory', () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'file');
    writeFileSync(file, '');
    const warnings: string[] = [];
    const log = createLogger('warn', line => warnings.push(line));
    const make = (): CompileCache => new CompileCache(join(file, 'cache'), log, directory.path);
    const first = make().obtain(request, compiler);
    expect(first.path.startsWith(join(directory.path, 'trenio-cache-'))).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/cannot be stored in .*file\/cache \(ENOTDIR\); using /);
    expect(make().obtain(request, compiler)).toMatchObject({ path: first.path, fromCache: true });
    expect(() => new CompileCache(join(file, 'cache'), log, file).obtain(request, compiler)).toThrow(
      expect.objectContaining({ code: 'CACHE_UNUSABLE' }),
    );
  });

  // As in containers with arbitrary user ids.
  const nameless = { uid: 54_321, gid: 54_321, encoding: 'utf8' } as const;
  const asNameless = (source: string, HOME?: string) =>
    spawnSync(process.execPath, ['--no-warnings', '--input-type=module-typescript', '-e', source], {
      ...nameless,
      env: { PATH: inheritedVariables().PATH, ...(HOME === undefined ? {} : { HOME }) },
    });
  const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const canBeNameless =
    process.getuid?.() === 0 && asNameless(`import ${module('./cache-directory.ts')};`, '/').status === 0;
  test.skipIf(!canBeNameless)('a user without a name and a home directory has a cache, too', () => {
    using directory = temporaryDirectory();
    chmodSync(directory.path, 0o1777);
    const { stdout, stderr } = asNameless(`
      import { cacheDirectory } from ${module('./cache-directory.ts')};
      import { CompileCache } from ${module('./compile-cache.ts')};
      import { findCompiler } from ${module('./c-compiler.ts')};
      import { createLogger } from ${module('../../base/logger.ts')};
      const log = createLogger('silent');
      console.log(cacheDirectory());
      console.log(new CompileCache('/proc/none', log, ${JSON.stringify(directory.path)}).obtain(${JSON.stringify(request)}, findCompiler()).path);`);
    expect(stderr).toBe('');
    const [cache, path] = stdout.split('\n');
    expect(cache).toMatch(/54321\/trenio$/);
    expect(path).toContain(join(directory.path, 'trenio-cache-54321'));
  });

  test('a temporary directory writable by others is not trusted', () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'file');
    writeFileSync(file, '');
    const make = (): CompileCache => new CompileCache(join(file, 'cache'), quiet, directory.path);
    const first = make().obtain(request, compiler);
    chmodSync(join(first.path, '../..'), 0o777);
    const second = make().obtain(request, compiler);
    expect(second.fromCache).toBe(false);
    expect(second.path.startsWith(join(first.path, '../..'))).toBe(false);
  });
});

describe('finding a compiler', () => {
  test('the compiler named by CC, or the first of the default ones', () => {
    expect(findCompiler({ CC: compiler.path, PATH: '' })).toEqual(compiler);
    expect(compilerVersion(compiler)).toMatch(/\d+\.\d+/);
  });
  test('none', () => {
    expect(() => findCompiler({ PATH: '/nowhere' })).toThrowErrorMatchingInlineSnapshot(`
      [TrenioError [NO_C_COMPILER]: no C compiler found (tried gcc, clang, cc)
        fix: install one (Debian: apt-get install gcc; macOS: xcode-select --install), or set CC=/path/to/cc. If CC is not set, a single process runs without one: its programs are WebAssembly, on one core]
    `);
    expect(() => findCompiler({ CC: 'no-such-cc', PATH: '/usr/bin' })).toThrow(
      /CC=no-such-cc: no such command is on PATH/,
    );
  });
  test('a changed compiler has a different identity', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'gcc');
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
    const before = findCompiler({ PATH: directory.path });
    writeFileSync(`${path}2`, '#!/bin/sh\n#\n', { mode: 0o755 });
    renameSync(`${path}2`, path);
    expect(findCompiler({ PATH: directory.path }).identity).not.toBe(before.identity);
  });
});

function groupLives(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
