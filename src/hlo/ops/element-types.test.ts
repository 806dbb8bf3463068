// Every element type in the ops that accept it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { smallFloats } from '../../numerics/small-floats.ts';
import { literal, numberAt, scalar, splat, toNumbers, zeros } from '../literal.ts';
import { sequenceDimensionNumbers } from '../sample-convolution.testing.ts';
import { type ElementType, elementTypes, numberKind, tensorType } from '../types.ts';
import { applyBinary, applyUnary } from './apply.ts';
import { convertLiteral } from './convert.ts';
import { bitWidth } from './element-data.ts';
import { numbers, run } from './ops.testing.ts';

const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;

describe('convert', () => {
  const pairs = elementTypes.flatMap(from => elementTypes.map(to => [from, to] as const));
  test('0 and 1 are the same in all types that have them', () => {
    for (const [from, to] of pairs) {
      const has = (type: ElementType, v: number): boolean =>
        !(type === 'f8E8M0FNU' && v === 0) && !(v === 1 && type.endsWith('i1') && numberKind(type) === 'signed');
      for (const v of [0, 1])
        if (has(from, v) && has(to, v)) expect(numberAt(convertLiteral(scalar(from, v), to), 0)).toBe(v);
    }
  });
  test.each<[ElementType, ElementType, readonly (number | bigint)[], readonly number[]]>([
    ['f32', 'i8', [1e9, -1e9, nan, -1.9, 200], [127, -128, 0, -1, 127]],
    ['f64', 'i64', [inf, -inf, nan, -2.5], [2 ** 63, -(2 ** 63), 0, -2]],
    ['f64', 'ui64', [-5, 2 ** 64], [0, 2 ** 64]],
    ['f32', 'i4', [9, -9, 3.9], [7, -8, 3]],
    ['f16', 'ui2', [9, -1, 2.5], [3, 0, 2]],
    ['i32', 'i4', [9, -9, 24], [-7, 7, -8]],
    ['i64', 'ui4', [17n, -1n], [1, 15]],
    ['i32', 'ui2', [5, -1], [1, 3]],
    ['f32', 'i1', [0, -0, nan, 0.5], [0, 0, 1, 1]],
    ['i64', 'f32', [(1n << 62n) + 1n, -(1n << 53n) - 1n], [2 ** 62, -(2 ** 53)]],
    ['i64', 'f8E5M2', [1n << 40n, 6n, 7n, 9n], [inf, 6, 7, 8]],
    ['f64', 'bf16', [1 + 2 ** -8 + 2 ** -40], [1 + 2 ** -7]],
    ['f8E4M3FN', 'f4E2M1FN', [448, -0.75], [6, -1]],
    ['complex<f64>', 'f32', [1.5, 2], [1.5]],
    ['f32', 'complex<f64>', [2.5], [2.5, 0]],
    ['complex<f64>', 'complex<f32>', [1 + 2 ** -40, inf], [1, inf]],
  ])('%s to %s', (from, to, values, expected) => {
    const x = literal(from, [values.length / (numberKind(from) === 'complex' ? 2 : 1)], values);
    expect(toNumbers(convertLiteral(x, to))).toEqual(expected);
  });
});

describe('small floats', () => {
  test.each(smallFloats)('arithmetic in %s is rounded once', type => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), (i, j) => {
        const count = 2 ** bitWidth(type);
        const [x, y] = [i, j].map(code => ({ type: tensorType(type, [1]), data: Uint8Array.of(code % count) }));
        const sum = applyBinary('add', x!, y!);
        const exact = literal(type, [1], [numberAt(x!, 0) + numberAt(y!, 0)]);
        expect(toNumbers(sum)).toEqual(toNumbers(exact));
      }),
    );
  });
  test('support reductions, comparisons, contractions and unary functions', () => {
    const x = literal('f8E4M3FN', [4], [1, 2, 3, 4]);
    expect(numbers([x], (b, [v]) => b.sum(v!))).toEqual([10]);
    expect(numbers([x], (b, [v]) => b.compare('GT', v!, b.like(v!, 2)))).toEqual([0, 0, 1, 1]);
    const dims = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
    const inner = { ...dims, lhsContractingDimensions: [0], rhsContractingDimensions: [0] };
    expect(numbers([x], (b, [v]) => b.dotGeneral(v!, v!, inner))).toEqual([30]);
    expect(toNumbers(applyUnary('exponential', x))).toEqual([2.75, 7.5, 20, 56]);
    expect(toNumbers(splat(tensorType('f6E2M3FN', [2]), 1.125))).toEqual([1.125, 1.125]);
  });
});

describe('narrow integers wrap', () => {
  test.each<[ElementType, readonly number[], readonly number[]]>([
    ['i2', [1, -2], [-2, 0]],
    ['ui2', [3, 2], [2, 0]],
    ['i4', [7, -8], [-2, 0]],
    ['ui4', [15, 8], [14, 0]],
  ])('%s', (type, values, doubled) => {
    const x = literal(type, [2], values);
    expect(toNumbers(applyBinary('add', x, x))).toEqual(doubled);
    expect(numbers([x, x], (b, [v, w]) => b.sum(b.concatenate([v!, w!], 0)))).toHaveLength(1);
  });
});

describe('64-bit integers', () => {
  test('are convolved and contracted exactly', () => {
    const big = 2n ** 40n + 1n;
    const x = literal('i64', [1, 3, 1], [big, 1n, -big]);
    const kernel = literal('i64', [2, 1, 1], [big, 1n]);
    const result = run([x, kernel], (b, [v, w]) =>
      b.emit('convolution', [v!, w!], {
        windowStrides: [1],
        padding: [[0, 0]],
        lhsDilation: [1],
        rhsDilation: [1],
        windowReversal: [false],
        dimensionNumbers: sequenceDimensionNumbers,
        featureGroupCount: 1,
        batchGroupCount: 1,
        precision: [],
      }),
    );
    expect([...result.data]).toEqual([BigInt.asIntN(64, big * big + 1n), big - big]);
  });
});

describe('complex numbers', () => {
  const z = literal('complex<f32>', [3], [1, 2, 3, -1, 0, 1]);
  test('are added, multiplied, contracted, reduced, scanned by windows and moved', () => {
    expect(numbers([z], (b, [v]) => b.sum(v!))).toEqual([4, 2]);
    expect(numbers([z], (b, [v]) => b.reduce('multiply', v!, b.fill('complex<f32>', [], 1), [0]))).toEqual([-5, 5]);
    const inner = {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [0],
      rhsContractingDimensions: [0],
    };
    // Not conjugated: (1+2i)² + (3-i)² + i² = (-3+4i) + (8-6i) - 1
    expect(numbers([z], (b, [v]) => b.dotGeneral(v!, v!, inner))).toEqual([4, -2]);
    expect(numbers([z], (b, [v]) => b.pad(v!, b.fill('complex<f32>', [], 7), [1], [0]))).toEqual([
      7, 0, 1, 2, 3, -1, 0, 1,
    ]);
    expect(numbers([z], (b, [v]) => b.compare('EQ', v!, v!))).toEqual([1, 1, 1]);
  });
  test('regions see integers', () => {
    const larger = run([z], (b, [v]) => {
      const type = tensorType('complex<f32>');
      const region = b.region([type, type], (inner, [p, q]) => {
        const [x, y] = [inner.emit1('real', [p!], {}), inner.emit1('real', [q!], {})];
        return [inner.select(inner.compare('GE', x, y), p!, q!)];
      });
      return b.emit('reduce', [v!, b.fill('complex<f32>', [], 0)], { dimensions: [0] }, [region]);
    });
    expect([...larger.data]).toEqual([3, -1]);
  });
  test('have a real modulus', () => {
    const size = applyUnary('abs', literal('complex<f64>', [1], [3, -4]));
    expect(size.type).toEqual(tensorType('f64', [1]));
    expect([...size.data]).toEqual([5]);
  });
});

describe('bitcast_convert', () => {
  const cast = (x: ReturnType<typeof literal>, type: ElementType, shape: readonly number[]): unknown[] => [
    ...run([x], (b, [v]) => b.emit('bitcast_convert', [v!], { type: tensorType(type, shape) })).data,
  ];
  test('the first element has the lowest bits', () => {
    expect(cast(literal('i32', [], [0x01020304]), 'i8', [4])).toEqual([4, 3, 2, 1]);
    expect(cast(literal('ui8', [], [0b1010_0110]), 'ui4', [2])).toEqual([0b0110, 0b1010]);
    expect(cast(literal('ui8', [], [0b1010_0110]), 'i4', [2])).toEqual([6, -6]);
    expect(cast(literal('i8', [1], [0b0110_1001]), 'i1', [1, 8])).toEqual([1, 0, 0, 1, 0, 1, 1, 0]);
    expect(cast(literal('i2', [4], [-1, 0, 1, -2]), 'ui8', [])).toEqual([0b10_01_00_11]);
    expect(cast(literal('f4E2M1FN', [2], [1, -6]), 'ui8', [])).toEqual([0xf2]);
    expect(cast(literal('f8E5M2', [], [1]), 'ui8', [])).toEqual([0x3c]);
  });
  test('there and back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<ElementType>('i1', 'i2', 'ui4', 'i16', 'f4E2M1FN'),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        (type, bits) => {
          const count = 64 / bitWidth(type);
          const x = literal('ui64', [], [bits]);
          const back = run([x], (b, [v]) => {
            const [narrow] = b.emit('bitcast_convert', [v!], { type: tensorType(type, [count]) });
            return b.emit('bitcast_convert', [narrow], { type: tensorType('ui64') });
          });
          expect(back.data[0]).toBe(bits);
        },
      ),
    );
  });
});

test.each<[string, () => unknown]>([
  ['a literal', () => zeros(tensorType('f32', [1e6, 1e6]))],
  ['a broadcast', () => run([], b => b.broadcastInDim(b.fill('f32', [], 1), [], [1e6, 1e6]))],
  ['an iota', () => run([], b => b.iota(tensorType('i8', [1e6, 1e6]), 0))],
])('rejects tensors that do not fit in memory before allocating: %s', (_, make) => {
  try {
    make();
  } catch (error) {
    expect(isTrenioError(error, 'OUT_OF_MEMORY')).toBe(true);
    return;
  }
  expect.fail('memory for a million times a million elements was allocated');
});
