import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outputLines, readEnd } from './job-output.ts';

test('lines have the rank in their label, and its node', () => {
  expect(outputLines('begin\n[rank 0] a\n[rank 3] b\n2: c\n', ['n1', 'n2'])).toEqual([
    { rank: undefined, node: undefined, text: 'begin' },
    { rank: 0, node: 'n1', text: 'a' },
    { rank: 3, node: 'n2', text: 'b' },
    { rank: 2, node: 'n2', text: 'c' },
  ]);
  // Rank 3 may be on either node if there are more of them.
  expect(outputLines('[rank 2] b', ['n1', 'n2'])).toEqual([{ rank: 2, node: undefined, text: 'b' }]);
  expect(outputLines('x\n', ['n1'])).toEqual([{ rank: undefined, node: 'n1', text: 'x' }]);
});

test('only the last whole lines of a long file are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-output-'));
  const path = join(folder, 'out');
  writeFileSync(path, 'first line\nsecond line\nthird\n');
  expect(readEnd(path, 1000)).toEqual({ text: 'first line\nsecond line\nthird\n', hasMore: false });
  expect(readEnd(path, 9)).toEqual({ text: 'third\n', hasMore: true });
  rmSync(folder, { recursive: true });
});
