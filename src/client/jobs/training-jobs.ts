// Training jobs: the results of DescribeTrainingJob, with the names and types of this package.
import { z } from 'zod';
import { userHyperparameters } from '../../jobs/training/container-contract.ts';
import type { JobServerClient } from '../job-server.ts';
import type { SagemakerAnswer, SagemakerInput } from '../wire/service-client.ts';
import { estimatesOf, trainingCost } from './training-cost.ts';
import type { TrainingJobInfo, TrainingJobStatus } from './training-job-info.ts';

export interface TrainingJobLine {
  readonly name: string;
  readonly status: TrainingJobStatus;
  readonly secondaryStatus: string;
  readonly createdAt: Date;
  readonly endedAt: Date | undefined;
}

/** @throws {SERVICE_REFUSED} for a name that does not exist */
export async function describeJob(
  { services }: JobServerClient,
  name: string,
  signal?: AbortSignal,
): Promise<TrainingJobInfo> {
  const job = await services.sagemaker('DescribeTrainingJob', { TrainingJobName: name }, signal);
  const cost = await services.trenio('DescribeTrainingJobCost', { TrainingJobName: name }, signal);
  return infoOf(job, estimatesOf(cost));
}

const isolationSchema = z.object({ SharedWithMachine: z.array(z.string()).nullable() });

/** Sentences about the resources that a job shares with the machine of its server; undefined: it has not started. */
export async function sharedByJob(
  { services }: JobServerClient,
  name: string,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  const answer = await services.trenio('DescribeTrainingJobIsolation', { TrainingJobName: name }, signal);
  return isolationSchema.parse(answer).SharedWithMachine ?? undefined;
}

const date = (seconds: number): Date => new Date(seconds * 1000);

function infoOf(
  job: SagemakerAnswer<'DescribeTrainingJob'>,
  estimates: ReturnType<typeof estimatesOf>,
): TrainingJobInfo {
  const instanceType = job.ResourceConfig?.InstanceType ?? '';
  const instanceCount = job.ResourceConfig?.InstanceCount ?? 0;
  return {
    name: job.TrainingJobName,
    arn: job.TrainingJobArn,
    status: job.TrainingJobStatus,
    secondaryStatus: job.SecondaryStatus,
    failureReason: job.FailureReason,
    instanceType,
    instanceCount,
    image: job.AlgorithmSpecification?.TrainingImage ?? '',
    hyperparameters: userHyperparameters(job.HyperParameters ?? {}),
    metrics: Object.fromEntries(
      (job.FinalMetricDataList ?? []).map(({ MetricName: name, Value: value }) => [name ?? '', value ?? Number.NaN]),
    ),
    modelData: job.ModelArtifacts.S3ModelArtifacts,
    usesSpotInstances: job.EnableManagedSpotTraining ?? false,
    createdAt: date(job.CreationTime),
    startedAt: job.TrainingStartTime === undefined ? undefined : date(job.TrainingStartTime),
    endedAt: job.TrainingEndTime === undefined ? undefined : date(job.TrainingEndTime),
    trainingSeconds: job.TrainingTimeInSeconds,
    billableSeconds: job.BillableTimeInSeconds,
    transitions: (job.SecondaryStatusTransitions ?? []).map(one => ({
      status: one.Status,
      at: date(one.StartTime),
      message: one.StatusMessage ?? '',
    })),
    cost: {
      ...estimates,
      ...trainingCost({
        instanceType,
        instanceCount,
        trainingSeconds: job.TrainingTimeInSeconds,
        billableSeconds: job.BillableTimeInSeconds,
      }),
    },
  };
}

const PAGE = 100;

/** Jobs, the latest first. */
export async function* listJobs(
  { services }: JobServerClient,
  filter: Omit<SagemakerInput<'ListTrainingJobs'>, 'NextToken' | 'MaxResults' | 'SortBy' | 'SortOrder'> = {},
): AsyncGenerator<TrainingJobLine> {
  let token: string | undefined;
  do {
    const page = await services.sagemaker('ListTrainingJobs', {
      ...filter,
      MaxResults: PAGE,
      SortBy: 'CreationTime',
      SortOrder: 'Descending',
      ...(token === undefined ? {} : { NextToken: token }),
    });
    for (const job of page.TrainingJobSummaries)
      yield {
        name: job.TrainingJobName,
        status: job.TrainingJobStatus,
        secondaryStatus: job.SecondaryStatus ?? '',
        createdAt: date(job.CreationTime),
        endedAt: job.TrainingEndTime === undefined ? undefined : date(job.TrainingEndTime),
      };
    token = page.NextToken;
  } while (token !== undefined);
}
