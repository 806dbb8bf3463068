// Series are read as they were written, across blocks and processes, and a chart of the reduced series equals that of all points.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { downsample } from './downsample.ts';
import { MetricStore } from './metric-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-metrics-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the store', () => {
  test('keeps points in order, whatever the sizes of the writes', () => {
    const store = new MetricStore(folder);
    let job = 0;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 5 }), pieces => {
        const name = `job-${job++}`;
        let n = 0;
        for (const count of pieces)
          store.append(
            name,
            'loss',
            Array.from({ length: count }, () => ({ timeMs: 1000 + n, value: 1 / ++n })),
          );
        const { steps, timesMs, values } = store.points(name, 'loss');
        expect(values.length).toBe(n);
        expect([steps[0], steps.at(-1)]).toEqual([0, n - 1]);
        expect(values.every((value, i) => value === 1 / (i + 1))).toBe(true);
        expect(timesMs.at(-1)).toBe(1000 + n - 1);
        expect(store.list(name)).toEqual([
          { name: 'loss', count: n, last: { step: n - 1, timeMs: 999 + n, value: 1 / n } },
        ]);
      }),
      { numRuns: 20 },
    );
    store.close();
  });

  test('continues from the last given step, also in another process', () => {
    const [one, two] = [new MetricStore(folder), new MetricStore(folder)];
    one.append('resumed', 'loss', [{ step: 100, timeMs: 1, value: 3 }]);
    two.append('resumed', 'loss', [{ timeMs: 2, value: 2 }]);
    expect([...one.points('resumed', 'loss').steps]).toEqual([100, 101]);
    one.remove('resumed');
    expect(two.list('resumed')).toEqual([]);
    expect(two.points('resumed', 'loss').values.length).toBe(0);
    one.close();
    two.close();
  });
});

describe('downsampling', () => {
  test('keeps the ends and every extreme of a pixel column', () => {
    const count = 100_000;
    const x = Float64Array.from({ length: count }, (_, i) => i);
    const y = Float64Array.from({ length: count }, (_, i) => Math.sin(i / 900) + (i === 54_321 ? 50 : 0));
    const kept = downsample(x, y, 500);
    expect(kept.length).toBeLessThanOrEqual(2000);
    expect([kept[0], kept.at(-1)]).toEqual([0, count - 1]);
    expect(kept).toContain(54_321);
    expect([...kept]).toEqual([...kept].toSorted((a, b) => a - b));
  });

  test('keeps all of few points, and at most four points at one position', () => {
    const few = Float64Array.of(1, 2, 3);
    expect([...downsample(few, few, 10)]).toEqual([0, 1, 2]);
    const same = new Float64Array(1000).fill(7);
    expect(downsample(same, same, 10).length).toBeLessThanOrEqual(4);
  });
});
