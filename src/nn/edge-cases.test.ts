// Values at the edge of what calls accept: integers, empty tensors, singular and complex matrices. The numbers are PyTorch's.
import { beforeEach, expect, test } from 'vitest';
import * as T from '../tensor/index.ts';
import { arange, device, setDefaultDevice, type Tensor, tensor, zeros } from '../tensor/index.ts';
import * as F from './functional/functional.ts';
import * as nn from './index.ts';

beforeEach(() => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
});

const { linalg } = T;
const close = (x: Tensor, expected: readonly number[]): void => {
  const values = x.flatten().toArray() as readonly number[];
  expect(values).toHaveLength(expected.length);
  values.forEach((value, i) => {
    if (Number.isFinite(expected[i]!)) expect(value).toBeCloseTo(expected[i]!, 4);
    else expect(value).toBe(expected[i]);
  });
};
const complex = (re: number[][] | number[], im: number[][] | number[]): Tensor =>
  T.complex(tensor(re, { dtype: 'float64' }), tensor(im, { dtype: 'float64' })).detach();
const parts = (x: Tensor): Tensor => T.viewAsReal(x);

test('squares of bools are integers', () => {
  expect(tensor([true, false]).square().dtype).toBe('int64');
});

test('means and norms of integers', () => {
  const x = arange(4).reshape([1, 1, 4]);
  expect(F.avgPool1d(x, 2).toArray()).toEqual([[[0, 2]]]);
  expect(F.avgPool1d(x.neg(), 2, 1).toArray()).toEqual([[[0, -1, -2]]]);
  const image = arange(16).reshape([1, 1, 4, 4]);
  expect(F.avgPool2d(image, 2).toArray()).toEqual([[[[2, 4], [10, 12]]]]); // biome-ignore format: rows
  expect(F.avgPool2d(image.add(1), 3, 2, 1).toArray()).toEqual([[[[1, 3], [6, 11]]]]); // biome-ignore format: rows
  expect(F.avgPool2d(image, 2, { divisorOverride: 3 }).toArray()).toEqual([[[[3, 6], [14, 16]]]]); // biome-ignore format: rows
  expect(F.avgPool1d(tensor([[[200, 100]]], { dtype: 'uint8' }), 2)).toMatchObject({ dtype: 'uint8' });
  expect(F.avgPool1d(tensor([[[200, 100]]], { dtype: 'uint8' }), 2).toArray()).toEqual([[[150]]]);
  expect(F.avgPool3d(arange(8).reshape([1, 2, 2, 2]), 2).item()).toBe(3);
  close(F.lpPool1d(x, 2, 2), [0, 3.4641]);
  close(F.localResponseNorm(x, 2), [0, 1, 1.9997, 2.9991]);
  close(F.instanceNorm(x), [-1.34164, -0.44721, 0.44721, 1.34164]);
  close(F.normalize(tensor([[3, 4]], { dtype: 'int64' })), [0.6, 0.8]);
});

test('fractions for integer tensors', () => {
  const x = tensor([1, 2], { dtype: 'int64' });
  expect(F.pad(x, [1, 0], { value: 1.5 }).toArray()).toEqual([1, 1, 2]);
  expect(x.scatter(0, tensor([0], { dtype: 'int64' }), 2.5).toArray()).toEqual([2, 2]);
  expect(() => T.rsub(x, x, { alpha: 0.5 })).toThrow('rsub: alpha is the number 0.5');
  expect(() => arange(0, 2, 0.5, { dtype: 'int64' })).toThrow('arange: step is the number 0.5');
  const y = F.threshold(tensor([0, 1, 2, 3], { dtype: 'int16' }), 1.5, 7.5);
  expect(y).toMatchObject({ dtype: 'int16' });
  expect(y.toArray()).toEqual([7, 7, 2, 3]);
  close(F.softmin(tensor([0, 1], { dtype: 'uint8' }), 0), [0.731059, 0.268941]);
});

test('sizes of 1, empty tensors and lists', () => {
  const image = arange(16).reshape([1, 1, 4, 4]).to('float32');
  expect(F.avgPool2d(image, 2, { stride: [] }).flatten().toArray()).toEqual([2.5, 4.5, 10.5, 12.5]);
  expect(new nn.MaxPool2d(2, { stride: [] })(image).flatten().toArray()).toEqual([5, 7, 13, 15]);
  close(F.lpPool2d(image, 2, 2, { stride: [] }), [6.48074, 9.8995, 21.40093, 25.33772]);
  const rows = tensor([[1], [2]]);
  expect(T.tensordot(rows, zeros([3, 2]).add(1), [[1], [0]]).toArray()).toEqual([[3, 3], [6, 6]]); // biome-ignore format: rows
  expect(T.tensordot(zeros([2, 3]).add(1), zeros([1, 2]).add(1), 1).toArray()).toEqual([[3, 3], [3, 3]]); // biome-ignore format: rows
  expect(() => T.tensordot(zeros([2, 3]), zeros([2, 3]), 1)).toThrow('have other sizes');
  expect(zeros([0]).nanmedian().item()).toBeNaN();
  expect(zeros([0], { dtype: 'int64' }).median().item()).toBe(-(2 ** 63));
  expect(
    zeros([3])
      .scatter(0, zeros([0]), zeros([0]))
      .toArray(),
  ).toEqual([0, 0, 0]);
  expect(linalg.svdvals(zeros([0, 3], { dtype: 'float16' }))).toMatchObject({ dtype: 'float16', shape: [0] });
});

test('losses at the edge', () => {
  const logits = tensor([[1, 2]]);
  expect(F.crossEntropy(logits, tensor([0]), { labelSmoothing: -0.1 }).item()).toBeCloseTo(1.31326, 4);
  expect(() => F.crossEntropy(logits, tensor([0]), { labelSmoothing: 1.5 })).toThrow('at most 1');
  const target = tensor([0, 0.5], { requiresGrad: true });
  F.klDiv(tensor([-1, -1]), target, { reduction: 'sum' }).backward();
  close(target.grad!, [Number.NaN, 1.30685]);
  const byPosition = nn.MSELoss as unknown as new (sizeAverage: boolean) => unknown;
  expect(() => new byPosition(false)).toThrow('leave out sizeAverage and reduce');
});

test('the kind of padding of transposed convolutions by position', () => {
  expect(String(new nn.ConvTranspose1d(1, 1, 2, 1, 0, 0, 1, true, 1, 'zeros'))).toContain('kernel_size=(2,)');
  expect(() => new nn.ConvTranspose1d(1, 1, 2, 1, 0, 0, 1, true, 1, 'reflect' as never)).toThrow("expected 'zeros'");
});

test('correlations in bfloat16 round like PyTorch', () => {
  const x = tensor(
    [
      [-1.125, -1.15625, -0.25, -0.43359375, 0.84765625, -1.5546875, -0.341796875],
      [1.8515625, 0.46875, -0.1572265625, 1.4453125, 0.265625, 0.166015625, 1.5859375],
    ],
    { dtype: 'bfloat16' },
  );
  expect(T.corrcoef(x).to('float32').flatten().toArray()).toEqual([1, -0.146484375, -0.146484375, 0.99609375]);
});

test('complex factors and determinants, with gradients', () => {
  const a = (): Tensor => complex([[1, 2], [2, 1]], [[0, 0.5], [-0.5, 0.25]]).requiresGrad_(); // biome-ignore format: rows
  const weights = tensor([[[1, 0.5], [2, 0]], [[3, 1], [4, -1]]], { dtype: 'float64' }); // biome-ignore format: rows
  const slope = (x: Tensor, run: (x: Tensor) => Tensor): Tensor => {
    const y = parts(run(x));
    y.mul(y.ndim === 1 ? tensor([2, 3], { dtype: 'float64' }) : weights)
      .sum()
      .backward();
    return parts(x.grad!);
  };
  close(slope(a(), linalg.det), [2.75, 2.5, -2.5, -7, -5.5, -5, 2, 3]);
  close(
    slope(a(), x => linalg.luFactorEx(x).LU),
    [0, 1.5, 4, -1, 0.823529, -0.205882, 0.235294, 0.941176],
  );
  const { LU, pivots, info } = linalg.luFactorEx(complex([[1, 2], [2, 1]], [[0, 0.5], [-0.5, 0]])); // biome-ignore format: rows
  close(parts(LU), [2, -0.5, 1, 0, 0.470588, 0.117647, 1.529412, 0.382353]);
  expect([pivots.toArray(), info.item()]).toEqual([[2, 2], 0]);
  const tau = complex([1, 0.5], [0.2, 0]);
  close(
    slope(a(), x => linalg.householderProduct(x, tau)),
    [0, 0, 0, 0, -11.8, 1.3, 0, 0],
  );
});

test('the Cholesky factor of complex matrices that are not definite', () => {
  const { L, info } = linalg.choleskyEx(complex([[1, 2], [2, 1]], [[0, 0.5], [-0.5, 0]])); // biome-ignore format: rows
  close(parts(L), [1, 0, 0, 0, 2, -0.5, -3.25, 0]);
  expect(info.item()).toBe(2);
  const good = complex([[4, 1], [1, 3]], [[0, 0.5], [-0.5, 0]]).requiresGrad_(); // biome-ignore format: rows
  const weights = tensor([[[1, 0.5], [2, 0]], [[3, 1], [4, -1]]], { dtype: 'float64' }); // biome-ignore format: rows
  parts(linalg.choleskyEx(good).L).mul(weights).sum().backward();
  close(parts(good.grad!), [0.189062, 0.257422, 0.406878, -0.326249, 0.483128, 0.478748, 1.219989, -0.304997]);
});
