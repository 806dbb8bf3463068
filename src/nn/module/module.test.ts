// Modules: names, modes, state; dropout's numbers; results kept by the outermost forward.
import { beforeEach, describe, expect, test } from 'vitest';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import {
  compile,
  Device,
  device,
  manualSeed,
  ones,
  setDefaultDevice,
  type Tensor,
  tensor,
} from '../../tensor/index.ts';
import { ReLU } from '../generated/modules.ts';
import { ModuleList, Sequential } from '../layers/containers.ts';
import { Dropout } from '../layers/dropout-layers.ts';
import { Embedding } from '../layers/embedding-layer.ts';
import { Linear } from '../layers/layers.ts';
import { Module } from './module.ts';
import { Parameter, StateBuffer } from './parameter.ts';

beforeEach(() => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
});

class Net extends Module {
  first = new Linear(3, 2);
  blocks = new ModuleList([new Sequential(new Linear(2, 2), new ReLU()), new Linear(2, 2, { bias: false })]);
  scale = new Parameter(tensor(2));
  seen = new StateBuffer(tensor(0));
  tied = this.first;
  override forward(x: Tensor): Tensor {
    let y = this.first.forward(x);
    for (const block of this.blocks) y = (block as Linear).forward(y);
    this.seen.add_(1);
    return y.mul(this.scale);
  }
}

test('parameters have dotted names, each once', () => {
  const net = new Net();
  expect([...net.namedParameters()].map(([name]) => name)).toEqual([
    'scale',
    'first.weight',
    'first.bias',
    'blocks.0.0.weight',
    'blocks.0.0.bias',
    'blocks.1.weight',
  ]);
  expect([...net.stateDict().keys()]).toContain('seen');
  expect(net.parameterCount()).toBe(1 + 6 + 2 + 4 + 2 + 4);
  expect([...net.namedChildren()].map(([name]) => name)).toEqual(['first', 'blocks']);
});

test('train and eval reach every module', () => {
  const net = new Net().eval();
  expect([...net.namedModules()].map(([, module]) => module.training)).not.toContain(true);
  expect(net.train().training).toBe(true);
});

describe('state', () => {
  const errorOf = (body: () => unknown): string => {
    try {
      body();
    } catch (error) {
      return (error as Error).message;
    }
    return 'no error';
  };
  test('loads a saved state', () => {
    const [a, b] = [new Net(), new Net()];
    const x = ones([1, 3]);
    b.loadStateDict(a.stateDict());
    expect(b.forward(x).toArray()).toEqual(a.forward(x).toArray());
  });
  test('rejects a state with missing, unexpected or misshapen tensors as a whole', () => {
    const net = new Net();
    const before = net.stateDict();
    const state = new Map(net.stateDict());
    state.delete('scale');
    state.set('extra', tensor(1));
    expect(errorOf(() => net.loadStateDict(state))).toMatchInlineSnapshot(`
      "the state does not match Net: missing scale; unexpected extra
        fix: load a state saved from the same kind of model, or pass { strict: false } to load only the entries that match"
    `);
    expect(net.loadStateDict(state, { strict: false })).toEqual({ missing: ['scale'], unexpected: ['extra'] });
    const wrong = new Map([...before, ['first.bias', ones([3])], ['scale', tensor(7)]]);
    expect(errorOf(() => net.loadStateDict(wrong))).toMatchInlineSnapshot(`
      "size mismatch for 'first.bias': the model has tensor<2xf32>, the loaded state has tensor<3xf32>
        fix: load weights made for this configuration, or build the model with the configuration they were trained with"
    `);
    expect(net.scale.item()).toBe(2);
  });
});

test('state changed by forward and the results of the outermost forward are live-outs; inner results are recomputed', () => {
  const net = new Net();
  let inner: Tensor | undefined;
  const { forward } = net.first;
  net.first.forward = x => (inner = forward.call(net.first, x));
  const out = net.forward(ones([1, 3]));
  out.add(1);
  out.device.markStep();
  expect(out.shape).toEqual([1, 2]);
  expect(out.toArray()).toBeDefined();
  expect(net.seen.item()).toBe(1);
  const before = out.device.metrics.executions;
  expect(inner!.toArray()).toBeDefined(); // recomputed
  expect(out.device.metrics.executions).toBe(before + 1);
});

test('initial parameters depend only on the seed', () => {
  const make = (seed: number): unknown => {
    manualSeed(seed);
    return new Embedding(50, 4).weight.toArray();
  };
  expect(make(1)).toEqual(make(1));
  expect(make(1)).not.toEqual(make(2));
  manualSeed(3);
  const { data } = new Embedding(200, 50).weight;
  const values = Array.from(data as Float32Array);
  const mean = values.reduce((a, b) => a + b) / values.length;
  const deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length);
  expect(Math.abs(mean)).toBeLessThan(0.04);
  expect(Math.abs(deviation - 1)).toBeLessThan(0.03);
});

describe('dropout', () => {
  const deviceOf = (rank: number, worldSize: number): Device =>
    new Device(new InterpreterBackend(), { mesh: new DeviceMesh({ data: worldSize }, rank), seed: 5, log: () => {} });
  const sample = (dev: Device, shape: readonly number[], p = 0.25): number[] =>
    Array.from(new Dropout(p).forward(ones(shape, { device: dev })).data as Float32Array);

  test('zeros the share p and scales the rest; nothing in evaluation', () => {
    const values = sample(deviceOf(0, 1), [100, 40]);
    const dropped = values.filter(v => v === 0).length;
    expect(Math.abs(dropped / 4000 - 0.25)).toBeLessThan(0.03);
    expect(new Set(values)).toEqual(new Set([0, Math.fround(1 / 0.75)]));
    const x = ones([2]);
    expect(new Dropout(0.5).eval().forward(x)).toBe(x);
  });
  test('samples different numbers at each use, step and read, and the same numbers for the same seed', () => {
    const dev = deviceOf(0, 1);
    const [a, b] = [sample(dev, [64]), sample(dev, [64])];
    dev.markStep();
    const c = sample(dev, [64]);
    expect(new Set([a, b, c].map(String)).size).toBe(3);
    dev.random.state = { seed: 5, step: 0 };
    expect(sample(dev, [64])).toEqual(a);
    expect(dev.metrics.compiles).toBe(1);
  });
  test('two ranks with half the batch sample the same numbers as one rank with the whole batch', () => {
    const whole = sample(deviceOf(0, 1), [4, 16]);
    expect([...sample(deviceOf(0, 2), [2, 16]), ...sample(deviceOf(1, 2), [2, 16])]).toEqual(whole);
  });
  test('rejects values that are not probabilities', () => {
    expect(() => new Dropout(1.5)).toThrow('dropout: p is 1.5, expected a probability in [0, 1]');
  });
});

test('a compiled function depends on the mode of modules', () => {
  const layer = new Dropout(0.5);
  const run = compile((x: Tensor) => layer.forward(x));
  const x = ones([32]);
  expect(run(x).toArray()).not.toEqual(run(x).toArray());
  expect(run.traces).toBe(1);
  layer.eval();
  expect(run(x).toArray()).toEqual(x.toArray());
  layer.train();
  run(x);
  expect(run.traces).toBe(2);
});
