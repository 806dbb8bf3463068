import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MetricStore } from '../metrics/metric-store.ts';
import { HostUseWatch } from './host-use-watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-use-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the usage of a host that ends before the second measurement is recorded', () => {
  const store = new MetricStore(folder);
  const start = 1_000_000;
  const watch = new HostUseWatch(store, 'job', start);
  const host = { place: { name: 'algo-1' } };
  const at = (cpuSeconds: number, timeMs: number) =>
    watch.measure([{ host, group: { use: () => ({ cpuSeconds, memoryBytes: 5 }) } }], start + timeMs);
  at(0.05, 100);
  // Too soon after the first.
  at(0.1, 150);
  at(0.45, 300);
  const values = (name: string) => [...store.points('job', name).values];
  expect(values('algo-1 cores')).toEqual([0.5, 2]);
  expect(values('algo-1 memory')).toEqual([5, 5]);
  store.close();
});
