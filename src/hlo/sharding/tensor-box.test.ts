import { expect, test } from 'vitest';
import { elementCount, tensorType } from '../types.ts';
import { copyCommon, type TensorBox } from './tensor-box.ts';

const type = tensorType('i8', [2, 3, 2]);
const whole = Uint8Array.from({ length: elementCount(type.shape) }, (_, i) => i + 1);
const intervals = (size: number): readonly (readonly [offset: number, size: number])[] =>
  Array.from({ length: size }, (_, begin) =>
    Array.from({ length: size - begin + 1 }, (_, length) => [begin, length] as const),
  ).flat();
const boxes = type.shape
  .map(intervals)
  .reduce<TensorBox[]>(
    (all, dim) =>
      all.flatMap(box => dim.map(([at, size]) => ({ offset: [...box.offset, at], shape: [...box.shape, size] }))),
    [{ offset: [], shape: [] }],
  );

/** Element by element: those of the tensor that are in both boxes, in the array of the second one. */
function expected(source: TensorBox, target: TensorBox): Uint8Array {
  const isIn = (box: TensorBox, at: readonly number[]): boolean =>
    at.every((i, dim) => i >= box.offset[dim]! && i < box.offset[dim]! + box.shape[dim]!);
  return Uint8Array.from({ length: elementCount(target.shape) }, (_, i) => {
    let rest = i;
    const at = target.shape
      .toReversed()
      .map(size => {
        const index = rest % size;
        rest = Math.floor(rest / size);
        return index;
      })
      .toReversed()
      .map((index, dim) => index + target.offset[dim]!);
    const position = at.reduce((sum, index, dim) => sum * type.shape[dim]! + index, 0);
    return isIn(source, at) ? whole[position]! : 0;
  });
}

test('boxes copy what they have in common', () => {
  for (const source of boxes) {
    const bytes = expected({ offset: [0, 0, 0], shape: type.shape }, source);
    for (const target of boxes) {
      const copied = new Uint8Array(elementCount(target.shape));
      copyCommon(type, { box: source, bytes }, { box: target, bytes: copied });
      expect(copied, JSON.stringify([source, target])).toEqual(expected(source, target));
    }
  }
});
