import { expect, test } from 'vitest';
import { columnsOf } from './timeline.ts';

test('many tasks become columns of their longest kind, and waiting stays empty', () => {
  // 0 to 1 s: forward with a short all-reduce after each; then waiting; then backward.
  const tasks = [
    ...Array.from({ length: 1000 }, (_, i) => [
      { lane: 0, name: 'f', phase: 'forward' as const, start: i / 1000, end: i / 1000 + 9e-4 },
      { lane: 0, name: 'x', phase: 'pipeline send/recv' as const, start: i / 1000 + 9e-4, end: (i + 1) / 1000 },
    ]).flat(),
    { lane: 0, name: 'b', phase: 'backward' as const, start: 2, end: 3 },
  ];
  expect(columnsOf(tasks, 3).map(({ name, start, end }) => [name, start, end])).toEqual([
    ['mostly forward', 0, expect.closeTo(1, 6)],
    ['mostly backward', expect.closeTo(2, 6), expect.closeTo(3, 6)],
  ]);
});
