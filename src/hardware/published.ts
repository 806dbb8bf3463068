// Published results to compare with ours: copied as printed, never corrected. Derived figures (a cost from seconds and price) are
// computed where they are shown, along with the difference from the printed figure.
import { type MicroUsd, usd } from '../base/money.ts';

/** A training run whose time and cost were published. */
export interface PublishedRun {
  /** The model. */
  readonly model: string;
  /** The name of the machine. */
  readonly machine: string;
  /** The price per hour. */
  readonly usdPerHour: MicroUsd;
  /** Training steps per second. */
  readonly iterationsPerSecond: number;
  /** Accuracy on the validation set, 0 to 1; without a value if it is not known. */
  readonly validationAccuracy: number;
  /** The time that is paid for, in seconds. */
  readonly billableSeconds: number;
  /** The cost as printed. */
  readonly printedUsd: MicroUsd;
  /** The source of the figures. */
  readonly source: string;
}

const source =
  "AWS Machine Learning Blog, 'Maximize performance and reduce your deep learning training cost with AWS Trainium and Amazon SageMaker', table of benchmark results";

/** The published training runs of a BERT classifier. */
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
