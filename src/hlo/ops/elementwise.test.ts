import { describe, expect, test } from 'vitest';
import type { BinaryName, comparisonDirections, UnaryName } from '../attributes.ts';
import { bf16ToNumber, toBf16, toTf32 } from '../element-codec.ts';
import { literal, toNumbers } from '../literal.ts';
import { inferTypes } from '../op-table.ts';
import { dynamicDim, type ElementType, tensorType } from '../types.ts';
import { applyBinary, applyUnary } from './apply.ts';
import { erf } from './erf.ts';
import { constraintOf, numbers } from './ops.testing.ts';

const [inf, nan] = [Infinity, Number.NaN];
const unary = (name: UnaryName, type: ElementType, values: (number | bigint)[]): unknown[] => [
  ...applyUnary(name, literal(type, [values.length], values)).data,
];
const binary = (name: BinaryName, type: ElementType, pairs: (number | bigint)[][]): unknown[] => [
  ...applyBinary(
    name,
    literal(
      type,
      [pairs.length],
      pairs.map(p => p[0]!),
    ),
    literal(
      type,
      [pairs.length],
      pairs.map(p => p[1]!),
    ),
  ).data,
];

describe('unary', () => {
  test.each([
    ['abs', 'f32', [-1.5, -0, nan], [1.5, 0, nan]],
    ['abs', 'i8', [-128, -3, 5], [-128, 3, 5]],
    ['sign', 'f32', [-2, -0, 0, 3, nan], [-1, -0, 0, 1, nan]],
    ['sign', 'i64', [-5n, 0n, 9n], [-1n, 0n, 1n]],
    ['negate', 'ui8', [1, 0, 255], [255, 0, 1]],
    ['not', 'i1', [0, 1], [1, 0]],
    ['not', 'i16', [0, -1, 5], [-1, 0, -6]],
    ['popcnt', 'i8', [-1, 0, 127, -128], [8, 0, 7, 1]],
    ['popcnt', 'ui64', [2n ** 64n - 1n, 5n], [64n, 2n]],
    ['count_leading_zeros', 'i8', [-1, 0, 1, 127], [0, 8, 7, 1]],
    ['count_leading_zeros', 'i64', [0n, 1n, -1n], [64n, 63n, 0n]],
    ['round_nearest_even', 'f64', [0.5, 1.5, 2.5, -0.5, -1.5, 2.4999], [0, 2, 2, -0, -2, 2]],
    ['round_nearest_afz', 'f64', [0.5, 1.5, 2.5, -0.5, -2.5, 0.49999999999999994], [1, 2, 3, -1, -3, 0]],
    ['floor', 'f32', [-1.5, 1.5, -0], [-2, 1, -0]],
    ['ceil', 'f32', [-1.5, 1.5, -0.5], [-1, 2, -0]],
    ['sqrt', 'f64', [4, -1, 0], [2, nan, 0]],
    ['rsqrt', 'f64', [4, 0], [0.5, inf]],
    ['cbrt', 'f64', [-27, 8], [-3, 2]],
    ['logistic', 'f64', [0, -800, 800], [0.5, 0, 1]],
    ['exponential', 'f32', [0, -inf, inf], [1, 0, inf]],
    ['log_plus_one', 'f64', [1e-300], [1e-300]],
    ['exponential_minus_one', 'f64', [1e-300], [1e-300]],
    ['tanh', 'f64', [-inf, 0, inf], [-1, 0, 1]],
  ] as const)('%s of %s', (name, type, values, expected) => {
    expect(unary(name, type, [...values])).toEqual([...expected]);
  });
  test('results are rounded to the element type', () => {
    expect(unary('exponential', 'f32', [1])).toEqual([Math.fround(Math.E)]);
    expect(unary('exponential', 'f16', [1])).toEqual([2.71875]);
    expect(toNumbers(applyUnary('exponential', literal('bf16', [1], [1])))).toEqual([2.71875]);
  });
  test('erf is accurate to 3 units in the last place', () => {
    // Values to 17 digits, computed with mpmath.
    const known = [
      [1e-300, 1.1283791670955126e-300],
      [0.1, 0.1124629160182849],
      [0.5, 0.5204998778130465],
      [1, 0.8427007929497149],
      [1.5, 0.9661051464753108],
      [2, 0.9953222650189527],
      [3, 0.9999779095030014],
      [4, 0.9999999845827421],
      [5.5, 0.9999999999999927],
    ] as const;
    for (const [x, expected] of known) {
      expect(Math.abs(erf(x) - expected)).toBeLessThanOrEqual(3 * expected * 2 ** -52);
      expect(erf(-x)).toBe(-erf(x));
    }
    expect([erf(inf), erf(-inf), erf(0), erf(-0), erf(nan)]).toEqual([1, -1, 0, -0, nan]);
  });
});

describe('binary', () => {
  test.each([
    [
      'add',
      'i8',
      [
        [127, 1],
        [-128, -1],
      ],
      [-128, 127],
    ],
    [
      'add',
      'i1',
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      [0, 1, 1],
    ],
    [
      'multiply',
      'i1',
      [
        [0, 1],
        [1, 1],
      ],
      [0, 1],
    ],
    [
      'multiply',
      'i32',
      [
        [2147483647, 2147483647],
        [-2147483648, -1],
      ],
      [1, -2147483648],
    ],
    [
      'multiply',
      'ui32',
      [
        [4294967295, 4294967295],
        [65537, 65537],
      ],
      [1, 131073],
    ],
    [
      'multiply',
      'i64',
      [
        [2n ** 62n, 4n],
        [-3n, 5n],
      ],
      [0n, -15n],
    ],
    ['subtract', 'ui16', [[0, 1]], [65535]],
    [
      'divide',
      'i32',
      [
        [7, 2],
        [-7, 2],
        [7, 0],
        [-2147483648, -1],
      ],
      [3, -3, -1, -2147483648],
    ],
    [
      'divide',
      'ui32',
      [
        [4294967295, 2],
        [1, 0],
      ],
      [2147483647, 4294967295],
    ],
    [
      'divide',
      'f32',
      [
        [1, 3],
        [1, 0],
        [0, 0],
      ],
      [Math.fround(1 / 3), inf, nan],
    ],
    [
      'remainder',
      'i32',
      [
        [7, 3],
        [-7, 3],
        [7, -3],
        [5, 0],
      ],
      [1, -1, 1, 5],
    ],
    [
      'remainder',
      'f64',
      [
        [5.5, 2],
        [-5.5, 2],
      ],
      [1.5, -1.5],
    ],
    [
      'maximum',
      'f32',
      [
        [1, nan],
        [nan, 1],
        [-0, 0],
        [2, 3],
      ],
      [nan, nan, 0, 3],
    ],
    [
      'minimum',
      'f32',
      [
        [1, nan],
        [nan, 1],
        [-0, 0],
        [2, 3],
      ],
      [nan, nan, -0, 2],
    ],
    ['maximum', 'ui64', [[2n ** 63n, 1n]], [2n ** 63n]],
    [
      'power',
      'i32',
      [
        [3, 4],
        [2, -1],
        [-1, -3],
        [1, -9],
        [0, 0],
        [7, 13],
      ],
      [81, 0, -1, 1, 1, -1895237401],
    ],
    [
      'power',
      'f64',
      [
        [2, 0.5],
        [1, nan],
        [-1, inf],
        [nan, 0],
      ],
      [Math.SQRT2, 1, 1, 1],
    ],
    [
      'atan2',
      'f64',
      [
        [1, 1],
        [0, -1],
      ],
      [Math.PI / 4, Math.PI],
    ],
    [
      'shift_left',
      'i8',
      [
        [1, 7],
        [1, 8],
        [1, -1],
        [-1, 1],
      ],
      [-128, 0, 0, -2],
    ],
    [
      'shift_right_arithmetic',
      'i8',
      [
        [-128, 3],
        [-128, 100],
        [64, 9],
      ],
      [-16, -1, 0],
    ],
    [
      'shift_right_logical',
      'i8',
      [
        [-128, 3],
        [-1, 8],
        [-1, 7],
      ],
      [16, 0, 1],
    ],
    ['shift_right_arithmetic', 'ui8', [[128, 1]], [192]],
    [
      'shift_right_logical',
      'i64',
      [
        [-1n, 60n],
        [-1n, 64n],
      ],
      [15n, 0n],
    ],
    ['xor', 'i32', [[5, 3]], [6]],
  ] as const)('%s of %s', (name, type, pairs, expected) => {
    expect(
      binary(
        name,
        type,
        pairs.map(p => [...p]),
      ),
    ).toEqual([...expected]);
  });
});

describe('rounding', () => {
  test('f64 to bf16 rounds once', () => {
    // Slightly more than halfway between two bf16 numbers: through f32, it would become a tie and round to even.
    const above = 1 + 2 ** -8 + 2 ** -40;
    expect(bf16ToNumber(toBf16(above))).toBe(1 + 2 ** -7);
    expect(bf16ToNumber(toBf16(1 + 2 ** -8))).toBe(1);
    expect(bf16ToNumber(toBf16(-above))).toBe(-1 - 2 ** -7);
    expect([toBf16(inf), toBf16(1e300), toBf16(-0)]).toEqual([0x7f80, 0x7f80, 0x8000]);
    expect(bf16ToNumber(toBf16(nan))).toBeNaN();
  });
  test('tf32 keeps ten bits', () => {
    expect([toTf32(1 + 2 ** -10), toTf32(1 + 2 ** -11), toTf32(1 + 3 * 2 ** -11)]).toEqual([
      1 + 2 ** -10,
      1,
      1 + 2 ** -9,
    ]);
  });
  test('reduce_precision overflows to infinity and flushes subnormals', () => {
    const values = [1 + 2 ** -11, 1 + 3 * 2 ** -11, 65519, 65520, 2 ** -14, 2 ** -15, -(2 ** -20), nan, -inf];
    const out = numbers([literal('f32', [9], values)], (b, [x]) =>
      b.emit1('reduce_precision', [x!], { exponentBits: 5, mantissaBits: 10 }),
    );
    expect(out).toEqual([1, 1 + 2 ** -9, 65504, inf, 2 ** -14, 0, -0, nan, -inf]);
  });
});

describe('convert', () => {
  const convert = (from: ElementType, to: ElementType, values: (number | bigint)[]): unknown[] =>
    numbers([literal(from, [values.length], values)], (b, [x]) => b.convert(x!, to));
  test.each([
    ['f32', 'i32', [1.9, -1.9, nan, inf, -inf, 3e9], [1, -1, 0, 2147483647, -2147483648, 2147483647]],
    ['f32', 'ui8', [-1, 255.9, 256], [0, 255, 255]],
    ['f64', 'i64', [1e19, -1e19, 1.5], [2 ** 63, -(2 ** 63), 1]],
    ['f32', 'i1', [0, -0, 0.1, nan], [0, 0, 1, 1]],
    ['i32', 'i8', [300, -129], [44, 127]],
    ['i8', 'ui32', [-1], [4294967295]],
    ['i64', 'i32', [2n ** 32n + 5n], [5]],
    ['i64', 'f32', [2n ** 24n + 1n, 2n ** 62n + 2n ** 38n + 1n], [2 ** 24, 2 ** 62 + 2 ** 39]],
    ['i1', 'f32', [0, 1], [0, 1]],
    ['f64', 'f16', [65519, 65520, 1e-8], [65504, inf, 0]],
  ] as const)('%s to %s', (from, to, values, expected) => {
    expect(convert(from, to, [...values])).toEqual([...expected]);
  });
});

test('compare: NaN is unequal to everything, and has its place in the total order', () => {
  const values = [-nan, -inf, -0, 0, 1, nan];
  const order = literal('f32', [6], values);
  const same = (direction: (typeof comparisonDirections)[number]): number[] =>
    numbers([order, order], (b, [x, y]) => b.compare(direction, x!, y!));
  expect(same('EQ')).toEqual([0, 1, 1, 1, 1, 0]);
  expect(same('NE')).toEqual([1, 0, 0, 0, 0, 1]);
  const total = numbers([literal('f32', [3], [-0, 1, inf]), literal('f32', [3], [0, nan, nan])], (b, args) =>
    b.emit1('compare', args, { comparisonDirection: 'LT', compareType: 'TOTALORDER' }),
  );
  expect(total).toEqual([1, 1, 1]);
});

test('select, clamp, is_finite, bitcast_convert', () => {
  const [x, y] = [literal('f32', [3], [1, 2, 3]), literal('f32', [3], [-1, -2, -3])];
  expect(numbers([literal('i1', [3], [1, 0, 1]), x, y], (b, [p, q, r]) => b.select(p!, q!, r!))).toEqual([1, -2, 3]);
  expect(numbers([literal('i1', [], [0]), x, y], (b, [p, q, r]) => b.select(p!, q!, r!))).toEqual([-1, -2, -3]);
  expect(
    numbers([literal('f32', [], [1.5]), x, literal('f32', [3], [9, 9, 2])], (b, args) => b.emit1('clamp', args, {})),
  ).toEqual([1.5, 2, 2]);
  expect(numbers([literal('f32', [4], [1, nan, inf, -inf])], (b, args) => b.emit1('is_finite', args, {}))).toEqual([
    1, 0, 0, 0,
  ]);
  const bits = (b: Parameters<Parameters<typeof numbers>[1]>[0], args: Parameters<Parameters<typeof numbers>[1]>[1]) =>
    b.emit1('bitcast_convert', args, { type: tensorType('ui16', [3, 2]) });
  expect(numbers([x], bits)).toEqual([0, 0x3f80, 0, 0x4000, 0, 0x4040]);
  expect(
    numbers([x], (b, args) => b.emit1('bitcast_convert', [bits(b, args)], { type: tensorType('f32', [3]) })),
  ).toEqual([1, 2, 3]);
});

test('mismatched types are rejected with their constraint; unknown dims are inferred from known ones', () => {
  const f32 = (shape: number[]) => tensorType('f32', shape);
  expect(constraintOf(() => inferTypes('add', [f32([2]), f32([3])], {}, []))).toBe('add_c1');
  expect(constraintOf(() => inferTypes('add', [f32([2]), tensorType('i32', [2])], {}, []))).toBe('add_c1');
  expect(constraintOf(() => inferTypes('and', [f32([2]), f32([2])], {}, []))).toBe('and_i1');
  expect(constraintOf(() => inferTypes('abs', [tensorType('ui8')], {}, []))).toBe('abs_i1');
  expect(constraintOf(() => inferTypes('add', [f32([2])], {}, []))).toBe('trenio_add_arity');
  expect(constraintOf(() => inferTypes('select', [tensorType('i1', [3]), f32([2]), f32([2])], {}, []))).toBe(
    'select_c1',
  );
  expect(constraintOf(() => inferTypes('clamp', [f32([3]), f32([2]), f32([2])], {}, []))).toBe('clamp_c1');
  expect(
    constraintOf(() =>
      inferTypes('compare', [f32([2]), f32([2])], { comparisonDirection: 'LT', compareType: 'SIGNED' }, []),
    ),
  ).toBe('compare_c3');
  expect(constraintOf(() => inferTypes('bitcast_convert', [f32([2])], { type: tensorType('ui16', [2]) }, []))).toBe(
    'bitcast_convert_c1',
  );
  expect(inferTypes('add', [f32([dynamicDim, 3]), f32([2, dynamicDim])], {}, [])).toEqual([f32([2, 3])]);
  expect(inferTypes('tanh', [f32([dynamicDim])], {}, [])).toEqual([f32([dynamicDim])]);
});
