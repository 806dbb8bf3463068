import { expect, test } from 'vitest';
import { assumeAtLeast, isAtLeast, QuantityGraph, times } from './extent.ts';
import { type Cases, caseFor, planCases } from './size-cases.ts';

const valuesOf = <T>(cases: Cases<T>): readonly T[] =>
  cases.kind === 'case' ? [cases.value] : [...valuesOf(cases.onTrue), ...valuesOf(cases.onFalse)];

test('a case for each combination of answers, apart from those that cannot occur', () => {
  const plan = (isStated: boolean) => {
    const graph = new QuantityGraph();
    const [rows, width] = [graph.size(0), graph.size(1)];
    return planCases(graph, () => {
      if (isAtLeast(rows, 16) || !isAtLeast(times(rows, width), 1600)) return `rows, ${isAtLeast(width, 8)}`;
      if (isStated) assumeAtLeast(width, 100);
      return `split, ${isAtLeast(width, 8)}`;
    });
  };
  expect(valuesOf(plan(false))).toContain('split, false');
  const stated = plan(true);
  expect(valuesOf(stated)).toEqual(['rows, true', 'rows, false', 'split, true', 'rows, true', 'rows, false']);
  const at = (rows: number, width: number): string =>
    caseFor(stated, ({ quantity }) => ({ s0: rows, s1: width })[quantity.key] ?? rows * width);
  expect([at(20, 4), at(4, 1000), at(4, 10), at(4, 2)]).toEqual([
    'rows, false',
    'split, true',
    'rows, true',
    'rows, false',
  ]);
});
