// The operations on experiments and trials, and the association of jobs with them.
import type { Experiment, ExperimentStore, Trial } from '../../../jobs/experiments/experiment-store.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { Operations } from '../protocols/json-service.ts';
import { componentName, type JobKind } from './job-components.ts';
import { listPage } from './listing.ts';
import { type ArnOf, invalid } from './serving-errors.ts';
import { readTags } from './tags.ts';

type Service = typeof sagemaker;

export interface ExperimentOptions {
  readonly arn: ArnOf;
  readonly experiments: ExperimentStore;
  readonly now: () => number;
}

export interface ExperimentConfig {
  readonly ExperimentName?: string | undefined;
  readonly TrialName?: string | undefined;
}

export const doesNotExist = (what: string, name: string): AwsError =>
  new AwsError('ResourceNotFound', `${what} '${name}' does not exist.`);
export const alreadyExists = (what: string, name: string): AwsError =>
  invalid(`${what} names must be unique within an AWS account and region. ${what} with name (${name}) already exists.`);

export function experimentOperations({ experiments: store, arn, now }: ExperimentOptions) {
  const { experiments, trials } = store;
  const experimentOf = (name: string): Experiment => {
    const found = experiments.get(name);
    if (found === undefined) throw doesNotExist('Experiment', name);
    return found;
  };
  const trialOf = (name: string): Trial => {
    const found = trials.get(name);
    if (found === undefined) throw doesNotExist('Trial', name);
    return found;
  };
  return {
    CreateExperiment: ({ ExperimentName: name, DisplayName, Description, Tags }) => {
      const row = resource(arn('experiment', name), name, Tags, now());
      if (
        experiments.find(name) !== undefined ||
        !experiments.add({ ...row, displayName: DisplayName, description: Description })
      )
        throw alreadyExists('Experiment', name);
      return { ExperimentArn: row.arn };
    },
    DescribeExperiment: ({ ExperimentName: name }) => describeExperiment(experimentOf(name)),
    ListExperiments: input => {
      const { rows, NextToken } = listPage(createdBetween(input), query => experiments.list(query));
      return { ExperimentSummaries: rows.map(row => describeExperiment(row)), NextToken };
    },
    UpdateExperiment: ({ ExperimentName: name, DisplayName, Description }) => {
      experimentOf(name);
      const row = experiments.update(name, one => ({
        ...one,
        displayName: DisplayName ?? one.displayName,
        description: Description ?? one.description,
        modifiedMs: now(),
      }));
      return { ExperimentArn: row?.arn };
    },
    DeleteExperiment: ({ ExperimentName: name }) => {
      const row = experimentOf(name);
      if (store.trialsOf(name).length > 0) throw invalid(`The experiment '${name}' has trials; delete them before it.`);
      experiments.remove(name);
      return { ExperimentArn: row.arn };
    },
    CreateTrial: ({ TrialName: name, ExperimentName: experiment, DisplayName, Tags, MetadataProperties }) => {
      experimentOf(experiment);
      const row = { ...resource(arn('experiment-trial', name), name, Tags, now()), request: { MetadataProperties } };
      if (trials.find(name) !== undefined || !trials.add({ ...row, displayName: DisplayName, experiment }))
        throw alreadyExists('Trial', name);
      return { TrialArn: row.arn };
    },
    DescribeTrial: ({ TrialName: name }) => describeTrial(trialOf(name)),
    ListTrials: input => {
      const { ExperimentName: experiment, TrialComponentName: component } = input;
      if (experiment !== undefined) experimentOf(experiment);
      const named = component === undefined ? undefined : new Set(store.trialsWith(component));
      const { rows, NextToken } = listPage(createdBetween(input), ({ limit, offset, ...query }) =>
        trials
          .list({ ...query, limit: -1, offset: 0 })
          .filter(row => (experiment === undefined || row.experiment === experiment) && (named?.has(row.name) ?? true))
          .slice(offset, offset + limit),
      );
      return { TrialSummaries: rows.map(row => describeTrial(row)), NextToken };
    },
    UpdateTrial: ({ TrialName: name, DisplayName }) => {
      trialOf(name);
      const row = trials.update(name, one => ({
        ...one,
        displayName: DisplayName ?? one.displayName,
        modifiedMs: now(),
      }));
      return { TrialArn: row?.arn };
    },
    DeleteTrial: ({ TrialName: name }) => {
      const row = trialOf(name);
      if (store.componentsOf(name).length > 0)
        throw invalid(`The trial '${name}' has trial components; disassociate them before it is deleted.`);
      trials.remove(name);
      return { TrialArn: row.arn };
    },
  } satisfies Partial<Operations<Service>>;
}

const resource = (arn: string, name: string, tags: Parameters<typeof readTags>[0], nowMs: number) => ({
  ...{ name, arn, tags: readTags(tags), request: {} },
  createdMs: nowMs,
  modifiedMs: nowMs,
});

interface CreatedBetween {
  readonly CreatedAfter?: number | undefined;
  readonly CreatedBefore?: number | undefined;
}
/** A listing whose time filters have shorter names. */
export const createdBetween = <T extends CreatedBetween>(input: T) => ({
  ...input,
  CreationTimeAfter: input.CreatedAfter,
  CreationTimeBefore: input.CreatedBefore,
});

export const describeExperiment = (row: Experiment) => ({
  ExperimentName: row.name,
  ExperimentArn: row.arn,
  DisplayName: row.displayName ?? row.name,
  Description: row.description,
  CreationTime: row.createdMs / 1000,
  LastModifiedTime: row.modifiedMs / 1000,
});

export const describeTrial = (row: Trial) => ({
  ...row.request,
  TrialName: row.name,
  TrialArn: row.arn,
  DisplayName: row.displayName ?? row.name,
  ExperimentName: row.experiment,
  CreationTime: row.createdMs / 1000,
  LastModifiedTime: row.modifiedMs / 1000,
});

/**
 * Checks the experiment of a new job. Returns a function that associates the job once it exists.
 * @throws {AwsError} ResourceNotFound, ValidationException
 */
export function associationOf(
  { experiments: store, arn, now }: ExperimentOptions,
  config: ExperimentConfig | undefined,
  job: string,
  kind: JobKind,
): () => void {
  const { ExperimentName: experiment, TrialName: trial } = config ?? {};
  if (experiment === undefined && trial === undefined) return () => {};
  if (experiment !== undefined && store.experiments.get(experiment) === undefined)
    throw doesNotExist('Experiment', experiment);
  const known = trial === undefined ? undefined : store.trials.get(trial);
  if (trial !== undefined && known === undefined) throw doesNotExist('Trial', trial);
  if (known !== undefined && experiment !== undefined && known.experiment !== experiment)
    throw invalid(`The trial '${trial}' is of the experiment '${known.experiment}', not of '${experiment}'.`);
  return () => {
    // Jobs that name no trial share one, under the name that SageMaker's SDK gives it.
    const name = trial ?? `Default-Run-Group-${experiment}`;
    if (trial === undefined)
      store.trials.add({
        ...resource(arn('experiment-trial', name), name, [], now()),
        displayName: undefined,
        experiment: experiment!,
      });
    store.associate(name, componentName(job, kind));
  };
}
