import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../base/logger.ts';
import { temporaryDirectory } from '../engine.testing.ts';
import { findCompiler } from './c-compiler.ts';
import { distrustOfDirectory, type Sharing } from './cache-trust.ts';
import { CompileCache } from './compile-cache.ts';

const compiler = findCompiler();
const request = { units: [{ name: 'a.c', source: 'int a;\n' }], headers: [], flags: [] };
const moduleKey = 'ab'.repeat(32);
const isRoot = process.getuid?.() === 0;
/** Another user, and a group of other users. */
const stranger = 12_345;

/** A cache two directories below one that is ours, with one entry and one description. */
function scene(sharing: Sharing = 'none') {
  const folder = temporaryDirectory();
  const directory = join(folder.path, 'above', 'cache');
  const temporary = join(folder.path, 'tmp');
  mkdirSync(temporary);
  const warnings: string[] = [];
  const log = createLogger('warn', line => warnings.push(line));
  const cache = (): CompileCache => new CompileCache(directory, log, temporary, undefined, sharing);
  const { path } = cache().obtain(request, compiler);
  cache().keep(moduleKey, path, { name: 'step' });
  return { directory, temporary, path, warnings, cache, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe('a directory writable by others', () => {
  const cases: readonly (readonly [string, (directory: string) => void, RegExp])[] = [
    ['everybody', directory => chmodSync(directory, 0o777), /everybody can write .*cache \(mode 0777\).*chmod o-w/],
    ['everybody, in their own files', directory => chmodSync(directory, 0o1777), /everybody can write/],
    [
      'everybody, above',
      directory => chmodSync(dirname(directory), 0o757),
      /everybody can write .*above \(mode 0757\)/,
    ],
  ];
  const casesOfRoot: typeof cases = [
    ['the owner', directory => chownSync(directory, stranger, 0), /belongs to another user \(12345\)/],
    ['the owner, above', directory => chownSync(dirname(directory), stranger, 0), /above belongs to another user/],
    [
      'a group',
      directory => {
        chownSync(directory, 0, stranger);
        chmodSync(directory, 0o770);
      },
      /the group 12345 can write .*TRENIO_CACHE_SHARED=group/,
    ],
  ];
  test.each([...cases, ...(isRoot ? casesOfRoot : [])])(
    '%s: nothing in it is used, and one warning is printed',
    (_, change, text) => {
      using s = scene();
      change(s.directory);
      const cache = s.cache();
      expect(cache.recall(moduleKey)).toBeUndefined();
      const made = cache.obtain(request, compiler);
      expect(made.fromCache).toBe(false);
      expect(made.path.startsWith(s.temporary)).toBe(true);
      expect(s.warnings).toHaveLength(1);
      expect(s.warnings[0]).toMatch(text);
      // The next process finds the entries that this one stored.
      expect(s.cache().obtain(request, compiler)).toMatchObject({ path: made.path, fromCache: true });
    },
  );

  test('a directory below one with the sticky bit, such as /tmp, is safe', () => {
    using s = scene();
    chmodSync(dirname(s.directory), 0o1777);
    expect(s.cache().obtain(request, compiler).fromCache).toBe(true);
    expect(s.warnings).toEqual([]);
  });
  test('through a link', () => {
    using s = scene();
    const other = join(dirname(s.directory), '../other');
    mkdirSync(other);
    chmodSync(other, 0o777);
    symlinkSync(s.directory, join(other, 'link'));
    expect(distrustOfDirectory(join(other, 'link'), 'none')?.reason).toMatch(/everybody can write .*other/);
    expect(distrustOfDirectory(s.directory, 'none')).toBeUndefined();
  });
  test.skipIf(!isRoot)('a directory shared by a group on purpose', () => {
    using s = scene('group');
    chownSync(s.directory, 0, stranger);
    chmodSync(s.directory, 0o2770);
    const other = { ...request, flags: ['-O1'] };
    const { path } = s.cache().obtain(other, compiler);
    const entry = statSync(dirname(path));
    expect([entry.gid, entry.mode & 0o777, statSync(path).mode & 0o777]).toEqual([stranger, 0o770, 0o660]);
    // Entries made by another member of the group are used; entries writable by everyone are not.
    for (const at of [dirname(path), path]) chownSync(at, stranger, stranger);
    expect(s.cache().obtain(other, compiler).fromCache).toBe(true);
    expect(s.warnings).toEqual([]);
    chmodSync(s.directory, 0o2777);
    expect(s.cache().obtain(other, compiler).path.startsWith(s.temporary)).toBe(true);
    expect(s.warnings[0]).toMatch(/everybody can write/);
  });
});

describe('an entry that others could have written is compiled again', () => {
  const changes: readonly (readonly [string, (s: ReturnType<typeof scene>) => void])[] = [
    ['the library', s => chmodSync(s.path, 0o666)],
    ['its directory', s => chmodSync(dirname(s.path), 0o777)],
    ['the description', s => chmodSync(join(s.directory, `program-${moduleKey}`), 0o602)],
  ];
  const changesOfRoot: typeof changes = [
    ['the library of another user', s => chownSync(s.path, stranger, 0)],
    ['a directory of another user', s => chownSync(dirname(s.path), stranger, 0)],
    ['a description of another user', s => chownSync(join(s.directory, `program-${moduleKey}`), stranger, 0)],
  ];
  test.each([...changes, ...(isRoot ? changesOfRoot : [])])('%s', (_, change) => {
    using s = scene();
    change(s);
    expect(s.cache().recall(moduleKey)).toBeUndefined();
    expect(s.warnings[0]).toMatch(/not used, compiling it again: .* \(fix: /);
    const { path } = s.cache().obtain(request, compiler);
    s.cache().keep(moduleKey, path, { name: 'step' });
    s.warnings.length = 0;
    expect(s.cache().recall(moduleKey)).toMatchObject({ path: s.path });
    expect(s.warnings).toEqual([]);
  });
  test.skipIf(!isRoot)('a link to a library of another user', () => {
    using s = scene();
    rmSync(s.path);
    symlinkSync('/etc/passwd', s.path);
    lchownSync(s.path, stranger, 0);
    expect(s.cache().obtain(request, compiler)).toMatchObject({ path: s.path, fromCache: false });
  });
});

test('stored entries are trusted later and not writable by others, for any umask', () => {
  const umask = process.umask(0);
  try {
    using s = scene();
    expect(s.cache().recall(moduleKey)).toMatchObject({ path: s.path });
    expect(s.warnings).toEqual([]);
    expect(statSync(s.directory).mode & 0o077).toBe(0);
    for (const name of readdirSync(s.directory)) expect(statSync(join(s.directory, name)).mode & 0o022).toBe(0);
  } finally {
    process.umask(umask);
  }
});

test('no usable directory is a typed error', () => {
  using s = scene();
  chmodSync(s.directory, 0o777);
  rmSync(s.temporary, { recursive: true });
  writeFileSync(s.temporary, '');
  expect(() => s.cache().obtain(request, compiler)).toThrow(
    expect.objectContaining({ code: 'CACHE_UNUSABLE', message: expect.stringMatching(/everybody can write/) }),
  );
});
