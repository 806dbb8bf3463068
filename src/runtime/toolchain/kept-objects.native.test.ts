import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../engine.testing.ts';
import { listEntries, removeEntry, verifyEntry } from './cache-entries.ts';
import { findObjects, objectName, readHead, readObject, writeObject } from './kept-objects.ts';

const bytes = Uint8Array.from({ length: 300 }, (_, i) => i);
const never = (): never => {
  throw new Error('nothing is damaged');
};
function damagedEnd(file: string): Uint8Array {
  const content = readFileSync(file);
  return content.fill(7, content.length - 20);
}
function keep(directory: string, functions: readonly string[], content = bytes): string {
  const file = join(directory, objectName(functions));
  writeObject(file, { what: 'step', functions, bytes: content });
  return file;
}

test('an object round-trips, and its functions can be listed without reading all of it', () => {
  using directory = temporaryDirectory();
  for (const functions of [['a'], Array.from({ length: 2000 }, (_, i) => `${i}`.padStart(64, '0'))]) {
    const file = keep(directory.path, functions);
    expect(readHead(file)).toEqual({ what: 'step', functions });
    const object = readObject(file)!;
    expect({ ...object, bytes: Uint8Array.from(object.bytes) }).toEqual({ what: 'step', functions, bytes });
  }
});

test('any changed or missing byte is noticed', () => {
  using directory = temporaryDirectory();
  const file = keep(directory.path, ['a', 'b']);
  const whole = readFileSync(file);
  for (const at of [0, 64, 66, 80, whole.length - 1]) {
    const changed = Uint8Array.from(whole);
    changed[at] = changed[at]! ^ 1;
    writeFileSync(file, changed);
    if (at !== 64) expect(readObject(file)).toBeUndefined();
  }
  for (const length of [0, 30, 70, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, length));
    expect(readObject(file)).toBeUndefined();
  }
});

test('selects the fewest objects that contain the functions; damaged ones are reported and skipped', () => {
  using directory = temporaryDirectory();
  const found = (functions: readonly string[], onDamage: (file: string) => void = never) => {
    const { objects, missing } = findObjects([directory.path], functions, onDamage, () => true);
    return { files: objects.map(object => object.file), missing: [...missing] };
  };
  expect(found(['a'])).toEqual({ files: [], missing: ['a'] });
  expect(findObjects([join(directory.path, 'nowhere')], ['a'], never, () => true).objects).toEqual([]);
  const [few, many, other] = [['a', 'b'], ['a', 'b', 'c'], ['d']].map(f => keep(directory.path, f)) as [
    string,
    string,
    string,
  ];
  expect(found(['b', 'd', 'a', 'e', 'c'])).toEqual({ files: [many, other], missing: ['e'] });
  expect(found(['c'])).toEqual({ files: [many], missing: [] });
  writeFileSync(many, damagedEnd(many));
  const damaged: string[] = [];
  expect(found(['a', 'b', 'c'], file => damaged.push(file))).toEqual({ files: [few], missing: ['c'] });
  expect(damaged).toEqual([many]);
  writeFileSync(many, 'nothing');
  expect(found(['c'])).toEqual({ files: [], missing: ['c'] });
});

test('objects are entries of the cache: listed, verified, removed', () => {
  using directory = temporaryDirectory();
  const file = keep(directory.path, ['a', 'b']);
  const [entry] = listEntries(directory.path);
  expect(entry).toMatchObject({ kind: 'object', what: '2 functions of step', name: objectName(['a', 'b']) });
  expect(verifyEntry(directory.path, entry!)).toBe('whole');
  writeFileSync(file, damagedEnd(file));
  expect(verifyEntry(directory.path, entry!)).toBe('damaged');
  removeEntry(directory.path, entry!.name);
  expect(readdirSync(directory.path)).toEqual([]);
  rmSync(file, { force: true });
});
