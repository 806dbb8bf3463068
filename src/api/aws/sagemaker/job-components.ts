// Jobs as trial components: parameters, data, status and metrics are read from the job on request.
import type { Artifact, Component, ParameterValue } from '../../../jobs/experiments/experiment-store.ts';
import type { MetricStore } from '../../../jobs/metrics/metric-store.ts';
import type { ProcessingJob } from '../../../jobs/processing/processing-job.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import { statusOf } from '../../../jobs/training/state-machine.ts';
import type { TrainingJob } from '../../../jobs/training/training-job.ts';
import type { TransformJob } from '../../../jobs/transform/transform-job.ts';
import { numberOf } from './search-expression.ts';

export interface JobComponentOptions {
  readonly jobs: JobStore;
  readonly metrics: MetricStore;
}

export type JobKind = 'training-job' | 'processing-job' | 'transform-job';

/** The name of the component of a job. */
export const componentName = (job: string, kind: JobKind): string => `${job}-aws-${kind}`;

export const sourceTypeOf = (arn: string): string =>
  ({ 'training-job': 'SageMakerTrainingJob', 'processing-job': 'SageMakerProcessingJob' })[
    arn.split(/[:/]/)[5] ?? ''
  ] ?? 'SageMakerTransformJob';

/** The component of a job; undefined if no job has a component with this name. */
export function jobComponent(options: JobComponentOptions, name: string): Component | undefined {
  const [, job = '', kind] = /^(.+)-aws-(training|processing|transform)-job$/.exec(name) ?? [];
  const { jobs } = options;
  switch (kind) {
    case 'training': {
      const found = jobs.training.find(job);
      return found && ofTraining(name, found);
    }
    case 'processing': {
      const found = jobs.processing.find(job);
      return found && ofProcessing(name, found);
    }
    case 'transform': {
      const found = jobs.transform.find(job);
      return found && ofTransform(name, found);
    }
    default:
      return undefined;
  }
}

const parametersOf = (values: Readonly<Record<string, string>>): Readonly<Record<string, ParameterValue>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const number = numberOf(value);
      return [name, number === undefined ? { StringValue: value } : { NumberValue: number }];
    }),
  );

const resources = (image: string, type: string, count: number): Readonly<Record<string, ParameterValue>> => ({
  'SageMaker.ImageUri': { StringValue: image },
  'SageMaker.InstanceType': { StringValue: type },
  'SageMaker.InstanceCount': { NumberValue: count },
});

const at = (bucket: string, key: string): Artifact => ({ Value: `s3://${bucket}/${key}` });

function displayNameOf(request: Readonly<Record<string, unknown>>): string | undefined {
  const config = request.ExperimentConfig as
    | { readonly TrialComponentDisplayName?: string; readonly RunName?: string }
    | undefined;
  return config?.TrialComponentDisplayName ?? config?.RunName;
}

function ofTraining(name: string, job: TrainingJob): Component {
  const { spec, request, tags, createdMs, modifiedMs } = job;
  const { output } = spec;
  const isDone = statusOf(job.secondary) === 'Completed';
  return {
    ...{ name, arn: '', tags, request: {}, createdMs, modifiedMs },
    displayName: displayNameOf(request),
    sourceArn: job.arn,
    state: { PrimaryStatus: statusOf(job.secondary), Message: job.failureReason },
    startSeconds: job.trainingStartMs && job.trainingStartMs / 1000,
    endSeconds: job.trainingEndMs && job.trainingEndMs / 1000,
    parameters: {
      ...resources(spec.image, spec.instanceType, spec.instanceCount),
      ...parametersOf(spec.hyperparameters),
    },
    inputs: Object.fromEntries(spec.channels.map(({ name: channel, bucket, prefix }) => [channel, at(bucket, prefix)])),
    outputs: isDone
      ? {
          'SageMaker.ModelArtifact': at(
            output.bucket,
            `${output.prefix}${job.name}/output/model${output.compressed ? '.tar.gz' : '/'}`,
          ),
        }
      : {},
  };
}

const ofOneAttempt = (name: string, job: ProcessingJob | TransformJob) => ({
  ...{ name, arn: '', tags: job.tags, request: {}, createdMs: job.createdMs, modifiedMs: job.modifiedMs },
  displayName: displayNameOf(job.request),
  sourceArn: job.arn,
  state: { PrimaryStatus: job.status, Message: job.failureReason },
  startSeconds: job.startMs && job.startMs / 1000,
  endSeconds: job.endMs && job.endMs / 1000,
});

const ofProcessing = (name: string, job: ProcessingJob): Component => ({
  ...ofOneAttempt(name, job),
  parameters: resources(job.spec.image, job.spec.instanceType, job.spec.instanceCount),
  inputs: Object.fromEntries(job.spec.inputs.map(one => [one.name, at(one.bucket, one.key)])),
  outputs: Object.fromEntries(job.spec.outputs.map(one => [one.name, at(one.bucket, one.prefix)])),
});

const ofTransform = (name: string, job: TransformJob): Component => ({
  ...ofOneAttempt(name, job),
  parameters: resources(job.spec.container.image, job.spec.instanceType, job.spec.instanceCount),
  inputs: { 'SageMaker.TransformInput': at(job.spec.input.bucket, job.spec.input.prefix) },
  outputs: { 'SageMaker.TransformOutput': at(job.spec.output.bucket, job.spec.output.prefix) },
});

/** The metrics of a training job, each as a summary. */
export function metricSummaries(
  { metrics, jobs }: JobComponentOptions,
  sourceArn: string | undefined,
): readonly object[] {
  const [, name] = /:training-job\/(.+)$/.exec(sourceArn ?? '') ?? [];
  const job = name === undefined ? undefined : jobs.training.find(name);
  if (job === undefined) return [];
  return metrics.list(job.name).map(({ name: metric, count, last }) => {
    const { values } = metrics.points(job.name, metric);
    let [sum, squares, least, most] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of values) {
      sum += value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    const mean = sum / count;
    for (const value of values) squares += (value - mean) ** 2;
    return {
      MetricName: metric,
      SourceArn: sourceArn,
      TimeStamp: last.timeMs / 1000,
      Max: most,
      Min: least,
      Last: last.value,
      Count: count,
      Avg: mean,
      StdDev: Math.sqrt(squares / count),
    };
  });
}
