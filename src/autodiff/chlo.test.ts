// Edge cases of the gradients of CHLO ops that random cases do not reach.
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../hlo/literal.ts';
import { moduleOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { grad } from './gradient.ts';

/** The slope of the sum of the results with respect to each element of the first argument. */
function slopes(args: readonly Literal[], body: (b: Builder, args: readonly Value[]) => Value): number[] {
  const func = buildFunc(
    'main',
    args.map(x => x.type),
    (b, values) => [b.sum(body(b, values))],
  );
  return toNumbers(interpret(moduleOf(grad(func, [0])), args)[1]!);
}
function refusal(args: readonly Literal[], body: (b: Builder, args: readonly Value[]) => Value): string {
  try {
    slopes(args, body);
  } catch (error) {
    if (isTrenioError(error, 'NOT_DIFFERENTIABLE')) return error.message;
    throw error;
  }
  return 'accepted';
}

test('slopes are finite where two formulas meet, and for large arguments', () => {
  const x = literal('f32', [5], [-1e30, -8, 0, 8, 1e30]);
  const bessel = slopes([x], (b, [v]) => b.emit1('chlo.bessel_i1e', [v!], {}));
  expect(bessel.every(Number.isFinite)).toBe(true);
  expect(bessel[2]).toBeCloseTo(0.5, 6);
  expect(slopes([x], (b, [v]) => b.emit1('chlo.asinh', [v!], {})).every(Number.isFinite)).toBe(true);
});

test('a scan over zero steps passes on the cotangent of the carry', () => {
  const row = tensorType('f32', [2]);
  const found = slopes([literal('f32', [2], [1, 2]), literal('f32', [0, 2], [])], (b, [init, x]) => {
    const body = b.region([row, row], (inner, [v, carry]) => [inner.multiply(v!, carry!)]);
    const resultTypes = [row];
    return b.emit('chlo.scan', [x!, init!], { dimension: 0, isReverse: false, inputs: 1, resultTypes }, [body])[0]!;
  });
  expect(found).toEqual([1, 1]);
});

describe('ops without a derivative are rejected', () => {
  const x = literal('f32', [2], [1, 2]);
  test('the order of polygamma, the exponent of zeta', () => {
    expect(refusal([x, x], (b, args) => b.emit1('chlo.polygamma', args, {}))).toContain('integer');
    expect(refusal([x, x], (b, args) => b.emit1('chlo.zeta', args, {}))).toContain('exponent');
  });
  test('complex numbers of chlo', () => {
    expect(refusal([x, x], (b, args) => b.emit1('real', [b.emit1('chlo.broadcast_complex', args, {})], {}))).toContain(
      'complex',
    );
  });
});
