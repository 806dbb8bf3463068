// Eager debug mode: the same numbers as in the compiled step, available as soon as the line has run.
import { describe, expect, test } from 'vitest';
import { TrenioError } from '../../base/errors.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { compile } from '../compile.ts';
import { Device } from '../device.ts';
import { tensor } from '../index.ts';
import { EagerMode, type StopAt } from './eager.ts';

const newDevice = (eager: EagerMode | undefined): Device =>
  new Device(new InterpreterBackend(), { seed: 7, eager, log: () => {} });
const eagerDevice = (stopAt: StopAt = 'never'): Device => newDevice(new EagerMode(stopAt));

test('a tensor has its elements as soon as its line has run', () => {
  const device = eagerDevice();
  const x = tensor([1, 2, 3], { device });
  const y = x.mul(2);
  expect(y.buffer).toBeDefined();
  expect(y.toArray()).toEqual([2, 4, 6]);
  y.add_(1);
  expect(y.buffer).toBeDefined();
  expect(y.toArray()).toEqual([3, 5, 7]);
});

test('gradients are available after backward(), and flow through tensors that were read', () => {
  const device = eagerDevice();
  const w = tensor([1, 2, 3], { device }).requiresGrad_();
  const y = w.mul(w);
  expect(y.toArray()).toEqual([1, 4, 9]);
  y.sum().backward();
  expect(w.grad!.buffer).toBeDefined();
  expect(w.grad!.toArray()).toEqual([2, 4, 6]);
});

test('compile(fn) runs the function itself', () => {
  const device = eagerDevice();
  let calls = 0;
  const double = compile((x: ReturnType<typeof tensor>) => {
    calls++;
    return x.mul(2);
  });
  for (const value of [1, 2]) expect(double(tensor([value], { device })).toArray()).toEqual([2 * value]);
  expect(calls).toBe(2);
});

describe('elements that are not numbers', () => {
  const failure = (action: () => unknown): TrenioError => {
    try {
      action();
    } catch (error) {
      if (error instanceof TrenioError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  };
  test('stop the program at the op that produces them', () => {
    const x = tensor(
      [
        [1, 0],
        [-1, 4],
      ],
      { device: eagerDevice('nan') },
    );
    const error = failure(() => x.log());
    expect(error.code).toBe('NON_FINITE');
    expect(error.message).toContain('log returned NaN at [1, 0]');
    expect(error.location?.file).toContain('eager.test.ts');
  });
  test('stop at infinities only on request', () => {
    expect(
      tensor([0], { device: eagerDevice('nan') })
        .log()
        .toArray(),
    ).toEqual([-Infinity]);
    expect(failure(() => tensor([0], { device: eagerDevice('nonfinite') }).log()).message).toContain(
      '-Infinity at [0]',
    );
  });
});
