// Unexpected files in the cache directory, in place of each kind of entry: nothing hangs, all errors are TrenioErrors, and
// programs are still compiled.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../base/logger.ts';
import { temporaryDirectory } from '../engine.testing.ts';
import { findCompiler } from './c-compiler.ts';
import { hashName, libraryName, listEntries, removeEntry, verifyEntry } from './cache-entries.ts';
import { CompileCache } from './compile-cache.ts';
import { type CompileRequest, cacheKey, functionKeys } from './compile-request.ts';
import { objectName } from './kept-objects.ts';

const compiler = findCompiler();
const functionText = 'int f(void) { return 1; }\n';
const request: CompileRequest = {
  units: [{ name: 'a.c', source: 'int f(void);\nint a(void) { return f(); }\n' }],
  headers: [],
  flags: [],
  shared: { keys: ['f'], unitsOf: members => [{ name: 'f.c', source: functionText, members }] },
};
const key = cacheKey(request, compiler);
const moduleKey = 'cd'.repeat(32);
const places = {
  'an entry': key,
  'its library': join(key, libraryName),
  'its hash': join(key, hashName),
  'a description': `program-${moduleKey}`,
  'a kept object': objectName(functionKeys(request, compiler)),
  'a claim': `claim-${key}`,
};
const kinds: Readonly<Record<string, (path: string) => void>> = {
  'a directory': path => mkdirSync(path),
  'a directory with files': path => {
    mkdirSync(path);
    writeFileSync(join(path, 'x'), '');
  },
  'a pipe': path => void execFileSync('mkfifo', [path]),
  'a link in a circle': path => symlinkSync(path, path),
  'a link to a pipe': path => {
    execFileSync('mkfifo', [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  'an empty file': path => writeFileSync(path, ''),
  'a file that cannot be read': path => {
    writeFileSync(path, 'x');
    chmodSync(path, 0);
  },
};

/** A claim with files of other names is polled for a while: see compile-claim.system.test.ts. */
const isSlow = (place: string, kind: string): boolean => place === 'a claim' && kind === 'a directory with files';
const cases = Object.entries(places).flatMap(([place, name]) =>
  Object.entries(kinds).flatMap(([kind, make]) => (isSlow(place, kind) ? [] : [{ place, kind, name, make }])),
);

const whole = temporaryDirectory();
afterAll(() => whole[Symbol.dispose]());
beforeAll(() => {
  const cache = new CompileCache(whole.path, createLogger('silent'));
  cache.keep(moduleKey, cache.obtain(request, compiler).path, { name: 'step' });
});

describe.each(Object.keys(places))('in place of %s', place => {
  test.each(cases.filter(each => each.place === place))('$kind', ({ name, make }) => {
    using folder = temporaryDirectory();
    const directory = join(folder.path, 'cache');
    const log = createLogger('silent');
    const cache = (): CompileCache => new CompileCache(directory, log, folder.path);
    cpSync(whole.path, directory, { recursive: true });
    rmSync(join(directory, name), { recursive: true, force: true });
    make(join(directory, name));
    // As for commands that inspect the cache.
    for (const entry of listEntries(directory)) verifyEntry(directory, entry);
    // A rebuild that needs every kind of entry.
    cache().recall(moduleKey);
    if (place === 'a kept object' || place === 'a claim') rmSync(join(directory, key), { recursive: true });
    const next = cache();
    next.begin(request, compiler);
    const { path } = next.obtain(request, compiler);
    expect(path).toBe(join(directory, key, libraryName));
    cache().keep(moduleKey, path, { name: 'step' });
    expect(cache().recall(moduleKey)).toMatchObject({ path });
    for (const entry of listEntries(directory)) removeEntry(directory, entry.name);
    expect(readdirSync(directory).filter(left => !left.endsWith('.pipe') && !left.startsWith('claim-'))).toEqual([]);
  });
});

describe('in place of the cache itself', () => {
  const { 'a directory': _, 'a directory with files': __, ...others } = kinds;
  test.each(Object.entries(others))('%s: a temporary directory is used', (_, make) => {
    using folder = temporaryDirectory();
    const directory = join(folder.path, 'cache');
    make(directory);
    const cache = new CompileCache(directory, createLogger('silent'), folder.path);
    expect(cache.recall(moduleKey)).toBeUndefined();
    expect(cache.obtain(request, compiler).path.startsWith(join(folder.path, 'trenio-cache-'))).toBe(true);
    // Listing the entries may fail; files that are not entries are never removed.
    expect(() =>
      new CompileCache(directory, createLogger('silent'), folder.path).begin(request, compiler),
    ).not.toThrow();
  });
});

test('truncated files of every kind are compiled again', () => {
  using folder = temporaryDirectory();
  const cache = (): CompileCache => new CompileCache(folder.path, createLogger('silent'));
  const { path } = cache().obtain(request, compiler);
  cache().keep(moduleKey, path, { name: 'step' });
  for (const name of ['its library', 'its hash', 'a description', 'a kept object'] as const) {
    truncateSync(join(folder.path, places[name]), 10);
    expect(cache().recall(moduleKey) === undefined || name === 'a kept object').toBe(true);
    cache().keep(moduleKey, cache().obtain(request, compiler).path, { name: 'step' });
    expect(cache().recall(moduleKey)).toMatchObject({ path });
  }
  // The same file under two names is still a file.
  linkSync(path, join(folder.path, 'linked'));
  expect(cache().obtain(request, compiler).fromCache).toBe(true);
});
