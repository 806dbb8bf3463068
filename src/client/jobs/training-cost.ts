// The cost of a job: the public price of its instances times the billed seconds.

import { z } from 'zod';
import { costOf, formatUsd, type MicroUsd, toDollars, usd } from '../../base/money.ts';
import { priceOf } from '../../hardware/price-of.ts';

/** The cost of a training job. Fields are undefined if unknown: a type without a public price, a job that has not ended. */
export interface TrainingCost {
  /** US dollars per hour and instance. */
  readonly pricePerHourUsd: number | undefined;
  /** The price times the billable seconds, for all instances. */
  readonly claimedUsd: number | undefined;
  /** The share that spot instances saved, as SageMaker computes it: 1 − billable / training time. */
  readonly savedShare: number | undefined;
  /** The simulator's estimate for the real instances; undefined: none (other images than `trenio`, a job that has not ended). */
  readonly predicted: PredictedTraining | undefined;
  /** The training steps measured here; undefined: none were reported. */
  readonly measured: MeasuredTraining | undefined;
}

/** A simulated training run on the instance type of a job. */
export interface PredictedTraining {
  /** Seconds per training step. */
  readonly stepSeconds: number;
  /** Seconds of all steps. */
  readonly seconds: number;
  /** The cost of that time; undefined: no public price. */
  readonly usd: number | undefined;
}

/** Training steps measured here. */
export interface MeasuredTraining {
  /** The number of steps. */
  readonly steps: number;
  /** Seconds per training step. */
  readonly stepSeconds: number;
}

const costSchema = z.object({
  Predicted: z.object({ StepSeconds: z.number(), Seconds: z.number(), Usd: z.number().nullable() }).nullable(),
  Measured: z.object({ Steps: z.number().nullable(), StepSeconds: z.number().nullable() }),
});

/** The estimates in the answer of DescribeTrainingJobCost. */
export function estimatesOf(answer: unknown): Pick<TrainingCost, 'predicted' | 'measured'> {
  const { Predicted: predicted, Measured: measured } = costSchema.parse(answer);
  return {
    predicted:
      predicted === null
        ? undefined
        : {
            stepSeconds: predicted.StepSeconds,
            seconds: predicted.Seconds,
            usd: predicted.Usd ?? undefined,
          },
    measured:
      measured.Steps === null || measured.StepSeconds === null
        ? undefined
        : { steps: measured.Steps, stepSeconds: measured.StepSeconds },
  };
}

export function trainingCost({
  instanceType,
  instanceCount,
  trainingSeconds,
  billableSeconds,
}: {
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly trainingSeconds: number | undefined;
  readonly billableSeconds: number | undefined;
}): Omit<TrainingCost, 'predicted' | 'measured'> {
  const price = priceOf(instanceType)?.value;
  return {
    pricePerHourUsd: price === undefined ? undefined : toDollars(price),
    claimedUsd:
      price === undefined || billableSeconds === undefined
        ? undefined
        : toDollars(costOf((price * instanceCount) as MicroUsd, billableSeconds)),
    savedShare:
      trainingSeconds === undefined || billableSeconds === undefined
        ? undefined
        : Math.max(0, 1 - billableSeconds / trainingSeconds),
  };
}

/** `$0.41 (60 s × $24.725/h), 30 % saved`; empty if nothing is known. */
export function formatTrainingCost(
  { pricePerHourUsd, claimedUsd, savedShare }: Omit<TrainingCost, 'predicted' | 'measured'>,
  count: number,
): string {
  const parts: string[] = [];
  if (claimedUsd !== undefined && pricePerHourUsd !== undefined)
    parts.push(
      `${formatUsd(usd(claimedUsd), { maxDecimals: 4 })} at ${formatUsd(usd(pricePerHourUsd), { maxDecimals: 5 })}/h${count > 1 ? ` × ${count}` : ''}`,
    );
  if (savedShare !== undefined && savedShare >= 0.005) parts.push(`${Math.round(100 * savedShare)} % saved`);
  return parts.join(', ');
}
