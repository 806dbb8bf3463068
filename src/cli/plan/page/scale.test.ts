import { describe, expect, test } from 'vitest';
import { paretoFront } from './points.ts';
import { doublingScale, durationScale, linearScale, logScale } from './scale.ts';

describe('scales', () => {
  test('linear: from 0 in round steps to at least the most', () => {
    const { at, ticks } = linearScale(47.8, 100, 600);
    expect(ticks).toEqual([0, 10, 20, 30, 40, 50]);
    expect([at(0), at(25), at(50)]).toEqual([100, 350, 600]);
    expect(linearScale(0, 0, 1).ticks.at(-1)).toBeGreaterThan(0);
  });

  test('logarithmic: every value within, upwards on a page too', () => {
    const { at, ticks } = logScale([3, 700], 300, 0);
    expect(ticks).toEqual([3, 10, 30, 100, 300]);
    for (const value of [3, 50, 700]) expect(at(value)).toSatisfy((y: number) => y > 0 && y < 300);
    expect(at(700)).toBeLessThan(at(3));
    // One value alone has room around it.
    expect(logScale([5], 0, 100).at(5)).toSatisfy((x: number) => x > 10 && x < 90);
  });

  test('durations are labeled at spans that people speak of', () => {
    const HOUR = 3600;
    expect(durationScale([HOUR, 10 * HOUR], 0, 400).ticks).toEqual([1, 2, 4, 8, 12].map(hours => hours * HOUR));
    expect(durationScale([10, 1e9], 0, 400).ticks.length).toBeLessThanOrEqual(6);
  });

  test('doublings stand at equal distances', () => {
    const { at, ticks } = doublingScale([4, 1, 2, 2], 0, 10);
    expect([ticks, at(1), at(2), at(4)]).toEqual([[1, 2, 4], 0, 5, 10]);
  });
});

test('the Pareto front', () => {
  const points = [
    { x: 3, y: 1 },
    { x: 1, y: 5 },
    { x: 2, y: 5 },
    { x: 2, y: 2 },
    { x: 4, y: 1 },
  ];
  expect(paretoFront(points)).toEqual([
    { x: 1, y: 5 },
    { x: 2, y: 2 },
    { x: 3, y: 1 },
  ]);
  expect(paretoFront([])).toEqual([]);
});
