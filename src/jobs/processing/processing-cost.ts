// The cost of a processing job: the on-demand price of its instances, billed by the second.
import { costOf, type MicroUsd } from '../../base/money.ts';
import { priceOf } from '../../hardware/price-of.ts';
import type { ProcessingJob } from './processing-job.ts';

/** Whole seconds on its instances, until now if it runs; 0 before. */
export const billedSeconds = ({ startMs, endMs }: ProcessingJob, nowMs: number): number =>
  startMs === undefined ? 0 : Math.max(1, Math.ceil(((endMs ?? nowMs) - startMs) / 1000));

/** Undefined if the catalog has no price of the instance type. */
export function costOfProcessing(job: ProcessingJob, nowMs: number): MicroUsd | undefined {
  const { instanceType, instanceCount } = job.spec;
  const price = priceOf(instanceType)?.value;
  return price && costOf(price, billedSeconds(job, nowMs) * instanceCount);
}
