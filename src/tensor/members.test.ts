// Members of tensors with PyTorch's names that are not rows of the tensor-surface table, and creation functions.
import { expect, test } from 'vitest';
import {
  allclose,
  asTensor,
  empty,
  equal,
  finfo,
  fromNumpy,
  iinfo,
  isTensor,
  ones,
  rand,
  randperm,
  tensor,
  zeros,
} from './index.ts';

const x = () =>
  tensor([
    [1, 2, 3],
    [4, 5, 6],
  ]);

test('shape', () => {
  expect([x().dim(), x().nelement(), x().isContiguous()]).toEqual([2, 6, true]);
  expect(x().stride()).toEqual([3, 1]);
  expect(x().stride(-1)).toBe(1);
  expect(() => x().stride(2)).toThrow('dim 2 is out of range');
  expect(x().T.toArray()).toEqual([
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
  expect(x().unsqueeze(0).mT.shape).toEqual([1, 3, 2]);
});
test('data types', () => {
  expect([x().double().dtype, x().short().dtype, x().byte().dtype]).toEqual(['float64', 'int16', 'uint8']);
  expect(x().typeAs(zeros(1, { dtype: 'bf16' })).dtype).toBe('bfloat16');
  expect([x().isFloatingPoint(), x().int().isFloatingPoint()]).toEqual([true, false]);
  expect(finfo('float16')).toMatchObject({ bits: 16, max: 65504, eps: 2 ** -10 });
  expect(iinfo('i8')).toMatchObject({ bits: 8, max: 127n, min: -128n });
  expect(() => finfo('i32')).toThrow('finfo');
});
test('reading', () => {
  expect(x().tolist()).toEqual(x().toArray());
  expect(x().numpy()).toEqual(x().data);
  expect(equal(x(), x().clone())).toBe(true);
  expect(x().equal(x().add(1e-3))).toBe(false);
  expect(x().equal(x().ravel())).toBe(false);
  expect(allclose(x(), x().add(1e-6))).toBe(true);
  expect(x().allclose(x().add(0.1), { atol: 0.2 })).toBe(true);
});
test('creation', () => {
  expect(zeros(2, 3).shape).toEqual([2, 3]);
  expect(ones([2], { dtype: 'i32' }).toArray()).toEqual([1, 1]);
  expect(empty(2, { dtype: 'f64' }).dtype).toBe('float64');
  expect(rand(4).shape).toEqual([4]);
  expect(x().newZeros([2]).toArray()).toEqual([0, 0]);
  expect(x().int().newFull([1], 7).dtype).toBe('int32');
  expect(x().newOnes([1], { dtype: 'f64', requiresGrad: true }).requiresGrad).toBe(true);
  expect(() => x().newZeros([1], { dtyp: 'f32' } as object)).toThrow('did you mean dtype?');
  expect(() => zeros([2], { requires: true } as object)).toThrow("unknown argument 'requires'");
  const own = x();
  expect(asTensor(own)).toBe(own);
  expect(asTensor([1, 2], { dtype: 'i32' }).dtype).toBe('int32');
  expect(fromNumpy(new Int32Array([1, 2])).dtype).toBe('int32');
  expect([isTensor(own), isTensor([1])]).toEqual([true, false]);
});
test('copy_ converts and broadcasts, and gradients flow to the source', () => {
  const target = zeros([2, 3], { dtype: 'f64' });
  expect(target.copy_(tensor([1, 2, 3])).toArray()).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(target.dtype).toBe('float64');
  expect(() => target.copy_(tensor([1, 2]))).toThrow('expand: shapes [2] and [2, 3] are incompatible');
  expect(() => target.copy_([1, 2, 3] as never)).toThrow('copy_: source is an array');
});
test('randperm contains each number once', () => {
  const order = randperm(50);
  expect(order.dtype).toBe('int64');
  expect([...(order.toArray() as number[])].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect(order.toArray()).not.toEqual(randperm(50).toArray());
  expect(randperm(0).shape).toEqual([0]);
});
