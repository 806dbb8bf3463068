// Parameter groups, step scalars, and steps skipped by a scaler: behavior that all optimizers share.
import { describe, expect, test } from 'vitest';
import { Parameter } from '../nn/index.ts';
import { compile, device, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { goldenStep, type OptimizerClass, startingParameters } from './golden.testing.ts';
import * as optim from './index.ts';
import { AdamW, clipGradNorm_, clipGradValue_, SGD } from './index.ts';

const dev = device('interpreter');
const classes: Readonly<Record<string, unknown>> = optim;
setDefaultDevice(dev);
const parameter = (values: readonly number[] = [0.5, -1, 2]): Parameter => new Parameter(tensor([...values]));
const flat = (x: Tensor): number[] => Array.from(x.data as Float32Array);

describe('groups', () => {
  test('can be added during training', () => {
    const [a, b] = [parameter([1]), parameter([1])];
    const optimizer = new SGD([a], { lr: 1 });
    optimizer.addParamGroup({ params: [b], lr: 0.5, maximize: true });
    a.sum().add(b.sum()).backward();
    optimizer.step();
    expect([flat(a), flat(b)]).toEqual([[0], [1.5]]);
    expect(optimizer.paramGroups.map(({ lr }) => lr)).toEqual([1, 0.5]);
    expect(() => optimizer.addParamGroup({ params: [a] })).toThrow('a parameter twice');
    expect(() => optimizer.addParamGroup([parameter()] as never)).toThrow('expected an object with params');
    expect(() => optimizer.addParamGroup({ params: [parameter()], lr: -1 })).toThrow('SGD: lr is -1');
  });
  test('reject unknown settings, with the nearest name', () => {
    const p = [parameter()];
    expect(() => new AdamW(p, { weightdecay: 0.1 } as never)).toThrow('did you mean weightDecay?');
    expect(() => new SGD([{ params: p, momentun: 0.9 } as never])).toThrow('did you mean momentum?');
    expect(() => new optim.Muon(p)).toThrow('the number of dims of a parameter is 1, expected 2');
  });
  test('show their state', () => {
    const p = parameter();
    const optimizer = new AdamW([p]);
    expect(optimizer.state.size).toBe(0);
    p.sum().backward();
    optimizer.step();
    dev.markStep();
    const state = optimizer.state.get(p)!;
    expect(Object.keys(state).toSorted()).toEqual(['exp_avg', 'exp_avg_sq', 'step']);
    expect(state.step).toBe(1);
  });
});

test('step(closure) computes the loss first', () => {
  const p = parameter([3]);
  const optimizer = new SGD([p], { lr: 0.5 });
  const loss = optimizer.step(() => {
    optimizer.zeroGrad();
    const loss = p.square().sum();
    loss.backward();
    return loss;
  });
  expect([loss.item(), ...flat(p)]).toEqual([9, 0]);
});

test.each(['SGD', 'Adam', 'AdamW', 'RMSprop', 'Adamax', 'NAdam', 'RAdam', 'LAMB', 'Lion', 'AdamW8bit'])(
  '%s: changed learning rates, momenta and betas do not recompile',
  name => {
    const params = startingParameters([[3, 4]]);
    const made = classes[name] as OptimizerClass;
    const optimizer = new made(params, name === 'SGD' || name === 'RMSprop' ? { momentum: 0.9 } : {});
    const [group] = optimizer.paramGroups as unknown as [{ lr: number; momentum?: number; betas?: number[] }];
    for (let i = 0; i < 2; i++) goldenStep(dev, params, optimizer, i);
    const { compiles } = dev.metrics;
    for (let i = 2; i < 5; i++) {
      group.lr /= 2;
      if (group.betas !== undefined) group.betas = [0.9 - i / 10, 0.99 - i / 100];
      else group.momentum = 0.9 - i / 10;
      goldenStep(dev, params, optimizer, i);
    }
    expect(dev.metrics.compiles).toBe(compiles);
  },
);

test('compile(fn) recompiles if a setting that is a constant of the program changes', () => {
  const p = parameter([1]);
  const optimizer = new SGD([p], { lr: 1 });
  const run = compile((scale: Tensor) => {
    p.mul(scale).sum().backward();
    optimizer.step();
    optimizer.zeroGrad();
  });
  run(tensor(1));
  optimizer.paramGroups[0]!.maximize = true;
  run(tensor(1));
  expect([flat(p), run.traces]).toEqual([[1], 2]);
  optimizer.paramGroups[0]!.lr = 5;
  run(tensor(1));
  expect([flat(p), run.traces]).toEqual([[6], 2]);
});

describe('clipping', () => {
  const graded = (): Parameter[] => {
    const params = [parameter([0, 0]), parameter([0])];
    params[0]!
      .mul(tensor([3, -4]))
      .sum()
      .add(params[1]!.mul(1).sum())
      .backward();
    return params;
  };
  test.each([
    [1, 8],
    [2, Math.sqrt(26)],
    [3, (27 + 64 + 1) ** (1 / 3)],
    [Number.POSITIVE_INFINITY, 4],
  ])('by the %s-norm', (normType, norm) => {
    const params = graded();
    expect(clipGradNorm_(params, norm / 2, { normType }).item()).toBeCloseTo(norm, 5);
    expect(params.flatMap(p => flat(p.grad!))).toEqual([1.5, -2, 0.5].map(v => expect.closeTo(v, 5)));
  });
  test('by value', () => {
    const params = graded();
    clipGradValue_(params, 2);
    expect(params.flatMap(p => flat(p.grad!))).toEqual([2, -2, 1]);
    clipGradValue_(params[0]!, 1.5);
    expect(flat(params[0]!.grad!)).toEqual([1.5, -1.5]);
  });
  test('of an empty list, and of non-finite values', () => {
    expect(clipGradNorm_([parameter()], 1).item()).toBe(0);
    const p = parameter([1]);
    p.mul(Number.POSITIVE_INFINITY).sum().backward();
    expect(() => clipGradNorm_([p], 1, { errorIfNonfinite: true })).toThrow('the norm of the gradients is Infinity');
    expect(() => clipGradNorm_([p], 1, { normType: 0 })).toThrow('normType is 0');
  });
});
