// The functions compared with PyTorch's (scripts/golden/special.py).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTrenioError } from '../../src/base/errors.ts';
import { device, type Tensor, tensor } from '../../src/tensor/index.ts';
import type { GoldenCase, GoldenOutcome } from '../../src/tensor/surface/golden.testing.ts';
import { build, differenceOf, finished } from '../../src/tensor/surface/pytorch.testing.ts';
import * as special from './index.ts';

const lines = readFileSync(new URL('../../test/golden/contrib-special.jsonl', import.meta.url), 'utf8').trimEnd();
const golden = lines.split('\n').map(line => JSON.parse(line) as GoldenCase & { readonly name: string });
const dev = device('interpreter');

const functions: Readonly<Record<string, unknown>> = special;

function outcomeOf(name: string, golden: GoldenCase): GoldenOutcome {
  const call = functions[name] as (...args: readonly unknown[]) => Tensor;
  try {
    const results = [call(...Object.values(golden.arguments).map(value => build(dev, value)))];
    return finished({ golden, results, leaves: new Map(), hasGradients: false, raised: undefined });
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    return { raises: error.message };
  }
}
test.each([...new Set(golden.map(({ name }) => name))])('%s', name => {
  const cases = golden.filter(one => one.name === name);
  expect(cases.flatMap(one => differenceOf(one, outcomeOf(name, one)))).toEqual([]);
});
test.each([...new Set(golden.map(({ name }) => name))])('the gradient of %s is the slope', name => {
  const call = functions[name] as (x: Tensor, n?: number) => Tensor;
  const values = Float64Array.of(0.7, 3.1, 8.3);
  const x = tensor(values, { device: dev }).requiresGrad_();
  call(x, 3).sum().backward();
  const at = (by: number): ArrayLike<number> =>
    call(
      tensor(
        values.map(value => value + by),
        { device: dev },
      ),
      3,
    ).data as Float64Array;
  const [after, before] = [at(1e-5), at(-1e-5)];
  const slopes = Array.from(values, (_, i) => (after[i]! - before[i]!) / 2e-5);
  for (const [i, slope] of slopes.entries())
    expect(Math.abs(Number(x.grad!.data[i]) - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
});
test('operands are checked', () => {
  expect(() => special.besselJ0(1 as never)).toThrow('besselJ0');
  expect(() => special.hermitePolynomialH('1' as never, 2)).toThrow('special.hermitePolynomialH');
});
