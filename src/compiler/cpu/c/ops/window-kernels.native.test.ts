// Pooling and its gradient compared with the interpreter: random windows, strides and padding, ties and NaN included.
import { describe, test, vi } from 'vitest';
import type { Value } from '../../../../hlo/program.ts';
import { tensorType } from '../../../../hlo/types.ts';
import { Batch } from '../../../testing/batch.testing.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('select_and_scatter', () => {
  const cases = [
    { shape: [3, 4, 17, 23], window: [1, 1, 3, 3], strides: [1, 1, 2, 2], pad: [0, 0, 1, 1] },
    { shape: [2, 3, 12, 9], window: [1, 1, 2, 2], strides: [1, 1, 2, 2], pad: [0, 0, 0, 0] },
    { shape: [2, 13, 11, 5], window: [1, 3, 2, 1], strides: [1, 2, 1, 1], pad: [0, 1, 0, 0] },
    { shape: [7, 6], window: [3, 1], strides: [1, 1], pad: [1, 0] },
    { shape: [2050], window: [3], strides: [1], pad: [1] },
    { shape: [5, 1], window: [1, 1], strides: [1, 1], pad: [0, 0] },
  ] as const;
  test.each(['f32', 'f64', 'bf16', 'i32'] as const)('of %s', type => {
    const t = new Batch();
    cases.forEach(({ shape, window, strides, pad }, c) => {
      // few values, so that windows have ties
      const x = t.arg(type, shape, i => (type !== 'i32' && i % 97 === 5 ? Number.NaN : (i * 7919) % 11));
      const out = shape.map((size, d) => Math.floor((size + 2 * pad[d]! - window[d]!) / strides[d]!) + 1);
      const g = t.arg(type, out, i => (i % 13) - 6);
      const scalar = tensorType(type);
      for (const direction of ['GE', 'LT'] as const) {
        const select = t.b.region([scalar, scalar], (inner, [a, b]): Value[] => [inner.compare(direction, a!, b!)]);
        const attributes = {
          windowDimensions: [...window],
          windowStrides: [...strides],
          padding: pad.map(p => [p, p] as const),
        };
        t.result(
          `case ${c} ${direction}`,
          t.b.emit1('select_and_scatter', [x, g, t.b.fill(type, [], 0)], attributes, [
            select,
            t.b.combiner('add', type),
          ]),
        );
      }
    });
    t.check();
  });
});
