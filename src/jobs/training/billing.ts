// What a job is billed: whole seconds of its instances, counted over all attempts; seconds of spot instances count as the share
// of the price on demand that they cost. The saving of a spot job is therefore 1 - BillableTimeInSeconds / TrainingTimeInSeconds.
import { costOf, type MicroUsd } from '../../base/money.ts';
import { findInstance } from '../../hardware/instances/index.ts';
import { priceOf } from '../../hardware/price-of.ts';
import type { TrainingJob } from './training-job.ts';
import { retainedSeconds } from './warm-pool.ts';

/** Undefined while nothing has been billed. */
export const billableSeconds = ({ billedMs, priceShare }: TrainingJob): number | undefined =>
  billedMs === 0 ? undefined : wholeSeconds(billedMs * priceShare);

/** Seconds from the first download to the end; undefined before the end. */
export const trainingSeconds = ({ trainingStartMs, trainingEndMs }: TrainingJob): number | undefined =>
  trainingStartMs === undefined || trainingEndMs === undefined
    ? undefined
    : wholeSeconds(trainingEndMs - trainingStartMs);

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** What spot instances of a type cost as a share of the price on demand, both EC2's; 1 where it is not known. */
export function spotPriceShare(instanceType: string): number {
  const instance = findInstance(instanceType);
  const price = (kind: 'spot' | 'on-demand'): number | undefined =>
    instance?.prices.find(one => one.service === 'ec2' && one.kind === kind)?.perHour.value;
  const [spot, onDemand] = [price('spot'), price('on-demand')];
  return spot === undefined || onDemand === undefined ? 1 : Math.min(1, spot / onDemand);
}

/** Price × billable seconds × instances, warm pools included; undefined if the catalog has no price of the instance type. */
export function costOfJob(job: TrainingJob, nowMs: number): MicroUsd | undefined {
  const { instanceType, instanceCount } = job.spec;
  const price = priceOf(instanceType)?.value;
  const seconds = (billableSeconds(job) ?? 0) + (retainedSeconds(job, nowMs) ?? 0);
  return price && costOf(price, seconds * instanceCount);
}
