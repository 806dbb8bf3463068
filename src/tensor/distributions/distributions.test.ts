// Distributions against PyTorch (scripts/golden/distributions.py), and samples against their moments at a fixed seed.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compile, device, manualSeed, setDefaultDevice, type Tensor, tensor, zeros } from '../index.ts';
import * as distributions from './index.ts';
import { Bernoulli, Beta, Categorical, Gamma, Independent, klDivergence, Normal, Uniform } from './index.ts';

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
    readonly p: readonly Nested[];
    readonly q: readonly Nested[];
    readonly kl: Dumped;
  }[];
}
const golden = JSON.parse(
  readFileSync(new URL('../../../test/golden/distributions.json', import.meta.url), 'utf8'),
) as Golden;
const f64 = (data: Nested): Tensor => tensor(data as number[], { dtype: 'f64' });
/** A distribution by its name: classes take their parameters in PyTorch's order. */
const make = (name: string, parameters: readonly Tensor[]): distributions.Distribution => {
  const made = Reflect.get(distributions, name) as new (...args: readonly Tensor[]) => distributions.Distribution;
  return new made(...parameters);
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
beforeEach(() => {
  manualSeed(2);
  // no C is compiled for each of these small programs
  setDefaultDevice(device('interpreter'));
});
afterEach(() => setDefaultDevice(undefined));

test.each(golden.cases)('$name is PyTorch’s', ({ name, parameters, value, results, gradients }) => {
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
test.each(golden.divergences)('the divergence of two of $name is PyTorch’s', ({ name, p, q, kl }) => {
  expectNear(klDivergence(make(name, p.map(f64)), make(name, q.map(f64))), kl);
});

test.each(golden.cases.filter(({ name }) => name !== 'Cauchy' && name !== 'Categorical'))(
  'samples of $name have its mean and variance',
  ({ name, parameters }) => {
    const made = make(
      name,
      parameters.map(p => tensor(p as number[])),
    );
    const count = 1000;
    const samples = made.sample([count]);
    expect(samples.shape).toEqual([count, ...made.batchShape, ...made.eventShape]);
    const [mean, variance] = [made.mean.toArray(), made.variance.toArray()].map(x => (x as number[]).flat());
    const got = (samples.mean(0).toArray() as number[]).flat();
    got.forEach((x, i) => {
      // six standard errors
      expect(Math.abs(x - mean![i]!)).toBeLessThan(6 * Math.sqrt(variance![i]! / count));
    });
  },
);
test('a categorical draws each class with its probability, and takes logits', () => {
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
test('a compiled step draws other samples each time', () => {
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
test('a pair without a closed form is an error that says what to do', () => {
  expect(() => klDivergence(new Beta(1, 1), new Uniform(0, 1))).toThrow(/kind of p/);
  expect(() => new Bernoulli({ probs: 0.5, logits: 0 } as never)).toThrow(/probs/);
  expect(new Gamma(2, 1).expand([3]).batchShape).toEqual([3]);
});
