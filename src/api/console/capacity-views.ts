// The rows of the Capacity page: the instances of each type, and the reserved blocks.
import { toDollars } from '../../base/money.ts';
import { priceOf } from '../../hardware/index.ts';
import { type CapacityBlock, stateAt, totalFee } from '../../jobs/capacity/capacity-block.ts';
import type { CapacityStore } from '../../jobs/capacity/capacity-store.ts';
import type { JobStore } from '../../jobs/store/job-store.ts';
import type { InstancePool, Taken } from '../../jobs/training/instance-pool.ts';
import { ReservedJobs } from '../../jobs/training/reserved-jobs.ts';
import type { BlockRow, PoolRow } from './messages.ts';

export interface InstanceStores {
  readonly pool: InstancePool;
  readonly jobs: JobStore;
  readonly capacity: CapacityStore;
  readonly now: () => number;
}

const countOf = (taken: readonly Taken[]): number => taken.reduce((sum, { instanceCount }) => sum + instanceCount, 0);

/** The instance types that exist or that jobs use or wait for, and how many are taken and reserved. */
export function poolRows({ pool, jobs, capacity, now }: InstanceStores): readonly PoolRow[] {
  const active = jobs.training.active();
  const running = active.filter(({ runner }) => runner !== undefined).map(({ spec }) => spec);
  const waiting = active.filter(({ runner }) => runner === undefined).map(({ spec }) => spec);
  const blocks = new ReservedJobs(jobs, capacity, now);
  return [...new Set([...pool.types(), ...active.map(({ spec }) => spec.instanceType)])].map(instanceType => {
    const isOfType = (one: Taken): boolean => one.instanceType === instanceType;
    const price = priceOf(instanceType)?.value;
    return {
      instanceType,
      count: pool.limitOf(instanceType),
      cores: pool.coresOf(instanceType),
      taken: countOf(running.filter(isOfType)),
      reserved: blocks.held(instanceType, running),
      waiting: countOf(waiting.filter(isOfType)),
      usdPerHour: price === undefined ? null : toDollars(price),
    };
  });
}

export const blockRows = (blocks: readonly CapacityBlock[], nowMs: number): readonly BlockRow[] =>
  blocks.map(block => ({
    id: block.id,
    purpose: block.purpose,
    name: block.name,
    instanceType: block.instanceType,
    instanceCount: block.instanceCount,
    startMs: block.startMs,
    endMs: block.endMs,
    state: stateAt(block, nowMs),
    usd: toDollars(totalFee(block)),
    extensions: block.extensions.length,
  }));
