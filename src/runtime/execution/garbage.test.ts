import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { collectAfterCompiling } from './garbage.ts';

test('a heap that has grown is collected and returned to the system; a small one is not collected', () => {
  const calls: string[] = [];
  const collect = (): void =>
    collectAfterCompiling(
      () => calls.push('settle'),
      () => calls.push('trim'),
    );
  const heapBytes = (): number => getHeapStatistics().total_heap_size;
  collect();
  const before = heapBytes();
  calls.length = 0;
  collect();
  expect(calls).toEqual([]);
  // a program's trace: many small objects, kept until it is compiled
  let trace: object[] | undefined = Array.from({ length: 1_500_000 }, (_, i) => ({ op: i, operands: [i] }));
  const grown = heapBytes() - before;
  expect(trace.length).toBe(1_500_000);
  trace = undefined;
  collect();
  expect(calls).toEqual(['settle', 'trim']);
  expect(heapBytes() - before).toBeLessThan(grown / 4);
});
