// Reads at a line teach a device what to keep, and that must fit every program that is read there later.
import { afterEach, describe, expect, test } from 'vitest';
import { nn, SGD } from '../../index.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { cat, Device, linalg, noGrad, ones, rand, setDefaultDevice, type Tensor, tensor } from '../index.ts';

const newDevice = (): Device => new Device(new InterpreterBackend(), { seed: 1, log: () => {} });
const read = (x: Tensor): unknown => x.tolist();

test('another program of equally many ops, whichever of them the rest of the step has used', () => {
  const mean = (device: Device): readonly unknown[] => {
    const leaf = (data: readonly number[]): Tensor => tensor([...data], { device, dtype: 'f32' }).requiresGrad_();
    const index = tensor([0, 0, 1, 1], { device, dtype: 'int64' });
    const y = leaf([2, 0, 7]).scatterReduce(0, index, leaf([2, 2, 0, 0]), 'mean', { includeSelf: false });
    return [read(y), read(y.detach())];
  };
  const alone = newDevice();
  const expected = mean(alone);
  const ops = alone.history[0]!.ops;
  for (let used = 0; used < ops; used++) {
    const device = newDevice();
    for (let i = 0; i < 2; i++) {
      const chain = [tensor([1, 2, 3], { device }).requiresGrad_()];
      while (chain.length <= ops) chain.push(chain.at(-1)!.neg());
      read(chain.at(-1)!);
      read(chain[1 + used]!.mul(2));
      device.markStep();
    }
    expect(mean(device), `used ${used}`).toEqual(expected);
  }
});

test('a read that would keep a result which an earlier read has kept', () => {
  const device = newDevice();
  const eigenvalues = (): Tensor => linalg.eigh(tensor([2, 1, 1, 3], { device, shape: [2, 2] }).requiresGrad_())[0];
  for (const isFirst of [true, false])
    for (let i = 0; i < 2; i++) {
      const w = eigenvalues();
      read(isFirst ? w : w.neg());
      device.markStep(); // computes the eigenvectors: from now on, the read does
    }
  const w = eigenvalues();
  const values = read(w) as readonly number[];
  expect(read(w.neg())).toEqual(values.map(x => -x));
});

describe('a value that was read without gradients is an input of what else is computed from it', () => {
  const row = [0.5, -1, 2];
  /** Something that takes many ops. */
  const model = (x: Tensor): Tensor => Array.from({ length: 20 }).reduce<Tensor>(y => y.sin().add(x), x);
  const fresh = (): Device => {
    const device = newDevice();
    setDefaultDevice(device);
    return device;
  };
  afterEach(() => setDefaultDevice(undefined));

  test('recorded before it was read', () => {
    const device = fresh();
    const y = noGrad(() => model(tensor(row)));
    const twice = cat([y, y]);
    const values = read(y) as number[];
    expect(read(twice)).toEqual([...values, ...values]);
    expect(device.history.map(({ ops }) => ops)).toEqual([40, 1]);
  });
  test('in the program of the step, and beside values that it was made of', () => {
    const device = fresh();
    const x = tensor(row).mul(2);
    const y = model(x);
    const z = y.mul(x);
    const values = read(y) as number[];
    device.markStep();
    expect(read(z)).toEqual(values.map((value, i) => Math.fround(value * row[i]! * 2)));
    expect(device.history.map(({ ops }) => ops)).toEqual([43, 4]);
  });
  test('with the elements that it had when it was read', () => {
    fresh();
    const y = tensor(row).mul(2);
    const z = y.add(1);
    read(y);
    y.add_(10);
    expect([read(z), read(y)]).toEqual([
      [2, -1, 5],
      [11, 8, 14],
    ]);
    const noise = rand([3]);
    const more = noise.add(1);
    const values = read(noise) as number[];
    expect(read(more)).toEqual(values.map(value => Math.fround(value + 1)));
  });
  test('but only until the step ends', () => {
    const device = fresh();
    const w = ones([3], { requiresGrad: true });
    for (let i = 0; i < 3; i++) {
      const y = noGrad(() => w.mul(2).exp());
      const loss = w.mul(y).sum();
      read(y);
      loss.backward();
      device.markStep();
      expect(w.grad!.toArray()).toEqual(read(y));
      w.grad = undefined;
    }
    expect(device.history.length).toBe(2);
  });
});

describe('an evaluation', () => {
  /** Has a result that nothing uses, as the other states of a recurrent layer. */
  class Model extends nn.Module {
    w = new nn.Parameter(ones([3]));
    override forward(x: Tensor): Tensor {
      const h = Array.from({ length: 20 }).reduce<Tensor>(y => y.mul(this.w).sin(), x);
      h.cos();
      return h;
    }
  }
  const train = (model: Model, optimizer: SGD): void => {
    for (let i = 0; i < 3; i++) {
      optimizer.zeroGrad();
      model
        .forward(tensor([1, 2, 3]))
        .sum()
        .backward();
      optimizer.step();
    }
  };
  const evaluate = (model: Model): unknown[] =>
    [1, 2].map(x => read(noGrad(() => model.forward(tensor([x, 0.5, -1]))).sum()));
  afterEach(() => setDefaultDevice(undefined));

  test('computes the results that nothing uses with those that are read', () => {
    const device = newDevice();
    setDefaultDevice(device);
    const model = new Model();
    const optimizer = new SGD(model.parameters(), { lr: 0.1 });
    train(model, optimizer);
    const before = device.history.length;
    evaluate(model);
    train(model, optimizer);
    evaluate(model);
    expect(device.history.slice(before).map(({ kind }) => kind)).toEqual(['read']);
  });
});
