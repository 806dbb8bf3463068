// The options of an Estimator: SageMaker's names in camelCase, checked.
import { basename } from 'node:path';
import type { TrainingInstanceType } from '../../api/aws/models/instance-types.ts';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import type { ConnectionOptions } from '../wire/connection.ts';

/** A metric: the last number that matches in the output of a job. */
export interface MetricDefinition {
  /** The name of the metric, such as `validation:accuracy`. */
  readonly name: string;
  /** A regular expression (RE2); its first group is the value. */
  readonly regex: string;
}

/** How the processes of a job work together. */
export interface Distribution {
  /** Start the script with `trenio run`, one process for each core of each instance, as SageMaker starts `torchrun`. */
  readonly torchDistributed?: {
    /** Whether it is used. */
    readonly enabled: boolean;
  };
  /** Also divide the model, in the layout of these degrees: `initDeviceMesh()` and `parallelize` of the script use it. */
  readonly smdistributed?: {
    /** The degrees of model parallelism. */
    readonly modelparallel: {
      /** Whether it is used. */
      readonly enabled: boolean;
      /** The degrees; the remaining ranks divide the batch. */
      readonly parameters?: ModelParallelDegrees;
    };
  };
}
/** Numbers of ranks, 1 by default. The names are SageMaker's. */
export interface ModelParallelDegrees {
  /** Ranks that share each layer. */
  readonly tensor_parallel_degree?: number;
  /** Ranks that have different layers. */
  readonly pipeline_parallel_degree?: number;
  /** Ranks that share the sequence. */
  readonly context_parallel_degree?: number;
  /** Ranks that share the experts. */
  readonly expert_parallel_degree?: number;
  /** Ranks that divide the parameters among them (ZeRO-3); 1: none, 0: all that remain (the default). */
  readonly hybrid_shard_degree?: number;
}

/** Options of `Estimator`. The names match SageMaker's Python SDK, in camelCase. */
export interface EstimatorOptions {
  /** The script that trains: a path, relative to `sourceDir` if that is given. Not needed with an image that has its own. */
  readonly entryPoint?: string | undefined;
  /**
   * A folder of code, all of which is uploaded except `.git` and `node_modules`; or the `s3://…/sourcedir.tar.gz` of an earlier
   * job. Default: the entry point alone.
   */
  readonly sourceDir?: string | undefined;
  /** The type of the instances. */
  readonly instanceType: TrainingInstanceType;
  /** The number of instances. Default 1. */
  readonly instanceCount?: number | undefined;
  /** The training image. Default `trenio`, which runs the entry point with this package. */
  readonly imageUri?: string | undefined;
  /** How the processes work together. Default: one process for each instance. */
  readonly distribution?: Distribution | undefined;
  /** Options of the script: it gets `--name value`. */
  readonly hyperparameters?: Readonly<Record<string, unknown>> | undefined;
  /** Metrics in the output. Default, with the image `trenio`: `train:loss` and `validation:accuracy`. */
  readonly metricDefinitions?: readonly MetricDefinition[] | undefined;
  /** The location that `/opt/ml/checkpoints` is copied from and to, so that a restarted job resumes. */
  readonly checkpointS3Uri?: string | undefined;
  /** Run on spot instances, which may be interrupted. Requires `maxWait`. */
  readonly useSpotInstances?: boolean | undefined;
  /** The maximum run time in seconds. Default: a day. */
  readonly maxRun?: number | undefined;
  /** The maximum total of waiting and run time of a job on spot instances, in seconds. */
  readonly maxWait?: number | undefined;
  /** Environment variables. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The location of the model, such as `s3://bucket/models`. Default: the default bucket. */
  readonly outputPath?: string | undefined;
  /** Job names start with it. Default: the name of the image. */
  readonly baseJobName?: string | undefined;
  /** The role of the job. The job server does not use it. */
  readonly role?: string | undefined;
  /** GB of the volume of an instance. Default 30. */
  readonly volumeSize?: number | undefined;
  /** Seconds for which instances are kept for the next job (a warm pool). */
  readonly keepAlivePeriodInSeconds?: number | undefined;
  /** Isolates the job from the network. */
  readonly enableNetworkIsolation?: boolean | undefined;
  /** Tags of the job. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** The job server. Default: AWS's environment variables, else the `trenio server` of this machine. */
  readonly connection?: ConnectionOptions | undefined;
}

const known = [
  'entryPoint',
  'sourceDir',
  'instanceType',
  'instanceCount',
  'imageUri',
  'distribution',
  'hyperparameters',
  'metricDefinitions',
  'checkpointS3Uri',
  'useSpotInstances',
  'maxRun',
  'maxWait',
  'environment',
  'outputPath',
  'baseJobName',
  'role',
  'volumeSize',
  'keepAlivePeriodInSeconds',
  'enableNetworkIsolation',
  'tags',
  'connection',
] as const satisfies readonly (keyof EstimatorOptions)[];

/** The image that runs scripts with this package; every server has it. */
export const BUILT_IN_IMAGE = 'trenio';

/**
 * Checks the options that the server would reject less clearly, or later.
 * @throws {NO_SUCH_OPTION}
 * @throws {INVALID_OPTION}
 */
export function checkEstimatorOptions(options: EstimatorOptions): void {
  refuseUnknownOptions('Estimator', options, known);
  const { entryPoint, imageUri = BUILT_IN_IMAGE, instanceType, instanceCount, distribution } = options;
  const { useSpotInstances, maxRun, maxWait } = options;
  const expect = (option: string, got: unknown, isRight: boolean, expected: string): void => {
    if (isRight) return;
    const shown = got === undefined ? 'missing' : JSON.stringify(got);
    throw new TrenioError('INVALID_OPTION', { what: 'Estimator', option, got: shown, expected });
  };
  expect(
    'entryPoint',
    entryPoint,
    entryPoint === undefined ? imageUri !== BUILT_IN_IMAGE : typeof entryPoint === 'string' && entryPoint !== '',
    'the path of a script',
  );
  expect(
    'instanceType',
    instanceType,
    typeof instanceType === 'string' && instanceType.startsWith('ml.'),
    'a type such as ml.trn1.32xlarge',
  );
  const isCount = (n: unknown): boolean => n === undefined || (Number.isSafeInteger(n) && Number(n) >= 1);
  expect('instanceCount', instanceCount, isCount(instanceCount), 'an integer from 1');
  expect('maxRun', maxRun, isCount(maxRun), 'a number of seconds, an integer from 1');
  expect('maxWait', maxWait, isCount(maxWait), 'a number of seconds, an integer from 1');
  expect(
    'maxWait',
    maxWait,
    useSpotInstances !== true || maxWait !== undefined,
    'a number of seconds, at least maxRun: a job on spot instances needs a limit for waiting',
  );
  refuseUnknownOptions('distribution', distribution, ['torchDistributed', 'smdistributed']);
}

const MAX_NAME = 63;

/** `base-2026-01-31-12-00-00-123`, as SageMaker's SDK names jobs. */
export function jobNameOf({ baseJobName, imageUri = BUILT_IN_IMAGE }: EstimatorOptions, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 23).replace(/[T:.]/g, '-');
  const base = baseJobName ?? basename(imageUri).replace(/[:@].*/, '');
  const clean = base.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${clean.slice(0, MAX_NAME - time.length - 1)}-${time}`;
}
