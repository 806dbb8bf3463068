// SageMaker's control plane: training jobs and tags.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Operations_Amazon_SageMaker_Service.html
import type { FindImage } from '../../../jobs/images.ts';
import type { InstancePool } from '../../../jobs/training/instance-pool.ts';
import { keysUnder } from '../../../jobs/training/job-data.ts';
import type { JobStore } from '../../../jobs/training/job-store.ts';
import { isFinal, statusOf } from '../../../jobs/training/state-machine.ts';
import { moved, type TrainingJob, type TrainingJobSpec } from '../../../jobs/training/training-job.ts';
import { ObjectError } from '../../../objects/object-error.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import { JsonService } from '../protocols/json-service.ts';
import { describeTrainingJob, summarizeTrainingJob } from './training-job-reply.ts';
import { type CreateTrainingJobInput, trainingJobSpec } from './training-job-request.ts';

type Model = typeof sagemaker;

export interface SagemakerOptions {
  readonly account: string;
  readonly region: string;
  readonly jobs: JobStore;
  readonly objects: ObjectStore;
  readonly findImage: FindImage;
  readonly pool: InstancePool;
  readonly now: () => number;
}

const MAX_TAGS = 50;

export function sagemakerService(options: SagemakerOptions): JsonService<Model> {
  const { account, jobs } = options;
  const jobOf = (name: string): TrainingJob => {
    const job = jobs.get(name);
    // Waiters of all clients look for this code and message.
    if (job === undefined) throw new AwsError('ValidationException', 'Requested resource not found.');
    return job;
  };
  return new JsonService({
    name: 'sagemaker',
    account,
    model: sagemaker,
    operations: {
      CreateTrainingJob: input => createTrainingJob(options, input),
      DescribeTrainingJob: ({ TrainingJobName: name }) => describeTrainingJob(jobOf(name)),
      ListTrainingJobs: input => listTrainingJobs(jobs, input),
      StopTrainingJob: ({ TrainingJobName: name }) => stopTrainingJob(options, jobOf(name)),
      DeleteTrainingJob: ({ TrainingJobName: name }) => {
        const { secondary } = jobOf(name);
        if (!isFinal(secondary))
          throw new AwsError(
            'ResourceInUse',
            `The training job is in status ${statusOf(secondary)}; stop it before it is deleted.`,
          );
        jobs.remove(name);
        return undefined;
      },
      AddTags: ({ ResourceArn: arn, Tags: tags }) => {
        const added = Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
        const job = jobs.update(jobOf(nameOf(arn)).name, one => withTags(one, { ...one.tags, ...added }));
        return { Tags: tagList(job!) };
      },
      DeleteTags: ({ ResourceArn: arn, TagKeys: keys }) => {
        jobs.update(jobOf(nameOf(arn)).name, one =>
          withTags(one, Object.fromEntries(Object.entries(one.tags).filter(([key]) => !keys.includes(key)))),
        );
        return {};
      },
      ListTags: ({ ResourceArn: arn }) => ({ Tags: tagList(jobOf(nameOf(arn))) }),
    },
  });
}

/** The name in the ARN of a training job; an ARN of something else is not found. */
const nameOf = (arn: string): string => /:training-job\/(.+)$/.exec(arn)?.[1] ?? '';

const tagList = ({ tags }: TrainingJob) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

function withTags(job: TrainingJob, tags: Readonly<Record<string, string>>): TrainingJob {
  if (Object.keys(tags).length > MAX_TAGS)
    throw new AwsError('ValidationException', `A resource has at most ${MAX_TAGS} tags.`);
  return { ...job, tags };
}

function createTrainingJob(options: SagemakerOptions, input: CreateTrainingJobInput): object {
  const { account, region, jobs, now } = options;
  const spec = trainingJobSpec(input);
  const name = input.TrainingJobName;
  const arn = `arn:aws:sagemaker:${region}:${account}:training-job/${name.toLowerCase()}`;
  checkResources(options, spec);
  checkData(options, spec, input);
  const nowMs = now();
  const job: TrainingJob = {
    name,
    arn,
    spec,
    request: input,
    tags: Object.fromEntries((input.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
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
    stopRequestedMs: undefined,
    runner: undefined,
  };
  if (!jobs.add(job))
    throw new AwsError(
      'ResourceInUse',
      `Training job names must be unique within an AWS account and region, and a training job with this name already exists (${arn})`,
    );
  return { TrainingJobArn: arn };
}

function checkResources(
  { findImage, pool }: SagemakerOptions,
  { image, instanceType, instanceCount }: TrainingJobSpec,
): void {
  if (findImage(image) === undefined)
    throw new AwsError(
      'ValidationException',
      `The training image '${image}' is not known to this server. Its images are named in the file given with --images; 'trenio' is always there.`,
    );
  const limit = pool.limitOf(instanceType);
  if (instanceCount > limit)
    throw new AwsError(
      'ResourceLimitExceeded',
      `The account-level service limit '${instanceType} for training job usage' is ${limit} Instances, with current utilization of 0 Instances and a request delta of ${instanceCount} Instances. Please contact AWS support to request an increase for this limit.`,
    );
}

/** @throws {AwsError} ValidationException for a channel without objects, or an output bucket that does not exist */
function checkData(
  { objects, region }: SagemakerOptions,
  { channels, output }: TrainingJobSpec,
  { RoleArn: role }: CreateTrainingJobInput,
): void {
  for (const { bucket, prefix } of channels) {
    if (!hasObjects(objects, bucket, prefix))
      throw new AwsError(
        'ValidationException',
        `No S3 objects found under S3 URL "s3://${bucket}/${prefix}" given in input data source. Please ensure that the bucket exists in the selected region (${region}), that objects exist under that S3 prefix, and that the role "${role}" has "s3:ListBucket" permissions on bucket "${bucket}".`,
      );
  }
  try {
    objects.checkBucket(output.bucket);
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw new AwsError(
      'ValidationException',
      `The bucket '${output.bucket}' of OutputDataConfig.S3OutputPath does not exist.`,
    );
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

function stopTrainingJob({ jobs, now }: SagemakerOptions, { name }: TrainingJob): undefined {
  jobs.update(name, job => {
    if (isFinal(job.secondary))
      throw new AwsError(
        'ValidationException',
        `The request was rejected because the training job is in status ${statusOf(job.secondary)}.`,
      );
    if (job.secondary === 'Stopping') return undefined;
    const asked = { ...job, stopRequestedMs: now() };
    // Without a runner there is nothing to wait for.
    return moved(asked, job.runner === undefined ? 'Stopped' : 'Stopping', 'client', now());
  });
  return undefined;
}

function listTrainingJobs(jobs: JobStore, input: InputOf<Model, 'ListTrainingJobs'>): object {
  const limit = input.MaxResults ?? 10;
  const offset = fromPageToken(input.NextToken, 'ValidationException');
  const milliseconds = (time: number | undefined): number | undefined => time && time * 1000;
  const status = input.StatusEquals;
  const found = jobs.list({
    status: status === 'Deleting' ? undefined : status,
    nameContains: input.NameContains,
    createdAfterMs: milliseconds(input.CreationTimeAfter),
    createdBeforeMs: milliseconds(input.CreationTimeBefore),
    modifiedAfterMs: milliseconds(input.LastModifiedTimeAfter),
    modifiedBeforeMs: milliseconds(input.LastModifiedTimeBefore),
    sortBy: input.SortBy ?? 'CreationTime',
    descending: input.SortOrder === 'Descending',
    limit: limit + 1,
    offset,
  });
  return {
    TrainingJobSummaries: status === 'Deleting' ? [] : found.slice(0, limit).map(summarizeTrainingJob),
    NextToken: found.length > limit && status !== 'Deleting' ? toPageToken(offset + limit) : undefined,
  };
}
