// The same training under every purchase option, with the rule of each option in words. The cost is the amount that has to be
// paid because of this training: for a reservation that is the whole term, whether it is used or not; the share of this
// training is listed separately.
import { assertNever } from '../../base/errors.ts';
import { costOf, type MicroUsd } from '../../base/money.ts';
import { formatDuration } from '../../base/units.ts';
import type { Machine, Price, PurchaseKind } from '../../hardware/machine.ts';
import { type BlockDates, blockDates } from './capacity-block.ts';
import type { Service } from './price.ts';
import { kindsOf, type PricedQuote, type Quote, quoteOf, type Terms, termsOf, termYears } from './quote.ts';
import type { SpotAssumptions } from './spot.ts';
import type { StartUp } from './start-up.ts';

/** A training run for which ways to buy are compared. */
export interface PurchaseQuestion {
  /** The machine. */
  readonly machine: Machine;
  /** The number of instances. */
  readonly nodes: number;
  /** The duration of only the steps, uninterrupted, in seconds. */
  readonly stepsSeconds: number;
  /** The time before the first step, and its cost. */
  readonly startUp: StartUp;
  /** The ways to buy that are compared. Default: all. */
  readonly purchase?: readonly PurchaseKind[] | undefined;
  /** Missing values are those of `defaultSpot`. */
  readonly spot?: Partial<SpotAssumptions>;
  /** The start of the capacity block, and the current time: without them no dates are computed. */
  readonly start?: {
    /** When the training starts. */
    readonly at: Date;
    /** The time of the question. */
    readonly now: Date;
  };
}

interface OptionBase {
  /** The service that sells it. */
  readonly service: Service;
  /** The way to buy it. */
  readonly purchase: PurchaseKind;
  /** One sentence each: the rule that was applied and what it assumes. */
  readonly notes: readonly string[];
}
/** A way to buy with a public price. */
export interface PricedOption extends OptionBase {
  /** Discriminates the members of the union. */
  readonly kind: 'priced';
  /** The price. */
  readonly price: Price;
  /** From the request to the last step; the expected value if there are interruptions. */
  readonly seconds: number;
  /** The cost of the resources that this training uses, at this price. */
  readonly used: MicroUsd;
  /** The amount to pay; for commitments, the price of the whole term. */
  readonly toPay: MicroUsd;
  /** Whether `toPay` buys more than this training. */
  readonly commitment: boolean;
  /** The capacity block; undefined for none. */
  readonly block:
    | (BlockDates & {
        /** The length in days. */
        readonly days: number;
      })
    | undefined;
}
/** A purchase option that exists, without a published price. */
export interface UnpricedOption extends OptionBase {
  /** Discriminates the members of the union. */
  readonly kind: 'no public price';
  /** The time in seconds. */
  readonly seconds: number;
}
/** Not sold in this size, or it would not end. */
export interface ImpossibleOption extends OptionBase {
  /** Discriminates the members of the union. */
  readonly kind: 'impossible';
  /** Why it is not possible. */
  readonly reason: string;
}
/** A way to buy the machines for a training run: priced, without a public price, or impossible. */
export type PurchaseOption = PricedOption | UnpricedOption | ImpossibleOption;

/**
 * Every way of both services, in a fixed order.
 * @throws {INVALID_OPTION} for a start in the past
 * @example
 * const machine = hardware.machineOf('trn1.32xlarge');
 * const startUp = simulator.defaultStartUp(machine);
 * const options = simulator.purchaseOptions({ machine, nodes: 1, stepsSeconds: 3600, startUp });
 * options.map(({ purchase }) => purchase).slice(0, 2) // ['on-demand', 'spot']
 */
export function purchaseOptions(question: PurchaseQuestion): readonly PurchaseOption[] {
  const { machine, nodes, stepsSeconds } = question;
  return (['ec2', 'sagemaker'] as const).flatMap(service => {
    const wanted = question.purchase ?? kindsOf[service];
    const purchase = kindsOf[service].filter(kind => wanted.includes(kind));
    const terms = termsOf(machine, { ...question, service, purchase });
    return terms.offers.map(offer => optionOf(quoteOf(offer, nodes, stepsSeconds, terms), nodes, terms));
  });
}

function optionOf(quote: Quote, nodes: number, terms: Terms): PurchaseOption {
  const { offer, seconds } = quote;
  const { service, purchase } = offer;
  const notes = notesOf(quote, terms);
  if (quote.kind === 'refused') return { kind: 'impossible', service, purchase, reason: quote.reason, notes };
  if (quote.kind === 'no public price') return { kind: 'no public price', service, purchase, seconds, notes };
  const { price, toPay, paidSeconds } = quote;
  const days = paidSeconds / 86_400;
  const { start } = terms;
  return {
    kind: 'priced',
    service,
    purchase,
    price,
    seconds,
    used: costOf(price.perHour, quote.usedSeconds * nodes),
    toPay,
    commitment: termYears(purchase) !== undefined,
    block:
      purchase !== 'capacity-block' || start === undefined
        ? undefined
        : { days, ...blockDates(days, start.at, start.now) },
    notes: price.uncertain ? [...notes, `The price is uncertain: ${price.source}, ${price.date}.`] : notes,
  };
}

function notesOf(quote: Quote, { spot }: Terms): readonly string[] {
  const { service, purchase } = quote.offer;
  switch (purchase) {
    case 'on-demand':
      return [
        service === 'ec2'
          ? 'Billed by the second while instances run, start-up included.'
          : 'Billed by the second from the start of the script; finding the instances is not billed.',
      ];
    case 'spot': {
      const { interruptions, lostSeconds, checkpointingSeconds, checkpointEverySeconds } = quote.spotTime!;
      const rates = `Assumes ${spot.interruptionsPerInstanceHour} interruptions an hour of each instance, ${formatDuration(spot.restartSeconds)} to restart and ${formatDuration(spot.checkpointSeconds)} for a checkpoint`;
      if (quote.kind === 'refused') return [`${rates}.`];
      return [
        `${rates} every ${formatDuration(checkpointEverySeconds)}: ${count(interruptions)} expected interruptions, ${formatDuration(lostSeconds)} lost, ${formatDuration(checkpointingSeconds)} of checkpoints.`,
        'Prices change by the hour, and instances may not be found at once.',
      ];
    }
    case 'reserved-1y':
    case 'reserved-3y':
    case 'savings-plan':
      return [
        `Paid for ${termYears(purchase) === 1 ? 'a year' : 'three years'}, used or not${purchase === 'savings-plan' ? '; any machine the plan covers may use it' : ''}: worth it only with other work for the rest of the term.`,
      ];
    case 'capacity-block': {
      if (quote.kind === 'refused') return [];
      const days = quote.kind === 'priced' ? quote.paidSeconds / 86_400 : undefined;
      const size = days === undefined ? 'A block is' : `A block of ${days} ${days === 1 ? 'day' : 'days'},`;
      return [
        `${size} paid up front; sold by the day to 14 days, then by the week to 182; ends 11:30 UTC, instances 30 minutes before; booked up to 8 weeks ahead. The wait for its start is not in the time.`,
      ];
    }
    default:
      return assertNever(purchase);
  }
}

/** The assumption behind the price of a purchase option, in one sentence; undefined if there is none. */
export function purchaseAssumption({ name }: Machine, { offer }: PricedQuote, { spot }: Terms): string | undefined {
  switch (offer.purchase) {
    case 'on-demand':
      return undefined;
    case 'spot':
      return `Spot instances of ${name} are assumed to be interrupted ${spot.interruptionsPerInstanceHour} times an hour each, with ${formatDuration(spot.restartSeconds)} to restart and ${formatDuration(spot.checkpointSeconds)} for a checkpoint: time and cost are the expected ones.`;
    case 'reserved-1y':
    case 'reserved-3y':
    case 'savings-plan':
      return `${name} is paid for its whole term (${offer.purchase}), used or not.`;
    case 'capacity-block':
      return `Capacity blocks of ${name} have 1 to 64 instances and are paid up front for whole days (from 14 days on, whole weeks); the wait for the start, at 11:30 UTC, is not in the time.`;
    default:
      return assertNever(offer.purchase);
  }
}

const count = (value: number): string =>
  value < 10 ? `${Number(value.toPrecision(2))}` : Math.round(value).toLocaleString('en-US');
