// Costs that are not those of jobs: the fees of training plans and capacity blocks, when they are paid, and endpoints.
import { costOf, type MicroUsd } from '../../base/money.ts';
import { priceOf } from '../../hardware/index.ts';
import type { CapacityStore } from '../../jobs/capacity/capacity-store.ts';
import type { Serving } from '../../serving/fleet/serving.ts';

/** Undefined: without a price. */
export function otherCosts(
  capacity: CapacityStore,
  serving: Serving,
  fromMs: number,
  toMs: number,
): readonly (MicroUsd | undefined)[] {
  const fees = capacity
    .list()
    .flatMap(({ createdMs, fee, extensions }) => [
      { atMs: createdMs, fee },
      ...extensions.map(one => ({ atMs: one.purchasedMs, fee: one.fee })),
    ])
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map(({ fee }) => fee);
  const endpoints = serving.instanceTime(fromMs, toMs).map(({ instanceType, ms }) => {
    const price = priceOf(instanceType)?.value;
    return price && costOf(price, ms / 1000);
  });
  return [...fees, ...endpoints];
}
