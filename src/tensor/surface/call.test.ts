// Calls of the functions in the table: positional and named arguments, which work the same for all of them; invalid calls.
import { expect, test } from 'vitest';
import { add, clamp, max, type Tensor, takeAlongDim, tensor, unravelIndex, where } from '../index.ts';

const x = () =>
  tensor([
    [1, 5, 2],
    [7, 3, 4],
  ]);
/** A call from plain JavaScript, with arbitrary arguments. */
const anyCall = (of: Tensor, name: string, ...args: readonly unknown[]): unknown =>
  (of as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[name]!(...args);

test('arguments by position, by name, and both', () => {
  const sums = [[8], [14]];
  expect(x().sum(1, true).toArray()).toEqual(sums);
  expect(x().sum({ dim: 1, keepDim: true }).toArray()).toEqual(sums);
  expect(x().sum(1, { keepDim: true }).toArray()).toEqual(sums);
  expect(anyCall(x(), 'sum', { dim: 1, keepdim: true })).toHaveProperty('shape', [2, 1]);
  expect(x().sum(undefined, true).shape).toEqual([1, 1]);
  expect(add(x(), 1, { alpha: 2 }).toArray()).toEqual(x().add(2).toArray());
  expect(clamp(x(), { max: 2 }).toArray()).toEqual([
    [1, 2, 2],
    [2, 2, 2],
  ]);
});
test('results with names are tuples too', () => {
  const [values, indices] = x().max(1);
  expect(values.toArray()).toEqual([5, 7]);
  expect(indices.toArray()).toEqual([1, 0]);
  const named = max(x(), { dim: 0 });
  expect(named.values.toArray()).toEqual([7, 5, 4]);
  expect(named.indices.dtype).toBe('int64');
  expect(max(x(), x().neg()).shape).toEqual([2, 3]);
  expect(x().max().item()).toBe(7);
});
test('the tensor of a method need not be the first parameter', () => {
  const y = x();
  expect(y.where(y.gt(2), 0).toArray()).toEqual(where(y.gt(2), y, 0).toArray());
});
test('in-place variants keep the tensor and its data type', () => {
  const y = tensor([1, 2]);
  expect(y.mul_(3).clamp_({ max: 4 })).toBe(y);
  expect(y.toArray()).toEqual([3, 4]);
  const whole = tensor([1, 2], { dtype: 'i32' });
  expect(() => whole.add_(0.5)).toThrow('add_ gives float32, which a tensor of int32 cannot hold');
  expect(tensor([1, 2]).add_(tensor([1, 1], { dtype: 'f64' })).dtype).toBe('float32');
});

test.each([
  ['sum', [{ keepdims: true }], "unknown argument 'keepdims'"],
  ['sum', [{ quickly: true }], "unknown argument 'quickly'"],
  ['exp', [{ dim: 1 }], "unknown argument 'dim'"],
  ['sum', ['rows'], 'dim is the text "rows", expected a dim or an array of dims'],
  ['sum', [1.5], 'dim is the number 1.5, expected a dim or an array of dims'],
  ['sum', [1, true, 'f32'], 'argument 3 is the text "f32", expected at most 2: dim, keepDim'],
  ['sum', [1, { dim: 1 }], 'dim is the number 1, expected to be given once'],
  ['exp', [2], 'argument 1 is the number 2, expected no arguments'],
  ['add', [], 'other is undefined, expected a tensor or a number'],
  ['add', [[1, 2]], 'other is an array, expected a tensor or a number'],
  ['sum', [{ dtype: 'float31' }], 'dtype is the text "float31"'],
  ['div', [2, { roundingMode: 'up' }], "roundingMode is the text \"up\", expected 'trunc' or 'floor'"],
])('%s(%j) is rejected', (name, args, message) => {
  expect(() => anyCall(x(), name, ...args)).toThrow(message);
});
test('the error for an unknown name suggests the nearest one', () => {
  expect(() => anyCall(x(), 'sum', { keepDims: true })).toThrow('did you mean keepDim?');
});
test('takeAlongDim refuses a dim of a scalar, and unravelIndex gives int64, as in PyTorch', () => {
  expect(() => takeAlongDim(tensor(3), tensor(0, { dtype: 'int64' }), 0)).toThrow('dim 0 is out of range for shape []');
  expect(unravelIndex(tensor([4], { dtype: 'int32' }), [2, 3]).map(({ dtype }) => dtype)).toEqual(['int64', 'int64']);
});
