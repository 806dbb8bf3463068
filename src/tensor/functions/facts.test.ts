// Queries of tensors, data types and shapes; PyTorch's results are in the comments of the functions.
import { expect, test } from 'vitest';
import * as t from '../index.ts';

const { tensor } = t;
test('tensors', () => {
  const x = tensor([[1, 2, 3]]);
  expect([t.numel(x), t.isFloatingPoint(x), t.isComplex(x), t.isSigned(x)]).toEqual([3, true, false, true]);
  expect([t.isSigned(x.bool()), t.isSigned(x.byte()), t.isSigned(x.cfloat())]).toEqual([false, false, true]);
  expect([t.isNonzero(tensor(0)), t.isNonzero(tensor([-2]))]).toEqual([false, true]);
  expect(() => t.isNonzero(x)).toThrow('isNonzero');
  expect([t.isSameSize(x, x.int()), t.isSameSize(x, x.T)]).toEqual([true, false]);
  expect(() => t.numel(3 as unknown as t.Tensor)).toThrow('numel');
});
test('data types', () => {
  const names = [
    'bool',
    'uint8',
    'int8',
    'int16',
    'int32',
    'int64',
    'float16',
    'bfloat16',
    'float32',
    'float64',
  ] as const;
  // torch.promote_types(float16, …) and torch.promote_types(uint8, …)
  expect(names.map(name => t.promoteTypes('float16', name))).toEqual([
    'float16',
    'float16',
    'float16',
    'float16',
    'float16',
    'float16',
    'float16',
    'float32',
    'float32',
    'float64',
  ]);
  expect(names.map(name => t.promoteTypes('uint8', name))).toEqual([
    'uint8',
    'uint8',
    'int16',
    'int16',
    'int32',
    'int64',
    'float16',
    'bfloat16',
    'float32',
    'float64',
  ]);
  expect(names.map(name => t.canCast(name, 'int8'))).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(t.canCast('complex64', 'float64')).toBe(false);
  expect(t.resultType(tensor([1, 2]).int(), 1.5)).toBe('float32');
  expect(t.resultType(tensor([1, 2]).half(), tensor(1).double())).toBe('float16');
  expect(t.resultType(tensor([1, 2]).int(), tensor(1).double())).toBe('float64');
  expect(t.resultType(tensor([1, 2]).byte(), 3)).toBe('uint8');
  expect(() => t.resultType('x' as never, 1)).toThrow('resultType');
});
test('shapes', () => {
  expect(t.broadcastShapes([2, 1], [3], [1])).toEqual([2, 3]);
  expect(t.broadcastShapes()).toEqual([]);
  expect(() => t.broadcastShapes([2], [3])).toThrow('broadcastShapes');
});
test('methods that read or index also exist as functions', () => {
  const x = tensor([0, 3, 4]);
  expect([t.nonzero(x).toArray(), t.argwhere(x).toArray()]).toEqual([
    [[1], [2]],
    [[1], [2]],
  ]);
  expect(t.nonzero(x, { asTuple: true })[0]!.toArray()).toEqual([1, 2]);
  expect(t.maskedSelect(x, x.gt(3)).toArray()).toEqual([4]);
  expect(t.indexPut(x, [tensor([1], { dtype: 'int64' })], 9).toArray()).toEqual([0, 9, 4]);
  expect(t.detach(tensor([1], { requiresGrad: true })).requiresGrad).toBe(false);
});
