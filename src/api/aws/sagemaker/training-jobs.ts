// The operations on training jobs.
import type { CapacityStore } from '../../../jobs/capacity/capacity-store.ts';
import type { ExperimentStore } from '../../../jobs/experiments/experiment-store.ts';
import { type FindImage, imageProblem } from '../../../jobs/images.ts';
import type { InstancePool } from '../../../jobs/instance-pool.ts';
import type { MetricStore } from '../../../jobs/metrics/metric-store.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import { spotPriceShare } from '../../../jobs/training/billing.ts';
import { keysUnder } from '../../../jobs/training/job-data.ts';
import { isFinal, statusOf } from '../../../jobs/training/state-machine.ts';
import { moved, type TrainingJob, type TrainingJobSpec } from '../../../jobs/training/training-job.ts';
import { expiryMs, withPoolEnded } from '../../../jobs/training/warm-pool.ts';
import { ObjectError } from '../../../objects/object-error.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsRequest } from '../aws-request.ts';
import { withoutEffect } from '../models/member-effects.ts';
import { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import type { Operations } from '../protocols/json-service.ts';
import { header } from '../signature/request-head.ts';
import { associationOf } from './experiments.ts';
import { addJob, cannotStop, checkInstanceLimit } from './jobs.ts';
import { listPage } from './listing.ts';
import { notFound } from './not-found.ts';
import { arnOf } from './serving-errors.ts';
import { readTags } from './tags.ts';
import { describeTrainingJob, summarizeTrainingJob } from './training-job-reply.ts';
import { type CreateTrainingJobInput, trainingJobSpec } from './training-job-request.ts';
import { reservationOf } from './training-plans.ts';

type Model = typeof sagemaker;

/** The server settings for training jobs. */
export interface TrainingJobOptions {
  readonly account: string;
  readonly region: string;
  readonly jobs: JobStore;
  readonly objects: ObjectStore;
  readonly metrics: MetricStore;
  readonly usage: MetricStore;
  readonly findImage: FindImage;
  readonly pool: InstancePool;
  readonly capacity: CapacityStore;
  readonly experiments: ExperimentStore;
  readonly now: () => number;
}

export function trainingJobOperations(options: TrainingJobOptions) {
  const { jobs, metrics, usage, now } = options;
  const jobOf = (name: string): TrainingJob => {
    const job = jobs.training.get(name);
    if (job === undefined) throw notFound();
    return job;
  };
  return {
    CreateTrainingJob: (input, request) => createTrainingJob(options, input, invocationOf(request)),
    DescribeTrainingJob: ({ TrainingJobName: name }) => describeTrainingJob(jobOf(name), now()),
    ListTrainingJobs: input => listTrainingJobs(options, input),
    StopTrainingJob: ({ TrainingJobName: name }, request) =>
      stopTrainingJob(options, jobOf(name), invocationOf(request)),
    UpdateTrainingJob: input => updateTrainingJob(options, jobOf(input.TrainingJobName), input),
    DeleteTrainingJob: ({ TrainingJobName: name }) => {
      const { secondary, warmPool } = jobOf(name);
      if (!isFinal(secondary))
        throw new AwsError(
          'ResourceInUse',
          `The training job is in status ${statusOf(secondary)}; stop it before it is deleted.`,
        );
      if (warmPool?.status === 'Available')
        throw new AwsError(
          'ResourceInUse',
          'The training job has a warm pool that is Available; set its KeepAlivePeriodInSeconds to 0 with UpdateTrainingJob before it is deleted.',
        );
      jobs.training.remove(name);
      metrics.remove(name);
      usage.remove(name);
      return undefined;
    },
  } satisfies Partial<Operations<Model>>;
}

/** The client's id for a request and its retries; undefined if it sends none. */
function invocationOf({ head, key }: AwsRequest): string | undefined {
  const id = header(head, 'amz-sdk-invocation-id');
  return id && `${key.id} ${id}`;
}

/**
 * Checks whether the job can run here, and returns its definition.
 * @throws {AwsError} if not
 */
export function checkTrainingJob(options: TrainingJobOptions, input: CreateTrainingJobInput): TrainingJobSpec {
  const asked = trainingJobSpec(input);
  const spec = { ...asked, reservation: reservationOf(options.capacity, input.ResourceConfig, options.now()) };
  checkResources(options, spec);
  checkData(options, spec, input);
  return spec;
}

/** @param origin further members of the description, such as the tuning job that it belongs to */
export function createTrainingJob(
  options: TrainingJobOptions,
  input: CreateTrainingJobInput,
  invocation: string | undefined,
  origin: Readonly<Record<string, string>> = {},
): object {
  const { account, region, jobs, now } = options;
  const before = jobs.training.find(input.TrainingJobName);
  // The response to the first request was lost.
  if (before?.createdBy !== undefined && before.createdBy === invocation) return { TrainingJobArn: before.arn };
  const spec = checkTrainingJob(options, input);
  const name = input.TrainingJobName;
  const resourceArn = arnOf(region, account);
  const arn = resourceArn('training-job', name);
  const associate = associationOf({ ...options, arn: resourceArn }, input.ExperimentConfig, name, 'training-job');
  const nowMs = now();
  const job: TrainingJob = {
    name,
    arn,
    spec,
    request: { ...input, ...origin },
    withoutEffect: withoutEffect('sagemaker', sagemaker, 'CreateTrainingJob', input),
    tags: readTags(input.Tags),
    secondary: 'Starting',
    transitions: [{ status: 'Starting', startMs: nowMs, endMs: undefined, message: 'Starting the training job' }],
    createdMs: nowMs,
    modifiedMs: nowMs,
    trainingStartMs: undefined,
    trainingEndMs: undefined,
    billedMs: 0,
    instancesSinceMs: undefined,
    failureReason: undefined,
    finalMetrics: [],
    attempt: 0,
    retries: 0,
    interruptRequestedMs: undefined,
    priceShare: spec.isSpot ? spotPriceShare(spec.instanceType) : 1,
    createdBy: invocation,
    stopRequestedMs: undefined,
    runner: undefined,
  };
  addJob(jobs.training, job, 'Training job names');
  associate();
  return { TrainingJobArn: arn };
}

function checkResources(
  { findImage, pool }: TrainingJobOptions,
  { image, instanceType, instanceCount, reservation }: TrainingJobSpec,
): void {
  const problem = imageProblem(findImage, image);
  if (problem !== undefined) throw new AwsError('ValidationException', `The training image '${image}' ${problem}`);
  if (reservation === undefined) checkInstanceLimit(pool, { instanceType, instanceCount }, 'training job');
}

/** @throws {AwsError} ValidationException for a channel without objects, or an output bucket that does not exist */
function checkData(
  { objects, region }: TrainingJobOptions,
  { channels, output, tensorBoard }: TrainingJobSpec,
  { RoleArn: role }: CreateTrainingJobInput,
): void {
  for (const { bucket, prefix } of channels) {
    if (!hasObjects(objects, bucket, prefix))
      throw new AwsError(
        'ValidationException',
        `No S3 objects found under S3 URL "s3://${bucket}/${prefix}" given in input data source. Please ensure that the bucket exists in the selected region (${region}), that objects exist under that S3 prefix, and that the role "${role}" has "s3:ListBucket" permissions on bucket "${bucket}".`,
      );
  }
  const buckets = { OutputDataConfig: output.bucket, TensorBoardOutputConfig: tensorBoard?.bucket };
  for (const [member, bucket] of Object.entries(buckets))
    try {
      if (bucket !== undefined) objects.checkBucket(bucket);
    } catch (error) {
      if (!(error instanceof ObjectError)) throw error;
      throw new AwsError('ValidationException', `The bucket '${bucket}' of ${member}.S3OutputPath does not exist.`);
    }
}

function hasObjects(objects: ObjectStore, bucket: string, prefix: string): boolean {
  try {
    return keysUnder(objects, bucket, prefix).next().done !== true;
  } catch (error) {
    if (error instanceof ObjectError) return false;
    throw error;
  }
}

export function stopTrainingJob(
  { jobs, now }: TrainingJobOptions,
  { name }: TrainingJob,
  invocation: string | undefined,
): undefined {
  jobs.training.update(name, job => {
    if (job.stoppedBy !== undefined && job.stoppedBy === invocation) return undefined;
    if (isFinal(job.secondary)) throw cannotStop('training job', statusOf(job.secondary));
    if (job.secondary === 'Stopping') return undefined;
    const asked = { ...job, stopRequestedMs: now(), stoppedBy: invocation };
    // Without a runner there is nothing to wait for.
    return moved(asked, job.runner === undefined ? 'Stopped' : 'Stopping', 'client', now());
  });
  return undefined;
}

/** Changes how long the warm pool of a job is kept. Profiler settings are ignored. */
function updateTrainingJob(
  { jobs, now }: TrainingJobOptions,
  { name }: TrainingJob,
  { ResourceConfig: resources }: InputOf<Model, 'UpdateTrainingJob'>,
): object {
  const keepAliveSeconds = resources?.KeepAlivePeriodInSeconds;
  const updated = jobs.training.update(name, job => {
    const status = job.warmPool?.status;
    if (keepAliveSeconds === undefined) {
      if (!isFinal(job.secondary)) return undefined;
      throw cannotStop('training job', statusOf(job.secondary));
    }
    const waits = !isFinal(job.secondary) && job.spec.keepAliveSeconds !== undefined;
    if (status !== 'Available' && status !== 'InUse' && !waits)
      throw new AwsError(
        'ValidationException',
        `KeepAlivePeriodInSeconds cannot be changed: the training job has no warm pool that is Available or InUse${status === undefined ? '' : ` (it is ${status})`}.`,
      );
    const changed: TrainingJob = {
      ...job,
      spec: { ...job.spec, keepAliveSeconds },
      request: { ...job.request, ResourceConfig: { ...asObject(job.request.ResourceConfig), ...resources } },
      modifiedMs: now(),
    };
    const expiry = expiryMs(changed);
    return expiry !== undefined && expiry <= now() ? withPoolEnded(changed, now()) : changed;
  });
  if (updated === undefined) throw notFound();
  return { TrainingJobArn: updated.arn };
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function listTrainingJobs({ jobs, now }: TrainingJobOptions, input: InputOf<Model, 'ListTrainingJobs'>): object {
  const { StatusEquals: status, ...more } = input;
  if (status === 'Deleting') return { TrainingJobSummaries: [] };
  const conditions = [
    ["json_extract(data, '$.warmPool.status') = ?", input.WarmPoolStatusEquals],
    ["json_extract(data, '$.request.ResourceConfig.TrainingPlanArn') = ?", input.TrainingPlanArnEquals],
  ] as const;
  const asked = { ...more, StatusEquals: status, SortOrder: input.SortOrder ?? 'Ascending' } as const;
  const { rows, NextToken } = listPage(asked, query => jobs.training.list(query, conditions));
  return { TrainingJobSummaries: rows.map(job => summarizeTrainingJob(job, now())), NextToken };
}
