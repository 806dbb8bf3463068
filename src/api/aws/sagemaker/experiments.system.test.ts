// Experiments, trials and trial components with the AWS SDK for JavaScript.
import {
  AssociateTrialComponentCommand,
  CreateExperimentCommand,
  CreateTrialCommand,
  CreateTrialComponentCommand,
  DeleteExperimentCommand,
  DeleteTrialCommand,
  DeleteTrialComponentCommand,
  DescribeExperimentCommand,
  DescribeTrialCommand,
  DescribeTrialComponentCommand,
  DisassociateTrialComponentCommand,
  ListExperimentsCommand,
  ListTrialComponentsCommand,
  ListTrialsCommand,
  SearchCommand,
  type SearchCommandInput,
  UpdateExperimentCommand,
  UpdateTrialCommand,
  UpdateTrialComponentCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, TrainingJobs } from './training-jobs.testing.ts';

let jobs: TrainingJobs;
beforeAll(async () => {
  jobs = await TrainingJobs.start();
  const { sagemaker } = jobs;
  await sagemaker.send(new CreateExperimentCommand({ ExperimentName: 'rates', Description: 'learning rates' }));
  for (const TrialName of ['low', 'high'])
    await sagemaker.send(new CreateTrialCommand({ TrialName, ExperimentName: 'rates' }));
});
afterAll(() => jobs[Symbol.asyncDispose]());

const AlgorithmSpecification = {
  TrainingImage: 'local/train:1',
  TrainingInputMode: 'File' as const,
  MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+);' }],
};
const find = async (input: Omit<SearchCommandInput, 'Resource'>) =>
  (await jobs.sagemaker.send(new SearchCommand({ Resource: 'ExperimentTrialComponent', ...input }))).Results!.map(
    ({ TrialComponent }) => TrialComponent!,
  );

describe('experiments and trials', () => {
  test('are created, listed, changed and deleted', async () => {
    const { sagemaker } = jobs;
    const { ExperimentArn } = await sagemaker.send(new CreateExperimentCommand({ ExperimentName: 'Other' }));
    expect(ExperimentArn).toBe('arn:aws:sagemaker:us-east-1:123456789012:experiment/other');
    await sagemaker.send(new UpdateExperimentCommand({ ExperimentName: 'Other', DisplayName: 'shown' }));
    expect(await sagemaker.send(new DescribeExperimentCommand({ ExperimentName: 'Other' }))).toMatchObject({
      ExperimentName: 'Other',
      DisplayName: 'shown',
    });
    const page = await sagemaker.send(
      new ListExperimentsCommand({ SortBy: 'Name', SortOrder: 'Ascending', MaxResults: 1 }),
    );
    expect(page.ExperimentSummaries!.map(one => one.ExperimentName)).toEqual(['Other']);
    const next = await sagemaker.send(
      new ListExperimentsCommand({ SortBy: 'Name', SortOrder: 'Ascending', ...pick(page.NextToken) }),
    );
    expect(next.ExperimentSummaries!.map(one => one.ExperimentName)).toEqual(['rates']);
    await sagemaker.send(new UpdateTrialCommand({ TrialName: 'low', DisplayName: 'low-rates' }));
    expect(await sagemaker.send(new DescribeTrialCommand({ TrialName: 'low' }))).toMatchObject({
      DisplayName: 'low-rates',
      ExperimentName: 'rates',
    });
    const { TrialSummaries } = await sagemaker.send(new ListTrialsCommand({ ExperimentName: 'rates' }));
    expect(TrialSummaries!.map(one => one.TrialName).sort()).toEqual(['high', 'low']);
    expect(await errorOf(sagemaker.send(new DeleteExperimentCommand({ ExperimentName: 'rates' })))).toContain(
      'has trials; delete them before it',
    );
    await sagemaker.send(new DeleteExperimentCommand({ ExperimentName: 'Other' }));
    expect(await errorOf(sagemaker.send(new DescribeExperimentCommand({ ExperimentName: 'Other' })))).toBe(
      "ResourceNotFound: Experiment 'Other' does not exist.",
    );
    expect(await errorOf(sagemaker.send(new CreateExperimentCommand({ ExperimentName: 'Rates' })))).toBe(
      'ValidationException: Experiment names must be unique within an AWS account and region. Experiment with name (Rates) already exists.',
    );
    expect(await errorOf(sagemaker.send(new CreateTrialCommand({ TrialName: 'x', ExperimentName: 'none' })))).toBe(
      "ResourceNotFound: Experiment 'none' does not exist.",
    );
  });
});

const pick = (NextToken: string | undefined) => (NextToken === undefined ? {} : { NextToken });

describe('trial components', () => {
  test('jobs are components of their trials, with parameters, metrics and artifacts', async () => {
    const { sagemaker } = jobs;
    for (const [name, rate, TrialName] of [
      ['job-low', '0.01', 'low'],
      ['job-high', '0.5', 'high'],
    ] as const)
      await jobs.create(name, {
        AlgorithmSpecification,
        HyperParameters: { rate, kind: 'adam' },
        ExperimentConfig: { ExperimentName: 'rates', TrialName, TrialComponentDisplayName: 'training' },
      });
    await jobs.create('job-default', { ExperimentConfig: { ExperimentName: 'rates' } });
    for (const name of ['job-low', 'job-high', 'job-default']) await jobs.ended(name);
    const component = await sagemaker.send(
      new DescribeTrialComponentCommand({ TrialComponentName: 'job-low-aws-training-job' }),
    );
    expect(component).toMatchObject({
      DisplayName: 'training',
      Source: {
        SourceArn: 'arn:aws:sagemaker:us-east-1:123456789012:training-job/job-low',
        SourceType: 'SageMakerTrainingJob',
      },
      Status: { PrimaryStatus: 'Completed' },
      Parameters: {
        rate: { NumberValue: 0.01 },
        kind: { StringValue: 'adam' },
        'SageMaker.InstanceCount': { NumberValue: 1 },
      },
      OutputArtifacts: { 'SageMaker.ModelArtifact': { Value: 's3://data/out/job-low/output/model.tar.gz' } },
      Metrics: [{ MetricName: 'loss', Min: 0.25, Max: 0.5, Last: 0.25, Count: 2, Avg: 0.375, StdDev: 0.125 }],
    });
    const { TrialComponentSummaries } = await sagemaker.send(
      new ListTrialComponentsCommand({ ExperimentName: 'rates', SortBy: 'Name', SortOrder: 'Ascending' }),
    );
    expect(TrialComponentSummaries!.map(one => one.TrialComponentName)).toEqual([
      'job-default-aws-training-job',
      'job-high-aws-training-job',
      'job-low-aws-training-job',
    ]);
    const trials = await sagemaker.send(new ListTrialsCommand({ TrialComponentName: 'job-default-aws-training-job' }));
    expect(trials.TrialSummaries!.map(one => one.TrialName)).toEqual(['Default-Run-Group-rates']);
    expect(await errorOf(jobs.create('x', { ExperimentConfig: { TrialName: 'none' } }))).toBe(
      "ResourceNotFound: Trial 'none' does not exist.",
    );
    expect(await errorOf(sagemaker.send(new DeleteTrialCommand({ TrialName: 'low' })))).toContain(
      'disassociate them before it is deleted',
    );
  });

  test('can be searched by experiment, parameters and metrics, like the SDK’s table of runs', async () => {
    const SearchExpression = {
      Filters: [{ Name: 'Parents.ExperimentName', Operator: 'Equals' as const, Value: 'rates' }],
    };
    const names = (rows: Awaited<ReturnType<typeof find>>) => rows.map(one => one.TrialComponentName);
    expect(
      names(await find({ SearchExpression, SortBy: 'Parameters.rate', SortOrder: 'Descending', MaxResults: 2 })),
    ).toEqual(['job-high-aws-training-job', 'job-low-aws-training-job']);
    const low = await find({
      SearchExpression: {
        Filters: [
          { Name: 'Parameters.rate', Operator: 'LessThan', Value: '0.1' },
          { Name: 'Metrics.loss.min', Operator: 'LessThanOrEqualTo', Value: '0.25' },
        ],
      },
    });
    expect(low).toMatchObject([
      {
        TrialComponentName: 'job-low-aws-training-job',
        Parents: [{ TrialName: 'low', ExperimentName: 'rates' }],
        Metrics: [{ MetricName: 'loss', Last: 0.25 }],
      },
    ]);
    expect(
      await find({ SearchExpression: { Filters: [{ Name: 'Parents.TrialName', Operator: 'Equals', Value: 'none' }] } }),
    ).toEqual([]);
    expect(await errorOf(find({ SortBy: 'Nonsense' }))).toContain('Unknown property name: Nonsense');
  });

  test('clients create components, and add to those of jobs', async () => {
    const { sagemaker } = jobs;
    const TrialComponentName = 'evaluation';
    await sagemaker.send(
      new CreateTrialComponentCommand({
        TrialComponentName,
        Parameters: { folds: { NumberValue: 5 }, old: { StringValue: 'x' } },
        Status: { PrimaryStatus: 'InProgress' },
      }),
    );
    await sagemaker.send(new AssociateTrialComponentCommand({ TrialComponentName, TrialName: 'low' }));
    await sagemaker.send(
      new UpdateTrialComponentCommand({
        TrialComponentName,
        Status: { PrimaryStatus: 'Completed' },
        ParametersToRemove: ['old'],
        OutputArtifacts: { report: { Value: 's3://data/report' } },
      }),
    );
    const described = await sagemaker.send(new DescribeTrialComponentCommand({ TrialComponentName }));
    expect(described).toMatchObject({
      Status: { PrimaryStatus: 'Completed' },
      OutputArtifacts: { report: { Value: 's3://data/report' } },
    });
    expect(described.Parameters).toEqual({ folds: { NumberValue: 5 } });
    const ofJob = 'job-low-aws-training-job';
    await sagemaker.send(
      new UpdateTrialComponentCommand({ TrialComponentName: ofJob, Parameters: { note: { StringValue: 'best' } } }),
    );
    expect(
      (await sagemaker.send(new DescribeTrialComponentCommand({ TrialComponentName: ofJob }))).Parameters,
    ).toMatchObject({ note: { StringValue: 'best' }, rate: { NumberValue: 0.01 } });
    expect(await errorOf(sagemaker.send(new DeleteTrialComponentCommand({ TrialComponentName })))).toContain(
      "associated with the trial 'low'; disassociate it first",
    );
    await sagemaker.send(new DisassociateTrialComponentCommand({ TrialComponentName, TrialName: 'low' }));
    await sagemaker.send(new DeleteTrialComponentCommand({ TrialComponentName }));
    expect(await errorOf(sagemaker.send(new DescribeTrialComponentCommand({ TrialComponentName })))).toBe(
      "ResourceNotFound: TrialComponent 'evaluation' does not exist.",
    );
    expect(jobs.server.log).toEqual([]);
  });
});
