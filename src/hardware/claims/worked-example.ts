// Claims of the worked example: BERT-base on ml.trn1.32xlarge and ml.p4d.24xlarge, its prices, times and costs.
import { costOf, toDollars } from '../../base/money.ts';
import type { FactProfile } from '../machine.ts';
import { priceOf } from '../price-of.ts';
import { MANAGED_FACTOR } from '../prices.ts';
import { publishedBertRuns } from '../published.ts';
import type { Claim } from './claim.ts';
import { where } from './where.ts';

const [trn1, p4d] = publishedBertRuns as readonly [
  (typeof publishedBertRuns)[number],
  (typeof publishedBertRuns)[number],
];

const dollarsPerHour = (name: string, profile: FactProfile): number => toDollars(priceOf(name, profile)!.value);
const cost = (run: typeof trn1): number => toDollars(costOf(run.usdPerHour, run.billableSeconds));
const costToday = (run: typeof trn1): number => (dollarsPerHour(run.machine, 'docs') * run.billableSeconds) / 3600;
const iterations = (run: typeof trn1): number => run.iterationsPerSecond * run.billableSeconds;

const rows: readonly Omit<Claim, 'section' | 'where'>[] = [
  {
    what: 'price of ml.trn1.32xlarge',
    printed: '24.725',
    unit: '$/h',
    compute: profile => dollarsPerHour('trn1.32xlarge', profile) * MANAGED_FACTOR,
    how: '$21.50 × 1.15',
  },
  {
    what: 'price of ml.p4d.24xlarge',
    printed: '37.69',
    unit: '$/h',
    compute: profile => dollarsPerHour('p4d.24xlarge', profile) * MANAGED_FACTOR,
    how: '$32.7726 × 1.15 at the time; $21.957642 × 1.15 = $25.25 since the price cut of June 2025',
    contradiction: '$37.69 is the price from before June 2025: the same machine costs a third less today.',
  },
  {
    what: 'iterations/s on ml.trn1.32xlarge',
    printed: '6.64',
    unit: '/s',
    compute: undefined,
    how: 'measured; trenio plan predicts it from a model of the job',
  },
  {
    what: 'iterations/s on ml.p4d.24xlarge',
    printed: '5.44',
    unit: '/s',
    compute: undefined,
    how: 'measured; trenio plan predicts it from a model of the job',
  },
  {
    what: 'cost on ml.trn1.32xlarge',
    printed: '41.47',
    unit: '$',
    compute: () => cost(trn1),
    how: '6,033 s ÷ 3,600 × $24.725',
    contradiction: '$41.47 does not match its own row: 6,033 s at $24.725 per hour are $41.43.',
  },
  {
    what: 'cost on ml.p4d.24xlarge',
    printed: '68.6',
    unit: '$',
    compute: () => cost(p4d),
    how: '6,553 s ÷ 3,600 × $37.69',
  },
  {
    what: 'lower cost to train',
    printed: '50',
    unit: '%',
    bound: 'up to',
    compute: () => (1 - cost(trn1) / cost(p4d)) * 100,
    how: '1 − 41.43 ÷ 68.61; with the published costs 1 − 41.47 ÷ 68.6 = 39.5 %',
    contradiction: '39.5 % is not “up to 50 %”: the article has one pair of runs, and its published costs give 39.5 %.',
  },
  {
    what: 'lower cost to train, at today’s prices',
    printed: '50',
    unit: '%',
    bound: 'up to',
    compute: () => (1 - costToday(trn1) / costToday(p4d)) * 100,
    how: '1 − 6,033 × 24.725 ÷ (6,553 × 25.25), the latter inferred from the EC2 price',
    contradiction: 'P4d costs a third less since June 2025: the same two runs differ by 9.9 % today.',
  },
  {
    what: 'faster training, by iterations/s',
    printed: '22',
    unit: '%',
    compute: () => (trn1.iterationsPerSecond / p4d.iterationsPerSecond - 1) * 100,
    how: '6.64 ÷ 5.44 − 1',
  },
  {
    what: 'faster training, by billable time',
    printed: '22',
    unit: '%',
    compute: () => (1 - trn1.billableSeconds / p4d.billableSeconds) * 100,
    how: '1 − 6,033 ÷ 6,553 billable seconds',
    contradiction: '“22 % faster training time” is the rate of iterations: the billable time is 7.9 % shorter.',
  },
  {
    what: 'iterations in the billable time, Trn1 over P4d',
    printed: '1',
    unit: '×',
    compute: () => iterations(trn1) / iterations(p4d),
    how: '6.64 × 6,033 ÷ (5.44 × 6,553): same data and batch size, so the same number of iterations',
    contradiction:
      'Rate × billable time gives Trn1 12 % more iterations of the same training, so the billable time includes more than iterations. Equal work and equal overhead would be 15,653 iterations and 3,676 s.',
  },
  {
    what: 'validation accuracy on either machine',
    printed: '0.984',
    unit: '',
    compute: undefined,
    how: 'a result of training, not of hardware; our own runs report theirs',
  },
];

export const workedExampleClaims: readonly Claim[] = rows.map(claim => ({
  section: 'The worked example',
  where: where.sageMaker,
  ...claim,
}));
