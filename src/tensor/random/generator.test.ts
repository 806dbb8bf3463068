// Random numbers: reproducibility of generators, and the distribution of samples, by the
// Kolmogorov–Smirnov and chi-square tests at fixed seeds (critical values for a false alarm in 1,000).
import { beforeEach, expect, test } from 'vitest';
import {
  compile,
  Generator,
  manualSeed,
  rand,
  randint,
  randn,
  randperm,
  type Tensor,
  tensor,
  zeros,
} from '../index.ts';

beforeEach(() => manualSeed(1));
const seeded = (seed = 3): Generator => new Generator().manualSeed(seed);
const count = 4000;
const numbers = (x: Tensor): number[] => Array.from(x.data as Float32Array, Number);

/** The largest distance between the empirical and the expected distribution function. */
function distance(samples: readonly number[], cdf: (x: number) => number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((x, i) => Math.max(Math.abs(cdf(x) - i / sorted.length), Math.abs(cdf(x) - (i + 1) / sorted.length))),
  );
}
const critical = 1.95 / Math.sqrt(count);
/** Φ, by Abramowitz and Stegun 7.1.26. */
function phi(x: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(x) / Math.SQRT2));
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * Math.exp((-x * x) / 2);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}

test.each([
  ['normal_', (x: Tensor, generator: Generator) => x.normal_(2, 3, { generator }), (x: number) => phi((x - 2) / 3)],
  ['uniform_', (x: Tensor, generator: Generator) => x.uniform_(-1, 3, { generator }), (x: number) => (x + 1) / 4],
  [
    'exponential_',
    (x: Tensor, generator: Generator) => x.exponential_(2, { generator }),
    (x: number) => 1 - Math.exp(-2 * x),
  ],
  [
    'cauchy_',
    (x: Tensor, generator: Generator) => x.cauchy_(1, 2, { generator }),
    (x: number) => Math.atan((x - 1) / 2) / Math.PI + 0.5,
  ],
  [
    'logNormal_',
    (x: Tensor, generator: Generator) => x.logNormal_(1, 0.5, { generator }),
    (x: number) => phi((Math.log(x) - 1) / 0.5),
  ],
])('%s has its distribution, and is reproducible with its generator', (_, fill, cdf) => {
  const samples = numbers(fill(zeros([count]), seeded()));
  expect(distance(samples, cdf)).toBeLessThan(critical);
  expect(numbers(fill(zeros([count]), seeded()))).toEqual(samples);
  expect(numbers(fill(zeros([count]), seeded(4)))).not.toEqual(samples);
});

test('geometric_ and random_ give integers with the expected frequencies', () => {
  const trials = numbers(zeros([count]).geometric_(0.5, { generator: seeded() }));
  expect(trials.reduce((sum, x) => sum + x, 0) / count).toBeCloseTo(2, 0);
  expect(Math.min(...trials)).toBe(1);
  const dice = numbers(zeros([count], { dtype: 'i64' }).random_(1, 7, { generator: seeded() }));
  const observed = [1, 2, 3, 4, 5, 6].map(face => dice.filter(x => x === face).length);
  const expected = count / 6;
  const chiSquare = observed.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  expect(chiSquare).toBeLessThan(20.5); // 5 degrees of freedom
});
test('bernoulli samples with the probability of each element', () => {
  const generator = seeded();
  const p = tensor([0.2, 0.7]).unsqueeze(1).expand([2, count]);
  const means = numbers(p.bernoulli({ generator }).mean(1));
  expect(means[0]).toBeCloseTo(0.2, 1);
  expect(means[1]).toBeCloseTo(0.7, 1);
  expect(numbers(zeros([count]).bernoulli_(0.9, { generator }).mean())[0]).toBeCloseTo(0.9, 1);
});
test('multinomial samples with the weights, with and without replacement', () => {
  const generator = seeded();
  const weights = tensor([1, 0, 3, 4]);
  const sampled = numbers(weights.multinomial(count, true, { generator }));
  const observed = [0, 1, 2, 3].map(k => sampled.filter(x => x === k).length / count);
  for (const [k, p] of [0.125, 0, 0.375, 0.5].entries()) expect(observed[k]).toBeCloseTo(p, 1);
  expect(observed[1]).toBe(0);
  const rows = weights.expand([500, 4]).multinomial(2, { generator });
  const pairs = rows.toArray() as number[][];
  expect(pairs.every(([i, j]) => i !== j && i !== 1 && j !== 1)).toBe(true);
  // P(3 among two) = 1/2 + 1/8 · 4/7 + 3/8 · 4/5
  expect(pairs.filter(pair => pair.map(Number).includes(3)).length / 500).toBeCloseTo(0.871, 1);
});

test('a generator repeats from its state, whatever the global seed', () => {
  const generator = seeded();
  expect(generator.initialSeed()).toBe(3);
  const state = generator.getState();
  const first = [
    randn(4, { generator }),
    rand([3], { generator }),
    randint(0, 9, [5], { generator }),
    randperm(6, { generator }),
  ];
  manualSeed(99);
  generator.setState(state);
  const again = [
    randn(4, { generator }),
    rand([3], { generator }),
    randint(0, 9, [5], { generator }),
    randperm(6, { generator }),
  ];
  expect(again.map(numbers)).toEqual(first.map(numbers));
});
test('a generator does not advance the global random state, and gives the same numbers as manualSeed', () => {
  manualSeed(7);
  const global = numbers(randn(4));
  manualSeed(7);
  expect(numbers(randn(4, { generator: new Generator().manualSeed(7) }))).toEqual(global);
  expect(numbers(randn(4))).toEqual(global);
});
test('a compiled function samples new numbers from a generator at each call', () => {
  const generator = seeded();
  const noisy = compile((x: Tensor) => x.bernoulli(0.5, { generator }));
  const x = zeros([64]);
  const runs = [1, 2, 3].map(() => numbers(noisy(x)).join(''));
  expect(new Set(runs).size).toBe(3);
  generator.manualSeed(3);
  expect(numbers(noisy(x)).join('')).toBe(runs[0]);
});
test('values that are not generators or seeds are rejected', () => {
  expect(() => new Generator(0.5)).toThrow(/seed/);
  expect(() => zeros([2]).normal_(0, 1, { generator: 5 as unknown as Generator })).toThrow(/Generator/);
  expect(() => seeded().setState({} as never)).toThrow(/getState/);
});
