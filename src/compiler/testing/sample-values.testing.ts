// For tests: element types, and values for each of them.
import { type ElementType, isFloat } from '../../hlo/types.ts';

/** The types of elements that compiled programs take, without complex and quantized ones. */
export const types: readonly ElementType[] = [
  'f32',
  'f64',
  'bf16',
  'f16',
  'i1',
  'i8',
  'i16',
  'i32',
  'i64',
  'ui8',
  'ui16',
  'ui32',
  'ui64',
];
/** Numbers between -3 and 3 without a pattern. */
export const wave = (i: number): number => Math.sin(i * 12.9898 + 0.5) * 3;

/** Values that matter for a type: the edges, then a spread. */
export function edge(type: ElementType): (i: number) => number {
  if (isFloat(type)) {
    const special = [0, -0, 1, -1, 0.5, -0.5, 1.5, -2.5, Infinity, -Infinity, Number.NaN, 1e-3, 100, -100, 3.25, 1e-30];
    return i => (i < special.length ? special[i]! : wave(i));
  }
  if (type === 'i1') return i => ((i * 7) % 3 === 0 ? 1 : 0);
  const signed = type.startsWith('i');
  const bits = Number(type.replace(/\D/g, ''));
  const max = bits > 32 ? 2 ** 52 : signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const special = signed
    ? [0, 1, -1, 2, -2, max, -max - (bits > 32 ? 0 : 1), 7, -7, 3]
    : [0, 1, 2, max, max - 1, 7, 3, 5];
  return i => (i < special.length ? special[i]! : Math.trunc(wave(i) * 30) * (signed ? 1 : Math.sign(wave(i))));
}
