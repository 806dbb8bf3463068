// Training jobs: the results of DescribeTrainingJob, with the names and types of this package.

import { z } from 'zod';
import { userHyperparameters } from '../../jobs/training/container-contract.ts';
import type { JobServerClient } from '../job-server.ts';
import type { SagemakerAnswer, SagemakerInput } from '../wire/service-client.ts';
import { estimatesOf, type TrainingCost, trainingCost } from './training-cost.ts';

/** The states of a job, as clients wait for them. */
export type TrainingJobStatus = 'InProgress' | 'Completed' | 'Failed' | 'Stopping' | 'Stopped' | 'Deleting';

/** A training job, as the job server describes it. */
export interface TrainingJobInfo {
  /** The name of the job. */
  readonly name: string;
  /** The Amazon resource name: for tags. */
  readonly arn: string;
  /** The primary status, which clients wait for. */
  readonly status: TrainingJobStatus;
  /** The current activity: `Starting`, `Downloading`, `Training`, `Interrupted`, `Uploading` … */
  readonly secondaryStatus: string;
  /** Why it failed. */
  readonly failureReason: string | undefined;
  /** The type of its instances. */
  readonly instanceType: string;
  /** The number of its instances. */
  readonly instanceCount: number;
  /** The training image. */
  readonly image: string;
  /** Hyperparameters of the script, decoded; those of the SDK itself are left out. */
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  /** The last value of each metric. */
  readonly metrics: Readonly<Record<string, number>>;
  /** The address of the trained model, `s3://…/model.tar.gz`. It exists when the job has ended. */
  readonly modelData: string;
  /** Whether it runs on spot instances. */
  readonly usesSpotInstances: boolean;
  /** When the job was created. */
  readonly createdAt: Date;
  /** When it got its instances. */
  readonly startedAt: Date | undefined;
  /** When it ended. */
  readonly endedAt: Date | undefined;
  /** Seconds from start to end, interruptions included. */
  readonly trainingSeconds: number | undefined;
  /** Seconds that are billed, for each instance. */
  readonly billableSeconds: number | undefined;
  /** The states that it went through. */
  readonly transitions: readonly {
    /** The name of the state. */
    readonly status: string;
    /** When it was entered. */
    readonly at: Date;
    /** A sentence about it. */
    readonly message: string;
  }[];
  /** Its cost. */
  readonly cost: TrainingCost;
}

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

export const isEnded = (status: TrainingJobStatus): boolean =>
  status === 'Completed' || status === 'Failed' || status === 'Stopped';
