// The cost of a job in the server's own service: claimed (the catalog price of its instances), predicted (by the
// simulator, for those instances) and measured (here). Dollars and seconds; unknown values are null.
import { toDollars } from '../../../base/money.ts';
import { priceOf } from '../../../hardware/price-of.ts';
import { billedSeconds, costOfProcessing } from '../../../jobs/processing/processing-cost.ts';
import type { ProcessingJob } from '../../../jobs/processing/processing-job.ts';
import { billableSeconds, costOfJob, hourlyPriceOf, trainingSeconds } from '../../../jobs/training/billing.ts';
import type { TrainingJob } from '../../../jobs/training/training-job.ts';
import { retainedSeconds } from '../../../jobs/training/warm-pool.ts';
import type { StepCommunication } from '../../../runtime/profiling/step-meter.ts';

export function describeJobCost(job: TrainingJob, nowMs: number): object {
  const { instanceType, instanceCount, isSpot, reservation } = job.spec;
  const price = hourlyPriceOf(job);
  const cost = costOfJob(job, nowMs);
  const [training, billable] = [trainingSeconds(job), billableSeconds(job)];
  const { measured, predicted } = job;
  return {
    TrainingJobName: job.name,
    InstanceType: instanceType,
    InstanceCount: instanceCount,
    Claimed: {
      UsdPerInstanceHour: price === undefined ? null : toDollars(price),
      /** The instances are those of a training plan, whose fee is not part of the cost of its jobs. */
      IsPrepaid: reservation !== undefined,
      BillableTimeInSeconds: billable ?? 0,
      ResourceRetainedBillableTimeInSeconds: retainedSeconds(job, nowMs) ?? 0,
      Usd: cost === undefined ? null : toDollars(cost),
      /** Savings from managed spot training, in percent. */
      SavingsPercent:
        isSpot && training !== undefined && billable !== undefined ? 100 * Math.max(0, 1 - billable / training) : null,
    },
    Predicted:
      predicted?.kind === 'predicted'
        ? {
            StepSeconds: predicted.stepSeconds,
            SamplesPerSecond: predicted.samplesPerSecond,
            Seconds: predicted.seconds,
            Usd: predicted.usd === undefined ? null : toDollars(predicted.usd),
            FitsInMemory: predicted.fits,
            Assumptions: predicted.assumptions,
          }
        : null,
    PredictedReason: predicted?.kind === 'none' ? predicted.reason : null,
    Measured: {
      TrainingTimeInSeconds: training ?? null,
      Steps: measured?.steps ?? null,
      StepSeconds: measured?.stepSeconds ?? null,
      Communication: measured?.communication === undefined ? null : communicationOf(measured.communication),
    },
  };
}

const communicationOf = ({ collectives, replicated, exposedMs }: StepCommunication): object => ({
  Collectives: collectives.map(({ at, kind, devices, count, bytes }) => ({
    ...{ Line: at, Kind: kind, Ranks: devices, Count: count, Bytes: bytes },
  })),
  Advice: replicated,
  ExposedSeconds: exposedMs / 1000,
});

export function describeProcessingCost(job: ProcessingJob, nowMs: number): object {
  const { instanceType, instanceCount } = job.spec;
  const price = priceOf(instanceType)?.value;
  const cost = costOfProcessing(job, nowMs);
  return {
    ProcessingJobName: job.name,
    InstanceType: instanceType,
    InstanceCount: instanceCount,
    Claimed: {
      UsdPerInstanceHour: price === undefined ? null : toDollars(price),
      BillableTimeInSeconds: billedSeconds(job, nowMs),
      Usd: cost === undefined ? null : toDollars(cost),
    },
  };
}
