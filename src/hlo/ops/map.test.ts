// map compared with a loop over the elements.
import { describe, expect, test } from 'vitest';
import type { Builder } from '../builder.ts';
import { scalar, toNumbers } from '../literal.ts';
import type { Value } from '../program.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { type TensorType, tensorType } from '../types.ts';
import { numbers, refusalOf, runDecomposed } from './ops.testing.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);

describe('map', () => {
  const body = (b: Builder, [x, y, z]: readonly Value[]): Value => {
    const element = tensorType('f32');
    const region = b.region([element, element], (inner, [p, q]) => [
      inner.select(inner.compare('LT', p!, z!), inner.fill('f32', [], 9), inner.multiply(p!, q!)),
    ]);
    return b.emit1('map', [x!, y!], { dimensions: [0, 1] }, [region]);
  };
  const inputs = [sampleLiteral('f32', [3, 4]), sampleLiteral('f32', [3, 4], 2), scalar('f32', 0.25)];
  test('applies its region to each element, with captured values', () => {
    const [xs, ys] = [toNumbers(inputs[0]!), toNumbers(inputs[1]!)];
    const expected = xs.map((x, i) => (x < 0.25 ? 9 : Math.fround(x * ys[i]!)));
    expect(numbers(inputs, body)).toEqual(expected);
    expect(toNumbers(runDecomposed(inputs, body)[0]!)).toEqual(expected);
  });
  test('constraints', () => {
    const map = (
      shapes: readonly number[][],
      dimensions: readonly number[],
      args: readonly TensorType[],
      result: TensorType,
    ) =>
      refusalOf(
        shapes.map(shape => f32(...shape)),
        (b, v) => {
          const region = b.region(args, inner => [inner.fill(result.elementType, result.shape, 1)]);
          return b.emit1('map', v, { dimensions }, [region]);
        },
      );
    const element = f32();
    expect(map([[3], [3]], [0], [element, element], tensorType('i32'))).toBe('accepted');
    expect(map([[3], [4]], [0], [element, element], element)).toBe('map_c1');
    expect(map([], [], [], element)).toBe('trenio_map_arity');
    expect(map([[3]], [0, 1], [element], element)).toBe('map_c3');
    expect(map([[3, 3]], [1, 0], [element], element)).toBe('map_c3');
    expect(map([[3]], [0], [element, element], element)).toBe('map_c4');
    expect(map([[3]], [0], [f32(3)], element)).toBe('map_c4');
    expect(map([[3]], [0], [element], f32(3))).toBe('map_c4');
    expect(map([[3]], [0], [tensorType('f64')], element)).toBe('map_c4');
  });
});
