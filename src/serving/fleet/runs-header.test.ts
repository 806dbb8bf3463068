import { expect, test } from 'vitest';
import { formatRuns, parseRuns } from './runs-header.ts';

test('round-trips; rejects invalid headers', () => {
  const runs = { runs: 2, items: 9, ms: 2.125 };
  expect(formatRuns(runs)).toBe('runs=2, items=9, ms=2.125');
  expect(parseRuns(formatRuns(runs))).toEqual(runs);
  for (const text of [undefined, '', 'runs=-1, items=1, ms=1', 'runs=1e9, items=1, ms=1', ['runs=1, items=1, ms=1']])
    expect(parseRuns(text)).toBe(undefined);
});
