import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileNames } from './file-names.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a name with * is the files that match it, in order; braces are expanded first', () => {
  for (const name of ['b-2.txt', 'a-10.txt', 'b-1.txt', 'c.csv', 'odd*.txt']) writeFileSync(join(folder, name), '');
  const names = (pattern: string): readonly string[] =>
    fileNames('x', join(folder, pattern)).map(name => name.slice(folder.length + 1));
  expect(names('*-*.txt')).toEqual(['a-10.txt', 'b-1.txt', 'b-2.txt']);
  expect(names('{b,a}-?*.txt')).toEqual(['b-1.txt', 'b-2.txt', 'a-10.txt']);
  expect(names('odd*.txt')).toEqual(['odd*.txt']);
  expect(names('missing-{1..2}.txt')).toEqual(['missing-1.txt', 'missing-2.txt']);
});

test('a pattern that matches nothing is an error', () => {
  expect(() => fileNames('x', join(folder, '*.parquet'))).toThrow(/'.*\*\.parquet', which matches no file/);
});
