// The cost of a job: the public price of its instances times the billed seconds.
import { costOf, formatUsd, type MicroUsd, toDollars, usd } from '../../base/money.ts';
import { priceOf } from '../../hardware/price-of.ts';

/** The cost of a training job. Fields are undefined if unknown: a type without a public price, a job that has not ended. */
export interface TrainingCost {
  /** US dollars per hour and instance. */
  readonly pricePerHourUsd: number | undefined;
  /** The price times the billable seconds, for all instances. */
  readonly claimedUsd: number | undefined;
  /** The share that spot instances saved, as SageMaker counts it: 1 − billable / training time. */
  readonly savedShare: number | undefined;
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
}): TrainingCost {
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
export function formatTrainingCost({ pricePerHourUsd, claimedUsd, savedShare }: TrainingCost, count: number): string {
  const parts: string[] = [];
  if (claimedUsd !== undefined && pricePerHourUsd !== undefined)
    parts.push(
      `${formatUsd(usd(claimedUsd), { maxDecimals: 4 })} at ${formatUsd(usd(pricePerHourUsd), { maxDecimals: 5 })}/h${count > 1 ? ` × ${count}` : ''}`,
    );
  if (savedShare !== undefined && savedShare >= 0.005) parts.push(`${Math.round(100 * savedShare)} % saved`);
  return parts.join(', ');
}
