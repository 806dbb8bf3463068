// The options of `Estimator.deploy`.
import type { EndpointInstanceType } from '../../api/aws/models/instance-types.ts';
import type { ProgressStream } from '../../base/progress.ts';

/** Options of `Estimator.deploy`. The names match SageMaker's Python SDK, in camelCase. */
export interface DeployEstimatorOptions {
  /** The number of replicas. Default 1. */
  readonly initialInstanceCount?: number | undefined;
  /** The type of the instances, such as `ml.c5.xlarge`. */
  readonly instanceType: EndpointInstanceType;
  /** The name of the endpoint. Default: the name of the job. */
  readonly endpointName?: string | undefined;
  /** The image that serves. Default: the one that trained. */
  readonly imageUri?: string | undefined;
  /** Environment variables of the replicas. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Tags of the endpoint. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Wait until it answers. Default true. */
  readonly wait?: boolean | undefined;
  /** Where progress is shown. Default: standard output. */
  readonly stream?: ProgressStream | undefined;
  /** Stops waiting; the endpoint continues. */
  readonly signal?: AbortSignal | undefined;
}

export const deployOptionNames = [
  'initialInstanceCount',
  'instanceType',
  'endpointName',
  'imageUri',
  'environment',
  'tags',
  'wait',
  'stream',
  'signal',
] as const satisfies readonly (keyof DeployEstimatorOptions)[];
