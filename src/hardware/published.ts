// Published results to compare with ours: copied as printed, never corrected. What follows from them (a cost
// from seconds and price) is computed where it is shown, and a difference from the printed figure is shown with it.
import { type MicroUsd, usd } from '../base/money.ts';

/** A training whose time and cost were published. */
export interface PublishedRun {
  readonly model: string;
  readonly machine: string;
  readonly usdPerHour: MicroUsd;
  readonly iterationsPerSecond: number;
  readonly validationAccuracy: number;
  readonly billableSeconds: number;
  /** The cost as printed. */
  readonly printedUsd: MicroUsd;
  readonly source: string;
}

const source =
  "AWS Machine Learning Blog, 'Maximize performance and reduce your deep learning training cost with AWS Trainium and Amazon SageMaker', table of benchmark results";

/** The published trainings of a BERT classifier. */
export const publishedBertRuns: readonly PublishedRun[] = [
  {
    model: 'BERT-base classification',
    machine: 'ml.trn1.32xlarge',
    usdPerHour: usd(24.725),
    iterationsPerSecond: 6.64,
    validationAccuracy: 0.984,
    billableSeconds: 6033,
    printedUsd: usd(41.47),
    source,
  },
  {
    model: 'BERT-base classification',
    machine: 'ml.p4d.24xlarge',
    usdPerHour: usd(37.69),
    iterationsPerSecond: 5.44,
    validationAccuracy: 0.984,
    billableSeconds: 6553,
    printedUsd: usd(68.6),
    source,
  },
];
