// The operations on processing jobs.
import { posix } from 'node:path';
import type { ExperimentStore } from '../../../jobs/experiments/experiment-store.ts';
import type { FindImage } from '../../../jobs/images.ts';
import type { InstancePool } from '../../../jobs/instance-pool.ts';
import {
  PROCESSING_ROOT,
  type ProcessingInput,
  type ProcessingJob,
  type ProcessingOutput,
  type ProcessingSpec,
} from '../../../jobs/processing/processing-job.ts';
import { shownRequest } from '../../../jobs/secrets.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import type { Operations } from '../protocols/json-service.ts';
import { associationOf } from './experiments.ts';
import { addJob, checkInstanceLimit, newJob, stopJob } from './jobs.ts';
import { listPage } from './listing.ts';
import { type ArnOf, invalid, s3Folder, s3Location } from './serving-errors.ts';

type Service = typeof sagemaker;
type CreateInput = InputOf<Service, 'CreateProcessingJob'>;
type InputConfig = NonNullable<CreateInput['ProcessingInputs']>[number];
type OutputConfig = NonNullable<CreateInput['ProcessingOutputConfig']>['Outputs'][number];

export interface ProcessingJobOptions {
  readonly arn: ArnOf;
  readonly jobs: JobStore;
  readonly experiments: ExperimentStore;
  readonly findImage: FindImage;
  readonly pool: InstancePool;
  readonly now: () => number;
}

const DEFAULT_RUNTIME_SECONDS = 24 * 3600;

export function processingJobOperations(options: ProcessingJobOptions) {
  const { arn, now } = options;
  const jobs = options.jobs.processing;
  const jobOf = (name: string): ProcessingJob => {
    const job = jobs.get(name);
    if (job === undefined) throw invalid(`Could not find requested job with name: ${name}`);
    return job;
  };
  return {
    CreateProcessingJob: input => {
      const { ProcessingJobName: name, ...request } = input;
      const associate = associationOf(options, input.ExperimentConfig, name, 'processing-job');
      const job = {
        ...newJob(name, arn('processing-job', name), request, specOf(options, input), now()),
        exitMessage: undefined,
      };
      addJob(jobs, job, 'Job name');
      associate();
      return { ProcessingJobArn: job.arn };
    },
    DescribeProcessingJob: ({ ProcessingJobName: name }) => {
      const job = jobOf(name);
      return {
        ...shownRequest(job.request),
        StoppingCondition: { MaxRuntimeInSeconds: job.spec.maxRuntimeSeconds },
        ...summaryOf(job),
        ProcessingStartTime: job.startMs && job.startMs / 1000,
      };
    },
    ListProcessingJobs: input => {
      const { rows, NextToken } = listPage(input, query => jobs.list(query));
      return { ProcessingJobSummaries: rows.map(summaryOf), NextToken };
    },
    StopProcessingJob: ({ ProcessingJobName: name }) => stopJob(jobs, jobOf(name), 'processing job', now()),
  } satisfies Partial<Operations<Service>>;
}

const summaryOf = (job: ProcessingJob) => ({
  ProcessingJobName: job.name,
  ProcessingJobArn: job.arn,
  ProcessingJobStatus: job.status,
  CreationTime: job.createdMs / 1000,
  ProcessingEndTime: job.endMs && job.endMs / 1000,
  LastModifiedTime: job.modifiedMs / 1000,
  FailureReason: job.failureReason,
  ExitMessage: job.exitMessage,
});

/** @throws {AwsError} ValidationException, ResourceLimitExceeded */
function specOf({ findImage, pool }: ProcessingJobOptions, input: CreateInput): ProcessingSpec {
  const { AppSpecification: app, ProcessingResources: resources, NetworkConfig: network } = input;
  const image = findImage(app.ImageUri);
  if (image === undefined)
    throw invalid(
      `The image '${app.ImageUri}' is not known to this server. Its images are named in the file given with --images; 'trenio' is always available.`,
    );
  if (image.kind === 'docker')
    throw invalid(
      `The image '${app.ImageUri}' is of the kind docker, which processing jobs of this server do not run.`,
    );
  if (app.ContainerEntrypoint === undefined && !(image.kind === 'command' && image.process !== undefined))
    throw invalid(
      `The image '${app.ImageUri}' has no command for processing: name one in AppSpecification.ContainerEntrypoint.`,
    );
  const {
    InstanceType: instanceType,
    InstanceCount: instanceCount,
    VolumeSizeInGB: volumeGb,
    InstancePreferences: preferences,
  } = resources.ClusterConfig;
  if (preferences !== undefined)
    throw invalid('InstancePreferences are not supported by this server; use InstanceType and InstanceCount.');
  if (instanceType === undefined || instanceCount === undefined)
    throw invalid('ClusterConfig needs an InstanceType and an InstanceCount.');
  checkInstanceLimit(pool, { instanceType, instanceCount }, 'processing job');
  const inputs = (input.ProcessingInputs ?? []).flatMap(one => inputOf(one) ?? []);
  const outputs = (input.ProcessingOutputConfig?.Outputs ?? []).flatMap(one => outputOf(one) ?? []);
  checkUnique(
    'InputName',
    (input.ProcessingInputs ?? []).map(one => one.InputName),
  );
  checkUnique(
    'OutputName',
    (input.ProcessingOutputConfig?.Outputs ?? []).map(one => one.OutputName),
  );
  checkUnique(
    'LocalPath',
    [...inputs, ...outputs].map(({ path }) => `${PROCESSING_ROOT}/${path}`),
  );
  return {
    image: app.ImageUri,
    entrypoint: app.ContainerEntrypoint,
    arguments: app.ContainerArguments ?? [],
    environment: input.Environment ?? {},
    inputs,
    outputs,
    instanceType,
    instanceCount,
    volumeGb,
    maxRuntimeSeconds: input.StoppingCondition?.MaxRuntimeInSeconds ?? DEFAULT_RUNTIME_SECONDS,
    hasNetwork: !(network?.EnableNetworkIsolation ?? false),
  };
}

/** Undefined for an input that the program reads itself. */
function inputOf({
  InputName: name,
  AppManaged,
  S3Input: s3,
  DatasetDefinition,
}: InputConfig): ProcessingInput | undefined {
  if (DatasetDefinition !== undefined)
    throw invalid(`The DatasetDefinition of the input '${name}' is not supported by this server; use S3Input.`);
  if (AppManaged === true) return undefined;
  if (s3 === undefined) throw invalid(`The input '${name}' has no S3Input.`);
  if (s3.S3InputMode === 'Pipe')
    throw invalid(`The S3InputMode 'Pipe' of the input '${name}' is not supported by this server; use 'File'.`);
  return {
    name,
    ...s3Location(s3.S3Uri, `The S3Uri of the input '${name}'`),
    isManifest: s3.S3DataType === 'ManifestFile',
    path: localPath(s3.LocalPath, `input '${name}'`),
    distribution: s3.S3DataDistributionType ?? 'FullyReplicated',
    gzip: s3.S3CompressionType === 'Gzip',
  };
}

/** Undefined for an output that the program writes itself. */
function outputOf({
  OutputName: name,
  AppManaged,
  S3Output: s3,
  FeatureStoreOutput,
}: OutputConfig): ProcessingOutput | undefined {
  if (FeatureStoreOutput !== undefined)
    throw invalid(`The FeatureStoreOutput of the output '${name}' is not supported by this server; use S3Output.`);
  if (AppManaged === true) return undefined;
  if (s3 === undefined) throw invalid(`The output '${name}' has no S3Output.`);
  return {
    name,
    ...s3Folder(s3.S3Uri, `The S3Uri of the output '${name}'`),
    path: localPath(s3.LocalPath, `output '${name}'`),
    isContinuous: s3.S3UploadMode === 'Continuous',
  };
}

/** Below /opt/ml/processing. */
function localPath(path: string | undefined, what: string): string {
  const inside = posix.relative(PROCESSING_ROOT, posix.normalize(path ?? ''));
  if (path === undefined || !path.startsWith(`${PROCESSING_ROOT}/`) || inside === '' || inside.split('/')[0] === '..')
    throw invalid(
      `The LocalPath of the ${what} must be a path that begins with ${PROCESSING_ROOT}/, got '${path ?? ''}'.`,
    );
  return inside.replace(/\/$/, '');
}

function checkUnique(what: string, values: readonly string[]): void {
  const repeated = values.find((value, i) => values.indexOf(value) !== i);
  if (repeated !== undefined) throw invalid(`Each ${what} must be unique, but '${repeated}' occurs twice.`);
}
