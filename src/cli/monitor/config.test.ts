import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { defaultConfig, parsePeriod, readConfig, runtimeMetrics } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-monitor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'monitor.json');
const read = (config: unknown, periodMs?: number) => {
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  return readConfig(file, periodMs);
};

test('periods', () => {
  expect(['500ms', '5s', '1m', '2', '1.5s'].map(parsePeriod)).toEqual([500, 5000, 60_000, 2000, 1500]);
  expect(['', 'soon', '-1s', '10ms', '1e3s', '1000h'].map(parsePeriod)).toEqual(Array(6).fill(undefined));
});

test('metrics that a file omits are not reported; without a file all are', async () => {
  expect(await read({})).toEqual({ periodMs: 5000, runtimes: [], system: [] });
  const config = await read({
    period: '1s',
    neuron_runtimes: [{ tag_filter: '^b', metrics: [{ type: 'memory_used', period: '2s' }, { type: 'trenio' }] }],
    system_metrics: [{ type: 'vcpu_usage' }],
  });
  expect(config.runtimes).toEqual([
    {
      tagFilter: /^b/,
      metrics: [
        { type: 'memory_used', periodMs: 2000 },
        { type: 'trenio', periodMs: 1000 },
      ],
    },
  ]);
  expect((await read({ period: '1s' }, 300)).periodMs).toBe(300);
  expect(defaultConfig().runtimes[0]!.metrics.map(({ type }) => type)).toEqual(runtimeMetrics);
});

test('a wrong file is an error that names the field', async () => {
  const problemOf = (config: unknown): Promise<unknown> =>
    read(config).then(
      () => 'no error',
      (error: { code: string; data: { field: string } }) => [error.code, error.data.field],
    );
  expect(await problemOf({ period: '1 fortnight' })).toEqual(['MONITOR_CONFIG', 'period']);
  expect(await problemOf({ neuron_runtimes: [{ metrics: [{ type: 'temperature' }] }] })).toEqual([
    'MONITOR_CONFIG',
    'neuron_runtimes.0.metrics.0.type',
  ]);
  expect(await problemOf({ neuron_runtimes: [{ tag_filter: '(', metrics: [] }] })).toEqual([
    'MONITOR_CONFIG',
    'neuron_runtimes.0.tag_filter',
  ]);
  expect(await problemOf({ perod: '1s' })).toEqual(['MONITOR_CONFIG', '']);
  expect(await problemOf('{')).toEqual(['MONITOR_CONFIG', '']);
  await expect(readConfig(join(folder, 'absent.json'), undefined)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});
