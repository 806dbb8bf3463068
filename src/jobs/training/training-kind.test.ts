// The scheduler of training jobs while the wall clock is set by hours.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownIdentity } from '../../base/process-identity.ts';
import { CalendarClock } from '../capacity/calendar-clock.ts';
import { CapacityStore } from '../capacity/capacity-store.ts';
import { InstancePool } from '../instance-pool.ts';
import type { ProcessingSpec } from '../processing/processing-job.ts';
import { Scheduler } from '../scheduler.ts';
import { JobStore } from '../store/job-store.ts';
import { describeWait } from '../wait-reason.ts';
import { jobOf } from './training-job.testing.ts';
import { type TrainingJob, type TrainingJobSpec, transitionsOf } from './training-job.ts';
import { TrainingKind } from './training-kind.ts';

const root = mkdtempSync(join(tmpdir(), 'trenio-scheduler-'));
afterAll(() => rmSync(root, { recursive: true }));

const hourMs = 3_600_000;
const instanceType = 'ml.trn1.2xlarge';
/** A process of another machine: it cannot be inspected. */
const elsewhere = { pid: 1, started: '1', realm: '0123456789ab' };

/** A scheduler with one instance, which is taken: no job starts. */
function setting(name: string, spot: object = {}) {
  const data = join(root, name);
  const time = { wall: Date.now(), steady: 0 };
  const clock = { wall: () => time.wall, steady: () => time.steady };
  const jobs = new JobStore(data);
  const capacity = new CapacityStore({
    ...{ folder: data, limitOf: () => 4, service: 'sagemaker', zone: 'us-east-1a', now: clock.wall },
  });
  const calendar = new CalendarClock(() => {}, clock);
  const pool = new InstancePool({
    instances: [{ type: instanceType, count: 1, cores: 1 }],
    spot: { seed: 0, awaySeconds: 0, ...spot },
  });
  const ledger = { jobs, pool, capacity, now: () => calendar.now() };
  const kind = new TrainingKind({ ...ledger, clocks: clock });
  const scheduler = new Scheduler(kind, { ...ledger, data, images: undefined, clocks: clock, log: () => {} });
  // Of another kind.
  jobs.processing.add({
    ...{ name: 'job', arn: '', tags: {}, request: {}, createdMs: 0, modifiedMs: 0, status: 'InProgress' },
    ...{ startMs: 0, endMs: undefined, failureReason: undefined, exitMessage: undefined },
    spec: { instanceType, instanceCount: 1 } as ProcessingSpec,
    runner: { token: 'other', process: ownIdentity(), heartbeatMs: 0 },
  });
  return {
    ...{ time, jobs, capacity },
    output: join(data, 'runs', 'job-1.log'),
    add: (spec: Partial<TrainingJobSpec>, changes: Partial<TrainingJob>) =>
      jobs.training.add(jobOf(spec, { createdMs: time.wall, modifiedMs: time.wall, attempt: 1, ...changes })),
    /** Lets time pass, and the scheduler look twice a second. */
    pass: (ms: number): TrainingJob => {
      for (let left = ms; left > 0; left -= 500) {
        time.wall += 500;
        time.steady += 500;
        scheduler.tick();
      }
      return jobs.training.get('job')!;
    },
  };
}

test.each([3 * hourMs, -3 * hourMs])('the clock is set by %i ms: a starting runner is awaited for 30 s', stepMs => {
  const { time, add, pass } = setting(`start${stepMs}`);
  add({}, { runner: { token: 'a', process: undefined, heartbeatMs: time.wall } });
  pass(10_000);
  time.wall += stepMs;
  expect(pass(19_000).runner?.token).toBe('a');
  expect(pass(3000).runner).toBe(undefined);
});

test.each([3 * hourMs, -3 * hourMs])(
  'the clock is set by %i ms: a runner elsewhere lives while it shows life',
  stepMs => {
    const { time, add, pass, output } = setting(`life${stepMs}`);
    add(
      {},
      {
        secondary: 'Training',
        instancesSinceMs: time.wall,
        runner: { token: 'a', process: elsewhere, heartbeatMs: time.wall },
      },
    );
    const startMs = time.wall;
    mkdirSync(join(output, '..'), { recursive: true });
    writeFileSync(output, '');
    // By the clock of the runner, which does not jump.
    const beat = (): void => utimesSync(output, (startMs + time.steady) / 1000, (startMs + time.steady) / 1000);
    beat();
    pass(10_000);
    time.wall += stepMs;
    for (let i = 0; i < 10; i++) {
      expect(pass(10_000).runner?.token).toBe('a');
      beat();
    }
    expect(pass(29_000).runner?.token).toBe('a');
    // It is billed until its last sign of life, even if it printed an error then.
    writeFileSync(output, 'Error');
    const lost = pass(3000);
    expect(lost.secondary).toBe('Failed');
    expect(Math.abs(lost.billedMs - 110_000)).toBeLessThan(1000);
  },
);

test.each([3 * hourMs, -3 * hourMs])(
  'the clock is set by %i ms: warm pools last as long as they are paid for',
  stepMs => {
    const { time, add, pass } = setting(`warm${stepMs}`);
    add(
      { keepAliveSeconds: 60 },
      { secondary: 'Completed', warmPool: { status: 'Available', clusterSinceMs: time.wall, keptSinceMs: time.wall } },
    );
    const keptSinceMs = time.wall;
    pass(10_000);
    time.wall += stepMs;
    expect(pass(49_000).warmPool?.status).toBe('Available');
    expect(pass(2000).warmPool).toMatchObject({ status: 'Terminated', keptUntilMs: keptSinceMs + 60_000 });
  },
);

test.each([3 * hourMs, -3 * hourMs])(
  'the clock is set by %i ms: spot instances are interrupted when they would be',
  stepMs => {
    const { time, add, pass } = setting(`spot${stepMs}`, { afterSeconds: [40] });
    const runner = { token: 'a', process: ownIdentity(), heartbeatMs: time.wall };
    add({ isSpot: true }, { secondary: 'Training', instancesSinceMs: time.wall, runner });
    pass(10_000);
    time.wall += stepMs;
    expect(pass(29_000).interruptRequestedMs).toBe(undefined);
    expect(pass(2000).interruptRequestedMs).toBeDefined();
  },
);

test.each([3 * hourMs, -3 * hourMs])(
  'the clock is set by %i ms for a moment: no job in a block is stopped or failed',
  stepMs => {
    const { time, add, pass, capacity, jobs } = setting(`block${stepMs}`);
    const [offered] = capacity.search({
      ...{ instanceType: 'trn1.2xlarge', instanceCount: 1, durationMs: 24 * hourMs },
      ...{ startAfterMs: undefined, endBeforeMs: undefined },
    });
    const block = capacity.buy(offered!.id, { purpose: 'training-plan', name: undefined, tags: {} });
    if (typeof block === 'string') throw new Error(block);
    const runner = { token: 'a', process: ownIdentity(), heartbeatMs: time.wall };
    add({ reservation: block.id }, { secondary: 'Training', instancesSinceMs: time.wall, runner });
    jobs.training.add(jobOf({ reservation: block.id }, { name: 'waits', createdMs: time.wall, attempt: 1 }));
    // An hour before the end.
    pass(1000);
    const elapsedMs = 23 * hourMs;
    time.wall += elapsedMs;
    time.steady += elapsedMs;
    pass(500);
    time.wall += stepMs;
    pass(20_000);
    expect(jobs.training.get('job')?.secondary).toBe('Training');
    expect(jobs.training.get('waits')?.secondary).toBe('Starting');
    time.wall -= stepMs;
    pass(5000);
    expect(jobs.training.get('job')?.secondary).toBe('Training');
    // A clock that stays set is followed after a minute.
    if (stepMs < 0) return;
    time.wall += stepMs;
    pass(62_000);
    expect(jobs.training.get('waits')?.secondary).toBe('Failed');
  },
);

test('a waiting job says why, in its last message', () => {
  const { jobs, capacity, time, add, pass } = setting('reasons');
  add({}, {});
  const message = (): string => transitionsOf(jobs.training.get('job')!).at(-1)!.message;
  const before = jobs.training.get('job')!.transitions;
  pass(500);
  expect(message()).toMatch(/ \(waiting: 1 ml\.trn1\.2xlarge is needed, 0 of 1 are free\)$/);
  expect(jobs.training.get('job')!.transitions).toEqual(before);
  jobs.training.add(jobOf({}, { name: 'later', createdMs: time.wall + 1, modifiedMs: time.wall + 1 }));
  const modifiedMs = jobs.training.get('job')!.modifiedMs;
  pass(1000);
  expect(jobs.training.get('job')!.modifiedMs).toBe(modifiedMs);
  expect(jobs.training.get('later')!.waitsFor).toEqual({ kind: 'order', instanceType });
  const offers = capacity.search({
    instanceType: 'trn1.2xlarge',
    instanceCount: 1,
    durationMs: 24 * hourMs,
    startAfterMs: time.wall + 48 * hourMs,
    endBeforeMs: undefined,
  });
  const block = capacity.buy(offers[0]!.id, { purpose: 'training-plan', name: 'plan', tags: {} });
  if (typeof block === 'string') throw new Error(block);
  jobs.training.add(jobOf({ reservation: block.id }, { name: 'planned', createdMs: time.wall, modifiedMs: time.wall }));
  pass(500);
  expect(describeWait(jobs.training.get('planned')!.waitsFor!)).toBe(
    `the capacity block plan starts at ${new Date(block.startMs).toISOString().replace('.000', '')}`,
  );
});
