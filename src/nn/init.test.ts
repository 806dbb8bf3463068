// Initial values: distributions, and matrices with special properties.
import { beforeEach, describe, expect, test } from 'vitest';
import { device, manualSeed, setDefaultDevice, type Tensor, zeros } from '../tensor/index.ts';
import { init, Linear, Parameter } from './index.ts';

beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  manualSeed(3);
});
const numbers = (x: Tensor): number[] => Array.from(x.data as Float32Array);
const moments = (x: Tensor): [mean: number, deviation: number, most: number] => {
  const list = numbers(x);
  const mean = list.reduce((a, b) => a + b, 0) / list.length;
  const deviation = Math.sqrt(list.reduce((a, b) => a + (b - mean) ** 2, 0) / list.length);
  return [mean, deviation, Math.max(...list.map(Math.abs))];
};
const matrix = (): Parameter => new Parameter(zeros([100, 400]));

describe('in place', () => {
  test.each<[string, (x: Tensor) => Tensor, deviation: number, most: number]>([
    ['uniform_', x => init.uniform_(x, -3, 3), Math.sqrt(3), 3],
    ['normal_', x => init.normal_(x, 0, 0.5), 0.5, 4],
    ['truncNormal_', x => init.truncNormal_(x, { std: 1 }), 0.88, 2],
    ['truncNormal_ far within', x => init.truncNormal_(x, { std: 0.02 }), 0.02, 0.2],
    ['truncNormal_ narrow', x => init.truncNormal_(x, { low: -0.5, high: 0.5 }), 0.283, 0.5],
    ['xavierUniform_', x => init.xavierUniform_(x), Math.sqrt(2 / 500), Math.sqrt(6 / 500)],
    ['xavierNormal_', x => init.xavierNormal_(x, 2), 2 * Math.sqrt(2 / 500), 1],
    ['kaimingUniform_', x => init.kaimingUniform_(x, { a: Math.sqrt(5) }), 1 / Math.sqrt(1200), 1 / 20],
    ['kaimingNormal_', x => init.kaimingNormal_(x, { mode: 'fanOut', nonlinearity: 'relu' }), Math.sqrt(2 / 100), 1],
  ])('%s has its deviation and its bounds', (_, set, deviation, most) => {
    const x = matrix();
    expect(set(x)).toBe(x);
    const [mean, found, top] = moments(x);
    expect(Math.abs(mean)).toBeLessThan(0.02 * deviation + 1e-9);
    expect(Math.abs(found / deviation - 1)).toBeLessThan(0.02);
    expect(top).toBeLessThanOrEqual(most * (1 + 1e-6));
  });
  test('a layer computes with its new weights; a low-precision type is kept', () => {
    const layer = new Linear(2, 2).bfloat16();
    init.eye_(layer.weight);
    init.constant_(layer.bias!, 3);
    expect(layer.weight.dtype).toBe('bfloat16');
    expect(layer(zeros([2], { dtype: 'bf16' })).toArray()).toEqual([3, 3]);
    expect(init.zeros_(zeros([2]).add(1)).toArray()).toEqual([0, 0]);
  });
  test('orthogonal_ gives orthogonal rows or columns', () => {
    for (const shape of [
      [4, 7],
      [7, 4],
      [3, 2, 2],
    ]) {
      const x = init.orthogonal_(new Parameter(zeros(shape)), 2).reshape(shape[0]!, -1);
      const product = x.shape[0]! <= x.shape[1]! ? x.matmul(x.t()) : x.t().matmul(x);
      const n = product.shape[0]!;
      expect(numbers(product)).toEqual(
        Array.from({ length: n * n }, (_, i) => expect.closeTo(i % n === Math.floor(i / n) ? 4 : 0, 5)),
      );
    }
  });
  test('dirac_ passes channels through, sparse_ zeros a share of each column', () => {
    const x = init.dirac_(new Parameter(zeros([4, 2, 3])), 2);
    expect(x.select(2, 1).toArray()).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
      [0, 1],
    ]);
    expect(x.sum().item()).toBe(4);
    const sparse = init.sparse_(new Parameter(zeros([10, 3])), 0.25);
    expect(sparse.eq(0).to('i32').sum(0).toArray()).toEqual([3, 3, 3]);
  });
  test('rejects invalid shapes', () => {
    expect(() => init.xavierUniform_(zeros([3]))).toThrow('one of two or more dims');
    expect(() => init.calculateGain('leaky' as 'relu')).toThrow("'leakyRelu'");
    expect(init.calculateGain('leakyRelu', 0.2)).toBeCloseTo(1.3867505, 6);
  });
});
