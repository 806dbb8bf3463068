// A training job in the format of DescribeTrainingJob and ListTrainingJobs. Times are seconds since 1970.
import { shownEnvironment } from '../../../jobs/secrets.ts';
import { billableSeconds, trainingSeconds } from '../../../jobs/training/billing.ts';
import { statusOf } from '../../../jobs/training/state-machine.ts';
import { type TrainingJob, transitionsOf } from '../../../jobs/training/training-job.ts';
import { retainedSeconds } from '../../../jobs/training/warm-pool.ts';

const seconds = (ms: number): number => ms / 1000;

export function describeTrainingJob(job: TrainingJob, nowMs: number): object {
  const { Tags: _, Environment: environment, ...request } = job.request;
  return {
    ...request,
    Environment: environment && shownEnvironment(job.spec.environment),
    TrainingJobName: job.name,
    TrainingJobArn: job.arn,
    ModelArtifacts: { S3ModelArtifacts: artifactUri(job) },
    TrainingJobStatus: statusOf(job.secondary),
    SecondaryStatus: job.secondary,
    FailureReason: job.failureReason,
    StoppingCondition: {
      MaxRuntimeInSeconds: job.spec.maxRuntimeSeconds,
      MaxWaitTimeInSeconds: job.spec.maxWaitSeconds,
      MaxPendingTimeInSeconds: job.spec.maxPendingSeconds,
    },
    CreationTime: seconds(job.createdMs),
    TrainingStartTime: job.trainingStartMs && seconds(job.trainingStartMs),
    TrainingEndTime: job.trainingEndMs && seconds(job.trainingEndMs),
    LastModifiedTime: seconds(job.modifiedMs),
    SecondaryStatusTransitions: transitionsOf(job).map(({ status, startMs, endMs, message }) => ({
      Status: status,
      StartTime: seconds(startMs),
      ...(endMs === undefined ? {} : { EndTime: seconds(endMs) }),
      StatusMessage: message,
    })),
    FinalMetricDataList:
      job.finalMetrics.length === 0
        ? undefined
        : job.finalMetrics.map(({ name, value, timeMs }) => ({
            MetricName: name,
            Value: value,
            Timestamp: seconds(timeMs),
          })),
    EnableNetworkIsolation: !job.spec.hasNetwork,
    EnableManagedSpotTraining: job.spec.isSpot,
    EnableInterContainerTrafficEncryption: job.request.EnableInterContainerTrafficEncryption ?? false,
    TrainingTimeInSeconds: trainingSeconds(job),
    BillableTimeInSeconds: billableSeconds(job),
    WarmPoolStatus: warmPoolStatus(job, nowMs),
    ProfilingStatus: 'Disabled',
  };
}

const warmPoolStatus = (job: TrainingJob, nowMs: number): object | undefined =>
  job.warmPool && {
    Status: job.warmPool.status,
    ResourceRetainedBillableTimeInSeconds: retainedSeconds(job, nowMs),
    ReusedByJob: job.warmPool.reusedBy,
  };

function artifactUri({ name, spec: { output } }: TrainingJob): string {
  const path = `s3://${output.bucket}/${output.prefix}${name}/output/model`;
  return output.compressed ? `${path}.tar.gz` : `${path}/`;
}

export const summarizeTrainingJob = (job: TrainingJob, nowMs: number): object => ({
  TrainingJobName: job.name,
  TrainingJobArn: job.arn,
  CreationTime: seconds(job.createdMs),
  TrainingEndTime: job.trainingEndMs && seconds(job.trainingEndMs),
  LastModifiedTime: seconds(job.modifiedMs),
  TrainingJobStatus: statusOf(job.secondary),
  SecondaryStatus: job.secondary,
  WarmPoolStatus: warmPoolStatus(job, nowMs),
});
