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
  const meter = new StepMeter(
    file,
    () => 6e6,
    () => nowMs,
  );
  const program = { kind: 'program', kernels: 1, flops: 0, products: undefined } as const;
  meter.hear({ ...program, id: 1, name: 'step', stateInputs: 3, ops: 40 });
  meter.hear({ ...program, id: 2, name: 'never run', stateInputs: 0, ops: 1 });
  const step = (nanoseconds: number): void => meter.hear({ kind: 'run', program: 1, nanoseconds });
  step(9_000_000);
  expect(read().programs).toEqual([
    { name: 'step', donatedInputs: 3, ops: 40, executions: 1, medianMs: 9, fastestMs: 9 },
  ]);
  nowMs = 999;
  step(4_000_000);
  expect(read().programs[0]!.executions).toBe(1);
  nowMs = 1000;
  step(2_000_000);
  step(3_000_000);
  expect(read().programs[0]).toMatchObject({ executions: 3, fastestMs: 2 });
  meter.write();
  expect(read().programs[0]).toMatchObject({ executions: 4, medianMs: 3, fastestMs: 2 });
  // What a step of a pipeline ran, when it is over.
  const pipeline = { kind: 'pipeline', program: 1, stateInputs: 2 } as const;
  const execution = (from: bigint, to: bigint) => ({ isDone: true, ran: { from, to } });
  const ran = [
    { kind: 'receive', execution: execution(0n, 1_000_000n) },
    { kind: 'F', stage: 1, microBatch: 0, execution: execution(2_000_000n, 4_000_000n) },
  ] as const;
  meter.hear({ ...pipeline, ran });
  meter.hear({ ...pipeline, ran: [{ kind: 'update', execution: { isDone: false } }] });
  meter.write();
  expect(read().pipelines).toEqual([
    { name: 'step', donatedInputs: 2, ops: 0, executions: 1, medianMs: 3, fastestMs: 3 },
  ]);
  // What ranks send.
  const sent = { at: 'train.ts:5', kind: 'all_reduce', devices: 2, count: 1, bytes: 512 };
  expect(read().communication).toBeUndefined();
  meter.hear({ kind: 'communication', collectives: [sent], replicated: [] });
  for (let i = 0; i < 3; i++) meter.hear({ kind: 'step' });
  meter.write();
  expect(read().communication).toEqual({ collectives: [sent], replicated: [], exposedMs: 2 });
  expect(read().residentBytes).toBeGreaterThan(1e6);
  expect(read().peakBytes).toBeGreaterThanOrEqual(read().residentBytes);
});
