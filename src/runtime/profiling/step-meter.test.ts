import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StepMeter, type StepReport } from './step-meter.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('times of each program, the first execution left out, written no more than once a second', () => {
  const file = join(folder, 'steps.json');
  const read = (): StepReport => JSON.parse(readFileSync(file, 'utf8')) as StepReport;
  let nowMs = 0;
  const meter = new StepMeter(file, () => nowMs);
  const step = meter.add('step', 3, 40);
  meter.add('never run', 0, 1);
  step(9_000_000n);
  expect(read().programs).toEqual([
    { name: 'step', donatedInputs: 3, ops: 40, executions: 1, medianMs: 9, fastestMs: 9 },
  ]);
  nowMs = 999;
  step(4_000_000n);
  expect(read().programs[0]!.executions).toBe(1);
  nowMs = 1000;
  step(2_000_000n);
  step(3_000_000n);
  expect(read().programs[0]).toMatchObject({ executions: 3, fastestMs: 2 });
  meter.write();
  expect(read().programs[0]).toMatchObject({ executions: 4, medianMs: 3, fastestMs: 2 });
  expect(read().residentBytes).toBeGreaterThan(1e6);
  expect(read().peakBytes).toBeGreaterThanOrEqual(read().residentBytes);
});
