// The rows of the Capacity page: the instances of each type, and the reserved blocks.
import { toDollars } from '../../base/money.ts';
import { priceOf } from '../../hardware/index.ts';
import { type CapacityBlock, stateAt, totalFee } from '../../jobs/capacity/capacity-block.ts';
import type { CapacityStore } from '../../jobs/capacity/capacity-store.ts';
import type { InstancePool } from '../../jobs/instance-pool.ts';
import type { InstanceClaim } from '../../jobs/job.ts';
import { countOf, HeldInstances } from '../../jobs/ledger.ts';
import type { JobStore } from '../../jobs/store/job-store.ts';
import type { BlockRow, PoolRow } from './messages.ts';

export interface InstanceStores {
  readonly pool: InstancePool;
  readonly jobs: JobStore;
  readonly capacity: CapacityStore;
  readonly now: () => number;
}

/** The instance types that exist or that jobs use or wait for, and how many are taken and reserved. */
export function poolRows({ pool, jobs, capacity, now }: InstanceStores): readonly PoolRow[] {
  const active = jobs.training.active();
  const running = active.filter(({ runner }) => runner !== undefined).map(({ spec }) => spec);
  const waiting = active.filter(({ runner }) => runner === undefined).map(({ spec }) => spec);
  const held = new HeldInstances({ pool, jobs, capacity, now });
  return [...new Set([...pool.types(), ...active.map(({ spec }) => spec.instanceType)])].map(instanceType => {
    const isOfType = (one: InstanceClaim): boolean => one.instanceType === instanceType;
    const price = priceOf(instanceType)?.value;
    return {
      instanceType,
      count: pool.limitOf(instanceType),
      cores: pool.coresOf(instanceType),
      taken: countOf(running.filter(isOfType)),
      reserved: held.reserved(instanceType),
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
