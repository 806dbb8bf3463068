// The training loop as written for PyTorch: one program for any order of its lines and any time at which values are read,
// bit-identical to eager mode.
import { describe, expect, test } from 'vitest';
import * as nn from '../nn/index.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../tensor/debugging/eager.ts';
import { autograd, Device, exp, manualSeed, noGrad, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { AdamW, clipGradNorm_, GradScaler, getLinearScheduleWithWarmup, SGD } from './index.ts';

class Net extends nn.Module {
  readonly first = new nn.Linear(3, 4);
  readonly drop = new nn.Dropout(0.25);
  readonly last = new nn.Linear(4, 1);
  override forward(x: Tensor): Tensor {
    return this.last.forward(this.drop.forward(this.first.forward(x).tanh()));
  }
}
const batch = (i: number, rows = 2): Tensor =>
  tensor(
    Float32Array.from({ length: 3 * rows }, (_, k) => Math.sin(7 * i + k)),
    { shape: [rows, 3] },
  );

interface Run {
  readonly device: Device;
  readonly numbers: readonly number[];
  readonly messages: readonly string[];
}
/** Runs a script on a new device; `numbers` are its result and its parameters at the end. */
function run(script: (device: Device, model: Net) => readonly number[], isEager = false): Run {
  const messages: string[] = [];
  const device = new Device(new InterpreterBackend(), {
    seed: 1,
    eager: isEager ? new EagerMode('never') : undefined,
    log: (level, message) => messages.push(`${level}: ${message}`),
  });
  setDefaultDevice(device);
  manualSeed(1);
  try {
    const model = new Net();
    const numbers = script(device, model);
    return {
      device,
      numbers: [...numbers, ...model.parameters().flatMap(p => [...(p.data as Float32Array)])],
      messages,
    };
  } finally {
    setDefaultDevice(undefined);
  }
}
/** The run, compared with the same run in eager mode. */
function checked(script: (device: Device, model: Net) => readonly number[]): Run {
  const lazy = run(script);
  expect(lazy.numbers).toEqual(run(script, true).numbers);
  return lazy;
}

type Place = 'before backward' | 'after backward' | 'after step' | 'after zeroGrad';
interface Order {
  readonly zeroGrad: 'first' | 'before backward' | 'last';
  readonly reads: Place;
  /** Steps whose loss is read. */
  readonly every: number;
}
const steps = 6;
function plainLoop({ zeroGrad, reads, every }: Order) {
  return (_: Device, model: Net): number[] => {
    const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
    const losses: number[] = [];
    for (let i = 0; i < steps; i++) {
      const at = (place: Place): void => {
        if (place === reads && i % every === every - 1) losses.push(loss.item());
      };
      if (zeroGrad === 'first') optimizer.zeroGrad();
      const loss = model.forward(batch(i)).square().mean();
      if (zeroGrad === 'before backward') optimizer.zeroGrad();
      at('before backward');
      loss.backward();
      at('after backward');
      optimizer.step();
      at('after step');
      if (zeroGrad === 'last') optimizer.zeroGrad();
      at('after zeroGrad');
    }
    return losses;
  };
}
const everyTime: Order = { zeroGrad: 'first', reads: 'after step', every: 1 };

describe('the plain loop', () => {
  test.each<Order>(
    (['first', 'before backward', 'last'] as const).flatMap(zeroGrad =>
      [1, 3, 1000].map(every => ({ zeroGrad, reads: 'after step' as const, every })),
    ),
  )('is one program: zeroGrad $zeroGrad, the loss read after every $every steps', order => {
    const { device } = checked(plainLoop(order));
    expect(device.history.map(({ kind, because }) => [kind, because])).toEqual([['step', undefined]]);
    expect(device.metrics).toMatchObject({ compiles: 1, executions: steps });
  });
  test('with its loss read after zeroGrad is one program', () => {
    const { device } = checked(plainLoop({ zeroGrad: 'last', reads: 'after zeroGrad', every: 1 }));
    expect(device.metrics).toMatchObject({ compiles: 1, executions: steps });
  });
  test('with its loss read between backward() and step() is two programs, without recomputation', () => {
    const { device } = checked(plainLoop({ ...everyTime, reads: 'after backward' }));
    expect(device.metrics).toMatchObject({ compiles: 2, executions: 2 * steps });
    const whole = checked(plainLoop(everyTime)).device.history[0]!.ops;
    const [forward, update] = device.history.map(({ ops }) => ops);
    expect(forward! + update!).toBeLessThan(1.1 * whole);
  });
  test('with its loss read before backward() is two programs without recomputation, once the pattern is known', () => {
    const { device, messages } = checked(plainLoop({ ...everyTime, reads: 'before backward' }));
    expect(device.metrics).toMatchObject({ compiles: 4, executions: 2 * steps });
    const whole = checked(plainLoop(everyTime)).device.history[0]!.ops;
    const [, , forward, rest] = device.history.map(({ ops }) => ops);
    expect(forward! + rest!).toBeLessThan(1.1 * whole);
    expect(messages.filter(message => message.includes('kept until the step ends'))).toHaveLength(1);
  });
  test('with a metric and the loss read before backward() has no recomputation', () => {
    const { device } = checked((_, model) => {
      const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
      return Array.from({ length: steps }, (_, i) => {
        const output = model.forward(batch(i));
        const error = output.abs().mean().item();
        const loss = output.square().mean();
        const read = loss.item();
        optimizer.zeroGrad();
        loss.backward();
        optimizer.step();
        return error + read;
      });
    });
    expect(device.metrics.executions).toBe(3 * steps);
    const whole = checked(plainLoop(everyTime)).device.history[0]!.ops;
    const last = device.history.slice(-3).reduce((sum, { ops }) => sum + ops, 0);
    expect(last).toBeLessThan(1.3 * whole);
  });
  test('with a running mean that is read after each step is two programs', () => {
    const { device } = checked((_, model) => {
      const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
      let mean = tensor(0);
      return Array.from({ length: steps }, (_, i) => {
        optimizer.zeroGrad();
        const loss = model.forward(batch(i)).square().mean();
        loss.backward();
        optimizer.step();
        mean = mean.mul(0.9).add(loss.detach().mul(0.1));
        return mean.item();
      });
    });
    expect(device.history.map(({ kind }) => kind)).toEqual(['step', 'read']);
    expect(device.metrics.executions).toBe(2 * steps);
  });
  test('with its loss read only once before backward() keeps its program', () => {
    const { device, messages } = checked(plainLoop({ zeroGrad: 'first', reads: 'before backward', every: steps }));
    expect(device.metrics.executions).toBe(steps + 1);
    expect(messages.filter(message => message.includes('kept until the step ends'))).toEqual([]);
  });
  test('with second-order gradients after a read matches eager mode', () => {
    checked((_, model) => {
      const optimizer = new SGD(model.parameters(), { lr: 0.1 });
      return Array.from({ length: steps }, (_, i) => {
        const x = batch(i).requiresGrad_();
        const loss = model.forward(x).square().mean();
        const read = loss.item();
        const [slope] = autograd.grad(loss, [x], { createGraph: true });
        loss.add(slope!.square().sum()).backward();
        optimizer.step();
        optimizer.zeroGrad();
        return read;
      });
    });
  });
  test('compiles twice with a short last batch, and not again in later epochs', () => {
    const { device } = checked((_, model) => {
      const optimizer = new SGD(model.parameters(), { lr: 0.1, momentum: 0.9 });
      let sum = 0;
      for (let epoch = 0; epoch < 3; epoch++)
        for (let i = 0; i < 4; i++) {
          optimizer.zeroGrad();
          const loss = model
            .forward(batch(i, i === 3 ? 1 : 2))
            .square()
            .mean();
          loss.backward();
          optimizer.step();
          sum += loss.item();
        }
      return [sum];
    });
    expect(device.metrics).toMatchObject({ compiles: 2, executions: 12 });
  });
  test('with a schedule, a clipped norm and an evaluation under noGrad compiles one program for training and one for the evaluation', () => {
    const { device } = checked((_, model) => {
      const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
      const schedule = getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 2, numTrainingSteps: 8 });
      const numbers: number[] = [];
      for (let i = 0; i < 8; i++) {
        const loss = model.forward(batch(i)).square().mean();
        optimizer.zeroGrad();
        loss.backward();
        const norm = clipGradNorm_(model.parameters(), 0.1);
        optimizer.step();
        schedule.step();
        numbers.push(loss.item(), norm.item());
        if (i % 2 === 0) continue;
        model.eval();
        noGrad(() => {
          for (let k = 0; k < 2; k++) numbers.push(model.forward(batch(k)).mean().item());
        });
        model.train();
      }
      return numbers;
    });
    expect(device.metrics).toMatchObject({ compiles: 2, executions: 16 });
  });
  test('with batch normalization is one program: its statistics are updated in place', () => {
    const { device } = checked((_, model) => {
      const norm = new nn.BatchNorm2d(3);
      const optimizer = new SGD([...model.parameters(), ...norm.parameters()], { lr: 0.1 });
      return Array.from({ length: 4 }, (_, i) => {
        optimizer.zeroGrad();
        const loss = model
          .forward(norm.forward(batch(i, 4).reshape(4, 3, 1, 1)).reshape(4, 3))
          .square()
          .mean();
        loss.backward();
        optimizer.step();
        return loss.item();
      });
    });
    expect(device.metrics).toMatchObject({ compiles: 1, executions: 4 });
  });
  test('with gradients accumulated is one program', () => {
    const { device } = checked((_, model) => {
      const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
      const losses: Tensor[] = [];
      for (let i = 0; i < 8; i++) {
        const loss = model.forward(batch(i)).square().mean().div(4);
        loss.backward();
        losses.push(loss);
        if (i % 4 !== 3) continue;
        optimizer.step();
        optimizer.zeroGrad();
      }
      return losses.map(loss => loss.item());
    });
    expect(device.metrics).toMatchObject({ compiles: 1, executions: 2 });
  });
  test('with a gradient scaler ends at its update()', () => {
    const { device } = checked((_, model) => {
      const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
      const scaler = new GradScaler({ growthInterval: 2 });
      return Array.from({ length: steps }, (_, i) => {
        optimizer.zeroGrad();
        const loss = model.forward(batch(i)).square().mean();
        scaler.scale(loss).backward();
        scaler.step(optimizer);
        scaler.update();
        return loss.item();
      });
    });
    expect(device.metrics).toMatchObject({ compiles: 1, executions: steps });
  });
  test('with optimizers that step in hooks of backward() is one program', () => {
    const { device } = checked((_, model) => {
      for (const parameter of model.parameters()) {
        const optimizer = new SGD([parameter], { lr: 0.1 });
        parameter.registerPostAccumulateGradHook(() => {
          optimizer.step();
          optimizer.zeroGrad();
        });
      }
      return Array.from({ length: steps }, (_, i) => {
        const loss = model.forward(batch(i)).square().mean();
        loss.backward();
        return loss.item();
      });
    });
    expect(device.metrics).toMatchObject({ compiles: 1, executions: steps });
  });
  test('is split into steps even if a value is carried through all of them', () => {
    const { device, numbers } = checked((device, model) => {
      const optimizer = new SGD(model.parameters(), { lr: 0.1 });
      let total = tensor(0, { device });
      for (let i = 0; i < steps; i++) {
        optimizer.zeroGrad();
        const loss = model.forward(batch(i)).square().mean();
        total = total.add(loss.detach());
        loss.backward();
        optimizer.step();
      }
      return [total.item()];
    });
    expect(numbers[0]).toBeGreaterThan(0);
    expect(device.metrics).toMatchObject({ compiles: 1, executions: steps });
  });
  test('without an optimizer does not grow the program', () => {
    const { device } = checked((_, model) => {
      const losses: Tensor[] = [];
      for (let i = 0; i < steps; i++) {
        const loss = model.forward(batch(i)).square().mean();
        loss.backward();
        noGrad(() => {
          for (const p of model.parameters()) p.sub_(p.grad!.mul(0.1));
        });
        model.zeroGrad();
        losses.push(loss);
      }
      return losses.map(loss => loss.item());
    });
    expect(device.metrics).toMatchObject({ compiles: 1, executions: steps });
  });
  test('with an evaluation that reads nothing does not grow the program', () => {
    const { device } = checked((device, model) => {
      model.eval();
      let total = tensor(0, { device });
      noGrad(() => {
        for (let i = 0; i < 6; i++) total = total.add(model.forward(batch(i)).sum());
      });
      return [total.item()];
    });
    expect(device.metrics.executions).toBe(6);
    expect(device.metrics.compiles).toBeLessThanOrEqual(2);
  });
});

describe('two optimizers, one after the other', () => {
  function gan(_: Device, generator: Net): number[] {
    const critic = new nn.Sequential(new nn.Linear(1, 3), new nn.Tanh(), new nn.Linear(3, 1));
    const criticStep = new SGD(critic.parameters(), { lr: 0.05 });
    const generatorStep = new AdamW(generator.parameters(), { lr: 0.05 });
    const numbers: number[] = [];
    for (let i = 0; i < steps; i++) {
      criticStep.zeroGrad();
      critic
        .forward(tensor([[i], [i + 1]]))
        .neg()
        .mean()
        .backward();
      const fake = generator.forward(batch(i));
      const criticLoss = exp(critic.forward(fake.detach())).mean();
      criticLoss.backward();
      criticStep.step();
      generatorStep.zeroGrad();
      // Gradients flow through values computed before the critic's step.
      const loss = critic.forward(fake).neg().mean();
      loss.backward();
      generatorStep.step();
      numbers.push(criticLoss.item(), loss.item());
    }
    return numbers;
  }
  test('are two programs, and gradients flow through values that the first step did not change', () => {
    const { device, numbers } = checked(gan);
    expect(new Set(numbers.slice(0, 2 * steps)).size).toBe(2 * steps);
    const last = device.history.length;
    expect(last).toBeLessThanOrEqual(4);
    // running it again does not compile: programs depend only on the recorded ops
    expect(device.metrics.executions).toBeLessThanOrEqual(2 * steps + 1);
  });
  test('move the generator', () => {
    const trained = run(gan).numbers.slice(2 * steps);
    const fresh = run((_, _model) => []).numbers;
    expect(trained.length).toBe(fresh.length);
    trained.forEach((x, i) => {
      expect(x).not.toBe(fresh[i]);
    });
  });
});
