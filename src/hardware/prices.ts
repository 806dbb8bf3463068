// Prices of machines: a fact for each purchase option. Prices that are not published have no row: never a guess, never 0.
// (Savings plans have none at all: their rates are shown to customers only, and "up to 64 %" is not a price.)
//
// Prices are US dollars per hour of a whole machine, in micro-dollars (`src/base/money.ts`).
import { type MicroUsd, usd } from '../base/money.ts';
import { type Alternative, atLaunch, type Fact, type FactOptions, factsOf } from './fact.ts';
import type { FactProfile, PurchaseKind } from './machine.ts';
import { sources } from './sources.ts';

/** A price with its source. */
export interface PriceFact {
  /** The way to buy it. */
  readonly kind: PurchaseKind;
  /** The service that sells it. */
  readonly service: 'ec2' | 'sagemaker';
  /** The price per hour. */
  readonly perHour: Fact<MicroUsd>;
  /** The day, month or year in which it was read or published. */
  readonly date: string;
  /** The same for the price that the profile `launch` picks. */
  readonly launchDate?: string;
}

/** When the price that a profile picks was read or published. */
export const dateUnder = (price: PriceFact, profile: FactProfile): string =>
  (profile === 'launch' ? price.launchDate : undefined) ?? price.date;

const karpenter = factsOf(sources.karpenterPrices);
const KARPENTER_DATE = '2026-07-20';
const UNIT = '$/h';
// Prices of P4 and P5 were cut in June 2025.
const PRICE_CUT = 'before the price cut of June 2025';
const BEFORE_CUT = '2025-05';
const MANAGED_LAUNCH = '2023';

/** On demand, EC2, us-east-1. `before`: until the price cut of June 2025, which documents from before it use. */
export function onDemand(dollars: number, before?: number): PriceFact {
  const options: FactOptions<MicroUsd> =
    before === undefined ? {} : { alternatives: [atLaunch(usd(before), PRICE_CUT)] };
  return {
    kind: 'on-demand',
    service: 'ec2',
    perHour: karpenter(usd(dollars), UNIT, options),
    date: KARPENTER_DATE,
    ...(before === undefined ? {} : { launchDate: BEFORE_CUT }),
  };
}

/** A price from a single page, or only from a second-hand source. */
export function quoted(
  kind: PurchaseKind,
  dollars: number,
  source: string,
  date: string,
  options: FactOptions<MicroUsd> = { uncertain: true },
): PriceFact {
  return { kind, service: 'ec2', perHour: factsOf(source)(usd(dollars), UNIT, options), date };
}

/**
 * Spot: the median of the prices in the zones of one region when the catalog was written. Spot prices
 * change by the hour and differ by zone: good for comparisons, not for exact costs.
 */
export function spot(region: string, zones: readonly number[]): PriceFact {
  const sorted = zones.toSorted((a, b) => a - b);
  const middle = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
  const note = `${sorted.length === 1 ? 'the only zone' : `the middle of ${sorted.map(p => `$${p}`).join(', ')}`} in ${region}`;
  return quoted('spot', middle, `${sources.skyPilot}, AWS prices`, '2026', { note, uncertain: true });
}

/** The markup of the managed service over the bare machine: 24.725 ÷ 21.50 and 37.69 ÷ 32.7726 are both 1.15. */
export const MANAGED_FACTOR = 1.15;
const managed = (price: MicroUsd): MicroUsd => Math.round(price * MANAGED_FACTOR) as MicroUsd;

/** The managed service's price as published at the launch of its Trn1 support (2023), at the P4 price of that time. */
export function managedAsPublished(dollars: number): PriceFact {
  return {
    kind: 'on-demand',
    service: 'sagemaker',
    perHour: factsOf(sources.sageMakerTrn1)(usd(dollars), UNIT, { note: '1.15 × the EC2 price' }),
    date: MANAGED_LAUNCH,
  };
}

/**
 * The managed service's price where it is not published: 1.15 × the EC2 price on demand, under either profile. The factor
 * is inferred from the two published prices, both of large training instances; it is not used for other families, whose
 * managed prices are known to follow other factors.
 * @param published what the service printed before the price cut.
 */
function managedAsInferred(ec2: PriceFact, published?: number): PriceFact {
  const before = ec2.perHour.alternatives?.find(a => a.profile === 'launch');
  const then: Alternative<MicroUsd> | undefined =
    published !== undefined
      ? atLaunch(usd(published), sources.sageMakerTrn1)
      : before && {
          ...atLaunch(managed(before.value), `1.15 × the EC2 price ${PRICE_CUT}; inferred`),
          uncertain: true,
        };
  return {
    kind: 'on-demand',
    service: 'sagemaker',
    perHour: factsOf(`1.15 × the EC2 price (${ec2.perHour.source}); the factor is inferred`)(
      managed(ec2.perHour.value),
      UNIT,
      { uncertain: true, ...(then === undefined ? {} : { alternatives: [then] }) },
    ),
    date: ec2.date,
    ...(then === undefined ? {} : { launchDate: published === undefined ? BEFORE_CUT : MANAGED_LAUNCH }),
  };
}

/** On demand, with the price of the managed service for the same machine. */
export function onDemandAndManaged(dollars: number, before?: number, publishedManaged?: number): readonly PriceFact[] {
  const ec2 = onDemand(dollars, before);
  return [ec2, managedAsInferred(ec2, publishedManaged)];
}
