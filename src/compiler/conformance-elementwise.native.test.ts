// Elementwise ops and random bits on every element type they accept, compiled and compared with the interpreter. All cases of a
// test are one program, so that gcc only runs a few times.
import { test, vi } from 'vitest';
import { type BinaryName, binaryNames, type UnaryName, unaryNames } from '../hlo/attributes.ts';
import type { Value } from '../hlo/program.ts';
import { type ElementType, isFloat, tensorType } from '../hlo/types.ts';
import { Batch } from './testing/batch.testing.ts';
import { edge, types, wave } from './testing/sample-values.testing.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

function tryEmit(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'INVALID_OP')) throw error;
  }
}

test('unary ops', () => {
  const t = new Batch();
  for (const type of types) {
    const x = t.arg(type, [5, 7], edge(type));
    for (const name of unaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.unary(name as UnaryName, x)));
    if (isFloat(type)) {
      t.result(`is_finite ${type}`, t.b.emit1('is_finite', [x], {}));
      t.result(`reduce_precision ${type}`, t.b.emit1('reduce_precision', [x], { exponentBits: 5, mantissaBits: 3 }));
    }
  }
  t.check();
});

test('binary ops', () => {
  const t = new Batch();
  for (const type of types.filter(t => t !== 'i16' && t !== 'ui16' && t !== 'f16')) {
    const values = edge(type);
    const x = t.arg(type, [16, 16], i => values(i >> 4));
    const y = t.arg(type, [16, 16], i => values(i & 15));
    for (const name of binaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.binary(name as BinaryName, x, y)));
    for (const direction of ['EQ', 'NE', 'GE', 'GT', 'LE', 'LT'] as const)
      t.result(`compare ${direction} ${type}`, t.b.compare(direction, x, y));
    if (isFloat(type))
      t.result(
        `total order ${type}`,
        t.b.emit1('compare', [x, y], { comparisonDirection: 'LT', compareType: 'TOTALORDER' }),
      );
    t.result(`select ${type}`, t.b.select(t.b.compare('LT', x, y), x, y));
    t.result(`clamp ${type}`, t.b.emit1('clamp', [x, y, x], {}));
  }
  t.check();
});

test('conversions', () => {
  const t = new Batch();
  for (const from of types) {
    const x = t.arg(
      from,
      [41],
      isFloat(from)
        ? i =>
            [
              0,
              1,
              -1,
              1.5,
              -1.5,
              300,
              -300,
              70000,
              -70000,
              3e9,
              -3e9,
              1e19,
              -1e19,
              1e30,
              Infinity,
              -Infinity,
              Number.NaN,
            ][i] ?? wave(i) * 50
        : edge(from),
    );
    for (const to of types) t.result(`convert ${from} to ${to}`, t.b.convert(x, to));
  }
  t.check();
});

test('bitcasts', () => {
  const t = new Batch();
  const cast = (x: Value, type: ElementType, shape: number[]): Value =>
    t.b.emit1('bitcast_convert', [x], { type: tensorType(type, shape) });
  const x = t.arg('f32', [6, 2], wave);
  t.result('same width', cast(x, 'i32', [6, 2]), cast(x, 'ui32', [6, 2]));
  t.result('narrower', cast(x, 'ui16', [6, 2, 2]), cast(x, 'bf16', [6, 2, 2]), cast(x, 'i8', [6, 2, 4]));
  t.result(
    'wider',
    cast(x, 'f64', [6]),
    cast(
      t.arg('ui8', [3, 4], i => i * 17),
      'i32',
      [3],
    ),
  );
  t.check();
});

test('random bits', () => {
  const t = new Batch();
  for (const rngAlgorithm of ['PHILOX', 'THREE_FRY', 'DEFAULT'] as const) {
    for (const type of ['ui32', 'ui64', 'ui8', 'i16', 'f32'] as const) {
      const state = t.arg('ui64', [2], i => 123456789 * (i + 1));
      t.result(
        `${rngAlgorithm} ${type}`,
        ...t.b.emit('rng_bit_generator', [state], { rngAlgorithm, type: tensorType(type, [5, 7, 3]) }),
      );
    }
  }
  const state = t.arg('ui64', [3], i => 99 + i);
  const [next, bits] = t.b.emit('rng_bit_generator', [state], {
    rngAlgorithm: 'PHILOX',
    type: tensorType('ui32', [40, 300]),
  });
  const keep = t.b.compare('LT', bits, t.b.like(bits, 1 << 30));
  const x = t.arg('f32', [40, 300], wave);
  const dropped = t.b.select(keep, x, t.b.like(x, 0));
  t.result('dropout', next, dropped, t.b.sum(dropped, [1]), t.b.sum(dropped, [0]), t.b.transpose(dropped, [1, 0]));
  t.check(1e-4);
});
