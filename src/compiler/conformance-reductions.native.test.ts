// Reductions over dims and windows, compiled and compared with the interpreter. All cases of a test are one program, so that gcc
// only runs a few times.
import { test, vi } from 'vitest';
import type { BinaryName } from '../hlo/attributes.ts';
import type { Value } from '../hlo/program.ts';
import { isFloat, isInteger, tensorType } from '../hlo/types.ts';
import { Batch } from './testing/batch.testing.ts';
import { types, wave } from './testing/sample-values.testing.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

test('over any dims, by any op', () => {
  const t = new Batch();
  for (const type of ['f32', 'f64', 'bf16', 'i32', 'ui8', 'i1'] as const) {
    const x = t.arg(
      type,
      [3, 5, 17],
      type === 'i1' ? i => (i % 5 === 0 ? 1 : 0) : i => (isFloat(type) ? wave(i) : (i * 3) % 7),
    );
    for (const dims of [[0], [1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]]) {
      t.result(`sum ${type} over ${dims}`, t.b.reduce('add', x, t.b.fill(type, [], 1), dims));
      const names =
        isInteger(type) || type === 'i1'
          ? (['maximum', 'minimum', 'and', 'or'] as const)
          : (['maximum', 'minimum'] as const);
      for (const name of names)
        t.result(`${name} ${type} over ${dims}`, t.b.reduce(name, x, t.b.fill(type, [], type === 'i1' ? 1 : 2), dims));
    }
    t.result(`product ${type}`, t.b.reduce('multiply', x, t.b.fill(type, [], 1), [1]));
  }
  const nan = t.arg('f32', [4, 40], i => (i === 77 ? Number.NaN : wave(i)));
  t.result(
    'maximum with NaN',
    t.b.reduce('maximum', nan, t.b.fill('f32', [], -Infinity), [1]),
    t.b.reduce('minimum', nan, t.b.fill('f32', [], Infinity), [0]),
  );
  t.check(2e-2);
});

test('large ones, in chunks', () => {
  const t = new Batch();
  const x = t.arg('f32', [3000, 70], wave);
  t.result('columns', t.b.sum(x, [0]), t.b.sum(t.b.multiply(x, x), [0]));
  t.result('all', t.b.sum(x), t.b.reduce('maximum', t.b.unary('abs', x), t.b.fill('f32', [], 0), [0, 1]));
  t.result('rows', t.b.sum(x, [1]));
  t.result('middle', t.b.sum(t.b.reshape(x, [30, 100, 70]), [0, 2]), t.b.sum(t.b.reshape(x, [30, 100, 70]), [1]));
  t.check(1e-4);
});

test('of several values with a custom region', () => {
  const t = new Batch();
  const pair = [tensorType('f32'), tensorType('i32'), tensorType('f32'), tensorType('i32')];
  const argmax = t.b.region(pair, (b, [v, i, w, j]) => {
    const first = b.binary(
      'or',
      b.compare('GT', v!, w!),
      b.binary('and', b.compare('EQ', v!, w!), b.compare('LT', i!, j!)),
    );
    return [b.select(first, v!, w!), b.select(first, i!, j!)];
  });
  const x = t.arg('f32', [6, 33], i => Math.round(wave(i) * 4));
  const init = [t.b.fill('f32', [], -Infinity), t.b.fill('i32', [], 0)];
  for (const dim of [0, 1])
    t.result(
      `argmax over ${dim}`,
      ...t.b.emit('reduce', [x, t.b.iota(tensorType('i32', [6, 33]), dim), ...init], { dimensions: [dim] }, [argmax]),
    );
  t.check();
});

test('windows', () => {
  const t = new Batch();
  const x = t.arg('f32', [2, 9, 10, 3], wave);
  const pool = (
    name: BinaryName,
    init: number,
    w: number[],
    s: number[],
    p: [number, number][],
    base = [1, 1, 1, 1],
    dilation = [1, 1, 1, 1],
  ): Value =>
    t.b.emit1(
      'reduce_window',
      [x, t.b.fill('f32', [], init)],
      { windowDimensions: w, windowStrides: s, padding: p, baseDilations: base, windowDilations: dilation },
      [t.b.combiner(name, 'f32')],
    );
  const none: [number, number][] = [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  t.result(
    'max pool',
    pool('maximum', -Infinity, [1, 2, 2, 1], [1, 2, 2, 1], none),
    pool(
      'maximum',
      -Infinity,
      [1, 3, 3, 1],
      [1, 2, 2, 1],
      [
        [0, 0],
        [1, 1],
        [1, 1],
        [0, 0],
      ],
    ),
  );
  t.result(
    'sums',
    pool(
      'add',
      0,
      [1, 1, 3, 3],
      [1, 1, 1, 1],
      [
        [0, 0],
        [0, 0],
        [0, 1],
        [2, 0],
      ],
    ),
    pool(
      'add',
      1,
      [1, 2, 2, 2],
      [1, 1, 2, 1],
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [1, 1],
      ],
      [1, 2, 1, 2],
      [1, 1, 3, 2],
    ),
  );
  const select = t.b.region([tensorType('f32'), tensorType('f32')], (b, [l, r]) => [b.compare('GE', l!, r!)]);
  const source = t.arg('f32', [2, 4, 5, 3], wave);
  t.result(
    'select_and_scatter',
    t.b.emit1(
      'select_and_scatter',
      [x, source, t.b.fill('f32', [], 0)],
      { windowDimensions: [1, 2, 2, 1], windowStrides: [1, 2, 2, 1], padding: none },
      [select, t.b.combiner('add', 'f32')],
    ),
  );
  const overlapping = t.arg('f32', [2, 5, 5, 3], wave);
  t.result(
    'select_and_scatter, overlapping',
    t.b.emit1(
      'select_and_scatter',
      [x, overlapping, t.b.fill('f32', [], 1)],
      {
        windowDimensions: [1, 3, 3, 1],
        windowStrides: [1, 2, 2, 1],
        padding: [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 0],
        ],
      },
      [select, t.b.combiner('add', 'f32')],
    ),
  );
  t.check(1e-5);
});

test('reductions include their initial value, for all types', () => {
  const t = new Batch();
  for (const type of types.filter(isInteger)) {
    const x = t.arg(type, [2, 3, 4], i => (type.startsWith('u') ? i + 1 : -1 - i));
    for (const [name, value] of [
      ['maximum', 0],
      ['minimum', type.startsWith('u') ? 0 : -100],
      ['add', 5],
    ] as const)
      for (const dims of [[0, 1], [2], [0, 1, 2]])
        t.result(`${name} ${type}`, t.b.reduce(name, x, t.b.fill(type, [], value), dims));
  }
  const x = t.arg('i32', [6], i => i);
  const empty = t.arg('f32', [0, 1, 4], wave);
  t.result('of nothing', t.b.sum(empty), t.b.unary('floor', empty));
  t.result('minimum from the least', t.b.reduce('minimum', x, t.b.fill('i32', [], -2147483648), [0]));
  t.check();
});
