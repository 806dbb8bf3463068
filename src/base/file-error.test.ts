import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectFileError, readIfThere } from './file-error.ts';

const errorOf = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('accepts file system errors, with a given code if any; throws bugs', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-file-'));
  const missing = errorOf(() => readFileSync(join(folder.path, 'missing')));
  expectFileError(missing);
  expectFileError(missing, 'EACCES', 'ENOENT');
  expect(() => expectFileError(missing, 'EACCES')).toThrow('ENOENT');
  for (const bug of [new TypeError('a bug'), errorOf(() => JSON.parse('{')), undefined, 'text'])
    expect(errorOf(() => expectFileError(bug))).toBe(bug);
  // A wrong argument is a bug, although the error has a code.
  const argument = errorOf(() => readFileSync(undefined as unknown as string));
  expect(() => expectFileError(argument)).toThrow(TypeError);
});

test('a missing file is read as undefined', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-file-'));
  const file = join(folder.path, 'file');
  expect(readIfThere(file)).toBeUndefined();
  expect(readIfThere(folder.path)).toBeUndefined();
  writeFileSync(file, 'text');
  expect(readIfThere(file)).toBe('text');
  expect(readIfThere(join(file, 'x'))).toBeUndefined();
});
