// The same training bought in every way there is. What a way costs is what has to be paid because of this training: for a
// reservation that is the whole term, whether it is used or not; the training's own share stands beside it.
import { assertNever } from '../../base/errors.ts';
import { costOf, type MicroUsd } from '../../base/money.ts';
import { formatDuration } from '../../base/units.ts';
import type { Machine, Price, PurchaseKind } from '../../hardware/machine.ts';
import { type BlockDates, blockDates, blockDays, blockInstances } from './capacity-block.ts';
import { publishedPrice, purchaseKinds, type Service } from './price.ts';
import { defaultSpot, expectedSpotTime, type SpotAssumptions } from './spot.ts';
import { type StartUp, startUpSeconds } from './start-up.ts';
import { billed } from './training.ts';

export interface PurchaseQuestion {
  readonly machine: Machine;
  readonly nodes: number;
  /** Of the steps alone, uninterrupted. */
  readonly stepsSeconds: number;
  readonly startUp: StartUp;
  /** What is not given is `defaultSpot`. */
  readonly spot?: Partial<SpotAssumptions>;
  /** When a capacity block is to begin, and what the time is now: without them no dates are computed. */
  readonly start?: { readonly at: Date; readonly now: Date };
}

interface OptionBase {
  readonly service: Service;
  readonly purchase: PurchaseKind;
  /** One sentence each: the rule that was applied and what it assumes. */
  readonly notes: readonly string[];
}
/** A way to buy with a public price. */
export interface PricedOption extends OptionBase {
  readonly kind: 'priced';
  readonly price: Price;
  /** From the request to the last step; expected, where interruptions are. */
  readonly seconds: number;
  /** What this training uses, at this price. */
  readonly used: MicroUsd;
  /** What has to be paid: for commitments their whole term. */
  readonly toPay: MicroUsd;
  /** True where `toPay` buys more than this training. */
  readonly commitment: boolean;
  readonly block: (BlockDates & { readonly days: number }) | undefined;
}
/** A way to buy that exists, at a price nobody publishes. */
export interface UnpricedOption extends OptionBase {
  readonly kind: 'no public price';
  readonly seconds: number;
}
/** Not sold in this size, or it would not end. */
export interface ImpossibleOption extends OptionBase {
  readonly kind: 'impossible';
  readonly reason: string;
}
export type PurchaseOption = PricedOption | UnpricedOption | ImpossibleOption;

const YEAR_HOURS = 8760;
/** The managed service sells these; it has no reservations of single machines. */
const kindsOf: Readonly<Record<Service, readonly PurchaseKind[]>> = {
  ec2: purchaseKinds,
  sagemaker: ['on-demand', 'spot', 'savings-plan'],
};

/** Every way of both services, in a fixed order. */
export function purchaseOptions(question: PurchaseQuestion): readonly PurchaseOption[] {
  return (['ec2', 'sagemaker'] as const).flatMap(service =>
    kindsOf[service].map(purchase => optionOf(question, service, purchase)),
  );
}

function optionOf(question: PurchaseQuestion, service: Service, purchase: PurchaseKind): PurchaseOption {
  switch (purchase) {
    case 'on-demand':
      return billedBySecond(question, service, purchase);
    case 'spot':
      return spotOption(question, service);
    case 'reserved-1y':
      return commitment(question, service, purchase, 1);
    case 'reserved-3y':
      return commitment(question, service, purchase, 3);
    case 'savings-plan':
      return commitment(question, service, purchase, 1);
    case 'capacity-block':
      return blockOption(question);
    default:
      return assertNever(purchase);
  }
}

const priceOf = ({ machine }: PurchaseQuestion, service: Service, purchase: PurchaseKind): Price | undefined =>
  publishedPrice(machine, purchase, service);

function billedBySecond(question: PurchaseQuestion, service: Service, purchase: 'on-demand'): PurchaseOption {
  const { nodes, stepsSeconds, startUp } = question;
  const price = priceOf(question, service, purchase);
  const seconds = stepsSeconds + startUpSeconds(startUp);
  const notes = [
    service === 'ec2'
      ? 'Billed by the second while instances run, start-up included.'
      : 'Billed by the second from the start of the script; finding the instances is not billed.',
  ];
  if (price === undefined) return { kind: 'no public price', service, purchase, seconds, notes };
  const used = costOf(price.perHour, billed(service, startUp, stepsSeconds) * nodes);
  return priced({ service, purchase, price, seconds, used, toPay: used, notes });
}

function spotOption(question: PurchaseQuestion, service: Service): PurchaseOption {
  const { nodes, stepsSeconds, startUp } = question;
  const spot = { ...defaultSpot, ...question.spot };
  const expected = expectedSpotTime(stepsSeconds, nodes, spot);
  const seconds = expected.seconds + startUpSeconds(startUp);
  const notes = [
    `Assumes ${spot.interruptionsPerInstanceHour} interruptions an hour of each instance, ${formatDuration(spot.restartSeconds)} to restart and ${formatDuration(spot.checkpointSeconds)} for a checkpoint every ${formatDuration(expected.checkpointEverySeconds)}: ${count(expected.interruptions)} expected interruptions, ${formatDuration(expected.lostSeconds)} lost, ${formatDuration(expected.checkpointingSeconds)} of checkpoints.`,
    'Prices change by the hour, and instances may not be found at once.',
  ];
  // A training that takes ten times its work will not be run: the mean says little about it.
  if (!(expected.seconds < 10 * (stepsSeconds + spot.checkpointSeconds))) {
    const reason = `interrupted every ${formatDuration(3600 / (spot.interruptionsPerInstanceHour * nodes))} on average, it hardly gets on`;
    return { kind: 'impossible', service, purchase: 'spot', reason, notes };
  }
  const price = priceOf(question, service, 'spot');
  if (price === undefined) return { kind: 'no public price', service, purchase: 'spot', seconds, notes };
  const used = costOf(price.perHour, billed(service, startUp, expected.seconds) * nodes);
  return priced({ service, purchase: 'spot', price, seconds, used, toPay: used, notes });
}

function commitment(
  question: PurchaseQuestion,
  service: Service,
  purchase: 'reserved-1y' | 'reserved-3y' | 'savings-plan',
  years: 1 | 3,
): PurchaseOption {
  const { nodes, stepsSeconds, startUp } = question;
  const price = priceOf(question, service, purchase);
  const seconds = stepsSeconds + startUpSeconds(startUp);
  const term = years === 1 ? 'a year' : 'three years';
  const notes = [
    `Paid for ${term}, used or not${purchase === 'savings-plan' ? '; any machine the plan covers may use it' : ''}: worth it only with other work for the rest of the term.`,
  ];
  if (price === undefined) return { kind: 'no public price', service, purchase, seconds, notes };
  const hours = years * YEAR_HOURS;
  const terms = Math.max(1, Math.ceil(seconds / 3600 / hours));
  return priced({
    service,
    purchase,
    price,
    seconds,
    used: costOf(price.perHour, billed(service, startUp, stepsSeconds) * nodes),
    toPay: costOf(price.perHour, terms * hours * 3600 * nodes),
    commitment: true,
    notes,
  });
}

function blockOption(question: PurchaseQuestion): PurchaseOption {
  const { nodes, stepsSeconds, startUp, start } = question;
  const option = { service: 'ec2', purchase: 'capacity-block' } as const;
  const seconds = stepsSeconds + startUpSeconds(startUp);
  if (nodes < blockInstances.least || nodes > blockInstances.most) {
    const reason = `a block has ${blockInstances.least} to ${blockInstances.most} instances, not ${nodes}`;
    return { kind: 'impossible', ...option, reason, notes: [] };
  }
  const days = blockDays(seconds);
  if (days === undefined) {
    const reason = `a block lasts at most 182 days, and ${formatDuration(seconds)} are needed`;
    return { kind: 'impossible', ...option, reason, notes: [] };
  }
  const notes = [
    `A block of ${days} ${days === 1 ? 'day' : 'days'}, paid up front; sold by the day to 14 days, then by the week to 182; ends 11:30 UTC, instances 30 minutes before; booked up to 8 weeks ahead.`,
  ];
  const price = priceOf(question, 'ec2', 'capacity-block');
  if (price === undefined) return { kind: 'no public price', ...option, seconds, notes };
  const paid = costOf(price.perHour, days * 86_400 * nodes);
  return priced({
    ...option,
    price,
    seconds,
    used: costOf(price.perHour, seconds * nodes),
    toPay: paid,
    block: start === undefined ? undefined : { days, ...blockDates(days, start.at, start.now) },
    notes,
  });
}

type Priced = Omit<PricedOption, 'kind' | 'commitment' | 'block'> & Partial<Pick<PricedOption, 'commitment' | 'block'>>;
const priced = (option: Priced): PricedOption => ({
  kind: 'priced',
  commitment: false,
  block: undefined,
  ...option,
  notes: option.price.uncertain
    ? [...option.notes, `The price is uncertain: ${option.price.source}, ${option.price.date}.`]
    : option.notes,
});

const count = (value: number): string =>
  value < 10 ? `${Number(value.toPrecision(2))}` : Math.round(value).toLocaleString('en-US');
