// The CreateTrainingJob request of an Estimator's options, and the options of a job that exists.
import { basename } from 'node:path';
import {
  decodedHyperparameters,
  LAYOUT_HYPERPARAMETER,
  userHyperparameters,
} from '../../jobs/training/container-contract.ts';
import type { ConnectionOptions } from '../wire/connection.ts';
import type { SagemakerAnswer, SagemakerInput } from '../wire/service-client.ts';
import {
  BUILT_IN_IMAGE,
  type Distribution,
  type EstimatorOptions,
  type MetricDefinition,
} from './estimator-options.ts';

const DAY_SECONDS = 86_400;

/** Metrics that `TrainingProgress` prints, and the evaluations of the example. */
const progressMetrics: readonly MetricDefinition[] = [
  { name: 'train:loss', regex: '^step \\d+/\\d+ .*\\bloss ([-+.\\deE]+)' },
  { name: 'validation:accuracy', regex: '\\baccuracy ([.\\d]+)' },
];

export interface PreparedJob {
  readonly name: string;
  readonly role: string;
  readonly outputPath: string;
  /** The location of sourcedir.tar.gz; undefined without code. */
  readonly source: string | undefined;
  readonly channels: NonNullable<SagemakerInput<'CreateTrainingJob'>['InputDataConfig']>;
  readonly region: string;
}

type ResourceConfig = NonNullable<SagemakerInput<'CreateTrainingJob'>['ResourceConfig']>;

/** The request for a job whose code and data are in place. */
export function trainingJobRequest(
  options: EstimatorOptions,
  { name, role, outputPath, source, channels, region }: PreparedJob,
): SagemakerInput<'CreateTrainingJob'> {
  const { imageUri = BUILT_IN_IMAGE, instanceCount = 1, maxRun = DAY_SECONDS, maxWait, tags = {} } = options;
  const parallel = options.distribution?.smdistributed?.modelparallel;
  const metrics = options.metricDefinitions ?? (imageUri === BUILT_IN_IMAGE ? progressMetrics : []);
  return {
    TrainingJobName: name,
    RoleArn: role,
    AlgorithmSpecification: {
      TrainingImage: imageUri,
      TrainingInputMode: 'File',
      MetricDefinitions: metrics.map(({ name: Name, regex: Regex }) => ({ Name, Regex })),
    },
    HyperParameters: jsonValues({
      ...options.hyperparameters,
      // SageMaker's SDK passes these to the toolkit in its images; here the image `trenio` reads them.
      ...(source === undefined || options.entryPoint === undefined
        ? {}
        : {
            sagemaker_program: options.sourceDir === undefined ? basename(options.entryPoint) : options.entryPoint,
            sagemaker_submit_directory: source,
            sagemaker_job_name: name,
            sagemaker_region: region,
            sagemaker_container_log_level: 20,
          }),
      ...(options.distribution?.torchDistributed?.enabled === true
        ? { sagemaker_torch_distributed_enabled: true, sagemaker_instance_type: options.instanceType }
        : {}),
      ...(parallel?.enabled === true ? { [LAYOUT_HYPERPARAMETER]: parallel.parameters ?? {} } : {}),
    }),
    ...(channels.length === 0 ? {} : { InputDataConfig: channels }),
    OutputDataConfig: { S3OutputPath: outputPath },
    ResourceConfig: {
      // The service may know more types than the SDK.
      InstanceType: options.instanceType as ResourceConfig['InstanceType'],
      InstanceCount: instanceCount,
      VolumeSizeInGB: options.volumeSize ?? 30,
      ...(options.keepAlivePeriodInSeconds === undefined
        ? {}
        : { KeepAlivePeriodInSeconds: options.keepAlivePeriodInSeconds }),
    },
    StoppingCondition: {
      MaxRuntimeInSeconds: maxRun,
      ...(maxWait === undefined ? {} : { MaxWaitTimeInSeconds: maxWait }),
    },
    EnableManagedSpotTraining: options.useSpotInstances ?? false,
    EnableNetworkIsolation: options.enableNetworkIsolation ?? false,
    ...(options.checkpointS3Uri === undefined ? {} : { CheckpointConfig: { S3Uri: options.checkpointS3Uri } }),
    ...(options.environment === undefined ? {} : { Environment: options.environment }),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  };
}

/** Hyperparameters are texts: the SDK encodes each value as JSON. */
const jsonValues = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );

function distributionOf(all: Readonly<Record<string, unknown>>): Distribution {
  const torchDistributed = { enabled: String(all.sagemaker_torch_distributed_enabled) === 'true' };
  const parameters = all[LAYOUT_HYPERPARAMETER];
  return typeof parameters === 'object' && parameters !== null
    ? { torchDistributed, smdistributed: { modelparallel: { enabled: true, parameters } } }
    : { torchDistributed };
}

/** The options that a job was created with, as far as they follow from its description. */
export function optionsOfJob(
  job: SagemakerAnswer<'DescribeTrainingJob'>,
  connection: ConnectionOptions | undefined,
): EstimatorOptions {
  const all = decodedHyperparameters(job.HyperParameters ?? {});
  const text = (name: string): string | undefined => (typeof all[name] === 'string' ? all[name] : undefined);
  const { ResourceConfig: resources, StoppingCondition: stopping, AlgorithmSpecification: algorithm } = job;
  return {
    entryPoint: text('sagemaker_program'),
    sourceDir: text('sagemaker_submit_directory'),
    // Jobs always have an instance type; the service model makes it optional for serverless jobs.
    instanceType: resources!.InstanceType!,
    instanceCount: resources?.InstanceCount,
    imageUri: algorithm?.TrainingImage,
    distribution: distributionOf(all),
    hyperparameters: userHyperparameters(job.HyperParameters ?? {}),
    metricDefinitions: algorithm?.MetricDefinitions?.map(({ Name: name, Regex: regex }) => ({ name, regex })),
    checkpointS3Uri: job.CheckpointConfig?.S3Uri,
    useSpotInstances: job.EnableManagedSpotTraining,
    maxRun: stopping.MaxRuntimeInSeconds,
    maxWait: stopping.MaxWaitTimeInSeconds,
    environment: job.Environment,
    outputPath: job.OutputDataConfig?.S3OutputPath,
    role: job.RoleArn,
    volumeSize: resources?.VolumeSizeInGB,
    keepAlivePeriodInSeconds: resources?.KeepAlivePeriodInSeconds,
    enableNetworkIsolation: job.EnableNetworkIsolation,
    connection,
  };
}
