// Every gradient rule compared with central finite differences in f64, on random shapes and attributes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpName } from '../hlo/attributes.ts';
import { cases } from './cases/all.testing.ts';
import { disagreements } from './finite-differences.testing.ts';
import { Random } from './random.testing.ts';
import { gradientTable } from './rules.ts';
import { gradientCase } from './second-order.testing.ts';

/** Ops with many attributes get more random cases. */
const runs: Partial<Record<OpName, number>> = {
  gather: 80,
  scatter: 120,
  reduce: 60,
  reduce_window: 120,
  dot_general: 60,
  convolution: 150,
  pad: 60,
};

const names = Object.keys(gradientTable) as OpName[];
const withRule = names.filter(name => typeof gradientTable[name] === 'function');

test('exactly the ops with a rule have cases', () => {
  expect(Object.keys(cases).sort()).toEqual([...withRule].sort());
});

test('every op without a rule has a reason', () => {
  const reasons = names.flatMap(name => {
    const rule = gradientTable[name];
    return typeof rule === 'function' ? [] : [`${name}: ${rule.kind}, ${rule.reason}`];
  });
  expect(reasons).toMatchSnapshot();
});

describe('the rule agrees with finite differences', () => {
  test.each(withRule)('%s', name => {
    const make = cases[name]!;
    fc.assert(
      fc.property(fc.integer(), seed => {
        expect(disagreements(name, make(new Random(seed)))).toEqual([]);
      }),
      { seed: 20240717, numRuns: runs[name] ?? 25, endOnFailure: true },
    );
  });
});

describe('the gradient of the gradient agrees with finite differences', () => {
  test.each(withRule)('%s', name => {
    const make = cases[name]!;
    fc.assert(
      fc.property(fc.integer(), seed => {
        expect(disagreements(name, gradientCase(make(new Random(seed))))).toEqual([]);
      }),
      { seed: 20240718, numRuns: 10, endOnFailure: true },
    );
  });
});
