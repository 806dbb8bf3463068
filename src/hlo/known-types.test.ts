// Types of ops that were recorded before at a line are those that inference gives, and are not inferred again.
import { expect, test } from 'vitest';
import { Builder } from './builder.ts';
import { type TensorType, tensorType } from './types.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);
const location = { file: 'train.ts', line: 1, column: 1 };

/** A step with a batch of this size: the types of its ops. */
function step(b: Builder, size: number, isLonger = false): readonly TensorType[] {
  b.location = location;
  const [x, w] = [b.argument(f32(size, 3), 0), b.argument(f32(3, 3), 1)];
  const dims = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
  };
  const y = b.dotGeneral(x, w, dims);
  const parts = [b.transpose(y, [1, 0]), b.reshape(y, [3 * size]), b.reshape(y, [3, size])];
  return [y, ...parts, ...(isLonger ? [b.add(y, y)] : [])].map(({ type }) => type);
}
const expected = (size: number): readonly TensorType[] => [f32(size, 3), f32(3, size), f32(3 * size), f32(3, size)];

test('the types of an op that was recorded before', () => {
  const b = new Builder();
  const first = step(b, 2);
  expect(first).toEqual(expected(2));
  step(b, 2);
  step(b, 2).forEach((type, i) => {
    expect(type).toBe(first[i]);
  });
});
test('other sizes and other ops at the line', () => {
  const b = new Builder();
  for (const size of [2, 2, 4, 2, 2, 4, 4, 2, ...Array.from({ length: 40 }, (_, i) => i + 5), 2])
    expect(step(b, size)).toEqual(expected(size));
  expect(step(b, 2, true)).toEqual([...expected(2), f32(2, 3)]);
  expect(() => b.reshape(b.argument(f32(2, 3), 0), [5])).toThrow('6 elements');
});
