// The billed time of a job: whole seconds of its instances over all attempts; seconds of spot instances are weighted by their
// share of the on-demand price. The savings of a spot job are therefore 1 - BillableTimeInSeconds / TrainingTimeInSeconds.
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

/** EC2's spot price of an instance type as a share of its on-demand price; 1 if unknown. */
export function spotPriceShare(instanceType: string): number {
  const instance = findInstance(instanceType);
  const price = (kind: 'spot' | 'on-demand'): number | undefined =>
    instance?.prices.find(one => one.service === 'ec2' && one.kind === kind)?.perHour.value;
  const [spot, onDemand] = [price('spot'), price('on-demand')];
  return spot === undefined || onDemand === undefined ? 1 : Math.min(1, spot / onDemand);
}

/** The price of an instance hour: 0 in reserved capacity, which was paid in advance; undefined if the catalog has none. */
export const hourlyPriceOf = ({ spec: { instanceType, reservation } }: TrainingJob): MicroUsd | undefined =>
  reservation === undefined ? priceOf(instanceType)?.value : (0 as MicroUsd);

/** Price × billable seconds × instances, warm pools included; undefined if the catalog has no price of the instance type. */
export function costOfJob(job: TrainingJob, nowMs: number): MicroUsd | undefined {
  const { instanceCount } = job.spec;
  const price = hourlyPriceOf(job);
  const seconds = (billableSeconds(job) ?? 0) + (retainedSeconds(job, nowMs) ?? 0);
  return price === undefined ? undefined : costOf(price, seconds * instanceCount);
}
