// Every optimizer compared with PyTorch, or with a plain reference implementation of its paper (scripts/golden/optimizers.py);
// resumed in the middle bit-identically.
import { expect, test } from 'vitest';
import { Parameter } from '../nn/index.ts';
import { literalsOf } from '../nn/literals.testing.ts';
import { device, setDefaultDevice, tensor } from '../tensor/index.ts';
import { golden, goldenStep, makeOptimizer, startingParameters, valuesOf } from './golden.testing.ts';

const dev = device('interpreter');
setDefaultDevice(dev);

/** The largest difference, relative for numbers above 1. */
const distance = (got: readonly number[], want: readonly number[]): number =>
  Math.max(...want.map((w, i) => Math.abs(got[i]! - w) / Math.max(1, Math.abs(w))));

test.each(golden.cases.map(c => [`${c.optimizer} ${JSON.stringify(c.options)}`, c] as const))('%s', (_, c) => {
  let params = startingParameters(c.shapes);
  let optimizer = makeOptimizer(c.optimizer, params, c.options);
  c.steps.forEach((want, step) => {
    if (step === 5) {
      const state = optimizer.stateDict();
      params = params.map(p => new Parameter(tensor(p.literal())));
      optimizer = makeOptimizer(c.optimizer, params, c.options);
      optimizer.loadStateDict(state);
      expect(literalsOf(optimizer.stateDict().tensors)).toEqual(literalsOf(state.tensors));
      expect(optimizer.stateDict().groups).toEqual(state.groups);
    }
    goldenStep(dev, params, optimizer, step);
    expect(distance(valuesOf(params), want), `step ${step}`).toBeLessThan(1e-6);
  });
});

test('every optimizer class has golden data', () => {
  expect(new Set(golden.cases.map(c => c.optimizer)).size).toBe(16);
});
