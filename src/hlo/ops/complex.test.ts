// Complex numbers and their parts.
import { describe, expect, test } from 'vitest';
import { toNumbers } from '../literal.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { type TensorType, tensorType } from '../types.ts';
import { numbers, refusalOf } from './ops.testing.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);

describe('complex numbers', () => {
  test.each(['f32', 'f64'] as const)('real and imag give back the parts: %s', part => {
    const [x, y] = [sampleLiteral(part, [5]), sampleLiteral(part, [5], 2)];
    const through = (which: 'real' | 'imag'): number[] =>
      numbers([x, y], (b, v) => b.emit1(which, [b.emit1('complex', v, {})], {}));
    expect(through('real')).toEqual(toNumbers(x));
    expect(through('imag')).toEqual(toNumbers(y));
    expect(numbers([x], (b, v) => b.emit1('real', v, {}))).toEqual(toNumbers(x));
    expect(numbers([x], (b, v) => b.emit1('imag', v, {}))).toEqual([0, 0, 0, 0, 0]);
  });
  test('constraints', () => {
    const complex = (...types: TensorType[]) => refusalOf(types, (b, v) => b.emit1('complex', v, {}));
    expect(complex(f32(2), f32(3))).toBe('complex_c1');
    expect(complex(f32(2), tensorType('f64', [2]))).toBe('complex_c1');
    expect(complex(tensorType('f16', [2]), tensorType('f16', [2]))).toBe('complex_c3');
    expect(refusalOf([tensorType('i32')], (b, v) => b.emit1('real', v, {}))).toBe('trenio_real_element_type');
  });
});
