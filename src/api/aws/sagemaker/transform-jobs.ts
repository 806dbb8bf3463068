// The operations on batch transform jobs.

import type { ExperimentStore } from '../../../jobs/experiments/experiment-store.ts';
import type { InstancePool } from '../../../jobs/instance-pool.ts';
import { shownRequest } from '../../../jobs/secrets.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import type { TransformJob, TransformSpec } from '../../../jobs/transform/transform-job.ts';
import { ObjectError } from '../../../objects/object-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import type { Operations } from '../protocols/json-service.ts';
import { associationOf } from './experiments.ts';
import { addJob, checkInstanceLimit, newJob, stopJob } from './jobs.ts';
import { listPage } from './listing.ts';
import type { ModelOptions } from './models.ts';
import { notFound } from './not-found.ts';
import { couldNotFind, invalid, s3Folder, s3Location } from './serving-errors.ts';

type Service = typeof sagemaker;
type CreateInput = InputOf<Service, 'CreateTransformJob'>;

export interface TransformJobOptions extends Omit<ModelOptions, 'findImage'> {
  readonly jobs: JobStore;
  readonly experiments: ExperimentStore;
  readonly pool: InstancePool;
}

const MIB = 1024 ** 2;
const DEFAULT_PAYLOAD_MB = 6;
const MOST_IN_FLIGHT_MB = 100;

export function transformJobOperations(options: TransformJobOptions) {
  const { arn, now } = options;
  const jobs = options.jobs.transform;
  const jobOf = (name: string): TransformJob => {
    const job = jobs.get(name);
    if (job === undefined) throw notFound();
    return job;
  };
  return {
    CreateTransformJob: input => {
      const { TransformJobName: name, ...request } = input;
      const spec = specOf(options, input);
      const associate = associationOf(options, input.ExperimentConfig, name, 'transform-job');
      const job = newJob(name, arn('transform-job', name), request, spec, now());
      addJob(jobs, job, 'Job name');
      associate();
      return { TransformJobArn: job.arn };
    },
    DescribeTransformJob: ({ TransformJobName: name }) => {
      const job = jobOf(name);
      return {
        ...shownRequest(job.request),
        TransformJobName: job.name,
        TransformJobArn: job.arn,
        TransformJobStatus: job.status,
        FailureReason: job.failureReason,
        CreationTime: job.createdMs / 1000,
        TransformStartTime: job.startMs && job.startMs / 1000,
        TransformEndTime: job.endMs && job.endMs / 1000,
      };
    },
    ListTransformJobs: input => {
      const { rows, NextToken } = listPage(input, query => jobs.list(query));
      return {
        TransformJobSummaries: rows.map(job => ({
          TransformJobName: job.name,
          TransformJobArn: job.arn,
          CreationTime: job.createdMs / 1000,
          TransformEndTime: job.endMs && job.endMs / 1000,
          LastModifiedTime: job.modifiedMs / 1000,
          TransformJobStatus: job.status,
          FailureReason: job.failureReason,
        })),
        NextToken,
      };
    },
    StopTransformJob: ({ TransformJobName: name }) => stopJob(jobs, jobOf(name), 'transform job', now()),
  } satisfies Partial<Operations<Service>>;
}

/** @throws {AwsError} ValidationException, ResourceLimitExceeded */
function specOf({ endpoints, objects, arn, pool }: TransformJobOptions, input: CreateInput): TransformSpec {
  const {
    TransformInput: from,
    TransformOutput: to,
    TransformResources: resources,
    DataProcessing: processing,
  } = input;
  const model = endpoints.models.get(input.ModelName);
  if (model === undefined) throw couldNotFind('model', arn('model', input.ModelName));
  const s3 = from.DataSource.S3DataSource;
  if (s3.S3DataType !== 'S3Prefix')
    throw invalid(`The S3DataType '${s3.S3DataType}' is not supported by this server; use 'S3Prefix'.`);
  const split = from.SplitType ?? 'None';
  if (split !== 'None' && split !== 'Line')
    throw invalid(`The SplitType '${split}' is not supported by this server; use 'Line' or 'None'.`);
  if (
    processing !== undefined &&
    (processing.JoinSource === 'Input' || isFilter(processing.InputFilter) || isFilter(processing.OutputFilter))
  )
    throw invalid('DataProcessing is not supported by this server.');
  if (input.DataCaptureConfig !== undefined)
    throw invalid('DataCaptureConfig of transform jobs is not supported by this server.');
  const payloadMb = input.MaxPayloadInMB ?? DEFAULT_PAYLOAD_MB;
  const maxConcurrent = input.MaxConcurrentTransforms || 1;
  if (payloadMb * maxConcurrent > MOST_IN_FLIGHT_MB)
    throw invalid(
      `The product of MaxConcurrentTransforms and MaxPayloadInMB must be at most ${MOST_IN_FLIGHT_MB}, got ${payloadMb * maxConcurrent}.`,
    );
  if (split === 'None' && input.BatchStrategy === 'MultiRecord')
    throw invalid("BatchStrategy 'MultiRecord' needs a SplitType other than 'None'.");
  const { bucket, key: prefix } = s3Location(s3.S3Uri, 'S3Uri');
  const output = s3Folder(to.S3OutputPath, 'S3OutputPath');
  try {
    objects.checkBucket(bucket);
    objects.checkBucket(output.bucket);
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw invalid(`The bucket of TransformInput or TransformOutput does not exist: ${error.message}.`);
  }
  const { InstanceType: instanceType, InstanceCount: instanceCount } = resources;
  checkInstanceLimit(pool, { instanceType, instanceCount }, 'transform job');
  return {
    modelName: model.name,
    container: model.container,
    input: {
      bucket,
      prefix,
      contentType: from.ContentType,
      gzip: from.CompressionType === 'Gzip',
      split: split === 'Line' ? 'line' : 'none',
    },
    output: { ...output, accept: to.Accept, withLines: to.AssembleWith === 'Line' },
    isMultiRecord: input.BatchStrategy !== 'SingleRecord',
    maxPayloadBytes: payloadMb === 0 ? null : payloadMb * MIB,
    maxConcurrent,
    instanceType,
    instanceCount,
    environment: input.Environment ?? {},
    timeoutMs: (input.ModelClientConfig?.InvocationsTimeoutInSeconds ?? 600) * 1000,
    maxRetries: input.ModelClientConfig?.InvocationsMaxRetries ?? 0,
  };
}

const isFilter = (filter: string | undefined): boolean => filter !== undefined && filter !== '$';
