// For tests: whether compiled results are as near to the reference as their element type allows.
import { expect } from 'vitest';
import { type Literal, toNumbers } from '../../hlo/literal.ts';
import { partType } from '../../hlo/ops/complex.ts';
import { isComplex } from '../../hlo/ops/element-data.ts';
import { type ElementType, isFloat, tensorType } from '../../hlo/types.ts';

const tolerances: { readonly [T in ElementType]?: number } = { f64: 1e-12, f32: 2e-6, f16: 2e-3, bf16: 1.6e-2 };
/** Magnitude below which differences count as absolute. */
const floors: { readonly [T in ElementType]?: number } = { f64: 1e-300, f32: 1e-35, f16: 1e-3, bf16: 1e-35 };

/**
 * Equal shapes and types; integers and booleans exactly; floats within a relative error of the type's precision, or
 * within `tolerance` of the larger of 1 and their magnitude if given (for sums of terms that cancel).
 */
export function expectClose(got: Literal, expected: Literal, name: string, tolerance?: number): void {
  expect(got.type, name).toEqual(expected.type);
  const { elementType } = expected.type;
  if (isComplex(elementType)) {
    // part by part
    const parts = (x: Literal): Literal => ({
      type: tensorType(partType(elementType), [...x.type.shape, 2]),
      data: x.data,
    });
    expectClose(parts(got), parts(expected), name, tolerance);
    return;
  }
  if (!isFloat(elementType)) {
    expect(Array.from(got.data as Int32Array), name).toEqual(Array.from(expected.data as Int32Array));
    return;
  }
  const [a, b] = [toNumbers(got), toNumbers(expected)];
  // of low-precision floats, neighbors count as close
  const relative = tolerances[elementType] ?? (elementType === 'tf32' ? 1e-3 : 0.5);
  for (let i = 0; i < b.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (Object.is(x, y) || x === y) continue;
    const magnitude = Math.max(Math.abs(y), tolerance === undefined ? (floors[elementType] ?? 1e-35) : 1);
    const allowed = magnitude * Math.max(relative, tolerance ?? 0);
    if (!(Math.abs(x - y) <= allowed)) expect.fail(`${name}[${i}]: got ${x}, expected ${y}`);
  }
}
