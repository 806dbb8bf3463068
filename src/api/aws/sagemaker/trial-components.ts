// The operations on trial components: those that clients create, and those of jobs.
import type { Component } from '../../../jobs/experiments/experiment-store.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { Operations } from '../protocols/json-service.ts';
import { alreadyExists, createdBetween, doesNotExist, type ExperimentOptions } from './experiments.ts';
import { type JobComponentOptions, jobComponent, metricSummaries, sourceTypeOf } from './job-components.ts';
import { listPage } from './listing.ts';
import { invalid } from './serving-errors.ts';
import { readTags } from './tags.ts';

type Service = typeof sagemaker;

export interface TrialComponentOptions extends ExperimentOptions, JobComponentOptions {}

export function trialComponentOperations(options: TrialComponentOptions) {
  const { experiments: store, arn, now } = options;
  const { components } = store;
  const componentOf = (name: string): Component => {
    const found = findComponent(options, name);
    if (found === undefined) throw doesNotExist('TrialComponent', name);
    return found;
  };
  const checkTrial = (name: string): void => {
    if (store.trials.get(name) === undefined) throw doesNotExist('Trial', name);
  };
  return {
    CreateTrialComponent: input => {
      const name = input.TrialComponentName;
      const nowMs = now();
      const row: Component = {
        ...{ name, arn: arn('experiment-trial-component', name), tags: readTags(input.Tags) },
        request: { MetadataProperties: input.MetadataProperties },
        createdMs: nowMs,
        modifiedMs: nowMs,
        displayName: input.DisplayName,
        sourceArn: undefined,
        state: input.Status,
        startSeconds: input.StartTime,
        endSeconds: input.EndTime,
        parameters: input.Parameters ?? {},
        inputs: input.InputArtifacts ?? {},
        outputs: input.OutputArtifacts ?? {},
      };
      if (findComponent(options, name) !== undefined || !components.add(row))
        throw alreadyExists('TrialComponent', name);
      return { TrialComponentArn: row.arn };
    },
    DescribeTrialComponent: ({ TrialComponentName: asked }) => {
      // An ARN also works.
      const name = asked.replace(/^arn:.*:experiment-trial-component\//, '');
      return describeComponent(options, componentOf(name));
    },
    ListTrialComponents: input => {
      const { ExperimentName: experiment, TrialName: trial, SourceArn: source } = input;
      if (experiment !== undefined && store.experiments.get(experiment) === undefined)
        throw doesNotExist('Experiment', experiment);
      if (trial !== undefined) checkTrial(trial);
      const sign = input.SortOrder === 'Ascending' ? 1 : -1;
      const key = (row: Component): string | number => (input.SortBy === 'Name' ? row.name : row.createdMs);
      const { rows, NextToken } = listPage(createdBetween(input), query =>
        componentsIn(options, experiment, trial)
          .filter(
            row =>
              (source === undefined || row.sourceArn?.toLowerCase() === source.toLowerCase()) &&
              row.createdMs > (query.createdAfterMs ?? Number.NEGATIVE_INFINITY) &&
              row.createdMs < (query.createdBeforeMs ?? Number.POSITIVE_INFINITY),
          )
          .sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : a.name < b.name ? -1 : 1))
          .slice(query.offset, query.offset + query.limit),
      );
      return { TrialComponentSummaries: rows.map(row => summaryOf(options, row)), NextToken };
    },
    UpdateTrialComponent: input => {
      const name = input.TrialComponentName;
      const before = componentOf(name);
      const without = <T>(all: Readonly<Record<string, T>>, gone: readonly string[] = []) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !gone.includes(key)));
      const change = (one: Component): Component => ({
        ...one,
        displayName: input.DisplayName ?? one.displayName,
        state: input.Status ?? one.state,
        startSeconds: input.StartTime ?? one.startSeconds,
        endSeconds: input.EndTime ?? one.endSeconds,
        parameters: { ...without(one.parameters, input.ParametersToRemove), ...input.Parameters },
        inputs: { ...without(one.inputs, input.InputArtifactsToRemove), ...input.InputArtifacts },
        outputs: { ...without(one.outputs, input.OutputArtifactsToRemove), ...input.OutputArtifacts },
        modifiedMs: now(),
      });
      store.transaction(() => {
        // For a job, only additions are stored.
        if (components.get(name) === undefined) components.add({ ...before, ...nothing });
        components.update(name, change);
      });
      return { TrialComponentArn: arn('experiment-trial-component', name) };
    },
    DeleteTrialComponent: ({ TrialComponentName: name }) => {
      componentOf(name);
      const [trial] = store.trialsWith(name);
      if (trial !== undefined)
        throw invalid(`The trial component '${name}' is associated with the trial '${trial}'; disassociate it first.`);
      if (jobComponent(options, name) !== undefined)
        throw invalid(`The trial component '${name}' is of a job, and stays as long as the job.`);
      components.remove(name);
      return { TrialComponentArn: arn('experiment-trial-component', name) };
    },
    AssociateTrialComponent: ({ TrialComponentName: name, TrialName: trial }) => {
      componentOf(name);
      checkTrial(trial);
      store.associate(trial, name);
      return { TrialComponentArn: arn('experiment-trial-component', name), TrialArn: arn('experiment-trial', trial) };
    },
    DisassociateTrialComponent: ({ TrialComponentName: name, TrialName: trial }) => {
      checkTrial(trial);
      if (!store.disassociate(trial, name)) throw doesNotExist('TrialComponent', name);
      return { TrialComponentArn: arn('experiment-trial-component', name), TrialArn: arn('experiment-trial', trial) };
    },
  } satisfies Partial<Operations<Service>>;
}

/** No additions by clients. */
const nothing = {
  state: undefined,
  startSeconds: undefined,
  endSeconds: undefined,
  parameters: {},
  inputs: {},
  outputs: {},
};

/** A component: a client's, or a job with the additions of clients. */
export function findComponent(options: TrialComponentOptions, name: string): Component | undefined {
  const stored = options.experiments.components.get(name);
  const ofJob = jobComponent(options, name);
  if (ofJob === undefined) return stored;
  const arn = options.arn('experiment-trial-component', name);
  if (stored === undefined) return { ...ofJob, arn };
  return {
    ...ofJob,
    arn,
    displayName: stored.displayName ?? ofJob.displayName,
    state: stored.state ?? ofJob.state,
    startSeconds: stored.startSeconds ?? ofJob.startSeconds,
    endSeconds: stored.endSeconds ?? ofJob.endSeconds,
    parameters: { ...ofJob.parameters, ...stored.parameters },
    inputs: { ...ofJob.inputs, ...stored.inputs },
    outputs: { ...ofJob.outputs, ...stored.outputs },
    modifiedMs: Math.max(ofJob.modifiedMs, stored.modifiedMs),
  };
}

/** The components of a trial, of an experiment, or all that were created by clients or belong to a trial. */
export function componentsIn(
  options: TrialComponentOptions,
  experiment: string | undefined,
  trial: string | undefined,
): Component[] {
  const { experiments: store } = options;
  const ofTrials =
    trial !== undefined
      ? [trial]
      : (experiment === undefined ? store.experiments.all().map(({ name }) => name) : [experiment]).flatMap(name =>
          store.trialsOf(name),
        );
  const names = new Set(ofTrials.flatMap(name => store.componentsOf(name)));
  if (trial === undefined && experiment === undefined) for (const { name } of store.components.all()) names.add(name);
  return [...names].flatMap(name => findComponent(options, name) ?? []);
}

function summaryOf({ arn }: TrialComponentOptions, row: Component) {
  return {
    TrialComponentName: row.name,
    TrialComponentArn: arn('experiment-trial-component', row.name),
    DisplayName: row.displayName ?? row.name,
    Status: row.state,
    StartTime: row.startSeconds,
    EndTime: row.endSeconds,
    CreationTime: row.createdMs / 1000,
    LastModifiedTime: row.modifiedMs / 1000,
    TrialComponentSource:
      row.sourceArn === undefined ? undefined : { SourceArn: row.sourceArn, SourceType: sourceTypeOf(row.sourceArn) },
  };
}

export function describeComponent(options: TrialComponentOptions, row: Component) {
  const { TrialComponentSource: Source, ...summary } = summaryOf(options, row);
  return {
    ...row.request,
    ...summary,
    Source,
    Parameters: row.parameters,
    InputArtifacts: row.inputs,
    OutputArtifacts: row.outputs,
    Metrics: metricSummaries(options, row.sourceArn),
  };
}
