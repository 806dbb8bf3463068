// Hooks of optimizers: when they run, and their effects.
import { beforeAll, expect, test } from 'vitest';
import { Parameter } from '../../nn/index.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { clipGradValue_ } from '../gradients/clip.ts';
import { LBFGS } from '../optimizers/lbfgs.ts';
import { SGD } from '../optimizers/sgd.ts';

beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});

test('hooks run before and after a step', () => {
  const p = new Parameter(tensor([10, -10]));
  const optimizer = new SGD([p], { lr: 1 });
  const seen: string[] = [];
  optimizer.registerStepPreHook(() => clipGradValue_([p], 1));
  const post = optimizer.registerStepPostHook(o => seen.push(`${o === optimizer} ${p.toArray()}`));
  const step = (): void => {
    optimizer.zeroGrad();
    p.square().sum().backward();
    optimizer.step();
  };
  step();
  expect(seen).toEqual(['true 9,-9']);
  post.remove();
  step();
  expect([seen.length, p.toArray()]).toEqual([1, [8, -8]]);
  expect(() => optimizer.registerStepPreHook(3 as never)).toThrow('a function');
});
test('of LBFGS', () => {
  const p = new Parameter(tensor([1]));
  const optimizer = new LBFGS([p], { maxIter: 1 });
  const seen: string[] = [];
  optimizer.registerStepPreHook(() => seen.push('pre'));
  optimizer.registerStepPostHook(() => seen.push('post'));
  optimizer.step(() => {
    optimizer.zeroGrad();
    const loss = p.square().sum();
    loss.backward();
    return loss;
  });
  expect(seen).toEqual(['pre', 'post']);
  optimizer.registerLoadStateDictPostHook(() => seen.push('loaded'));
  optimizer.loadStateDict(optimizer.stateDict());
  expect(seen.at(-1)).toBe('loaded');
});
test('of the state', () => {
  const p = new Parameter(tensor([1]));
  const optimizer = new SGD([p], { lr: 0.5 });
  const seen: string[] = [];
  optimizer.registerStateDictPreHook(() => seen.push('second'));
  optimizer.registerStateDictPreHook(() => seen.push('first'), true);
  optimizer.registerStateDictPostHook((_, state) => ({ ...state, groups: state.groups.map(g => ({ ...g, lr: 7 })) }));
  const state = optimizer.stateDict();
  expect([seen, state.groups[0]!.lr]).toEqual([['first', 'second'], 7]);
  optimizer.registerLoadStateDictPreHook((_, given) => ({
    ...given,
    groups: given.groups.map(g => ({ ...g, lr: 3 })),
  }));
  optimizer.loadStateDict(state);
  expect(optimizer.paramGroups[0]!.lr).toBe(3);
});
