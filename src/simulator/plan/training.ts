// From the time of one step to the time and money of a whole training.
//
//   provision │ prepare │ step step step … step │
//   ◀──────── billed by EC2 ────────────────────▶   the managed service bills from `prepare` on
import { costOf, type MicroUsd } from '../../base/money.ts';
import type { Machine, Price, PurchaseKind } from '../../hardware/machine.ts';
import { type Bound, bounds, type Prediction } from '../prediction.ts';
import { type Amount, describeAmount, stepsOf } from './amount.ts';
import { publishedPrice, type Service, serviceOf } from './price.ts';
import { defaultStartUp, type StartUp, startUpSeconds } from './start-up.ts';

export interface TrainingOptions {
  readonly startUp?: StartUp;
  /** How the machines are bought (on demand). Spot and capacity blocks have rules of their own: `purchaseOptions`. */
  readonly purchase?: Extract<PurchaseKind, 'on-demand' | 'reserved-1y' | 'reserved-3y' | 'savings-plan'>;
  /** Default: the managed service for names that begin with `ml.`, else the bare machine. */
  readonly service?: Service;
}

export interface TrainingPlan {
  readonly kind: 'training';
  readonly prediction: Prediction;
  readonly amount: Amount;
  readonly steps: number;
  readonly startUp: StartUp;
  /** Of the steps alone. */
  readonly stepsSeconds: number;
  /** With the start-up: from the request to the last step. */
  readonly seconds: number;
  /** What each instance is billed for. */
  readonly billedSeconds: number;
  /** Undefined: no public price. */
  readonly price: Price | undefined;
  readonly cost: MicroUsd | undefined;
  /** Of all steps, where the device's power is published. */
  readonly joules: number | undefined;
  /** What most of a step is spent waiting for, and its share of the step in (0, 1]. */
  readonly bound: Bound;
  readonly boundShare: number;
  /** The prediction's and the plan's own, one sentence each. */
  readonly assumptions: readonly string[];
}

/**
 * Time and cost of so much training at the predicted speed.
 * @throws INVALID_OPTION for amounts that are not above 0 or cannot be counted in steps.
 */
export function planTraining(prediction: Prediction, amount: Amount, options: TrainingOptions = {}): TrainingPlan {
  const { machine } = prediction;
  const startUp = options.startUp ?? defaultStartUp(machine);
  const service = options.service ?? serviceOf(machine);
  const price = publishedPrice(machine, options.purchase, service);
  const totals = totalsOf(prediction, amount, { startUp, service, price });
  const { bound, share } = largestBound(prediction);
  return {
    kind: 'training',
    prediction,
    amount,
    startUp,
    price,
    ...totals,
    joules: prediction.joules === undefined ? undefined : prediction.joules * totals.steps,
    bound,
    boundShare: share,
    assumptions: [
      ...prediction.assumptions,
      ...startUpAssumptions(machine, startUp, options.startUp === undefined, service),
      ...priceAssumptions(prediction, price),
      `${amount.kind === 'steps' ? describeAmount(amount) : `${describeAmount(amount)}: ${totals.steps.toLocaleString('en-US')} steps`}, all at the same speed: no evaluation, no failures, no waiting for data.`,
    ],
  };
}

export type Totals = Pick<TrainingPlan, 'steps' | 'stepsSeconds' | 'seconds' | 'billedSeconds' | 'cost'>;
/** How a training is begun and paid for. */
export interface Terms {
  readonly startUp: StartUp;
  readonly service: Service;
  readonly price: Price | undefined;
}

/** The sums alone: what a search computes of thousands of layouts. */
export function totalsOf(prediction: Prediction, amount: Amount, { startUp, service, price }: Terms): Totals {
  const steps = stepsOf(amount, prediction);
  const stepsSeconds = steps * prediction.stepSeconds;
  const billedSeconds = billed(service, startUp, stepsSeconds);
  return {
    steps,
    stepsSeconds,
    seconds: stepsSeconds + startUpSeconds(startUp),
    billedSeconds,
    cost: price === undefined ? undefined : costOf(price.perHour, billedSeconds * prediction.nodes),
  };
}

/** Seconds that an instance is billed for. EC2 bills a running instance by the second, 60 at least. */
export function billed(service: Service, startUp: StartUp, stepsSeconds: number): number {
  const running = startUp.prepare + stepsSeconds;
  return service === 'sagemaker' ? running : Math.max(60, startUp.provision + running);
}

/** The cost of one sample's share of a step on all nodes, in dollars; for comparisons without an amount. */
export function dollarsPerSample(prediction: Prediction): number | undefined {
  const price = publishedPrice(prediction.machine);
  return price === undefined
    ? undefined
    : (price.perHour / 1e6 / 3600) * prediction.nodes * (prediction.stepSeconds / prediction.samplesPerStep);
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

function priceAssumptions({ machine }: Prediction, price: Price | undefined): readonly string[] {
  if (price === undefined) return [`${machine.name} has no public price of this kind, so its cost is not known.`];
  const doubt = price.uncertain ? ' (uncertain)' : '';
  return [
    `${machine.name} costs what was published ${price.date} for ${price.service === 'ec2' ? 'EC2' : 'SageMaker'} ${price.kind}${doubt}: ${price.source}. Storage, network and tax are not in it.`,
  ];
}
