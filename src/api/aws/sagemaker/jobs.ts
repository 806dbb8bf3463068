// Steps that the operations on jobs of several kinds share.
import type { InstancePool } from '../../../jobs/instance-pool.ts';
import type { InstanceClaim } from '../../../jobs/job.ts';
import { isActive, type OneAttemptJob } from '../../../jobs/one-attempt.ts';
import type { ResourceTable, TableRow } from '../../../jobs/store/resource-table.ts';
import { AwsError } from '../aws-error.ts';
import { invalid } from './serving-errors.ts';
import { readTags } from './tags.ts';

type JobName = 'training job' | 'processing job' | 'transform job' | 'hyperparameter tuning job';

/** @throws {AwsError} ResourceLimitExceeded if there are fewer instances of the type */
export function checkInstanceLimit(
  pool: InstancePool,
  { instanceType, instanceCount }: InstanceClaim,
  kind: JobName,
): void {
  const limit = pool.limitOf(instanceType);
  if (instanceCount > limit)
    throw new AwsError(
      'ResourceLimitExceeded',
      `The account-level service limit '${instanceType} for ${kind} usage' is ${limit} Instances, with current utilization of 0 Instances and a request delta of ${instanceCount} Instances. Please contact AWS support to request an increase for this limit.`,
    );
}

/**
 * Adds a job whose name, in any case, is not taken: names in ARNs are in lower case.
 * @param names what has to be unique, such as `Training job names`
 * @throws {AwsError} ResourceInUse
 */
export function addJob<T extends TableRow & { readonly arn: string }>(
  table: ResourceTable<T>,
  job: T,
  names: string,
): void {
  if (table.find(job.name) === undefined && table.add(job)) return;
  const one = names.toLowerCase().replace(/ names?$/, '');
  throw new AwsError(
    'ResourceInUse',
    `${names} must be unique within an AWS account and region, and a ${one} with this name already exists (${job.arn})`,
  );
}

export const cannotStop = (kind: JobName, status: string): AwsError =>
  invalid(`The request was rejected because the ${kind} is in status ${status}.`);

/** A new job of a kind that is run once. */
export const newJob = <S extends InstanceClaim>(
  name: string,
  arn: string,
  { Tags, ...request }: { readonly Tags?: Parameters<typeof readTags>[0] },
  spec: S,
  nowMs: number,
) => ({
  ...{ name, arn, tags: readTags(Tags), request, createdMs: nowMs, modifiedMs: nowMs, spec },
  status: 'InProgress' as const,
  startMs: undefined,
  endMs: undefined,
  failureReason: undefined,
  runner: undefined,
});

/** @throws {AwsError} ValidationException if it has ended */
export function stopJob<T extends OneAttemptJob>(
  table: ResourceTable<T>,
  { name }: T,
  kind: JobName,
  nowMs: number,
): undefined {
  table.update(name, job => {
    if (!isActive(job)) throw cannotStop(kind, job.status);
    return { ...job, status: 'Stopping', modifiedMs: nowMs };
  });
}
