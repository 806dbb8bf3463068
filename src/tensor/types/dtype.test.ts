// Data types have PyTorch's names, and are accepted under either name.
import { beforeEach, expect, test } from 'vitest';
import { elementTypes } from '../../hlo/types.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { autocast, Device, finfo, iinfo, oneHot, ones, setDefaultDevice, tensor, zeros } from '../index.ts';
import { dtypeName, elementTypeOf, isDType } from './dtype.ts';
import * as constants from './dtype-constants.ts';

beforeEach(() => setDefaultDevice(new Device(new InterpreterBackend(), { seed: 0, log: () => {} })));

test("dtype is PyTorch's name", () => {
  const x = tensor([1, 2]);
  expect(x.dtype === 'float32').toBe(true);
  expect(x.dtype === constants.float32).toBe(true);
  expect(x.dtype === constants.float).toBe(true);
  expect(x.long().dtype).toBe(constants.int64);
  expect(x.gt(1).dtype).toBe('bool');
  expect(x.bfloat16().dtype).toBe('bfloat16');
  expect(x.to('complex<f64>').dtype).toBe('complex128');
  expect(finfo(x.dtype).dtype).toBe('float32');
  expect(iinfo('uint8').dtype).toBe('uint8');
});

test('options accept both names', () => {
  for (const dtype of ['bf16', 'bfloat16'] as const) {
    expect(zeros(2, { dtype }).dtype).toBe('bfloat16');
    expect(tensor([1]).to(dtype).dtype).toBe('bfloat16');
    expect(tensor([1, 2]).sum({ dtype }).dtype).toBe('bfloat16');
    expect(autocast(() => ones(2, 2).matmul(ones(2, 2)), { dtype }).dtype).toBe('bfloat16');
  }
});

test('each element type has exactly one name; each name is a constant', () => {
  const names = elementTypes.map(dtypeName);
  expect(new Set(names).size).toBe(names.length);
  for (const type of elementTypes) expect(elementTypeOf(dtypeName(type))).toBe(type);
  const ofTorch = names.filter(name => !(elementTypes as readonly string[]).includes(name));
  expect(new Set<string>(Object.values(constants))).toEqual(new Set(ofTorch));
  for (const [name, value] of Object.entries(constants)) {
    if (!isDType(name)) throw new Error(`no data type is called ${name}`);
    expect(dtypeName(elementTypeOf(name))).toBe(value);
  }
});

test('messages use the same names as dtype', () => {
  expect(() => tensor([1, 2], { dtype: 'i64' }).requiresGrad_()).toThrow('have gradients, not int64');
  expect(() => tensor([1, 2]).bincount()).toThrow(/float32/);
  expect(() => finfo('i32')).toThrow(/int32/);
});

test('oneHot is int64 by default', () => {
  expect(oneHot(tensor([0, 2]), 3).dtype).toBe('int64');
  expect(oneHot(tensor([0, 2]), 3, 'float32').dtype).toBe('float32');
});
