import { describe, expect, test } from 'vitest';
import type { RngAlgorithm } from '../attributes.ts';
import { literal, scalar, toNumbers } from '../literal.ts';
import { inferTypes } from '../op-table.ts';
import { type ElementType, tensorType } from '../types.ts';
import { constraintOf, numbers, runAll } from './ops.testing.ts';

const bits = (algorithm: RngAlgorithm, state: bigint[], type: ElementType, shape: number[]): unknown[][] =>
  runAll([literal('ui64', [state.length], state)], (b, [s]) =>
    b.emit('rng_bit_generator', [s!], { rngAlgorithm: algorithm, type: tensorType(type, shape) }),
  ).map(r => [...r.data]);

// The expected values were computed by XLA on the CPU (jaxlib 0.10.2) with the same ops.
describe('rng_bit_generator', () => {
  test('PHILOX, three words of state: key, then the counter, which carries', () => {
    const state = [0x123456789abcdefn, 0xffffffffffffffffn, 0x77n];
    const [next, out] = bits('PHILOX', state, 'ui32', [7]);
    expect(out).toEqual([2789949118, 1728631781, 3952700665, 686791887, 2400448440, 2368089181, 3147576809]);
    expect(next).toEqual([0x123456789abcdefn, 1n, 0x78n]);
  });
  test('PHILOX, two words of state', () => {
    const [next, out] = bits('PHILOX', [0x123456789abcdefn, 0xffffffffffffffffn], 'ui32', [3, 2]);
    expect(out).toEqual([1105943027, 812877280, 1535849353, 2724394620, 1879495268, 3609187550]);
    expect(next).toEqual([0x123456789abcdefn, 1n]);
  });
  test('DEFAULT is PHILOX; 64-bit elements use two words, smaller ones the low bits of one', () => {
    const state = [5n, 7n];
    const words = bits('PHILOX', state, 'ui32', [8])[1] as number[];
    expect(bits('DEFAULT', state, 'ui32', [8])[1]).toEqual(words);
    expect(words[0]).toBe(1957188081);
    expect(bits('DEFAULT', state, 'ui64', [4])[1]).toEqual(
      [0, 2, 4, 6].map(i => BigInt(words[i]!) | (BigInt(words[i + 1]!) << 32n)),
    );
    expect(bits('DEFAULT', state, 'ui64', [1])[1]).toEqual([14169269631707533809n]);
    expect(bits('DEFAULT', state, 'ui16', [8])[1]).toEqual(words.map(w => w & 0xffff));
    expect(bits('DEFAULT', state, 'i8', [8])[1]).toEqual(words.map(w => (w << 24) >> 24));
  });
  test('THREE_FRY interleaves two halves along a dim', () => {
    const state = [0x123456789abcdefn, 0xffffffffffffffffn];
    const rows = [
      [188576916, 2901984476, 2862930057, 1798685940, 1973758215],
      [902882801, 2396094436, 2083461592, 42261475, 3732519869],
      [2963079838, 2105865281, 1822680882, 2755357497, 3356640791],
    ];
    expect(bits('THREE_FRY', state, 'ui32', [3, 5])[1]).toEqual(rows.flat());
    expect(bits('THREE_FRY', state, 'ui64', [2])).toEqual([
      [0x123456789abcdefn, 1n],
      [12463928418108273812n, 7725297290937948297n],
    ]);
    expect(bits('THREE_FRY', state, 'ui32', [])[1]).toEqual([188576916]);
  });
  test('any part of a stream can be generated separately', () => {
    const whole = bits('PHILOX', [1n, 0n, 0n], 'ui32', [16])[1]!;
    expect(bits('PHILOX', [1n, 2n, 0n], 'ui32', [8])[1]).toEqual(whole.slice(8));
  });
  test('refusals', () => {
    const infer =
      (algorithm: RngAlgorithm, size: number, type: ElementType = 'ui32') =>
      () =>
        inferTypes(
          'rng_bit_generator',
          [tensorType('ui64', [size])],
          { rngAlgorithm: algorithm, type: tensorType(type, [2]) },
          [],
        );
    expect(constraintOf(infer('THREE_FRY', 3))).toBe('rng_bit_generator_c2');
    expect(constraintOf(infer('PHILOX', 4))).toBe('rng_bit_generator_c2');
    expect(constraintOf(infer('PHILOX', 2, 'i1'))).toBe('trenio_rng_bit_generator_output');
  });
});

describe('sort', () => {
  const element = tensorType('f32');
  test('along a dim, ascending and descending', () => {
    const x = literal('f32', [2, 3], [3, 1, 2, 0, 5, -1]);
    const sorted = (direction: 'LT' | 'GT', dimension: number): number[] =>
      numbers([x], (b, args) =>
        b.emit('sort', args, { dimension, isStable: true }, [
          b.region([element, element], (inner, [p, q]) => [inner.compare(direction, p!, q!)]),
        ]),
      );
    expect(sorted('LT', 1)).toEqual([1, 2, 3, -1, 0, 5]);
    expect(sorted('GT', 1)).toEqual([3, 2, 1, 5, 0, -1]);
    expect(sorted('LT', 0)).toEqual([0, 1, -1, 3, 5, 2]);
    expect(sorted('LT', -1)).toEqual([1, 2, 3, -1, 0, 5]);
  });
  test('several operands together, stable, by any comparator', () => {
    const i32 = tensorType('i32');
    const keys = literal('i32', [5], [3, -1, 2, 1, -3]);
    const values = literal('f32', [5], [0, 1, 2, 3, 4]);
    const out = runAll([keys, values], (b, args) => {
      const region = b.region([i32, i32, element, element], (inner, [p, q]) => [
        inner.compare('LT', inner.unary('abs', p!), inner.unary('abs', q!)),
      ]);
      return b.emit('sort', args, { dimension: 0, isStable: true }, [region]);
    });
    expect(out.map(toNumbers)).toEqual([
      [-1, 1, 2, 3, -3],
      [1, 3, 2, 0, 4],
    ]);
  });
  test('refusals', () => {
    const wrong = () =>
      numbers([scalar('f32', 1)], (b, args) =>
        b.emit('sort', args, { dimension: 0, isStable: true }, [b.combiner('add', 'f32')]),
      );
    expect(constraintOf(wrong)).toBe('sort_c4');
  });
});
