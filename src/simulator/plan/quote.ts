// The time and cost of a training run under each purchase option. Numbers only, because a search computes hundreds of thousands
// of them; purchase.ts has the texts.
//
//   offers of a machine × seconds of its steps ─▶ quotes: priced, without a public price, or refused ─▶ the best of them
import { assertNever, invariant } from '../../base/errors.ts';
import { costOf, type MicroUsd } from '../../base/money.ts';
import { formatDuration, formatLongDuration } from '../../base/units.ts';
import type { Machine, Price, PurchaseKind } from '../../hardware/machine.ts';
import { blockDays, blockInstances, checkStart, isTooFarAhead } from './capacity-block.ts';
import { publishedPrice, purchaseKinds, type Service, serviceOf } from './price.ts';
import { defaultSpot, expectedSpotTime, type SpotAssumptions, type SpotTime } from './spot.ts';
import { defaultStartUp, type StartUp, startUpSeconds } from './start-up.ts';

/** The quantity to minimize. */
export type Objective = 'time' | 'cost';

/** A way to buy a machine; without a price if none is published. */
export interface Offer {
  /** The service that sells it. */
  readonly service: Service;
  /** The way to buy it. */
  readonly purchase: PurchaseKind;
  /** The price. */
  readonly price: Price | undefined;
}

/** How a training run is started and paid for. */
export interface Terms {
  /** The time before the first step, and its cost. */
  readonly startUp: StartUp;
  /** The purchase options. */
  readonly offers: readonly Offer[];
  /** The assumptions about interruptions. */
  readonly spot: SpotAssumptions;
  /** The start of the capacity block, and the current time. */
  readonly start:
    | {
        /** When the training starts. */
        readonly at: Date;
        /** The time of the question. */
        readonly now: Date;
      }
    | undefined;
}

/** Terms that can be set; the rest is assumed. */
export interface TermsOptions {
  /** The time before the first step, and its cost. */
  readonly startUp?: StartUp | undefined;
  /** The ways to buy that count. Default: all that the service sells. */
  readonly purchase?: PurchaseKind | readonly PurchaseKind[] | undefined;
  /** Default: the managed service for names that begin with `ml.`, else the bare machine. */
  readonly service?: Service | undefined;
  /** Missing values are those of `defaultSpot`. */
  readonly spot?: Partial<SpotAssumptions> | undefined;
  /** When the training starts, and the time of the question. */
  readonly start?:
    | {
        /** When the training starts. */
        readonly at: Date;
        /** The time of the question. */
        readonly now: Date;
      }
    | undefined;
}

/** The managed service has no reservations of single machines, and no capacity blocks. */
export const kindsOf: Readonly<Record<Service, readonly PurchaseKind[]>> = {
  ec2: purchaseKinds,
  sagemaker: ['on-demand', 'spot', 'savings-plan'],
};

/**
 * The terms for buying a machine. The launch profile has on-demand prices only: the publications of that time compare those.
 * @throws {INVALID_OPTION} for a start in the past
 * @example
 * simulator.termsOf(hardware.machineOf('trn1.32xlarge')).offers.length // 6
 */
export function termsOf(machine: Machine, options: TermsOptions = {}): Terms {
  if (options.start !== undefined) checkStart(options.start.at, options.start.now);
  const service = options.service ?? serviceOf(machine);
  const all = machine.profile === 'launch' ? (['on-demand'] as const) : kindsOf[service];
  return {
    startUp: options.startUp ?? defaultStartUp(machine),
    offers: [options.purchase ?? all].flat().map(purchase => ({
      service,
      purchase,
      price: publishedPrice(machine, purchase, service),
    })),
    spot: { ...defaultSpot, ...options.spot },
    start: options.start,
  };
}

interface QuoteBase {
  /** The purchase options. */
  readonly offer: Offer;
  /** From the request to the last step; the expected value if there are interruptions. */
  readonly seconds: number;
  /** The time for which each instance is used and paid for. */
  readonly usedSeconds: number;
  /** Set for spot instances. */
  readonly spotTime: SpotTime | undefined;
}
/** The cost of a training run with one purchase option. */
export interface PricedQuote extends QuoteBase {
  /** Discriminates the members of the union. */
  readonly kind: 'priced';
  /** The price. */
  readonly price: Price;
  /** The amount to pay for this training; for commitments, the price of the whole term. */
  readonly toPay: MicroUsd;
  /** The time for which each instance is paid. */
  readonly paidSeconds: number;
}
/** A purchase option that exists, without a published price. */
export interface UnpricedQuote extends QuoteBase {
  /** Discriminates the members of the union. */
  readonly kind: 'no public price';
}
/** Not sold for this many instances or this long, or the training would not end. */
export interface RefusedQuote extends QuoteBase {
  /** Discriminates the members of the union. */
  readonly kind: 'refused';
  /** Why it is not possible. */
  readonly reason: string;
}
/** A price for a training run, or why there is none. */
export type Quote = PricedQuote | UnpricedQuote | RefusedQuote;

const YEAR = 8760 * 3600;
export const termYears = (purchase: PurchaseKind): 1 | 3 | undefined =>
  purchase === 'reserved-3y' ? 3 : purchase === 'reserved-1y' || purchase === 'savings-plan' ? 1 : undefined;
const DAY = 86_400;

/**
 * A number of seconds of uninterrupted steps on a number of instances, bought this way.
 * @example
 * const terms = simulator.termsOf(hardware.machineOf('trn1.32xlarge'));
 * simulator.quoteOf(terms.offers[0]!, 1, 3600, terms).offer.purchase // 'on-demand'
 */
export function quoteOf(offer: Offer, nodes: number, stepsSeconds: number, terms: Terms): Quote {
  const { startUp, spot, start } = terms;
  const { purchase, service } = offer;
  const seconds = stepsSeconds + startUpSeconds(startUp);
  const usedSeconds = billed(service, startUp, stepsSeconds);
  const plain = { offer, seconds, usedSeconds, spotTime: undefined };
  if (!kindsOf[service].includes(purchase))
    return { kind: 'refused', ...plain, reason: 'the managed service has no such offer' };
  switch (purchase) {
    case 'on-demand':
      return priced(plain, nodes, usedSeconds);
    case 'reserved-1y':
    case 'reserved-3y':
    case 'savings-plan': {
      const term = termYears(purchase)! * YEAR;
      return priced(plain, nodes, Math.max(1, Math.ceil(seconds / term)) * term);
    }
    case 'spot': {
      const spotTime = expectedSpotTime(stepsSeconds, nodes, spot);
      const used = billed(service, startUp, spotTime.seconds);
      const interrupted = { offer, seconds: spotTime.seconds + startUpSeconds(startUp), usedSeconds: used, spotTime };
      // A training run that takes ten times its work is unrealistic: its mean is not meaningful.
      if (!(spotTime.seconds < 10 * (stepsSeconds + spot.checkpointSeconds))) {
        const every = formatDuration(3600 / (spot.interruptionsPerInstanceHour * nodes));
        return { kind: 'refused', ...interrupted, reason: `interrupted every ${every} on average, it hardly gets on` };
      }
      return priced(interrupted, nodes, used);
    }
    case 'capacity-block': {
      const refused = (reason: string): RefusedQuote => ({ kind: 'refused', ...plain, reason });
      const { least, most } = blockInstances;
      if (nodes < least || nodes > most) return refused(`a block has ${least} to ${most} instances, not ${nodes}`);
      const days = blockDays(seconds);
      if (days === undefined)
        return refused(`a block lasts at most 182 days, and ${formatLongDuration(seconds)} are needed`);
      if (start !== undefined && isTooFarAhead(start.at, start.now))
        return refused(
          `blocks are booked up to eight weeks ahead, and ${start.at.toISOString().slice(0, 10)} is later`,
        );
      return priced({ ...plain, usedSeconds: seconds }, nodes, days * DAY);
    }
    default:
      return assertNever(purchase);
  }
}

function priced(quote: QuoteBase, nodes: number, paidSeconds: number): Quote {
  const { price } = quote.offer;
  return price === undefined
    ? { kind: 'no public price', ...quote }
    : { kind: 'priced', ...quote, price, paidSeconds, toPay: costOf(price.perHour, paidSeconds * nodes) };
}

/** Seconds that an instance is billed for. EC2 bills a running instance by the second, 60 at least. */
export function billed(service: Service, startUp: StartUp, stepsSeconds: number): number {
  const running = startUp.prepare + stepsSeconds;
  return service === 'sagemaker' ? running : Math.max(60, startUp.provision + running);
}

/** The most time and money that a training run may take. */
export interface Limits {
  /** The longest time in seconds; undefined for any. */
  readonly deadlineSeconds?: number | undefined;
  /** The highest cost; undefined for any. */
  readonly budget?: MicroUsd | undefined;
}
export const keeps = (quote: Quote, { deadlineSeconds, budget }: Limits): boolean =>
  quote.kind !== 'refused' &&
  (deadlineSeconds === undefined || quote.seconds <= deadlineSeconds) &&
  (budget === undefined || (quote.kind === 'priced' && quote.toPay <= budget));

/**
 * The cheapest (or fastest) quote within the limits; if there is none, the one nearest to them. Ways to buy without a
 * public price are only considered if there is no other way.
 * @example
 * const terms = simulator.termsOf(hardware.machineOf('trn1.32xlarge'));
 * simulator.bestQuote(1, 3600, terms, 'cost', {}).offer.purchase // 'spot'
 */
export function bestQuote(nodes: number, stepsSeconds: number, terms: Terms, by: Objective, limits: Limits): Quote {
  const quotes = terms.offers.map(offer => quoteOf(offer, nodes, stepsSeconds, terms));
  const withPrice = quotes.filter(quote => quote.kind === 'priced');
  if (withPrice.length === 0) {
    const [first] = quotes.filter(quote => quote.kind === 'no public price');
    invariant(quotes[0] !== undefined, 'terms without a way to buy');
    return first ?? quotes[0];
  }
  const kept = withPrice.filter(quote => keeps(quote, limits));
  return kept.length > 0
    ? least(kept, by === 'cost' ? cost : time, by === 'cost' ? time : cost)
    : least(withPrice, quote => overrun(quote, limits), cost);
}
const cost = ({ toPay }: PricedQuote): number => toPay;
const time = ({ seconds }: PricedQuote): number => seconds;

function least(
  quotes: readonly PricedQuote[],
  first: (quote: PricedQuote) => number,
  second: (quote: PricedQuote) => number,
): PricedQuote {
  return quotes.reduce((best, quote) => {
    const difference = first(quote) - first(best);
    return difference < 0 || (difference === 0 && second(quote) < second(best)) ? quote : best;
  });
}

/** The ratio to the limit that is exceeded most; 1 or less if neither is exceeded. */
export function overrun(quote: Quote, { deadlineSeconds, budget }: Limits): number {
  const late = deadlineSeconds === undefined ? 0 : quote.seconds / deadlineSeconds;
  const dear = budget === undefined || quote.kind !== 'priced' ? 0 : quote.toPay / budget;
  return Math.max(late, dear);
}

/** Long enough that start-up and the last checkpoint do not count. */
const LONG = 30 * DAY;
/** The price of an hour of one instance, bought in one way. */
export interface Rate {
  /** The purchase options. */
  readonly offer: Offer & {
    /** The price. */
    readonly price: Price;
  };
  /** Micro-dollars for an hour of uninterrupted work of one instance. */
  readonly perHour: number;
}
/**
 * The cheapest hour of work if the duration of the training run is unknown: on demand, in a block, or spot with its interruptions
 * counted. Commitments count only if nothing else is offered, because comparing their terms requires a duration.
 * @example
 * const terms = simulator.termsOf(hardware.machineOf('trn1.32xlarge'));
 * simulator.cheapestRate(1, terms)!.offer.purchase // 'spot'
 */
export function cheapestRate(nodes: number, terms: Terms): Rate | undefined {
  const rates = terms.offers.flatMap(({ price, ...offer }): readonly Rate[] => {
    const quote = quoteOf({ price, ...offer }, nodes, LONG, terms);
    if (price === undefined || quote.kind === 'refused') return [];
    const slowdown = quote.spotTime === undefined ? 1 : quote.spotTime.seconds / LONG;
    return [{ offer: { price, ...offer }, perHour: price.perHour * slowdown }];
  });
  const free = rates.filter(({ offer }) => termYears(offer.purchase) === undefined);
  const [first, ...rest] = free.length > 0 ? free : rates;
  return first && rest.reduce((best, rate) => (rate.perHour < best.perHour ? rate : best), first);
}
