// The random numbers of a micro-batch (dropout, stochastic rounding) are a function of the seed, the optimizer step and its
// index in the global batch: they do not depend on the rank, the program, or other reads and evaluations.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import { nn } from '../index.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { compile, Device, manualSeed, noGrad, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { clipGradNorm_, SGD } from './index.ts';

interface Way {
  readonly ranks?: number;
  /** Each micro-batch is a separate step. */
  readonly isMarked?: boolean;
  /** The forward and backward passes are a compiled function. */
  readonly isCompiled?: boolean;
  readonly reads?: 'before backward' | 'after backward';
  /** The number of batches evaluated after each step, and how a step ends. */
  readonly evaluated?: number;
  readonly ends?: 'read' | 'mark';
  readonly recast?: boolean;
}
const microBatches = 4;
const steps = 3;

/** For each step the gradients of each micro-batch, and the parameters after it if one rank runs all micro-batches. */
function train(rank: number, { ranks = 1, isMarked, isCompiled, reads, evaluated = 0, ends, recast }: Way) {
  const each = microBatches / ranks;
  const dev = new Device(new InterpreterBackend(), {
    mesh: new DeviceMesh({ data: ranks }, rank),
    seed: 3,
    log: () => {},
  });
  setDefaultDevice(dev);
  manualSeed(3);
  dev.gradientAccumulationSteps = each;
  dev.setRounding({ mode: 'stochastic', seed: 9 });
  if (recast) dev.setAutoCast({ mode: 'matmult', type: 'bf16' });
  const dtype = recast ? 'f32' : 'bf16';
  const model = new nn.Sequential(new nn.Linear(6, 8), new nn.Tanh(), new nn.Dropout(0.25), new nn.Linear(8, 2)).to(
    dtype,
  );
  const parameters = [...model.parameters()];
  const optimizer = new SGD(parameters, { lr: 0.1 });
  const input = (seed: number): Tensor =>
    tensor(
      Array.from({ length: 18 }, (_, k) => Math.sin(seed + k * 1.3)),
      { shape: [3, 6], dtype },
    );
  const hash = (x: Tensor): string =>
    createHash('sha256')
      .update(x.float().data as Float32Array)
      .digest('hex')
      .slice(0, 8);
  const forward = (x: Tensor): Tensor => model.forward(x).float().square().mean();
  const whole = compile((x: Tensor) => {
    const loss = forward(x);
    loss.backward();
    return loss;
  });
  return Array.from({ length: steps }, (_, step) => {
    const losses: Tensor[] = [];
    for (let i = 0; i < each; i++) {
      const x = input(100 * step + rank * each + i);
      if (isCompiled) {
        losses.push(whole(x));
        continue;
      }
      const loss = forward(x);
      if (reads === 'before backward') loss.item();
      loss.backward();
      if (reads === 'after backward') loss.item();
      if (isMarked && i < each - 1) dev.markStep();
      losses.push(loss);
    }
    if (ranks === 1) clipGradNorm_(parameters, 0.5);
    const sums = parameters.map(({ grad }) => grad!.keep());
    if (ranks === 1) optimizer.step();
    optimizer.zeroGrad();
    dev.markStep();
    model.eval();
    for (let k = 0; k < evaluated; k++) {
      const y = noGrad(() => model.forward(input(k)).sum());
      if (ends === 'mark') dev.markStep();
      else y.item();
    }
    model.train();
    return { losses: losses.map(loss => loss.item()), sums: sums.map(hash), parameters: parameters.map(hash) };
  });
}

describe.each([false, true])('auto-cast %s', recast => {
  const one = train(0, { recast });
  test('each step and micro-batch samples different numbers', () => {
    expect(new Set(one.flatMap(({ losses }) => losses)).size).toBe(steps * microBatches);
  });
  test.each<[string, Way]>([
    ['in separate programs', { isMarked: true }],
    ['as a compiled function', { isCompiled: true }],
    ['with losses read before backward()', { reads: 'before backward' }],
    ['with losses read after it', { reads: 'after backward' }],
    ['with losses read, in separate programs', { reads: 'before backward', isMarked: true }],
    ['with three batches evaluated', { evaluated: 3 }],
    ['with five batches evaluated, a marked step each', { evaluated: 5, ends: 'mark' }],
  ])('%s', (_, way) => {
    expect(train(0, { ...way, recast })).toEqual(one);
  });
  test('the samples of a micro-batch are the same on several ranks as on one', () => {
    // the parameters after the first step must match those of averaged gradients
    const first = (rank: number, ranks: number) => train(rank, { ranks, recast })[0]!;
    for (const ranks of [2, 4]) {
      const losses = Array.from({ length: ranks }, (_, rank) => first(rank, ranks).losses);
      expect(losses.flat()).toEqual(one[0]!.losses);
    }
  });
});
