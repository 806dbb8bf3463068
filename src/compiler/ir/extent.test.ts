import { expect, test } from 'vitest';
import {
  ceilDiv,
  dividedExactly,
  isAtLeast,
  least,
  plus,
  QuantityGraph,
  quantityValues,
  sameExtent,
  select,
  times,
} from './extent.ts';
import { add, delinearize, linearize, loopIndex, scale } from './index-expr.ts';
import { caseFor, planCases } from './size-cases.ts';

test('arithmetic on numbers gives numbers; arithmetic on sizes evaluates to the right values', () => {
  expect(times(3, plus(4, ceilDiv(7, 2)))).toBe(24);
  const graph = new QuantityGraph();
  const [n, m] = [graph.size(0), graph.size(1)];
  const value = quantityValues([10, 3]);
  expect(value(times(2, times(n, m)))).toBe(60);
  expect(value(ceilDiv(n, m))).toBe(4);
  expect(value(ceilDiv(n, 0))).toBe(0);
  expect(value(select(n, 11, 1, least(n, m)))).toBe(3);
});

test('equal products are one quantity, and can be divided', () => {
  const graph = new QuantityGraph();
  const [n, m] = [graph.size(0), graph.size(1)];
  const product = times(times(n, 4), m);
  expect(sameExtent(product, times(m, times(2, times(n, 2))))).toBe(true);
  expect(sameExtent(dividedExactly(product, times(2, m))!, times(2, n))).toBe(true);
  expect(dividedExactly(times(n, n), m)).toBeUndefined();
});

test('each case is planned once, and implied conditions are not tested', () => {
  const graph = new QuantityGraph();
  const n = graph.size(0);
  const seen: string[] = [];
  const cases = planCases(graph, () => {
    const form = isAtLeast(n, 32) ? (isAtLeast(n, 512) ? 'long' : isAtLeast(n, 8) ? 'middle' : 'none') : 'short';
    seen.push(form);
    return form;
  });
  expect(seen).toEqual(['long', 'middle', 'short']);
  const formOf = (size: number): string => caseFor(cases, ({ quantity }) => quantityValues([size])(quantity));
  expect([600, 512, 511, 32, 31, 0].map(formOf)).toEqual(['long', 'long', 'middle', 'middle', 'short', 'short']);
});

test('positions in tensors of unknown sizes: through a flat loop and back', () => {
  const graph = new QuantityGraph();
  const [a, b, c] = [graph.size(0), graph.size(1), graph.size(2)];
  const shape = [a, b, c];
  const loops = shape.map((size, id) => loopIndex({ id, size }));
  expect(delinearize(shape, linearize(shape, loops)).map(i => i.key)).toEqual(loops.map(i => i.key));
  const flat = loopIndex({ id: 0, size: times(a, times(b, c)) });
  expect(linearize(shape, delinearize(shape, flat)).key).toBe(flat.key);
  const mixed = [a, 6, c];
  const long = loopIndex({ id: 0, size: times(6, times(a, c)) });
  expect(linearize(mixed, delinearize(mixed, long)).key).toBe(long.key);
  expect(add(scale(loops[0]!, b), scale(loops[0]!, b)).key).toBe(scale(loops[0]!, times(2, b)).key);
});
