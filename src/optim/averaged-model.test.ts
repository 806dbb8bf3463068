// Averages of parameters: their values, running a model with them, batch statistics, and no recompilation.
import { expect, test } from 'vitest';
import { BatchNorm2d, Linear, Module, ModuleList, Parameter } from '../nn/index.ts';
import { literalsOf } from '../nn/literals.testing.ts';
import { device, noGrad, randn, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { AveragedModel, getEmaAvgFn, getEmaMultiAvgFn, SGD, updateBn } from './index.ts';

const dev = device('interpreter');
setDefaultDevice(dev);

class Net extends Module {
  readonly layers = new ModuleList([new Linear(1, 2), new Linear(2, 1)]);
  readonly #factor = 2;
  override forward(x: Tensor): Tensor {
    let y = x;
    for (const layer of this.layers) y = layer.forward(y).mul(this.#factor);
    return y;
  }
}
const numbers = (x: Tensor): number[] => Array.from(x.data as Float32Array);

test.each([
  ['the mean', {}, [1, 1.5, 2, 2.5]],
  ['an exponential average', { multiAvgFn: getEmaMultiAvgFn(0.5) }, [1, 1.5, 2.25, 3.125]],
  ['the same, one by one', { avgFn: getEmaAvgFn(0.5) }, [1, 1.5, 2.25, 3.125]],
] as const)('%s', (_, options, want) => {
  const model = new Net();
  const set = (value: number): void =>
    noGrad(() => {
      for (const p of model.parameters()) p.assign_(p.mul(0).add(value));
    });
  const averaged = new AveragedModel(model, options);
  const seen = [1, 2, 3, 4].map(value => {
    set(value);
    averaged.updateParameters(model);
    dev.markStep();
    return numbers([...averaged.parameters()][0]!)[0];
  });
  expect(seen).toEqual(want);
  // 2 · (2 · (a x + a) · a · 2 terms + a)
  const [a, x] = [want.at(-1)!, 3];
  expect(averaged.forward(tensor([[x]])).item()).toBeCloseTo(2 * (2 * 2 * (a * x + a) * a + a), 3);
  expect(model.forward(tensor([[x]])).item()).toBeCloseTo(2 * (2 * 2 * (4 * x + 4) * 4 + 4), 3);
  expect([...averaged.stateDict().keys()]).toEqual([
    'n_averaged',
    ...[...model.stateDict().keys()].map(name => `module.${name}`),
  ]);
  expect(averaged.n_averaged.item()).toBe(4);
});

test('later updates do not recompile', () => {
  const model = new Net();
  const averaged = new AveragedModel(model, { multiAvgFn: getEmaMultiAvgFn(0.9) });
  const optimizer = new SGD(model.parameters(), { lr: 0.01 });
  const step = (): void => {
    model
      .forward(tensor([[1]]))
      .sum()
      .backward();
    optimizer.step();
    optimizer.zeroGrad();
    averaged.updateParameters(model);
    dev.markStep();
  };
  // The first step must not reuse memory that the test still references.
  step();
  step();
  const { compiles } = dev.metrics;
  for (let i = 0; i < 3; i++) step();
  expect(dev.metrics.compiles).toBe(compiles);
});

test('it has its own train/eval mode, and its state can be saved and loaded', () => {
  const [model, other] = [new Net(), new Net()];
  const averaged = new AveragedModel(model);
  averaged.updateParameters(other);
  averaged.eval();
  expect(model.training).toBe(true);
  let mode: boolean | undefined;
  averaged.within(inner => {
    mode = inner.training;
  });
  expect([mode, model.training]).toEqual([false, true]);
  const copy = new AveragedModel(new Net());
  copy.loadStateDict(averaged.stateDict());
  expect(literalsOf(copy.stateDict())).toEqual(literalsOf(averaged.stateDict()));
});

test('updateBn computes the mean of the statistics of all batches', async () => {
  class Normalized extends Module {
    readonly bn = new BatchNorm2d(2);
    readonly scale = new Parameter(tensor([1]));
    override forward(x: Tensor): Tensor {
      return this.bn.forward(x.mul(this.scale));
    }
  }
  const model = new Normalized();
  const averaged = new AveragedModel(model).eval();
  noGrad(() => model.scale.assign_(model.scale.mul(3)));
  averaged.updateParameters(model);
  const batches = [1, 2, 3].map(() => randn([4, 2, 3, 3]));
  const before = literalsOf(model.stateDict());
  await updateBn(
    batches.map(x => [x, 'label']),
    averaged,
  );
  const statistics = batches.map(x => {
    const rows = x.mul(3).permute(1, 0, 2, 3).reshape(2, -1);
    return { mean: numbers(rows.mean(1)), variance: numbers(rows.var(1)) };
  });
  const mean = (of: (s: (typeof statistics)[number]) => number[]): unknown[] =>
    [0, 1].map(c => expect.closeTo(statistics.reduce((sum, s) => sum + of(s)[c]!, 0) / 3, 4));
  expect(numbers(averaged.getBuffer('module.bn.running_mean'))).toEqual(mean(s => s.mean));
  expect(numbers(averaged.getBuffer('module.bn.running_var'))).toEqual(mean(s => s.variance));
  expect(averaged.getBuffer('module.bn.num_batches_tracked').item()).toBe(3);
  expect(literalsOf(model.stateDict())).toEqual(before);
  expect([model.bn.momentum, averaged.training, model.training]).toEqual([0.1, false, true]);
});

test('incorrect use is an error', async () => {
  const model = new Net();
  expect(() => new AveragedModel(1 as never)).toThrow('AveragedModel: the model is the number 1, expected a module');
  expect(() => new AveragedModel(model, { avgFn: getEmaAvgFn(), multiAvgFn: getEmaMultiAvgFn() })).toThrow(
    'give one of them',
  );
  expect(() => getEmaMultiAvgFn(1.5)).toThrow('decay is 1.5, expected a number in [0, 1]');
  expect(() => new AveragedModel(model).updateParameters(new Linear(2, 2))).toThrow('missing layers.0.weight');
  expect(() => new AveragedModel(model).module.forward()).toThrow('call forward() of the AveragedModel');
  await expect(updateBn([1], new BatchNorm2d(2))).rejects.toThrow('updateBn: a batch is the number 1');
});
