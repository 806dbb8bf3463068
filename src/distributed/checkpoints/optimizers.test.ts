// Checkpoints with every optimizer and some schedulers: a resumed run is bit-identical to an uninterrupted one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Linear, Module } from '../../nn/index.ts';
import { literalsOf } from '../../nn/literals.testing.ts';
import * as optim from '../../optim/index.ts';
import { device, manualSeed, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { Checkpointer } from './checkpointer.ts';

const dev = device('interpreter');
let root: string;
beforeEach(async () => {
  setDefaultDevice(dev);
  root = await mkdtemp(join(tmpdir(), 'trenio-checkpoint-'));
});
afterEach(() => rm(root, { recursive: true }));

class Net extends Module {
  readonly fc = new Linear(6, 5, { bias: false });
  forward(x: Tensor): Tensor {
    return this.fc.forward(x).tanh();
  }
}
type Scheduled = ConstructorParameters<typeof optim.LambdaLR>[0];
const makers: readonly (readonly [string, (p: Net) => optim.Optimizer])[] = [
  ['SGD', m => new optim.SGD(m.parameters(), { momentum: 0.9, dampening: 0.1 })],
  ['Adam with amsgrad', m => new optim.Adam(m.parameters(), { amsgrad: true })],
  ['AdamW', m => new optim.AdamW(m.parameters())],
  ['RMSprop', m => new optim.RMSprop(m.parameters(), { centered: true, momentum: 0.5 })],
  ['Adagrad', m => new optim.Adagrad(m.parameters(), { lrDecay: 0.1 })],
  ['Adadelta', m => new optim.Adadelta(m.parameters())],
  ['Adamax', m => new optim.Adamax(m.parameters())],
  ['NAdam', m => new optim.NAdam(m.parameters())],
  ['RAdam', m => new optim.RAdam(m.parameters())],
  ['Adafactor', m => new optim.Adafactor(m.parameters())],
  ['Muon', m => new optim.Muon(m.parameters())],
  ['LAMB', m => new optim.LAMB(m.parameters())],
  ['Lion', m => new optim.Lion(m.parameters())],
  ['AdamW8bit', m => new optim.AdamW8bit(m.parameters(), { min8bitSize: 10 })],
  ['LBFGS', m => new optim.LBFGS(m.parameters(), { maxIter: 2, lineSearchFn: 'strong_wolfe' })],
];
function start(make: (model: Net) => optim.Optimizer, seed: number) {
  manualSeed(seed);
  const model = new Net();
  const optimizer = make(model);
  const of = optimizer as unknown as Scheduled;
  return { model, optimizer, schedule: new optim.CosineAnnealingWarmRestarts(of, { t0: 3, tMult: 2 }) };
}
function train({ model, optimizer, schedule }: ReturnType<typeof start>, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const x = tensor(
      Float32Array.from({ length: 12 }, (_, k) => Math.sin(i + k)),
      { shape: [2, 6] },
    );
    optimizer.step(() => {
      optimizer.zeroGrad();
      const loss = model.forward(x).sub(0.5).square().sum();
      loss.backward();
      return loss;
    });
    dev.markStep();
    schedule.step();
  }
}

test.each(makers)('%s', async (_, make) => {
  const whole = start(make, 1);
  train(whole, 0, 4);
  const first = new Checkpointer({ directory: root }, whole);
  await first.save(4);
  // The copy exists; training continues while it is written.
  train(whole, 4, 7);
  await first.close();
  const resumed = start(make, 2);
  await using second = new Checkpointer({ directory: root }, resumed);
  expect(await second.resume()).toBe(4);
  train(resumed, 4, 7);
  expect(literalsOf(resumed.model.stateDict())).toEqual(literalsOf(whole.model.stateDict()));
  expect(literalsOf(resumed.optimizer.stateDict().tensors)).toEqual(literalsOf(whole.optimizer.stateDict().tensors));
  expect(resumed.schedule.stateDict()).toEqual(whole.schedule.stateDict());
});

test('every optimizer is tested', () => {
  const classes = Object.values(optim).filter(
    value =>
      typeof value === 'function' &&
      Object.getOwnPropertyDescriptor(value, 'prototype')?.value instanceof optim.Optimizer,
  );
  const made = makers.map(([, make]) => make(new Net()).constructor);
  expect(new Set(made)).toEqual(new Set(classes));
});
