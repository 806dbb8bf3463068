// Members of PyTorch's tensors that do not exist here, and PyTorch's spellings, throw errors that name the replacement.
import { expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { tensor } from '../index.ts';
import { absentNames } from '../surface/absent.ts';

const read = (name: string): unknown => (tensor([1, 2]) as unknown as Record<string, unknown>)[name];

test.each(absentNames.filter(({ name }) => name.startsWith('Tensor.')))('$name', ({ name, instead }) => {
  let told: unknown;
  try {
    read(name.slice('Tensor.'.length));
  } catch (error) {
    told = error;
  }
  expect(isTrenioError(told) && told.code).toBe('ABSENT_NAME');
  expect(String(told)).toContain(instead);
});
test.each([
  ['masked_fill', 'use maskedFill'],
  ['clamp_min', 'use clampMin'],
  ['index_select', 'use indexSelect'],
  ['requires_grad_', 'use requiresGrad_'],
  ['is_contiguous', 'use isContiguous'],
])('%s is PyTorch’s spelling', (name, fix) => {
  expect(() => read(name)).toThrow(fix);
});
test('printing, comparing and copying a tensor read none of them', () => {
  const x = tensor([1, 2]);
  expect(String(x)).toContain('1');
  expect({ x }).not.toEqual({ x: tensor([3, 4]) });
  expect(Object.keys({ ...x })).not.toContain('cuda');
});
test('names that PyTorch does not have are undefined', () => {
  expect(read('then')).toBeUndefined();
  expect(read('somethingElse')).toBeUndefined();
});
