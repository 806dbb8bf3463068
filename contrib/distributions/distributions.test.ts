// Distributions compared with PyTorch (scripts/golden/distributions.py), and samples with their moments at a fixed seed.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compile, device, manualSeed, setDefaultDevice, type Tensor, tensor, zeros } from '../../src/tensor/index.ts';
import * as distributions from './index.ts';
import {
  Bernoulli,
  Beta,
  Binomial,
  Categorical,
  Dirichlet,
  Distribution,
  Gamma,
  Independent,
  klDivergence,
  MixtureSameFamily,
  MultivariateNormal,
  Normal,
  Poisson,
  registerKl,
  StudentT,
  TransformedDistribution,
  transforms,
  Uniform,
  VonMises,
} from './index.ts';

type Nested = number | readonly Nested[];
interface Dumped {
  readonly shape: readonly number[];
  readonly data: readonly (number | string)[];
}
interface Golden {
  readonly cases: readonly {
    readonly name: string;
    readonly parameters: readonly Nested[];
    readonly value: Nested;
    readonly results: Readonly<Record<string, Dumped>>;
    readonly gradients: readonly Dumped[];
  }[];
  readonly divergences: readonly {
    readonly name: string;
    readonly other: string;
    readonly p: readonly Nested[];
    readonly q: readonly Nested[];
    readonly kl: Dumped;
  }[];
  readonly transforms: readonly {
    readonly name: string;
    readonly parameters: readonly (number | readonly number[])[];
    readonly x: Nested;
    readonly y: Dumped;
    /** PyTorch has none for some. */
    readonly slope: Dumped | null;
  }[];
}
const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/distributions.json', import.meta.url), 'utf8'),
) as Golden;
const f64 = (data: Nested): Tensor => tensor(data as number[], { dtype: 'f64' });
/** A distribution by its name: classes take their parameters in PyTorch's order. */
const make = (name: string, parameters: readonly Tensor[]): distributions.Distribution => {
  const made = Reflect.get(distributions, name) as new (...args: readonly Tensor[]) => distributions.Distribution;
  // a count is a number
  const given = name === 'Multinomial' ? [parameters[0]!.item(), ...parameters.slice(1)] : parameters;
  return new made(...(given as readonly Tensor[]));
};
function expectNear(got: Tensor, expected: Dumped): void {
  expect(got.shape).toEqual(expected.shape);
  const data = Array.from(got.data as Float64Array, Number);
  expected.data.forEach((x, i) => {
    const wanted = Number(x);
    if (Number.isFinite(wanted)) expect(Math.abs(data[i]! - wanted)).toBeLessThan(1e-6 * (1 + Math.abs(wanted)));
    else expect(data[i]).toBe(wanted);
  });
}
const withoutMoments = [
  'Cauchy',
  'HalfCauchy',
  'Categorical',
  'LogisticNormal',
  'RelaxedBernoulli',
  'RelaxedOneHotCategorical',
  'VonMises',
];
beforeEach(() => {
  manualSeed(2);
  // no C is compiled for each of these small programs
  setDefaultDevice(device('interpreter'));
});
afterEach(() => setDefaultDevice(undefined));

test.each(golden.cases)('$name matches PyTorch', ({ name, parameters, value, results, gradients }) => {
  const leaves = parameters.map(p => f64(p).requiresGrad_());
  const made = make(name, leaves);
  const quantiles = f64([0.15, 0.5, 0.9]);
  for (const [what, expected] of Object.entries(results)) {
    const member = Reflect.get(made, what) as Tensor | ((x?: Tensor) => Tensor);
    const argument = what === 'icdf' ? quantiles : f64(value);
    expectNear(typeof member === 'function' ? member.call(made, argument) : member, expected);
  }
  made.logProb(f64(value)).sum().backward();
  leaves.forEach((leaf, i) => {
    expectNear(leaf.grad ?? zeros(leaf.shape, { dtype: 'f64' }), gradients[i]!);
  });
});
test.each(golden.divergences)('the divergence of $name from $other matches PyTorch', ({ name, p, other, q, kl }) => {
  expectNear(klDivergence(make(name, p.map(f64)), make(other, q.map(f64))), kl);
});
test.each(golden.transforms)('$name and its inverse match PyTorch', ({ name, parameters, x, y, slope }) => {
  const made = Reflect.get(transforms, name) as new (...args: readonly unknown[]) => transforms.Transform;
  const transform = new made(...parameters);
  const given = f64(x);
  const result = transform.call(given);
  expectNear(result, y);
  if (slope !== null) {
    expectNear(transform.logAbsDetJacobian(given, result), slope);
    expectNear(transform.inv.logAbsDetJacobian(result, given), { ...slope, data: slope.data.map(s => -Number(s)) });
  }
  const back = transform.inverse(result);
  if (name.includes('Cholesky') || name === 'PositiveDefiniteTransform') expectNear(transform.call(back), y);
  else expectNear(back, { shape: given.shape, data: Array.from(given.data as Float64Array) });
});

test.each(golden.cases.filter(({ name }) => !withoutMoments.includes(name)))(
  'samples of $name have its mean and variance',
  ({ name, parameters }) => {
    const made = make(
      name,
      parameters.map(p => tensor(p as number[])),
    );
    const count = 1000;
    const samples = made.sample([count]);
    expect(samples.shape).toEqual([count, ...made.batchShape, ...made.eventShape]);
    const flat = (x: Tensor): number[] => x.flatten().toArray() as number[];
    const [mean, variance] = [flat(made.mean), flat(made.variance)];
    const got = flat(samples.mean(0));
    got.forEach((x, i) => {
      // six standard errors
      const spread = variance![i]!;
      if (Number.isFinite(spread)) expect(Math.abs(x - mean![i]!)).toBeLessThan(6 * Math.sqrt(spread / count));
    });
  },
);
test('a categorical samples each class with its probability, and accepts logits', () => {
  const made = new Categorical({ logits: tensor([0, Math.log(3)]) });
  const share = made.sample([1000]).float().mean().item();
  expect(share).toBeCloseTo(0.75, 1);
  expect(
    made
      .logProb(tensor([1, 0], { dtype: 'i64' }))
      .exp()
      .toArray(),
  ).toEqual([expect.closeTo(0.75, 5), expect.closeTo(0.25, 5)]);
});
test('gradients flow through samples of rsample, not of sample', () => {
  const mean = tensor([1, 2]).requiresGrad_();
  const made = new Normal(mean, 1);
  made.rsample([5]).sum().backward();
  expect(mean.grad!.toArray()).toEqual([5, 5]);
  expect(made.sample().requiresGrad).toBe(false);
  expect(() => new Bernoulli(mean).rsample()).toThrow(/sample\(\)/);
});
test('gradients of samples of the gamma family match those of the quantiles', () => {
  // dx/da at a fixed probability, by differences of the distribution function
  const a = tensor([0.3, 1, 4.5, 60], { dtype: 'f64' }).requiresGrad_();
  const sample = new Gamma(a, 1).rsample();
  sample.sum().backward();
  const h = 1e-4;
  const cdf = (by: number, x: Tensor): Tensor => new Gamma(a.detach().add(by), 1).cdf(x);
  const x = sample.detach();
  const slope = cdf(h, x)
    .sub(cdf(-h, x))
    .div(2 * h)
    .div(new Gamma(a.detach(), 1).logProb(x).exp())
    .neg();
  const expected = slope.toArray() as number[];
  (a.grad!.toArray() as number[]).forEach((got, i) => {
    expect(Math.abs(got - expected[i]!)).toBeLessThan(1e-4 * (1 + Math.abs(expected[i]!)));
  });
  for (const made of [new Beta(a, 2), new Dirichlet(a), new StudentT(a)]) {
    a.grad = undefined;
    made.rsample([2]).square().sum().backward();
    expect(((a.grad as unknown as Tensor).toArray() as number[]).every(g => Number.isFinite(g) && g !== 0)).toBe(true);
  }
});
test('counts have their mean and variance, small or large', () => {
  const moments = (samples: Tensor): readonly [number[], number[]] => [
    samples.mean(0).toArray() as number[],
    samples.var(0).toArray() as number[],
  ];
  const n = 4000;
  for (const made of [
    new Poisson(tensor([0, 0.3, 9.5, 10.5, 300])),
    new Binomial(tensor([0, 7, 40, 1000, 50]), tensor([0.5, 0.2, 0.6, 0.3, 1])),
  ]) {
    const [mean, variance] = moments(made.sample([n]));
    const [m, v] = [made.mean.toArray() as number[], made.variance.toArray() as number[]];
    for (const [i, x] of mean.entries())
      expect(Math.abs(x - m[i]!)).toBeLessThanOrEqual(1e-4 + 6 * Math.sqrt(v[i]! / n));
    for (const [i, x] of variance.entries()) expect(Math.abs(x - v[i]!)).toBeLessThanOrEqual(1e-6 + 0.15 * v[i]!);
  }
});
test('angles are distributed around their mean', () => {
  const made = new VonMises(tensor([1, -3]), tensor([4, 0.5]));
  const x = made.sample([2000]);
  const length = x.sub(made.loc).cos().mean(0).toArray() as number[];
  for (const [i, v] of (made.variance.toArray() as number[]).entries()) expect(length[i]).toBeCloseTo(1 - v, 1);
  expect(Math.max(...(x.abs().flatten().toArray() as number[]))).toBeLessThanOrEqual(Math.PI + 1e-6);
});
test('a mixture has the density and the moments of its parts', () => {
  const mix = new Categorical(tensor([0.25, 0.75]));
  const made = new MixtureSameFamily(mix, new Normal(tensor([-1, 3]), tensor([1, 0.5])));
  expect(made.mean.item()).toBeCloseTo(2, 6);
  expect(made.variance.item()).toBeCloseTo(0.25 + 0.75 * 0.25 + 3, 5);
  expect(made.logProb(tensor(1)).exp().item()).toBeCloseTo(
    0.25 * 0.3989423 * Math.exp(-2) + 0.75 * 0.7978846 * Math.exp(-8),
    6,
  );
  expect(made.cdf(tensor(100)).item()).toBeCloseTo(1, 6);
  expect(made.sample([1000]).mean().item()).toBeCloseTo(2, 0);
  const vectors = new MixtureSameFamily(mix, new Independent(new Normal(zeros([2, 3]), 1), 1));
  expect([vectors.sample([5]).shape, vectors.logProb(zeros([5, 3])).shape]).toEqual([[5, 3], [5]]);
  expect(() => new MixtureSameFamily(mix, new Normal(zeros([3]), 1))).toThrow(/2 components/);
});
test('a transformed distribution has the transformed density', () => {
  const { AffineTransform, ExpTransform } = transforms;
  const made = new TransformedDistribution(new Normal(tensor([0.5, -1]), 1), [
    new AffineTransform(1, 2),
    new ExpTransform(),
  ]);
  const log = new distributions.LogNormal(tensor([2, -1]), 2);
  const x = tensor([0.5, 3]);
  const near = (got: Tensor, expected: Tensor): void =>
    expect(got.toArray()).toEqual((expected.toArray() as number[]).map(v => expect.closeTo(v, 5)));
  near(made.logProb(x), log.logProb(x));
  near(made.cdf(x), log.cdf(x));
  near(made.icdf(tensor([0.2, 0.7])), log.icdf(tensor([0.2, 0.7])));
  expect(made.rsample([3]).shape).toEqual([3, 2]);
  expect(made.expand([4, 2]).sample().shape).toEqual([4, 2]);
  expect(() => made.mean).toThrow(/sample/);
});
test('samples of a multivariate normal have its covariances', () => {
  const covariance = tensor([
    [2, 0.6],
    [0.6, 1],
  ]);
  const made = new MultivariateNormal(tensor([1, -1]), covariance);
  const got = made.sample([4000]).t().cov().toArray() as number[][];
  expect(got.flat()).toEqual([2, 0.6, 0.6, 1].map(x => expect.closeTo(x, 0)));
  const precise = new MultivariateNormal(tensor([1, -1]), { precisionMatrix: covariance.inverse() });
  expect(precise.covarianceMatrix.flatten().toArray()).toEqual([2, 0.6, 0.6, 1].map(x => expect.closeTo(x, 4)));
  expect(() => new MultivariateNormal(tensor([1, -1]), {})).toThrow(/exactly one/);
});
test('arguments are checked: numbers always, tensors on request', () => {
  expect(() => new Normal(0, -1)).toThrow(/scale.*\n|scale/);
  expect(() => new Bernoulli(1.5)).toThrow(/from 0 to 1/);
  expect(() => new Uniform(2, 1)).toThrow(/lower bound/);
  expect(() => new Normal(0, tensor([-1]))).not.toThrow();
  Distribution.setDefaultValidateArgs(true);
  try {
    expect(() => new Normal(0, tensor([1, -1]))).toThrow(/above 0/);
    expect(() => new Dirichlet(tensor([1, 0]))).toThrow(/above 0/);
    expect(() => new Poisson(2).logProb(tensor([0.5]))).toThrow(/integer/);
    expect(() => new Categorical(tensor([0.5, 0.5])).logProb(tensor([2]))).toThrow(/integer/);
    expect(new Beta(1, 2).logProb(tensor([0.5])).shape).toEqual([1]);
  } finally {
    Distribution.setDefaultValidateArgs(false);
  }
});
test('the last argument turns checks of one distribution off or on', () => {
  expect(new Normal(0, -1, false).scale.item()).toBe(-1);
  expect(new Gamma(-1, 1, { validateArgs: false }).concentration.item()).toBe(-1);
  expect(new Bernoulli({ probs: 1.5, validateArgs: false }).probs.item()).toBe(1.5);
  expect(() => new Normal(0, tensor([-1]), true)).toThrow(/above 0/);
  expect(() => new Poisson(2, true).logProb(tensor([0.5]))).toThrow(/integer/);
});
test('a divergence can be registered for a pair', () => {
  class Own extends Normal {}
  registerKl(Own, Gamma, p => p.loc.mul(0).add(7));
  expect(klDivergence(new Own(0, 1), new Gamma(1, 1)).item()).toBe(7);
  expect(klDivergence(new Own(0, 1), new Normal(0, 1)).item()).toBe(0);
});
test('a compiled step generates new samples at each call', () => {
  setDefaultDevice(undefined);
  const step = compile((loc: Tensor) => new Normal(loc, 1).sample([4]));
  const loc = tensor([0, 0]);
  expect(step(loc).toArray()).not.toEqual(step(loc).toArray());
});
test('independent distributions add up their densities', () => {
  const base = new Normal(zeros([4, 3]), 1);
  const made = new Independent(base, 1);
  expect([made.batchShape, made.eventShape]).toEqual([[4], [3]]);
  const x = made.sample([2]);
  expect(made.logProb(x).shape).toEqual([2, 4]);
  expect(made.entropy().shape).toEqual([4]);
  expect(klDivergence(made, new Independent(new Normal(zeros([4, 3]), 2), 1)).shape).toEqual([4]);
  expect(made.expand([5, 4]).sample().shape).toEqual([5, 4, 3]);
  expect(() => new Independent(base, 3)).toThrow(/reinterpretedBatchNdims/);
});
test('a pair without a closed form is an error with a fix', () => {
  expect(() => klDivergence(new Beta(1, 1), new VonMises(0, 1))).toThrow(/kind of p/);
  expect(() => new Bernoulli({ probs: 0.5, logits: 0 } as never)).toThrow(/probs/);
  expect(new Gamma(2, 1).expand([3]).batchShape).toEqual([3]);
});
