import { expect, test } from 'vitest';
import { elementAt } from './element-at.ts';

test('returns an element, which may itself be undefined', () => {
  expect(elementAt([3, 4], 1)).toBe(4);
  expect(elementAt([undefined], 0)).toBeUndefined();
});
test.each([-1, 2, 0.5, Number.NaN])('element %d of two is an internal error', i => {
  expect(() => elementAt([3, 4], i)).toThrow(`element ${i} of a list of 2`);
});
