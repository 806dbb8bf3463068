// Searches on functions with a known minimum, the bounds of scales, and the early-stopping rules.
import { describe, expect, test } from 'vitest';
import { expectedImprovement, type Found, normalDistribution } from './bayesian-search.ts';
import { bracketOf, hyperbandEnds, medianEnds, rungCount, rungsOf } from './early-stopping.ts';
import { GaussianProcess } from './gaussian-process.ts';
import { randomOf } from './random.ts';
import { nextPoint, type Strategy } from './search.ts';
import {
  autoScaling,
  configurationAt,
  featuresOf,
  gridPoint,
  gridSize,
  type ParameterRange,
  rangeProblem,
  type SearchSpace,
} from './search-space.ts';

const continuous = (
  name: string,
  min: number,
  max: number,
  scaling: 'linear' | 'logarithmic' | 'reverse-logarithmic' = 'linear',
) => ({ kind: 'continuous', name, min, max, scaling }) as const satisfies ParameterRange;
const integer = (name: string, min: number, max: number, scaling: 'linear' | 'logarithmic' = 'linear') =>
  ({ kind: 'integer', name, min, max, scaling }) as const satisfies ParameterRange;
const categorical = (name: string, ...values: string[]) =>
  ({ kind: 'categorical', name, values }) as const satisfies ParameterRange;

/** The best value after this many trials. */
function search(
  strategy: Strategy,
  space: SearchSpace,
  f: (configuration: Readonly<Record<string, string>>) => number,
  count: number,
  seed: number,
): number {
  const trials: Found[] = [];
  while (trials.length < count) {
    const point = nextPoint(strategy, space, trials, seed);
    if (point === undefined) break;
    trials.push({ point, value: f(configurationAt(space, point)) });
  }
  return Math.min(...trials.map(({ value }) => value!));
}
const seeds = [1, 2, 3, 4, 5];
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Three minima of 0.397887. */
function branin({ x = '', y = '' }: Readonly<Record<string, string>>): number {
  const [a, b] = [Number(x), Number(y)];
  const [c, d, t] = [5.1 / (4 * Math.PI ** 2), 5 / Math.PI, 1 / (8 * Math.PI)];
  return (b - c * a * a + d * a - 6) ** 2 + 10 * (1 - t) * Math.cos(a) + 10;
}
const braninSpace = [continuous('x', -5, 10), continuous('y', 0, 15)];

describe('searches', () => {
  test('Bayesian search beats random search on Branin', () => {
    const bayesian = seeds.map(seed => search('Bayesian', braninSpace, branin, 25, seed));
    const random = seeds.map(seed => search('Random', braninSpace, branin, 25, seed));
    expect(mean(bayesian)).toBeLessThan(0.6);
    expect(mean(bayesian)).toBeLessThan(mean(random) / 2);
  });

  test('Bayesian search with logarithmic, integer and categorical parameters', () => {
    const space = [
      continuous('lr', 1e-6, 1, 'logarithmic'),
      integer('layers', 1, 12),
      categorical('kind', 'a', 'b', 'c'),
    ];
    const f = ({ lr, layers, kind }: Readonly<Record<string, string>>): number =>
      (Math.log10(Number(lr)) + 3) ** 2 + (Number(layers) - 5) ** 2 / 4 + (kind === 'b' ? 0 : 2);
    const bayesian = seeds.map(seed => search('Bayesian', space, f, 30, seed));
    const random = seeds.map(seed => search('Random', space, f, 30, seed));
    expect(mean(bayesian)).toBeLessThan(0.2);
    expect(mean(bayesian)).toBeLessThan(mean(random));
  });

  test('running trials are not repeated', () => {
    const known: Found[] = [];
    for (let i = 0; i < 8; i++) {
      const point = nextPoint('Bayesian', braninSpace, known, 7)!;
      known.push({ point, value: branin(configurationAt(braninSpace, point)) });
    }
    const first = nextPoint('Bayesian', braninSpace, known, 7)!;
    const second = nextPoint('Bayesian', braninSpace, [...known, { point: first, value: undefined }], 7)!;
    expect(Math.hypot(first[0]! - second[0]!, first[1]! - second[1]!)).toBeGreaterThan(0.02);
  });

  test('the same seed and trials give the same point, another seed a different one', () => {
    const trials: Found[] = [{ point: [0.5, 0.5], value: 1 }];
    expect(nextPoint('Random', braninSpace, trials, 3)).toEqual(nextPoint('Random', braninSpace, trials, 3));
    expect(nextPoint('Random', braninSpace, trials, 3)).not.toEqual(nextPoint('Random', braninSpace, trials, 4));
  });

  test('the grid has every combination once', () => {
    const space = [categorical('a', '1', '2'), categorical('b', 'x', 'y', 'z')];
    expect(gridSize(space)).toBe(6);
    const all = Array.from({ length: 6 }, (_, i) => JSON.stringify(configurationAt(space, gridPoint(space, i))));
    expect(new Set(all).size).toBe(6);
    expect(all[1]).toBe('{"a":"1","b":"y"}');
    const six = Array.from({ length: 6 }, (_, i) => ({ point: gridPoint(space, i), value: 0 }));
    expect(nextPoint('Grid', space, six, 0)).toBe(undefined);
  });

  test('a small space is searched without repeating a configuration while others are left', () => {
    const space = [categorical('a', ...'abcdefgh')];
    const trials: Found[] = [];
    for (let i = 0; i < 6; i++) trials.push({ point: nextPoint('Random', space, trials, 1)!, value: i });
    expect(new Set(trials.map(({ point }) => configurationAt(space, point).a)).size).toBe(6);
  });
});

describe('the space', () => {
  const at = (range: ParameterRange, u: number): number => Number(configurationAt([range], [u])[range.name]);

  test('scales map 0 and 1 to their bounds', () => {
    expect([0, 0.5, 1].map(u => at(continuous('x', 1e-4, 1, 'logarithmic'), u))).toEqual([
      1e-4,
      expect.closeTo(0.01),
      1,
    ]);
    const reverse = continuous('x', 0.9, 0.9999, 'reverse-logarithmic');
    expect([0, 0.5, 1].map(u => at(reverse, u))).toEqual([
      expect.closeTo(0.9),
      expect.closeTo(0.996_838, 5),
      expect.closeTo(0.9999, 8),
    ]);
    const counts = [0, 0, 0];
    for (let i = 0; i < 300; i++) counts[at(integer('n', 0, 2), i / 300)]!++;
    expect(counts).toEqual([100, 100, 100]);
    expect([0, 0.999_999].map(u => at(integer('n', 1, 1024, 'logarithmic'), u))).toEqual([1, 1024]);
    expect([autoScaling(1e-5, 1), autoScaling(1, 50), autoScaling(-1, 1)]).toEqual(['logarithmic', 'linear', 'linear']);
  });

  test('the regression input depends on values, not coordinates', () => {
    const space = [integer('n', 0, 1), categorical('c', 'a', 'b')];
    expect(featuresOf(space, [0.1, 0.1])).toEqual(featuresOf(space, [0.4, 0.4]));
    expect(featuresOf(space, [0.1, 0.1])).not.toEqual(featuresOf(space, [0.6, 0.1]));
  });

  test.each([
    [continuous('x', 2, 1), 'MinValue 2 is greater than MaxValue 1'],
    [continuous('x', 0, 1, 'logarithmic'), 'logarithmic scaling needs a MinValue greater than 0, got 0'],
    [continuous('x', 0, 1, 'reverse-logarithmic'), 'reverse logarithmic scaling needs values from 0 to below 1'],
    [continuous('x', Number.NaN, 1), 'MinValue and MaxValue must be numbers'],
    [integer('x', 0.5, 1), 'MinValue and MaxValue must be integers'],
    [categorical('x', 'a', 'a'), 'its values are not distinct'],
  ])('a range that cannot be searched: %j', (range, problem) => {
    expect(rangeProblem(range)).toContain(problem);
  });
});

test('a Gaussian process interpolates, and is uncertain far away', () => {
  const inputs = [0, 0.2, 0.4, 0.6, 0.8, 1].map(x => [x]);
  const process = GaussianProcess.fit(
    inputs,
    inputs.map(([x]) => Math.sin(5 * x!)),
    randomOf(1, 0),
  );
  for (const [x] of inputs) expect(process.predict([x!]).mean).toBeCloseTo(Math.sin(5 * x!), 1);
  expect(process.predict([0.5]).mean).toBeCloseTo(Math.sin(2.5), 1);
  expect(process.predict([3]).deviation).toBeGreaterThan(5 * process.predict([0.4]).deviation);
});

test('expected improvement has the known values', () => {
  expect(normalDistribution(0)).toBeCloseTo(0.5, 7);
  expect(normalDistribution(1.96)).toBeCloseTo(0.975_002, 6);
  // At the best value itself: deviation / sqrt(2π).
  expect(expectedImprovement({ mean: 1, deviation: 2 }, 1)).toBeCloseTo(0.797_885, 6);
  expect(expectedImprovement({ mean: 0, deviation: 0 }, 1)).toBe(1);
});

describe('early stopping', () => {
  test('rungs triple, and brackets with a later first rung are sampled less often', () => {
    expect(rungsOf(0, 1, 27)).toEqual([1, 3, 9, 27]);
    expect(rungsOf(2, 1, 27)).toEqual([9, 27]);
    expect(rungCount(1, 27)).toBe(4);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 1000; i++) counts[bracketOf(i / 1000, 1, 27)]!++;
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.every(count => count > 0)).toBe(true);
  });

  test('Hyperband keeps the best third at a rung, and ends jobs at the last one', () => {
    const rungs = [1, 3, 9];
    expect(hyperbandEnds([5], [[1], [2]], rungs)).toBe(true);
    expect(hyperbandEnds([1], [[5], [2]], rungs)).toBe(false);
    // Too few to compare.
    expect(hyperbandEnds([5], [[1]], rungs)).toBe(false);
    // Between rungs, the last rung counts.
    expect(hyperbandEnds([1, 9], [[2], [3]], rungs)).toBe(false);
    expect(hyperbandEnds(Array(9).fill(0), [], rungs)).toBe(true);
  });

  test('the median rule ends jobs below the median', () => {
    const others = [
      [1, 1],
      [2, 2],
      [3, 3],
    ];
    expect(medianEnds([4, 4], others)).toBe(true);
    expect(medianEnds([4, 1.5], others)).toBe(false);
    expect(medianEnds([4, 4], others.slice(1))).toBe(false);
  });
});
