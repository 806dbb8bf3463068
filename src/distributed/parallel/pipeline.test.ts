// Pipelines of several stages on one rank: the losses and parameters of a model without stages; and errors before anything runs.
import { expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { GELU, LayerNorm, Linear, ReLU, Sequential } from '../../nn/index.ts';
import { SGD } from '../../optim/index.ts';
import { forgetDevices } from '../../tensor/devices.ts';
import { manualSeed, noGrad, ones, randn } from '../../tensor/index.ts';
import { scheduleNames } from '../../transforms/pipeline/schedules.ts';
import { initDeviceMesh } from '../init-device-mesh.ts';
import { optimizerStep } from '../optimizer-step.ts';
import { type PipelineOptions, pipeline } from './pipeline.ts';

const mesh = () => {
  forgetDevices();
  return initDeviceMesh({ pp: 1 });
};
const network = (): Sequential =>
  new Sequential(new Linear(6, 8), new GELU(), new Linear(8, 8), new LayerNorm(8), new Linear(8, 3));

interface Trained {
  readonly losses: readonly number[];
  readonly weights: readonly number[];
}
function train(options: PipelineOptions | undefined): Trained {
  const one = mesh();
  manualSeed(3);
  const model = network();
  if (options !== undefined) pipeline(model, one, options);
  const optimizer = new SGD(model.parameters(), { lr: 0.1, momentum: 0.9 });
  const losses: number[] = [];
  for (let step = 0; step < 2; step++) {
    const loss = model.forward(randn(8, 6)).sub(randn(8, 3)).square().mean();
    loss.backward();
    optimizerStep(optimizer, { maxGradNorm: 1 });
    losses.push(loss.item());
  }
  return { losses, weights: model.parameters().flatMap(p => p.reshape(-1).toArray() as number[]) };
}
const expectClose = (got: readonly number[], expected: readonly number[]): void => {
  expect(got).toHaveLength(expected.length);
  for (const [i, value] of got.entries())
    expect(Math.abs(value - expected[i]!)).toBeLessThan(2e-6 * (1 + Math.abs(value)));
};

test('stages and micro-batches change nothing but the order of sums', () => {
  const whole = train(undefined);
  const trained = scheduleNames.map(schedule => train({ microBatches: 4, cuts: ['2'], schedule }));
  for (const { losses, weights } of trained) {
    expectClose(losses, whole.losses);
    expectClose(weights, whole.weights);
  }
  // In each schedule, gradients are summed in the order of micro-batches.
  for (const other of trained) expect(other).toEqual(trained[0]);
  expectClose(train({ microBatches: 4, cuts: ['2', '4'] }).losses, whole.losses);
});

test('gradients of many micro-batches are summed in f32', () => {
  const one = mesh();
  const model = new Sequential(new Linear(1, 1, { bias: false }), new Linear(1, 1, { bias: false })).to('bf16');
  noGrad(() => {
    for (const weight of model.parameters()) weight.fill_(1);
  });
  pipeline(model, one, { microBatches: 300, cuts: ['1'] });
  model
    .forward(ones([300, 1], { dtype: 'bf16' }))
    .sum()
    .backward();
  // In bf16, 256 + 1 is 256.
  for (const weight of model.parameters()) expect(weight.grad!.item()).toBe(300);
});

test('without gradients, stages give the outputs of the whole batch', () => {
  const one = mesh();
  manualSeed(3);
  const model = network();
  const x = randn(8, 6);
  const expected = model.forward(x).toArray();
  pipeline(model, one, { cuts: ['2'], microBatches: 2 });
  expect(model.forward(x).toArray()).toEqual(expected);
});

test.each<readonly [string, PipelineOptions, RegExp]>([
  ['an unknown schedule', { schedule: '1f1b' as never }, /WRONG_ARGUMENT: .*schedule.*1F1B/],
  ['a cut that matches no module', { cuts: ['layer'] }, /WRONG_ARGUMENT: .*cuts.*names of modules/],
  ['cuts out of order', { cuts: ['4', '2'], microBatches: 4 }, /WRONG_ARGUMENT: .*cuts.*in the order/],
  [
    'other stages than a schedule has',
    { cuts: ['2', '4'], schedule: 'DualPipeV' },
    /WRONG_ARGUMENT: .*cuts for 2 stages/,
  ],
  ['a stage without parameters', { cuts: ['1', '2'], microBatches: 4 }, /WRONG_ARGUMENT: .*stage 1 has none/],
  [
    'fewer micro-batches than stages',
    { cuts: ['2', '4'], microBatches: 2 },
    /WRONG_ARGUMENT: .*microBatches.*at least 3/,
  ],
  [
    'a batch that is not divisible',
    { cuts: ['2'], microBatches: 3 },
    /WRONG_ARGUMENT: .*the batch.*a multiple of the 3/,
  ],
])('%s is refused', (_, options, message) => {
  const one = mesh();
  try {
    pipeline(network(), one, options).forward(ones([8, 6]));
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    expect(`${error.code}: ${error.message}`).toMatch(message);
    return;
  }
  expect('no error').toMatch(message);
});

test('a model that needs the whole batch before its backward pass is refused with its line', () => {
  const one = mesh();
  const model = new Sequential(new Linear(6, 8), new ReLU(), new Linear(8, 3));
  pipeline(model, one, { cuts: ['2'], microBatches: 2 });
  const y = model.forward(ones([8, 6]));
  const run = () => {
    y.sub(y.mean()).square().mean().backward();
    model.parameters()[0]!.grad!.toArray();
  };
  expect(run).toThrow(/the whole batch before its backward pass/);
});
