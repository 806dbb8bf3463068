// Converts a CreateHyperParameterTuningJob request to a search, and creates the request for each of its training jobs.
import { randomInt } from 'node:crypto';
import {
  autoScaling,
  gridSize,
  type ParameterRange,
  rangeProblem,
  type Scaling,
} from '../../../jobs/tuning/search-space.ts';
import type { TuningSpec } from '../../../jobs/tuning/tuning-job.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import type { CreateTrainingJobInput } from './training-job-request.ts';

export type CreateTuningInput = InputOf<typeof sagemaker, 'CreateHyperParameterTuningJob'>;
export type TrialDefinition = NonNullable<CreateTuningInput['TrainingJobDefinition']>;

const MAX_JOBS = 750;
const MAX_RANDOM_JOBS = 10_000;
const MAX_PARALLEL = 100;
const OBJECTIVE_PARAMETER = '_tuning_objective_metric';
const invalid = (message: string): AwsError => new AwsError('ValidationException', message);

/** @throws {AwsError} ValidationException for unsupported searches */
export function tuningSpec(input: CreateTuningInput): TuningSpec {
  const { HyperParameterTuningJobConfig: config } = input;
  const definition = definitionOf(input);
  const ranges = config.ParameterRanges ?? definition.HyperParameterRanges;
  const objective = config.HyperParameterTuningJobObjective ?? definition.TuningObjective;
  if (ranges === undefined) throw invalid('ParameterRanges are required.');
  if (objective === undefined) throw invalid('HyperParameterTuningJobObjective is required.');
  const metrics = definition.AlgorithmSpecification.MetricDefinitions ?? [];
  if (!metrics.some(({ Name }) => Name === objective.MetricName))
    throw invalid(
      `The objective metric '${objective.MetricName}' is not in the MetricDefinitions of the AlgorithmSpecification.`,
    );
  if ((ranges.AutoParameters ?? []).length > 0) throw invalid('AutoParameters are not supported by this server.');
  const space = spaceOf(ranges);
  const { Strategy: strategy, ResourceLimits: limits } = config;
  if (strategy === 'Grid' && space.some(({ kind }) => kind !== 'categorical'))
    throw invalid('Grid search supports categorical parameters only.');
  const maxJobs = limits.MaxNumberOfTrainingJobs;
  const maxRuntimeSeconds = limits.MaxRuntimeInSeconds;
  if (strategy === 'Grid') {
    if (maxJobs !== undefined && maxJobs !== gridSize(space))
      throw invalid(
        `MaxNumberOfTrainingJobs must be ${gridSize(space)}, the size of the grid, or absent; got ${maxJobs}.`,
      );
  } else if (maxJobs === undefined && maxRuntimeSeconds === undefined)
    throw invalid('ResourceLimits needs MaxNumberOfTrainingJobs or MaxRuntimeInSeconds.');
  const most = strategy === 'Random' ? MAX_RANDOM_JOBS : MAX_JOBS;
  if ((maxJobs ?? (strategy === 'Grid' ? gridSize(space) : 1)) > most)
    throw new AwsError('ResourceLimitExceeded', `A tuning job with the strategy ${strategy} has at most ${most} jobs.`);
  if (limits.MaxParallelTrainingJobs > MAX_PARALLEL)
    throw new AwsError('ResourceLimitExceeded', `MaxParallelTrainingJobs must be at most ${MAX_PARALLEL}.`);
  const criteria = config.TuningJobCompletionCriteria;
  if (criteria?.ConvergenceDetected?.CompleteOnConvergence === 'Enabled')
    throw invalid('ConvergenceDetected is not supported by this server; use BestObjectiveNotImproving.');
  return {
    strategy,
    space,
    seed: config.RandomSeed ?? randomInt(2 ** 31),
    objective: { metric: objective.MetricName, type: objective.Type },
    maxJobs,
    maxParallel: limits.MaxParallelTrainingJobs,
    maxRuntimeSeconds,
    stopsEarly: config.TrainingJobEarlyStoppingType === 'Auto',
    hyperband: strategy === 'Hyperband' ? hyperbandOf(config) : undefined,
    target: criteria?.TargetObjectiveMetricValue,
    maxNotImproving: criteria?.BestObjectiveNotImproving?.MaxNumberOfTrainingJobsNotImproving,
  };
}

/** Hyperband stops jobs itself. */
function hyperbandOf(config: CreateTuningInput['HyperParameterTuningJobConfig']): TuningSpec['hyperband'] {
  if (config.TrainingJobEarlyStoppingType === 'Auto')
    throw invalid('TrainingJobEarlyStoppingType must be Off with the strategy Hyperband, which stops jobs itself.');
  const { MinResource: minResource = 1, MaxResource: maxResource } =
    config.StrategyConfig?.HyperbandStrategyConfig ?? {};
  if (maxResource === undefined)
    throw invalid('StrategyConfig.HyperbandStrategyConfig.MaxResource is required with the strategy Hyperband.');
  if (minResource > maxResource)
    throw invalid(`MinResource ${minResource} is greater than MaxResource ${maxResource}.`);
  return { minResource, maxResource };
}

export function definitionOf(input: CreateTuningInput): TrialDefinition {
  const [definition, second] = [input.TrainingJobDefinition ?? [], input.TrainingJobDefinitions ?? []].flat();
  if (definition === undefined) throw invalid('TrainingJobDefinition is required.');
  if (second !== undefined) throw invalid('This server supports one TrainingJobDefinition.');
  return definition;
}

function spaceOf(ranges: NonNullable<TrialDefinition['HyperParameterRanges']>): readonly ParameterRange[] {
  const numeric = (
    kind: 'continuous' | 'integer',
    range: {
      readonly Name: string;
      readonly MinValue: string;
      readonly MaxValue: string;
      readonly ScalingType?: string | undefined;
    },
  ): ParameterRange => {
    const [min, max] = [Number(range.MinValue || Number.NaN), Number(range.MaxValue || Number.NaN)];
    return { kind, name: range.Name, min, max, scaling: scalingOf(range.ScalingType, min, max) };
  };
  const space: readonly ParameterRange[] = [
    ...(ranges.ContinuousParameterRanges ?? []).map(range => numeric('continuous', range)),
    ...(ranges.IntegerParameterRanges ?? []).map(range => numeric('integer', range)),
    ...(ranges.CategoricalParameterRanges ?? []).map(
      ({ Name: name, Values: values }): ParameterRange => ({ kind: 'categorical', name, values }),
    ),
  ];
  if (space.length === 0) throw invalid('ParameterRanges must have at least one range.');
  for (const range of space) {
    const problem = rangeProblem(range);
    if (problem !== undefined) throw invalid(`Invalid range of the hyperparameter '${range.name}': ${problem}.`);
  }
  const names = space.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw invalid(`The hyperparameter '${twice}' has two ranges.`);
  return space;
}

function scalingOf(type: string | undefined, min: number, max: number): Scaling {
  switch (type) {
    case 'Linear':
      return 'linear';
    case 'Logarithmic':
      return 'logarithmic';
    case 'ReverseLogarithmic':
      return 'reverse-logarithmic';
    default:
      return autoScaling(min, max);
  }
}

/** The request for the training job that tries a configuration. */
export function trialRequest(
  definition: TrialDefinition,
  name: string,
  hyperparameters: Readonly<Record<string, string>>,
  objective: string,
): CreateTrainingJobInput {
  const {
    AlgorithmSpecification: algorithm,
    HyperParameterTuningResourceConfig: flexible,
    CheckpointConfig: checkpoints,
  } = definition;
  if (flexible?.InstanceConfigs !== undefined)
    throw invalid('InstanceConfigs are not supported by this server; use InstanceType and InstanceCount.');
  const resources =
    definition.ResourceConfig ??
    (flexible && {
      InstanceType: flexible.InstanceType,
      InstanceCount: flexible.InstanceCount,
      VolumeSizeInGB: flexible.VolumeSizeInGB,
      VolumeKmsKeyId: flexible.VolumeKmsKeyId,
    });
  return {
    TrainingJobName: name,
    RoleArn: definition.RoleArn,
    AlgorithmSpecification: {
      TrainingInputMode: algorithm.TrainingInputMode,
      TrainingImage: algorithm.TrainingImage,
      AlgorithmName: algorithm.AlgorithmName,
      MetricDefinitions: algorithm.MetricDefinitions,
    },
    HyperParameters: { ...definition.StaticHyperParameters, ...hyperparameters, [OBJECTIVE_PARAMETER]: objective },
    InputDataConfig: definition.InputDataConfig,
    OutputDataConfig: definition.OutputDataConfig,
    ResourceConfig: resources,
    VpcConfig: definition.VpcConfig,
    StoppingCondition: definition.StoppingCondition,
    EnableNetworkIsolation: definition.EnableNetworkIsolation,
    EnableInterContainerTrafficEncryption: definition.EnableInterContainerTrafficEncryption,
    EnableManagedSpotTraining: definition.EnableManagedSpotTraining,
    // With a common prefix, jobs would resume from each other's checkpoints.
    CheckpointConfig: checkpoints && { ...checkpoints, S3Uri: `${checkpoints.S3Uri.replace(/\/+$/, '')}/${name}` },
    RetryStrategy: definition.RetryStrategy,
    Environment: definition.Environment,
  };
}
