// Anomaly detection names the op that produced the first NaN, and the origin of the infinity that caused it.
import { afterEach, expect, test } from 'vitest';
import { TrenioError } from '../../base/errors.ts';
import { detectAnomaly, device, exp, log, setDefaultDevice, tensor } from '../index.ts';

afterEach(() => setDefaultDevice(undefined));

const thrown = (body: () => void): TrenioError => {
  try {
    detectAnomaly(body);
  } catch (error) {
    if (error instanceof TrenioError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

test.each(['interpreter', 'cpu'] as const)('names the op and its line, on %s', name => {
  setDefaultDevice(device(name));
  const x = tensor([1, -1, 2, -2]);
  const error = thrown(() => log(x).mul(2).sum().item());
  expect(error.code).toBe('NOT_A_NUMBER');
  expect(error.message).toContain('log tensor<4xf32> returns 2 elements that are NaN');
  expect(error.location?.file).toContain('detect-anomaly.native.test.ts');
});

test('an overflow of f16 that becomes NaN later', () => {
  setDefaultDevice(device('cpu'));
  const x = tensor([1, 20], { dtype: 'f16' });
  const error = thrown(() => {
    const y = exp(x);
    y.sub(y).toArray();
  });
  expect(error.message).toMatch(
    /subtract .* returns 1 element that is NaN in .*; the first infinity came from convert tensor<2xf16>/,
  );
});

test('NaNs in an argument are attributed to the argument', () => {
  setDefaultDevice(device('cpu'));
  const x = tensor([Number.NaN, 1]);
  expect(thrown(() => x.add(1).toArray()).message).toContain('an argument tensor<2xf32> returns 1 element that is NaN');
});

test('finite values cause no error', () => {
  setDefaultDevice(device('cpu'));
  let sum = 0;
  detectAnomaly(() => {
    sum = tensor([1, 2]).log().sum().item();
  });
  expect(sum).toBeCloseTo(Math.log(2));
});
