import { expect, test } from 'vitest';
import { sizesOf } from './size.ts';

test('lines of layers, tests apart', () => {
  const sizes = sizesOf([
    ['base/a.ts', 10],
    ['base/deep/b.ts', 5],
    ['base/a.test.ts', 7],
    ['base/a.testing.ts', 2],
    ['hlo/base/c.ts', 3],
    ['index.ts', 100],
  ]);
  expect(sizes.get('base')).toEqual({ lines: 15, testLines: 9 });
  expect(sizes.get('hlo')).toEqual({ lines: 3, testLines: 0 });
});
