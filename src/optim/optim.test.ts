// Optimizers compared with PyTorch 2.13; settings that change without recompiling; exact resume.
import { describe, expect, test } from 'vitest';
import { Parameter } from '../nn/index.ts';
import { compile, device, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import {
  Adam,
  AdamW,
  clipGradNorm_,
  getCosineScheduleWithWarmup,
  getLinearScheduleWithWarmup,
  type LambdaLR,
  type Optimizer,
  SGD,
} from './index.ts';

const dev = device('interpreter');
setDefaultDevice(dev);
const parameter = (): Parameter => new Parameter(tensor([0.5, -1, 2]));
const flat = (x: Tensor): number[] => Array.from(x.data as Float32Array);

/** One step down 0.1·|p - (i + 1)·[1, 2, 3]|². */
function step(p: Parameter, optimizer: Optimizer, i: number): void {
  const target = tensor([1, 2, 3]).mul(tensor(i + 1));
  p.sub(target).square().sum().mul(0.1).backward();
  optimizer.step();
  optimizer.zeroGrad();
  dev.markStep();
}

test.each<[string, (p: Parameter[]) => Optimizer, number[]]>([
  ['AdamW', p => new AdamW(p, { lr: 0.1, weightDecay: 0.1 }), [0.85289574, -0.57213736, 2.2855842]],
  ['Adam with decay', p => new Adam(p, { lr: 0.1, weightDecay: 0.1 }), [0.86734349, -0.60388649, 2.2447836]],
  ['Adam', p => new Adam(p, { lr: 0.1 }), [0.87844533, -0.60568553, 2.3701439]],
  ['SGD', p => new SGD(p, { lr: 0.1 }), [0.65722388, -0.53028846, 2.4328561]],
  ['momentum', p => new SGD(p, { lr: 0.1, momentum: 0.9, weightDecay: 0.01 }), [0.77100724, -0.090001926, 2.7210257]],
  ['dampening', p => new SGD(p, { lr: 0.1, momentum: 0.9, dampening: 0.5 }), [0.65582418, -0.44313887, 2.4061694]],
  ['Nesterov', p => new SGD(p, { lr: 0.1, momentum: 0.9, nesterov: true }), [0.89894837, 0.25677973, 3.0821245]],
])('%s', (_, make, want) => {
  const p = parameter();
  const optimizer = make([p]);
  for (let i = 0; i < 4; i++) step(p, optimizer, i);
  expect(flat(p)).toEqual(want.map(v => expect.closeTo(v, 5)));
});

test('neither more steps nor a changed learning rate recompiles', () => {
  const p = parameter();
  const optimizer = new AdamW([p], { lr: 0.1 });
  const schedule = getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 2, numTrainingSteps: 6 });
  step(p, optimizer, 0);
  const { compiles } = dev.metrics;
  for (let i = 1; i < 5; i++) {
    schedule.step();
    step(p, optimizer, i);
  }
  expect(dev.metrics.compiles).toBe(compiles);
});

test('compile(fn) steps count too', () => {
  const [a, b] = [parameter(), parameter()];
  const [plain, compiled] = [new AdamW([a], { lr: 0.1 }), new AdamW([b], { lr: 0.1 })];
  const run = compile((scale: Tensor) => {
    b.sub(tensor([1, 2, 3]).mul(scale))
      .square()
      .sum()
      .mul(0.1)
      .backward();
    compiled.step();
    compiled.zeroGrad();
  });
  for (let i = 0; i < 4; i++) {
    step(a, plain, i);
    run(tensor(i + 1));
    plain.paramGroups[0]!.lr /= 2;
    compiled.paramGroups[0]!.lr /= 2;
  }
  expect(flat(b)).toEqual(flat(a).map(v => expect.closeTo(v, 6)));
  expect(run.traces).toBe(1);
});

test('groups have separate settings, and parameters without a gradient are unchanged', () => {
  const [a, b, c] = [parameter(), parameter(), parameter()];
  const optimizer = new SGD([{ params: [a], lr: 1 }, { params: [b, c] }], { lr: 0.1 });
  a.sum().add(b.sum()).backward();
  optimizer.step();
  dev.markStep();
  expect(flat(a)).toEqual([-0.5, -2, 1]);
  expect(flat(b)).toEqual([0.4, -1.1, 1.9].map(v => expect.closeTo(v, 6)));
  expect(flat(c)).toEqual([0.5, -1, 2]);
});

test('a parameter without a gradient in some steps has a separate step count', () => {
  const run = (together: boolean): number[] => {
    const [a, b] = [parameter(), parameter()];
    const optimizers = together
      ? [new Adam([a, b], { lr: 0.1 })]
      : [new Adam([a], { lr: 0.1 }), new Adam([b], { lr: 0.1 })];
    for (let i = 0; i < 5; i++) {
      (i % 2 === 0 ? a.square().sum().add(b.square().sum()) : a.square().sum()).backward();
      for (const optimizer of optimizers) {
        optimizer.step();
        optimizer.zeroGrad();
      }
      dev.markStep();
    }
    return [...flat(a), ...flat(b)];
  };
  expect(run(true)).toEqual(run(false));
});

describe('state', () => {
  test('resumes bit-identically', () => {
    const [a, b] = [parameter(), parameter()];
    const first = new AdamW([a], { lr: 0.1 });
    for (let i = 0; i < 3; i++) step(a, first, i);
    const second = new AdamW([b], { lr: 9 });
    b.load(new Uint8Array((a.data as Float32Array).buffer));
    second.loadStateDict(first.stateDict());
    for (let i = 3; i < 5; i++) {
      step(a, first, i);
      step(b, second, i);
    }
    expect(b.data).toEqual(a.data);
    expect(second.paramGroups[0]!.lr).toBe(0.1);
  });
  test('that does not match is rejected', () => {
    const saved = new AdamW([parameter()]).stateDict();
    expect(() => new AdamW([parameter(), parameter()]).loadStateDict(saved)).toThrow('groups of 2 parameters');
    const p = new Parameter(tensor([1]));
    p.sum().backward();
    const other = new AdamW([p]);
    other.step();
    expect(() => new AdamW([parameter()]).loadStateDict(other.stateDict())).toThrow(
      "size mismatch for '0.exp_avg': the model has tensor<3xf32>, the loaded state has tensor<1xf32>",
    );
  });
});

test('clipGradNorm_', () => {
  const [p, q] = [new Parameter(tensor([0, 0])), new Parameter(tensor([0]))];
  p.mul(tensor([3, 4]))
    .sum()
    .add(q.mul(0).sum())
    .backward();
  expect(clipGradNorm_([p, q], { maxNorm: 100, normType: 1 }).item()).toBe(7);
  expect(clipGradNorm_([p, q], 1).item()).toBe(5);
  expect(flat(p.grad!)).toEqual([0.5999999, 0.79999983].map(v => expect.closeTo(v, 6)));
  p.zeroGrad();
  p.mul(tensor([0.3, 0.4]))
    .sum()
    .backward();
  clipGradNorm_([p], 1);
  expect(flat(p.grad!)).toEqual([0.3, 0.4].map(v => expect.closeTo(v, 6)));
});

test('schedules', () => {
  const rates = (make: (optimizer: SGD) => LambdaLR): number[] => {
    const optimizer = new SGD([parameter()], { lr: 1 });
    const schedule = make(optimizer);
    optimizer.step();
    return Array.from({ length: 7 }, () => {
      const { lr } = optimizer.paramGroups[0]!;
      schedule.step();
      return lr;
    });
  };
  const options = { numWarmupSteps: 2, numTrainingSteps: 6 };
  expect(rates(o => getLinearScheduleWithWarmup(o, options))).toEqual([0, 0.5, 1, 0.75, 0.5, 0.25, 0]);
  expect(rates(o => getCosineScheduleWithWarmup(o, options))).toEqual(
    [0, 0.5, 1, 0.853553, 0.5, 0.146447, 0].map(v => expect.closeTo(v, 5)),
  );
});

test('settings are checked', () => {
  expect(() => new AdamW([parameter()], { lr: -1 })).toThrow('AdamW: lr is -1, expected a number of at least 0');
  expect(() => new SGD([])).toThrow('an empty list');
  expect(() => new SGD([parameter()], { nesterov: true })).toThrow('nesterov');
});
