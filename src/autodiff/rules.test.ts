// Every gradient rule against central finite differences in f64, on random shapes and attributes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpName } from '../hlo/attributes.ts';
import { gradientTable } from './rules.ts';
import { chloCases } from './testing/cases/chlo.ts';
import { controlCases } from './testing/cases/control.ts';
import { derivedCases } from './testing/cases/derived.ts';
import { dynamicCases } from './testing/cases/dynamic.ts';
import { elementwiseCases, type MakeCase } from './testing/cases/elementwise.ts';
import { linearAlgebraCases } from './testing/cases/linear-algebra.ts';
import { movementCases } from './testing/cases/movement.ts';
import { reductionCases } from './testing/cases/reductions.ts';
import { disagreements } from './testing/finite-differences.ts';
import { Random } from './testing/random.ts';
import { gradientCase } from './testing/second-order.ts';

const cases: Partial<Record<OpName, MakeCase>> = {
  ...elementwiseCases,
  ...movementCases,
  ...reductionCases,
  ...controlCases,
  ...linearAlgebraCases,
  ...derivedCases,
  ...dynamicCases,
  ...chloCases,
};
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

test('every op with a rule has a case, and no other has', () => {
  expect(Object.keys(cases).sort()).toEqual([...withRule].sort());
});

test('every op without a rule says why', () => {
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
