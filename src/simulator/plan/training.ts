// From the time of one step to the time and money of a whole training.
//
//   provision │ prepare │ step step step … step │
//   ◀──────── billed by EC2 ────────────────────▶   the managed service bills from `prepare` on
import type { MicroUsd } from '../../base/money.ts';
import type { Machine, Price } from '../../hardware/machine.ts';
import { type Bound, bounds, type Prediction } from '../prediction.ts';
import { type Amount, describeAmount, stepsOf } from './amount.ts';
import type { Service } from './price.ts';
import { purchaseAssumption } from './purchase.ts';
import {
  bestQuote,
  cheapestRate,
  type Limits,
  type Objective,
  type Quote,
  type Terms,
  type TermsOptions,
  termsOf,
} from './quote.ts';
import type { StartUp } from './start-up.ts';

/** The cheapest purchase option within the limits; only `purchase` if it is given. */
export interface TrainingOptions extends TermsOptions, Limits {}

/** Time and cost of a training run. */
export interface TrainingPlan {
  /** Discriminates the members of the union. */
  readonly kind: 'training';
  /** The predicted step. */
  readonly prediction: Prediction;
  /** The amount of training. */
  readonly amount: Amount;
  /** The number of steps. */
  readonly steps: number;
  /** The time before the first step, and its cost. */
  readonly startUp: StartUp;
  /** The time of only the steps. */
  readonly stepsSeconds: number;
  /** From the request to the last step: with the start-up, and with interruptions if they are expected. */
  readonly seconds: number;
  /** The time for which each instance is paid. */
  readonly billedSeconds: number;
  /** How the machines are bought; `price` and `cost` are undefined if its price is not public. */
  readonly quote: Quote;
  /** The price. */
  readonly price: Price | undefined;
  /** The cost of the training run. */
  readonly cost: MicroUsd | undefined;
  /** The ways to buy from which it was chosen. */
  readonly terms: Terms;
  /** The energy of all steps, if the power of the device is published. */
  readonly joules: number | undefined;
  /** The bottleneck of a step, and its share of the step in (0, 1]. */
  readonly bound: Bound;
  /** The share of the time that is spent on the bounding resource. */
  readonly boundShare: number;
  /** Those of the prediction and those of the plan, one sentence each. */
  readonly assumptions: readonly string[];
}

/**
 * Time and cost of an amount of training at the predicted speed.
 * @throws {INVALID_OPTION} for amounts that are not above 0 or cannot be counted in steps
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const plan = simulator.planTraining(prediction, { kind: 'tokens', tokens: 1e9 });
 * plan.steps // 15259
 */
export function planTraining(prediction: Prediction, amount: Amount, options: TrainingOptions = {}): TrainingPlan {
  const { machine } = prediction;
  const terms = termsOf(machine, options);
  const totals = totalsOf(prediction, amount, terms, 'cost', options);
  const { bound, share } = largestBound(prediction);
  const { quote } = totals;
  return {
    kind: 'training',
    prediction,
    amount,
    startUp: terms.startUp,
    price: quote.kind === 'priced' ? quote.price : undefined,
    terms,
    ...totals,
    joules: prediction.joules === undefined ? undefined : prediction.joules * totals.steps,
    bound,
    boundShare: share,
    assumptions: [
      ...prediction.assumptions,
      ...startUpAssumptions(machine, terms.startUp, options.startUp === undefined, quote.offer.service),
      ...priceAssumptions(machine, quote, terms),
      `${amount.kind === 'steps' ? describeAmount(amount) : `${describeAmount(amount)}: ${totals.steps.toLocaleString('en-US')} steps`}, all at the same speed: no evaluation, no failures${prediction.dataLoading === undefined ? ', no waiting for data' : ''}.`,
    ],
  };
}

/** Time and cost of a training run. */
export type Totals = Pick<TrainingPlan, 'steps' | 'stepsSeconds' | 'seconds' | 'billedSeconds' | 'quote' | 'cost'>;

/** Only the totals, which a search computes for thousands of layouts. */
export function totalsOf(
  prediction: Prediction,
  amount: Amount,
  terms: Terms,
  objective: Objective,
  limits: Limits,
): Totals {
  const steps = stepsOf(amount, prediction);
  const stepsSeconds = steps * prediction.stepSeconds;
  const quote = bestQuote(prediction.nodes, stepsSeconds, terms, objective, limits);
  return {
    steps,
    stepsSeconds,
    quote,
    seconds: quote.seconds,
    billedSeconds: quote.kind === 'priced' ? quote.paidSeconds : quote.usedSeconds,
    cost: quote.kind === 'priced' ? quote.toPay : undefined,
  };
}

/**
 * The cost of one sample's share of a step on all nodes, in dollars, at the cheapest rate that needs no commitment; for
 * comparisons without an amount.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.dollarsPerSample(prediction)! < 0.001 // true
 */
export function dollarsPerSample(
  prediction: Prediction,
  terms: Terms = termsOf(prediction.machine),
): number | undefined {
  const rate = cheapestRate(prediction.nodes, terms);
  return rate === undefined
    ? undefined
    : (rate.perHour / 1e6 / 3600) * prediction.nodes * (prediction.stepSeconds / prediction.samplesPerStep);
}

export function largestBound({ byBound, stepSeconds }: Prediction): { readonly bound: Bound; readonly share: number } {
  let largest: Bound = bounds[0];
  for (const bound of bounds) if (byBound[bound] > byBound[largest]) largest = bound;
  return { bound: largest, share: stepSeconds === 0 ? 0 : byBound[largest] / stepSeconds };
}

function startUpAssumptions(
  { name }: Machine,
  { provision, prepare }: StartUp,
  assumed: boolean,
  service: Service,
): readonly string[] {
  if (provision + prepare === 0) return [];
  const billing = service === 'sagemaker' && provision > 0 ? ', the first of them not billed' : '';
  const taken = assumed ? 'is assumed to take' : 'takes, as given,';
  return [
    `Start-up on ${name} ${taken} ${provision} s to get machines and ${prepare} s to compile and load${billing}.`,
  ];
}

function priceAssumptions(machine: Machine, quote: Quote, terms: Terms): readonly string[] {
  const { name } = machine;
  const { service, purchase } = quote.offer;
  const way = `${service === 'ec2' ? 'EC2' : 'SageMaker'} ${purchase}`;
  if (quote.kind === 'refused') return [`${name} cannot be bought as ${way}: ${quote.reason}.`];
  if (quote.kind !== 'priced') {
    return machine.device.kind === 'cpu' ? [] : [`${name} has no public price (${way}), so its cost is not known.`];
  }
  const { price } = quote;
  const rule = purchaseAssumption(machine, quote, terms);
  return [
    `${name} costs what was published ${price.date} for ${way}${price.uncertain ? ' (uncertain)' : ''}: ${price.source}. Storage, network and tax are not in it.`,
    ...(rule === undefined ? [] : [rule]),
  ];
}
