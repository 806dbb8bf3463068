// Indices out of range throw an error with the line of the lookup: when something is read, or when the next step runs.
import { beforeEach, describe, expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../tensor/debugging/eager.ts';
import { Device } from '../tensor/device.ts';
import { arange, compile, device, func, oneHot, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import * as nn from './index.ts';

const ids = (...values: number[]): Tensor => tensor(values, { dtype: 'i64' });
/** The same numbers, but computed on the device, so that the host does not know them. */
const computed = (...values: number[]): Tensor => ids(...values).add(0);
const caught = (body: () => unknown): TrenioError => {
  try {
    body();
  } catch (error) {
    if (error instanceof TrenioError) return error;
  }
  throw new Error('nothing was thrown');
};
const lookups: readonly (readonly [string, (index: Tensor) => Tensor])[] = [
  [
    'gather',
    i =>
      arange(6)
        .reshape([2, 3])
        .gather(1, i.reshape([2, -1])),
  ],
  ['indexSelect', i => tensor([10, 20, 30]).indexSelect(0, i)],
  ['scatterAdd', i => tensor([0, 0, 0]).scatterAdd(0, i, tensor([1, 1, 1, 1]))],
  ['indexAdd', i => tensor([0, 0, 0]).indexAdd(0, i, tensor([1, 1, 1, 1]))],
  ['embedding', i => nn.functional.embedding(i, tensor([[1], [2], [3]]))],
  ['oneHot', i => oneHot(i, 3)],
  ['crossEntropy', i => nn.functional.crossEntropy(tensor([[1, 2, 3]]).expand([4, 3]), i)],
  ['multiMarginLoss', i => nn.functional.multiMarginLoss(tensor([[1, 2, 3]]).expand([4, 3]), i)],
  ['nllLoss', i => nn.functional.nllLoss(tensor([[1, 2, 3]]).expand([4, 3]), i)],
];

describe.each([
  ['compiled', () => device('cpu')],
  ['eager', () => new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} })],
] as const)('%s', (_mode, make) => {
  beforeEach(() => setDefaultDevice(make()));

  test.each(lookups)('%s of an index that is too large or negative', (name, look) => {
    expect(look(computed(0, 2, 1, 2)).toArray()).toBeDefined();
    for (const wrong of [3, -1]) {
      const error = caught(() => look(computed(0, 2, wrong, 1)).toArray());
      expect(error.message).toContain(String(wrong));
      expect(error.message).toContain(`${name}: index ${wrong} is out of range`);
      expect(error.message).toContain('index-checks.native.test.ts');
    }
    // once is enough
    expect(look(computed(0, 2, 1, 1)).toArray()).toBeDefined();
  });
  test('ignored classes may be anything', () => {
    expect(
      nn.functional
        .crossEntropy(
          tensor([
            [1, 1],
            [1, 1],
          ]),
          computed(0, -100),
        )
        .item(),
    ).toBeCloseTo(Math.log(2));
  });
  test('whole floats are valid indices', () => {
    expect(
      tensor([10, 20, 30])
        .indexSelect(0, tensor([2, 0]).add(0))
        .toArray(),
    ).toEqual([30, 10]);
    expect(
      caught(() =>
        tensor([10, 20, 30])
          .indexSelect(0, tensor([0, 1.5]).add(0))
          .toArray(),
      ).message,
    ).toContain('a number that is not whole');
  });
  test('an empty list of indices into a dim without entries is valid', () => {
    expect(tensor(new Float32Array(0)).indexSelect(0, tensor(new Int32Array(0))).shape).toEqual([0]);
  });
  test('a compiled function throws, too', () => {
    const look = compile((index: Tensor) => tensor([10, 20, 30]).indexSelect(0, index));
    expect(look(ids(2)).toArray()).toEqual([30]);
    expect(caught(() => look(ids(7)).toArray()).code).toBe('INDEX_OUT_OF_RANGE');
    expect(look(ids(1)).toArray()).toEqual([20]);
  });
});

describe('compiled', () => {
  beforeEach(() => setDefaultDevice(device('cpu')));

  test('a training loop that reads nothing: a later step throws', () => {
    const table = tensor([[1], [2], [3]], { requiresGrad: true });
    const step = (index: Tensor): void => {
      nn.functional.embedding(index, table).sum().backward();
      table.grad = undefined;
      device('cpu').markStep();
    };
    step(computed(0, 1));
    const error = caught(() => {
      for (let i = 0; i < 5; i++) step(computed(0, 5));
      device('cpu').synchronize();
    });
    expect(error.code).toBe('INDEX_OUT_OF_RANGE');
  });
  test('reading without blocking', async () => {
    await expect(tensor([1, 2]).indexSelect(0, computed(2)).array()).rejects.toMatchObject({
      code: 'INDEX_OUT_OF_RANGE',
    });
    await expect(tensor([1, 2]).indexSelect(0, computed(2)).ready()).rejects.toMatchObject({
      code: 'INDEX_OUT_OF_RANGE',
    });
  });
  test('sizes beyond the range of a small index type', () => {
    const many = arange(300);
    expect(many.indexSelect(0, tensor(new Uint8Array([255, 3])).add(0)).toArray()).toEqual([255, 3]);
    expect(caught(() => many.indexSelect(0, tensor(new Int8Array([-1])).add(0)).toArray()).code).toBe(
      'INDEX_OUT_OF_RANGE',
    );
  });
});
test('within vmap, the indices of all examples are checked', () => {
  setDefaultDevice(device('interpreter'));
  const table = tensor([10, 20, 30]);
  const look = (index: Tensor): Tensor => func.vmap((i: Tensor) => table.gather(0, i))(index) as Tensor;
  expect(look(computed(0, 2, 1, 0).reshape([2, 2])).toArray()).toEqual([
    [10, 30],
    [20, 10],
  ]);
  const error = caught(() => {
    look(computed(0, 2, 3, 0).reshape([2, 2])).toArray();
    arange(1).add(1).toArray();
  });
  expect([error.code, error.data]).toEqual(['INDEX_OUT_OF_RANGE', expect.objectContaining({ index: '3', size: 3 })]);
});
