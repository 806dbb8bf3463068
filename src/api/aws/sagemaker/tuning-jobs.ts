// The operations on hyperparameter tuning jobs.
import { shownRequest } from '../../../jobs/secrets.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import { isFinal } from '../../../jobs/training/state-machine.ts';
import type { TrialLauncher } from '../../../jobs/tuning/tuner.ts';
import {
  bestTrial,
  hasEnded,
  isActive,
  notImproving,
  type Trial,
  type TuningJob,
} from '../../../jobs/tuning/tuning-job.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import type { Operations } from '../protocols/json-service.ts';
import { addJob, cannotStop } from './jobs.ts';
import { listPage } from './listing.ts';
import { notFound } from './not-found.ts';
import { readTags } from './tags.ts';
import { checkTrainingJob, createTrainingJob, stopTrainingJob, type TrainingJobOptions } from './training-jobs.ts';
import { type CreateTuningInput, definitionOf, trialRequest, tuningSpec } from './tuning-request.ts';

type Model = typeof sagemaker;

const seconds = (ms: number): number => ms / 1000;

export function tuningOperations(options: TrainingJobOptions) {
  const { now } = options;
  const tunings = options.jobs.tuning;
  const tuningOf = (name: string): TuningJob => {
    const tuning = tunings.find(name);
    if (tuning === undefined) throw notFound();
    return tuning;
  };
  return {
    CreateHyperParameterTuningJob: input => create(options, input),
    DescribeHyperParameterTuningJob: ({ HyperParameterTuningJobName: name }) => describe(options, tuningOf(name)),
    ListHyperParameterTuningJobs: input => list(options, input),
    ListTrainingJobsForHyperParameterTuningJob: input =>
      listTrials(options, tuningOf(input.HyperParameterTuningJobName), input),
    StopHyperParameterTuningJob: ({ HyperParameterTuningJobName: name }) => {
      const tuning = tuningOf(name);
      if (!isActive(tuning)) throw cannotStop('hyperparameter tuning job', tuning.status);
      tunings.update(tuning.name, job => ({ ...job, status: 'Stopping', ending: 'Stopped', modifiedMs: now() }));
      return undefined;
    },
    DeleteHyperParameterTuningJob: ({ HyperParameterTuningJobName: name }) => {
      const tuning = tunings.find(name);
      if (tuning === undefined) return undefined;
      if (isActive(tuning))
        throw new AwsError(
          'ResourceInUse',
          `The tuning job is in status ${tuning.status}; stop it before it is deleted.`,
        );
      tunings.remove(tuning.name);
      return undefined;
    },
  } satisfies Partial<Operations<Model>>;
}

/** Creates training jobs from the definition in the tuning job. */
export const trialLauncher = (options: TrainingJobOptions): TrialLauncher => ({
  create: ({ arn, request, spec, tags }, { job, hyperparameters }) => {
    const input = trialRequest(definitionOf(request as CreateTuningInput), job, hyperparameters, spec.objective.metric);
    const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    createTrainingJob(options, { ...input, Tags: list }, undefined, { TuningJobArn: arn });
  },
  stop: name => {
    const job = options.jobs.training.get(name);
    if (job === undefined || job.stopRequestedMs !== undefined || isFinal(job.secondary)) return;
    try {
      stopTrainingJob(options, job, undefined);
    } catch (error) {
      // The job has ended in the meantime.
      if (!(error instanceof AwsError)) throw error;
    }
  },
});

function create(options: TrainingJobOptions, input: CreateTuningInput): object {
  const { account, region, jobs, now } = options;
  const spec = tuningSpec(input);
  const name = input.HyperParameterTuningJobName;
  const arn = `arn:aws:sagemaker:${region}:${account}:hyper-parameter-tuning-job/${name.toLowerCase()}`;
  // Reject requests whose training jobs would be rejected.
  checkTrainingJob(options, trialRequest(definitionOf(input), `${name}-001-00000000`, {}, spec.objective.metric));
  const nowMs = now();
  const job: TuningJob = {
    name,
    arn,
    spec,
    request: input,
    tags: readTags(input.Tags),
    status: 'InProgress',
    ending: undefined,
    createdMs: nowMs,
    modifiedMs: nowMs,
    endedMs: undefined,
    failureReason: undefined,
    trials: [],
  };
  addJob(jobs.tuning, job, 'Tuning job names');
  return { HyperParameterTuningJobArn: arn };
}

const counted = (trials: readonly Trial[], ...statuses: readonly Trial['status'][]): number =>
  trials.filter(({ status }) => statuses.includes(status)).length;

const counters = ({ trials }: TuningJob): object => ({
  TrainingJobStatusCounters: {
    Completed: counted(trials, 'Completed'),
    InProgress: counted(trials, 'InProgress', 'Stopping'),
    RetryableError: 0,
    NonRetryableError: counted(trials, 'Failed'),
    Stopped: counted(trials, 'Stopped'),
  },
  ObjectiveStatusCounters: {
    Succeeded: trials.filter(({ value }) => value !== undefined).length,
    Pending: trials.filter(one => !hasEnded(one) && one.status !== 'planned').length,
    Failed: trials.filter(one => hasEnded(one) && one.value === undefined).length,
  },
});

const trialArn = ({ region, account }: TrainingJobOptions, { job }: Trial): string =>
  `arn:aws:sagemaker:${region}:${account}:training-job/${job.toLowerCase()}`;

const summary = (options: TrainingJobOptions, { name, spec }: TuningJob, trial: Trial): object => ({
  TrainingJobName: trial.job,
  TrainingJobArn: trialArn(options, trial),
  TuningJobName: name,
  CreationTime: seconds(trial.createdMs),
  TrainingStartTime: trial.startMs && seconds(trial.startMs),
  TrainingEndTime: trial.endMs && seconds(trial.endMs),
  TrainingJobStatus: trial.status,
  TunedHyperParameters: trial.hyperparameters,
  FailureReason: trial.failureReason,
  FinalHyperParameterTuningJobObjectiveMetric:
    trial.value === undefined
      ? undefined
      : { Type: spec.objective.type, MetricName: spec.objective.metric, Value: trial.value },
  ObjectiveStatus: trial.value !== undefined ? 'Succeeded' : hasEnded(trial) ? 'Failed' : 'Pending',
});

/** The instance seconds of all its training jobs. */
const consumed = (jobs: JobStore, { trials }: TuningJob): number =>
  Math.ceil(trials.reduce((sum, { job }) => sum + (jobs.training.get(job)?.billedMs ?? 0), 0) / 1000);

function describe(options: TrainingJobOptions, tuning: TuningJob): object {
  const request = shownRequest(tuning.request) as CreateTuningInput;
  const best = bestTrial(tuning);
  return {
    HyperParameterTuningJobName: tuning.name,
    HyperParameterTuningJobArn: tuning.arn,
    HyperParameterTuningJobConfig: request.HyperParameterTuningJobConfig,
    TrainingJobDefinition: request.TrainingJobDefinition && described(request.TrainingJobDefinition, tuning),
    TrainingJobDefinitions: request.TrainingJobDefinitions?.map(one => described(one, tuning)),
    HyperParameterTuningJobStatus: tuning.status,
    CreationTime: seconds(tuning.createdMs),
    HyperParameterTuningEndTime: tuning.endedMs && seconds(tuning.endedMs),
    LastModifiedTime: seconds(tuning.modifiedMs),
    ...counters(tuning),
    BestTrainingJob: best && summary(options, tuning, best),
    FailureReason: tuning.failureReason,
    TuningJobCompletionDetails: { NumberOfTrainingJobsObjectiveNotImproving: notImproving(tuning) },
    ConsumedResources: { RuntimeInSeconds: consumed(options.jobs, tuning) },
  };
}

/** SageMaker shows the objective among the static hyperparameters. */
const described = (definition: ReturnType<typeof definitionOf>, { spec }: TuningJob): object => ({
  ...definition,
  StaticHyperParameters: {
    ...definition.StaticHyperParameters,
    _tuning_objective_metric: spec.objective.metric,
  },
});

function list({ jobs }: TrainingJobOptions, input: InputOf<Model, 'ListHyperParameterTuningJobs'>): object {
  const { NameContains: part, SortBy = 'Name', SortOrder = 'Ascending', ...asked } = input;
  const { rows, NextToken } = listPage({ ...asked, SortBy, SortOrder }, query =>
    jobs.tuning.list(query, [['instr(name, ?) > 0', part]]),
  );
  return {
    HyperParameterTuningJobSummaries: rows.map(job => ({
      HyperParameterTuningJobName: job.name,
      HyperParameterTuningJobArn: job.arn,
      HyperParameterTuningJobStatus: job.status,
      Strategy: job.spec.strategy,
      CreationTime: seconds(job.createdMs),
      HyperParameterTuningEndTime: job.endedMs && seconds(job.endedMs),
      LastModifiedTime: seconds(job.modifiedMs),
      ...counters(job),
      ResourceLimits: (job.request as CreateTuningInput).HyperParameterTuningJobConfig.ResourceLimits,
    })),
    NextToken,
  };
}

function listTrials(
  options: TrainingJobOptions,
  tuning: TuningJob,
  input: InputOf<Model, 'ListTrainingJobsForHyperParameterTuningJob'>,
): object {
  const { MaxResults: limit = 10, SortBy: sortBy = 'Name', SortOrder: order = 'Ascending' } = input;
  const found = tuning.trials.filter(
    one => one.status !== 'planned' && (input.StatusEquals === undefined || one.status === input.StatusEquals),
  );
  const key = (one: Trial): string | number =>
    ({
      Name: one.job,
      CreationTime: one.createdMs,
      Status: one.status,
      // Jobs without a value come last.
      FinalObjectiveMetricValue:
        one.value ?? (order === 'Ascending' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY),
    })[sortBy];
  const { page, NextToken } = pageOf(sorted(found, key, order), input.NextToken, limit);
  return { TrainingJobSummaries: page.map(one => summary(options, tuning, one)), NextToken };
}

function sorted<T>(all: readonly T[], key: (one: T) => string | number, order: string): readonly T[] {
  const list = all.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return order === 'Descending' ? list.toReversed() : list;
}

function pageOf<T>(all: readonly T[], token: string | undefined, limit: number) {
  const offset = fromPageToken(token, 'ValidationException');
  const end = offset + limit;
  return { page: all.slice(offset, end), NextToken: end < all.length ? toPageToken(end) : undefined };
}
