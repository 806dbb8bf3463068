// The profiler on the CPU: the schedule, the recording of a step, and that recording does not change results.
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { device, manualSeed, randn, type Tensor } from '../index.ts';
import * as profiler from './index.ts';

describe('a schedule', () => {
  test('matches torch.profiler', () => {
    const actions = (options: profiler.ScheduleOptions): string =>
      Array.from(
        { length: 12 },
        (_, step) =>
          profiler.schedule(options)(step)[0]! + (profiler.schedule(options)(step).includes('save') ? '!' : ''),
      ).join(' ');
    expect(actions({ wait: 1, warmup: 1, active: 2 })).toBe('n w r r! n w r r! n w r r!');
    expect(actions({ skipFirst: 3, warmup: 2, active: 1, repeat: 2 })).toBe('n n n w w r! w w r! n n n');
  });
  test('rejects an invalid number of steps', () => {
    expect(() => profiler.schedule({ active: 0 })).toThrow('active is 0, expected an integer, 1 or more');
    expect(() => profiler.schedule({ active: 1, skip: 2 } as never)).toThrow(/skip/);
  });
});

const cpu = device('cpu');
/** A step of a small computation; returns its result. */
function steps(count: number, each: () => void): readonly number[] {
  manualSeed(0);
  let x: Tensor = randn([64, 64], { device: cpu });
  return Array.from({ length: count }, () => {
    x = x.matmul(x).tanh();
    const result = x.sum().item();
    each();
    return result;
  });
}

describe('a profile', () => {
  test('has the kernels of the active steps, and does not change results', () => {
    const expected = steps(6, () => {});
    const ready: number[] = [];
    using prof = profiler.profile({
      device: cpu,
      schedule: profiler.schedule({ wait: 1, warmup: 1, active: 2, repeat: 1 }),
      onTraceReady: p => ready.push(p.stepNum),
    });
    expect(() => prof.table()).toThrow(expect.objectContaining({ code: 'NOTHING_PROFILED' }));
    expect(steps(6, () => profiler.recordFunction('end of a step', () => prof.step()))).toEqual(expected);
    prof.stop();
    expect(ready).toEqual([3]);
    const timeline = prof.timeline();
    expect(timeline.loop).toHaveLength(2);
    expect(timeline.dropped).toBe(0);
    const products = prof.keyAverages().filter(average => average.kind === 'multiply');
    expect(products.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThanOrEqual(2);
    expect(products[0]!.line).toContain('profiler.native.test.ts');
    // Kernels are within the steps of their programs.
    for (const [at, ns] of timeline.kernels)
      expect(timeline.steps.some(([from, length]) => from <= at && at + ns <= from + length)).toBe(true);
    expect(prof.table({ rowLimit: 1 })).toContain('dot_general');
    expect(prof.summary()).toMatch(/^\d+ % of the time/);
  });
  test('is written for Perfetto and TensorBoard', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-profile-'));
    using prof = profiler.profile({
      device: cpu,
      onTraceReady: profiler.tensorboardTraceHandler(folder.path, 'worker'),
    });
    steps(2, () => prof.step());
    prof.stop();
    const [file] = readdirSync(folder.path);
    expect(file).toMatch(/^worker\.\d+\.pt\.trace\.json$/);
    const { traceEvents } = JSON.parse(readFileSync(join(folder.path, file!), 'utf8'));
    const names = traceEvents.map((event: { name: string }) => event.name).join('\n');
    expect(names).toMatch(/dot_general/);
    expect(traceEvents.filter((event: { cat?: string }) => event.cat === 'step')).toHaveLength(2);
  });
});
