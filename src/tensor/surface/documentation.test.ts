// Every public member that is generated from the table is documented.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rows } from './index.ts';
import { sampled, samplesOf } from './samples.testing.ts';

const textOf = (name: string): string => readFileSync(new URL(`../generated/${name}.ts`, import.meta.url), 'utf8');

test.each(['methods', 'functions', 'functional'])(
  'every signature in generated/%s.ts follows a documentation comment',
  name => {
    const lines = textOf(name).split('\n');
    const starts = lines.flatMap((line, i) => (/^ {0,2}(export function )?\w+\(/.test(line) ? [i] : []));
    // the last signature of a name is the implementation, which callers do not see
    const visible = starts.filter(i => !lines[i]!.includes('...args: readonly unknown[]'));
    expect(visible.length).toBeGreaterThan(0);
    const bare = visible.filter(i => lines[i - 1]!.trim() !== '*/');
    expect(bare.map(i => lines[i])).toEqual([]);
  },
);
test('every option has documentation', () => {
  const lines = textOf('options').split('\n');
  const members = lines.flatMap((line, i) => (/^ {2}readonly /.test(line) ? [i] : []));
  expect(members.length).toBeGreaterThan(20);
  expect(members.filter(i => !lines[i - 1]!.trim().endsWith('*/')).map(i => lines[i])).toEqual([]);
});
test.each(rows)('$name: names, facts and samples are complete', row => {
  expect(row.name).toMatch(/^[a-z][A-Za-z0-9]*$/);
  expect(row.torch.length).toBeGreaterThan(0);
  for (const name of row.torch) expect(name).toMatch(/^(torch|Tensor)\.[\w.]+$/);
  expect(row.summary).toMatch(/\.$/);
  for (const { example } of [row, ...row.modules]) expect(example, 'an example shows its result').toContain(' // ');
  for (const [i, { params }] of row.variants.entries()) {
    const samples = samplesOf(row, i);
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) expect(Object.keys(sample).filter(name => !(name in params))).toEqual([]);
  }
});
test('samples are those of rows', () => {
  const variants = rows.map(row => [row.name, row.variants.length]);
  expect(Object.entries(sampled).map(([name, lists]) => [name, lists.length])).toEqual(variants);
});
test('names are unique', () => {
  const names = rows.flatMap(row => [row.name, ...row.aliases]);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
