import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChloUnaryName } from '../attributes.ts';
import { literal, toNumbers } from '../literal.ts';
import { type ElementType, tensorType } from '../types.ts';
import { constraintOf, numbers, run } from './ops.testing.ts';

// Values from mpmath, to 17 digits.
const real: readonly (readonly [ChloUnaryName, readonly number[], readonly number[]])[] = [
  ['chlo.acos', [-0.875, 0.25, 1], [2.636232143305636, 1.318116071652818, 0]],
  ['chlo.acosh', [1, 1.5, 1e10], [0, 0.9624236501192069, 23.7189981105004]],
  ['chlo.asin', [-1, -0.875, 0.25], [-1.5707963267948966, -1.0654358165107394, 0.25268025514207865]],
  ['chlo.asinh', [-20, 1e-4, 1.5], [-3.6895038689889055, 0.00009999999983333334, 1.1947632172871094]],
  ['chlo.atan', [-20, 0.25, 1.5], [-1.520837931072954, 0.24497866312686414, 0.982793723247329]],
  ['chlo.atanh', [-0.875, 0.25], [-1.354025100551105, 0.25541281188299536]],
  [
    'chlo.bessel_i1e',
    [-20, -0.5, 0, 3, 9],
    [-0.08750622218328866, -0.1564208031848717, 0, 0.19682671329730084, 0.1272249839358912],
  ],
  ['chlo.cosh', [-3, 0.25], [10.067661995777765, 1.0314130998795732]],
  ['chlo.sinh', [-3, 0.25, 1e-4], [-10.017874927409903, 0.2526123168081683, 0.00010000000016666667]],
  ['chlo.tan', [-3, 0.25], [0.1425465430742778, 0.25534192122103627]],
  [
    'chlo.digamma',
    [-2.25, 0.25, 1, 30],
    [4.158583564657972, -4.2274535333762655, -0.5772156649015329, 3.384438132685525],
  ],
  ['chlo.lgamma', [-2.25, 0.25, 1, 3, 30], [0.5555015450206474, 1.2880225246980774, 0, Math.LN2, 71.257038967168]],
  [
    'chlo.erfc',
    [-3, -0.25, 0.5, 1.5, 9, 20],
    [
      1.9999779095030015, 1.276326390168237, 0.4795001221869535, 0.033894853524689274, 4.13703174651381e-37,
      5.395865611607901e-176,
    ],
  ],
  [
    'chlo.erf_inv',
    [-0.999, -0.25, 0.5, 0.9999],
    [-2.3267537655135246, -0.22531205501217808, 0.4769362762044699, 2.75106390571208],
  ],
  ['chlo.square', [-3, 0.25], [9, 0.0625]],
];
const close = (got: readonly number[], want: readonly number[], tolerance: number): void => {
  got.forEach((value, i) => {
    expect(Math.abs(value - want[i]!)).toBeLessThanOrEqual(tolerance * (Math.abs(want[i]!) || 1));
  });
};
const apply = (name: ChloUnaryName, type: ElementType, xs: readonly number[]): number[] =>
  numbers([literal(type, [xs.length], xs)], (b, [x]) => b.emit1(name, [x!], {}));

describe('real functions', () => {
  test.each(real)('%s in f64', (name, xs, want) => {
    close(apply(name, 'f64', xs), want, 2e-13);
  });
  test.each(real)('%s in f32 and bf16', (name, xs, want) => {
    const [normal, expected] = [xs, want].map(list =>
      list.filter((_, i) => Math.abs(want[i]!) > 1e-30 || want[i] === 0),
    );
    // 0.9999 and -0.999 are rounded in bf16.
    if (name !== 'chlo.erf_inv') close(apply(name, 'bf16', normal!), expected!, 0.04);
    close(apply(name, 'f32', normal!), expected!, 1e-4);
  });
  test('limits and poles', () => {
    const limits = [Infinity, -Infinity, NaN];
    expect(apply('chlo.lgamma', 'f32', [...limits, 0, -3])).toEqual([Infinity, Infinity, NaN, Infinity, Infinity]);
    expect(apply('chlo.digamma', 'f64', [0, -1, NaN])).toEqual([NaN, NaN, NaN]);
    expect(apply('chlo.erf_inv', 'f32', [1, -1, 2])).toEqual([Infinity, -Infinity, NaN]);
    expect(apply('chlo.erfc', 'f32', limits)).toEqual([0, 2, NaN]);
    expect(apply('chlo.bessel_i1e', 'f32', limits)).toEqual([0, -0, NaN]);
    expect(apply('chlo.atanh', 'f32', [1, -1, 1.5])).toEqual([Infinity, -Infinity, NaN]);
    expect(apply('chlo.acosh', 'f32', [Infinity, 0.5, 3e38])[1]).toBeNaN();
    expect(apply('chlo.sinh', 'f32', [89, -89])).toEqual(
      apply('chlo.sinh', 'f64', [89, -89]).map(v => expect.closeTo(v, -33)),
    );
    expect(apply('chlo.is_inf', 'f16', limits)).toEqual([1, 1, 0]);
    expect(apply('chlo.is_pos_inf', 'f32', limits)).toEqual([1, 0, 0]);
    expect(apply('chlo.is_neg_inf', 'f32', limits)).toEqual([0, 1, 0]);
  });
});

// At 0.5 - 0.75i, -3 + 0.25i and -0.125 - 40i, from mpmath.
const points = [0.5, -0.75, -3, 0.25, -0.125, -40];
const complexValues: readonly (readonly [ChloUnaryName, readonly number[]])[] = [
  [
    'chlo.acos',
    [
      1.1725184532565882, 0.7433204263252785, 3.0534758313854544, -1.7668693026241513, 1.5739203405365063,
      4.382187726280168,
    ],
  ],
  [
    'chlo.acosh',
    [
      0.7433204263252785, -1.1725184532565882, 1.7668693026241513, 3.0534758313854544, 4.382187726280168,
      -1.5739203405365063,
    ],
  ],
  [
    'chlo.asin',
    [
      0.3982778735383083, -0.7433204263252785, -1.4826795045905576, 1.7668693026241513, -0.00312401374160982,
      -4.382187726280168,
    ],
  ],
  [
    'chlo.asinh',
    [
      0.6063349998873513, -0.6822039655834323, -1.8214041607957312, 0.07891728019870327, -4.381875235409866,
      -1.5676703599659565,
    ],
  ],
  [
    'chlo.atan',
    [
      0.6927241883996009, -0.5902135002795054, -1.2509114353815838, 0.0248651983826595, -1.5707181537007584,
      -0.02500496584363519,
    ],
  ],
  [
    'chlo.atanh',
    [
      0.3104282830771958, -0.7232206661240675, -0.34367220374989566, 1.5398282345194947, -0.00007807544102885469,
      -1.5458017770093349,
    ],
  ],
  [
    'chlo.cosh',
    [
      0.8250713669946073, -0.3551987578907385, 9.754682765293259, -2.478461920357826, -0.6721553032382716,
      0.09338188447943206,
    ],
  ],
  [
    'chlo.sinh',
    [
      0.3812796346521782, -0.7686335646933928, -9.706443456311078, 2.490779438191711, 0.08358452961437657,
      -0.7509419406774759,
    ],
  ],
  ['chlo.tan', [0.2908934618296181, -0.7360841705511909, 0.13383274251519148, 0.24959107241921713, 0, -1]],
  ['chlo.square', [-0.3125, -0.75, 8.9375, -1.5, -1599.984375, 10]],
  ['chlo.conj', [0.5, 0.75, -3, -0.25, -0.125, 40]],
];
describe('complex functions', () => {
  const z = (type: 'complex<f32>' | 'complex<f64>') => ({
    type: tensorType(type, [3]),
    data: type === 'complex<f64>' ? Float64Array.from(points) : Float32Array.from(points),
  });
  test.each(complexValues)('%s', (name, want) => {
    const wide = Array.from(run([z('complex<f64>')], (b, [x]) => b.emit1(name, [x!], {})).data, Number);
    const narrow = Array.from(run([z('complex<f32>')], (b, [x]) => b.emit1(name, [x!], {})).data, Number);
    want.forEach((value, i) => {
      expect(Math.abs(wide[i]! - value)).toBeLessThanOrEqual(1e-12 * Math.max(Math.abs(value), 1e-3));
      expect(Math.abs(narrow[i]! - value)).toBeLessThanOrEqual(1e-5 * Math.max(Math.abs(value), 1e-3));
    });
  });
});

describe('binary functions', () => {
  const binary = (
    name: 'chlo.zeta' | 'chlo.polygamma' | 'chlo.next_after',
    type: ElementType,
    xs: number[],
    ys: number[],
  ) => numbers([literal(type, [xs.length], xs), literal(type, [ys.length], ys)], (b, args) => b.emit1(name, args, {}));
  test('zeta and polygamma', () => {
    const zeta = [2.612375348685488, 4.934802200544679, 0.1181020258208637, 32.4323793698646];
    close(binary('chlo.zeta', 'f64', [1.5, 2, 3, 4], [1, 0.5, 2.5, -1.5]), zeta, 1e-14);
    expect(binary('chlo.zeta', 'f32', [1, 0.5, 2, 3], [2, 2, -1, -1])).toEqual([Infinity, NaN, Infinity, NaN]);
    const polygamma = [-1.9635100260214235, 0.9348022005446793, -0.2362040516417274, 678.7533428745797];
    close(binary('chlo.polygamma', 'f64', [0, 1, 2, 5], [0.5, 1.5, 2.5, 0.75]), polygamma, 1e-13);
    expect(binary('chlo.polygamma', 'f64', [0.5, -1], [1, 1])).toEqual([NaN, NaN]);
  });
  test('next_after', () => {
    const [xs, ys] = [
      [0, 1, 1, -1, 5, NaN, 0, Infinity],
      [1, 2, 0, 1, 5, 1, -0, 0],
    ];
    const want = [2 ** -149, 1 + 2 ** -23, 1 - 2 ** -24, -1 + 2 ** -24, 5, NaN, -0, (2 - 2 ** -23) * 2 ** 127];
    expect(binary('chlo.next_after', 'f32', xs, ys)).toEqual(want);
    expect(binary('chlo.next_after', 'bf16', [1, 0], [2, -1])).toEqual([1 + 2 ** -7, -(2 ** -133)]);
    expect(binary('chlo.next_after', 'f64', [0, 1], [-1, 2])).toEqual([-Number.MIN_VALUE, 1 + Number.EPSILON]);
  });
  const widths = [
    ['i4', 4],
    ['ui4', 4],
    ['i8', 8],
    ['ui8', 8],
    ['i16', 16],
    ['i32', 32],
    ['ui32', 32],
    ['i64', 64],
    ['ui64', 64],
  ] as const;
  test.each(widths)('mulhi of %s', (type, width) => {
    const wrap = type.startsWith('u') ? BigInt.asUintN : BigInt.asIntN;
    const bits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(v => wrap(width, v));
    fc.assert(
      fc.property(fc.array(fc.tuple(bits, bits), { minLength: 1, maxLength: 8 }), pairs => {
        const [xs, ys] = [0, 1].map(side =>
          literal(
            type,
            [pairs.length],
            pairs.map(p => (width === 64 ? p[side]! : Number(p[side]))),
          ),
        );
        const got = run([xs!, ys!], (b, args) => b.emit1('chlo.mulhi', args, {}));
        expect(Array.from(got.data as ArrayLike<number | bigint>, BigInt)).toEqual(
          pairs.map(([x, y]) => wrap(width, (x * y) >> BigInt(width))),
        );
      }),
      { numRuns: 20 },
    );
  });
});

test('reject invalid operands', () => {
  const refused = (name: ChloUnaryName, type: ElementType): string =>
    constraintOf(() => run([literal(type, [1], [0])], (b, [x]) => b.emit1(name, [x!], {})));
  expect(refused('chlo.asin', 'i32')).toBe('trenio_chlo.asin_elements');
  expect(refused('chlo.lgamma', 'i1')).toBe('trenio_chlo.lgamma_elements');
  expect(refused('chlo._asin_acos_kernel', 'f32')).toBe('trenio_chlo._asin_acos_kernel_elements');
  const mulhi = (x: ElementType, y: ElementType): string =>
    constraintOf(() => run([literal(x, [1], [0]), literal(y, [1], [0])], (b, args) => b.emit1('chlo.mulhi', args, {})));
  expect(mulhi('i1', 'i1')).toBe('trenio_chlo.mulhi_elements');
  expect(mulhi('i8', 'i16')).toBe('trenio_chlo.mulhi_types');
  expect(toNumbers(run([literal('f32', [1], [1])], (b, [x]) => b.emit1('chlo.conj', [x!], {})))).toEqual([1]);
});
