// Modules and functions compared with PyTorch: outputs, gradients, running statistics, printed text; interpreted, and
// as the compiler plans them.
import { describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { KernelsBackend } from '../runtime/backends/kernels/kernels-backend.ts';
import { Device, setDefaultDevice } from '../tensor/index.ts';
import { casesOf, difference, differencesOf, groups, record } from './golden.testing.ts';

describe.each(groups())('%s', group => {
  const cases = casesOf(group);
  test.each(cases)('$title', one => {
    const interpreter = new Device(new InterpreterBackend(), { seed: 1, log: () => {} });
    setDefaultDevice(interpreter);
    expect(difference(record(one, interpreter))).toBeUndefined();
  });
  test('planned', () => {
    const kernels = new Device(new KernelsBackend(), { seed: 1, log: () => {} });
    expect(differencesOf(group, kernels)).toBe('');
  });
});
