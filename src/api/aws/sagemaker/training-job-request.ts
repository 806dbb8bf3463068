// Converts a CreateTrainingJob request to a job definition. Unsupported requests are rejected, with SageMaker's message if known.
import { posix } from 'node:path';
import { metricProblem } from '../../../jobs/training/metric-watch.ts';
import type { Channel, TrainingJobSpec } from '../../../jobs/training/training-job.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';

export type CreateTrainingJobInput = InputOf<typeof sagemaker, 'CreateTrainingJob'>;

const CHECKPOINTS = '/opt/ml/checkpoints';
const DAY_SECONDS = 24 * 3600;
const MAX_RUNTIME_SECONDS = 28 * DAY_SECONDS;

/** @throws {AwsError} ValidationException */
export function trainingJobSpec(input: CreateTrainingJobInput): TrainingJobSpec {
  const { AlgorithmSpecification: algorithm, ResourceConfig: resources, StoppingCondition: stopping } = input;
  if (algorithm === undefined) throw invalid('AlgorithmSpecification is required.');
  if (resources === undefined) throw invalid('ResourceConfig is required.');
  if (stopping === undefined) throw invalid('StoppingCondition is required.');
  if (algorithm.TrainingImage === undefined)
    throw invalid(
      'You must specify the TrainingImage of the AlgorithmSpecification; AlgorithmName is not supported by this server.',
    );
  if (algorithm.AlgorithmName !== undefined)
    throw invalid('You must specify either an algorithm name or a training image, but not both.');
  const channels = (input.InputDataConfig ?? []).map(({ ChannelName }) => ChannelName);
  const twice = channels.find((name, i) => channels.indexOf(name) < i);
  if (twice !== undefined) throw invalid(`Channel names must be unique: '${twice}' occurs twice in InputDataConfig.`);
  if (algorithm.TrainingInputMode === 'Pipe')
    throw invalid("TrainingInputMode 'Pipe' is not supported by this server; use 'File'.");
  if (resources.InstanceGroups !== undefined) throw invalid('InstanceGroups are not supported by this server.');
  if (resources.InstancePreferences !== undefined)
    throw invalid('InstancePreferences are not supported by this server; use InstanceType and InstanceCount.');
  const { InstanceType: instanceType, InstanceCount: instanceCount } = resources;
  if (instanceType === undefined || instanceCount === undefined || instanceCount < 1)
    throw invalid('ResourceConfig needs an InstanceType and an InstanceCount of at least 1.');
  const maxRuntimeSeconds = stopping.MaxRuntimeInSeconds ?? DAY_SECONDS;
  if (maxRuntimeSeconds > MAX_RUNTIME_SECONDS)
    throw invalid(`MaxRuntimeInSeconds must be at most ${MAX_RUNTIME_SECONDS}, got ${maxRuntimeSeconds}.`);
  const isSpot = input.EnableManagedSpotTraining ?? false;
  const maxWaitSeconds = stopping.MaxWaitTimeInSeconds;
  if (maxWaitSeconds !== undefined && !isSpot)
    throw invalid('Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true');
  if (isSpot && maxWaitSeconds === undefined)
    throw invalid('MaxWaitTimeInSeconds is required when EnableManagedSpotTraining is set to true');
  if (maxWaitSeconds !== undefined && maxWaitSeconds < maxRuntimeSeconds)
    throw invalid(
      'Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal to MaxRuntimeInSeconds',
    );
  const keepAliveSeconds = resources.KeepAlivePeriodInSeconds;
  if (keepAliveSeconds !== undefined && isSpot)
    throw invalid('KeepAlivePeriodInSeconds is not supported when EnableManagedSpotTraining is set to true');
  const checkpoints = input.CheckpointConfig;
  const localPath = checkpoints?.LocalPath?.replace(/\/+$/, '') ?? CHECKPOINTS;
  if (localPath !== CHECKPOINTS)
    throw invalid(`CheckpointConfig.LocalPath must be ${CHECKPOINTS} on this server, got '${localPath}'.`);
  return {
    image: algorithm.TrainingImage,
    entrypoint: algorithm.ContainerEntrypoint,
    arguments: algorithm.ContainerArguments ?? [],
    hyperparameters: input.HyperParameters ?? {},
    environment: input.Environment ?? {},
    channels: (input.InputDataConfig ?? []).map(channelOf),
    output: {
      ...folderUri(input.OutputDataConfig.S3OutputPath, 'OutputDataConfig.S3OutputPath'),
      compressed: input.OutputDataConfig.CompressionType !== 'NONE',
    },
    checkpoints: checkpoints && folderUri(checkpoints.S3Uri, 'CheckpointConfig.S3Uri'),
    tensorBoard: tensorBoardOf(input),
    instanceType,
    instanceCount,
    maxRuntimeSeconds,
    maxWaitSeconds,
    maxPendingSeconds: stopping.MaxPendingTimeInSeconds,
    retryAttempts: input.RetryStrategy?.MaximumRetryAttempts ?? 0,
    volumeGb: resources.VolumeSizeInGB || undefined,
    keepAliveSeconds,
    warmPoolKey: JSON.stringify([
      input.RoleArn,
      instanceType,
      instanceCount,
      resources.VolumeSizeInGB,
      resources.VolumeKmsKeyId,
      input.VpcConfig,
      input.EnableInterContainerTrafficEncryption ?? false,
      input.EnableNetworkIsolation ?? false,
    ]),
    isSpot,
    hasNetwork: !(input.EnableNetworkIsolation ?? false),
    metrics: (algorithm.MetricDefinitions ?? []).map(({ Name: name, Regex: regex }) => {
      const problem = metricProblem(regex);
      if (problem !== undefined) throw invalid(`Invalid regular expression of the metric '${name}': ${problem}`);
      return { name, regex };
    }),
  };
}

/** The folder of TensorBoard's files, which are copied to `S3OutputPath/JOB/tensorboard-output/`. */
function tensorBoardOf({ TensorBoardOutputConfig: config, TrainingJobName: name }: CreateTrainingJobInput) {
  if (config === undefined) return undefined;
  const path = posix.normalize(config.LocalPath ?? '/opt/ml/output/tensorboard').replace(/\/$/, '');
  if (!path.startsWith('/opt/ml/'))
    throw invalid(`TensorBoardOutputConfig.LocalPath must be below /opt/ml on this server, got '${path}'.`);
  const { bucket, prefix } = folderUri(config.S3OutputPath, 'TensorBoardOutputConfig.S3OutputPath');
  return { folder: path.slice('/opt/ml/'.length), bucket, prefix: `${prefix}${name}/tensorboard-output/` };
}

type ChannelInput = NonNullable<CreateTrainingJobInput['InputDataConfig']>[number];

function channelOf(channel: ChannelInput): Channel {
  const { ChannelName: name, DataSource: source, InputMode: mode, CompressionType: compression } = channel;
  const s3 = source.S3DataSource;
  if (s3 === undefined)
    throw invalid(`The channel '${name}' has no S3DataSource; other data sources are not supported by this server.`);
  if (mode === 'Pipe')
    throw invalid(`The InputMode 'Pipe' of the channel '${name}' is not supported by this server; use 'File'.`);
  if (s3.S3DataType !== 'S3Prefix')
    throw invalid(
      `The S3DataType '${s3.S3DataType}' of the channel '${name}' is not supported by this server; use 'S3Prefix'.`,
    );
  return {
    name,
    ...s3Uri(s3.S3Uri, `the S3Uri of the channel '${name}'`),
    contentType: channel.ContentType,
    distribution: s3.S3DataDistributionType ?? 'FullyReplicated',
    gzip: compression === 'Gzip',
  };
}

/** @throws {AwsError} ValidationException */
function s3Uri(uri: string, what: string): { readonly bucket: string; readonly prefix: string } {
  const match = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(uri);
  if (match === null) throw invalid(`${what} must be s3://bucket/prefix, got '${uri}'.`);
  return { bucket: match[1]!, prefix: match[2] ?? '' };
}

/** Like `s3Uri`; a prefix ends with a slash. */
function folderUri(uri: string, what: string): { readonly bucket: string; readonly prefix: string } {
  const { bucket, prefix } = s3Uri(uri, what);
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
}

const invalid = (message: string): AwsError => new AwsError('ValidationException', message);
