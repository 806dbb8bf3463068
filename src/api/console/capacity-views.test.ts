// A waiting job can be explained by the rows of its instance type: they say what blocks reserve.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DAY_MS } from '../../jobs/capacity/capacity-block.ts';
import { CapacityStore } from '../../jobs/capacity/capacity-store.ts';
import { InstancePool } from '../../jobs/instance-pool.ts';
import { JobStore } from '../../jobs/store/job-store.ts';
import { jobOf } from '../../jobs/training/training-job.testing.ts';
import { poolRows } from './capacity-views.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-capacity-views-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('instances of a block are reserved for it until a job in it takes them', () => {
  const now = (): number => Date.UTC(2026, 0, 5, 8, 20, 30);
  const jobs = new JobStore(folder);
  const capacity = new CapacityStore({ folder, limitOf: () => 3, service: 'sagemaker', zone: 'us-east-1a', now });
  const pool = new InstancePool({ instances: [{ type: 'ml.trn1.32xlarge', count: 3 }] });
  const rows = () =>
    poolRows({ pool, jobs, capacity, now }).map(({ taken, reserved, waiting }) => [taken, reserved, waiting]);

  const wanted = { instanceType: 'trn1.32xlarge', instanceCount: 2, durationMs: DAY_MS };
  const [offering] = capacity.search({ ...wanted, startAfterMs: undefined, endBeforeMs: undefined });
  const block = capacity.buy(offering!.id, { purpose: 'training-plan', name: 'spring', tags: {} });
  jobs.training.add(jobOf({ instanceType: 'ml.trn1.32xlarge', instanceCount: 2 }, { name: 'waits' }));
  expect(rows()).toEqual([[0, 2, 2]]);

  const spec = { instanceType: 'ml.trn1.32xlarge', instanceCount: 1, reservation: (block as { id: string }).id };
  const runner = { token: 'a', process: undefined, heartbeatMs: now() };
  jobs.training.add(jobOf(spec, { name: 'in-block', runner }));
  expect(rows()).toEqual([[1, 1, 2]]);
});
