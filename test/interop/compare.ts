// Compares two arrays computed by programs with different summation orders.
import { type Literal, numberAt } from '../../src/hlo/literal.ts';
import { formatType, isFloat, numberKind } from '../../src/hlo/types.ts';

/**
 * Tolerance relative to the largest element of the array: the difference caused by other summation orders in whole training
 * steps.
 */
const tolerances: { readonly [type: string]: number } = {
  f64: 1e-10,
  'complex<f64>': 1e-10,
  f32: 2e-4,
  'complex<f32>': 2e-4,
  f16: 2e-3,
  bf16: 2e-2,
};

/** Upper bound for gradients that are zero except for rounding, such as those of key biases. */
const noise = 1e-4;

/** Describes the difference; undefined if there is none. Integers must be equal, NaN and infinities at equal positions. */
export function difference(actual: Literal, expected: Literal): string | undefined {
  if (formatType(actual.type) !== formatType(expected.type))
    return `it is ${formatType(actual.type)}, expected ${formatType(expected.type)}`;
  const { elementType } = expected.type;
  const exact = !isFloat(elementType) && numberKind(elementType) !== 'complex';
  let scale = 0;
  for (let i = 0; i < expected.data.length; i++) {
    const size = Math.abs(numberAt(expected, i));
    if (Number.isFinite(size) && size > scale) scale = size;
  }
  const allowed = exact ? 0 : (tolerances[elementType] ?? 0) * Math.max(scale, noise);
  let worst: { readonly at: number; readonly by: number } | undefined;
  for (let i = 0; i < expected.data.length; i++) {
    const [a, b] = exact ? [actual.data[i], expected.data[i]] : [numberAt(actual, i), numberAt(expected, i)];
    if (Object.is(a, b) || a === b) continue;
    const by = exact ? Infinity : Math.abs(Number(a) - Number(b));
    if (by <= allowed) continue;
    if (worst === undefined || by > worst.by || Number.isNaN(by)) worst = { at: i, by };
  }
  if (worst === undefined) return undefined;
  const { at } = worst;
  return `entry ${at} is ${actual.data[at]}, expected ${expected.data[at]}`;
}
