// Money: an integer of micro-dollars, so that sums and comparisons are exact. Prices of machines have up to six
// decimals ($1.34375 an hour), so cents are not precise enough. Not a currency library: US dollars only.
import { invariant } from './errors.ts';

declare const unit: unique symbol;
/** US dollars × 1,000,000, an integer. Make one with `usd`, `parseUsd`, `costOf` or `sumUsd`, not with a cast. */
export type MicroUsd = number & {
  /** Marks the number as micro-dollars; it does not exist at run time. */
  readonly [unit]: 'micro-USD';
};

const MICRO = 1_000_000;
const SECONDS_PER_HOUR = 3600;

/**
 * Converts dollars in the source code to micro-dollars. `parseUsd` is for input.
 * @example
 * usd(1.5) // 1500000
 */
export function usd(dollars: number): MicroUsd {
  const micro = Math.round(dollars * MICRO);
  invariant(Number.isSafeInteger(micro), `${dollars} dollars are not a representable amount of money`);
  return micro as MicroUsd;
}

/**
 * `24.725`, `$24.725` or `0` to micro-dollars, exactly; undefined if it is not an amount of money, 0 or more.
 * @example
 * formatUsd(parseUsd('$24.725')!) // '$24.73'
 * parseUsd('much') // undefined
 */
export function parseUsd(text: string): MicroUsd | undefined {
  const match = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return undefined;
  return (Number(match[1]) * MICRO + Number((match[2] ?? '').padEnd(6, '0'))) as MicroUsd;
}

/**
 * The cost of a duration at a price per hour, rounded to the nearest micro-dollar (halves up). Fractional seconds are allowed.
 * @example
 * formatUsd(costOf(usd(24.725), 600)) // '$4.12'
 */
export function costOf(pricePerHour: MicroUsd, seconds: number): MicroUsd {
  invariant(Number.isFinite(seconds) && seconds >= 0, `a duration of ${seconds} seconds`);
  // In whole milliseconds and BigInt, because a year at a hundred dollars an hour exceeds 2^53.
  const microMs = BigInt(pricePerHour) * BigInt(Math.round(seconds * 1000));
  const perHour = BigInt(SECONDS_PER_HOUR) * 1000n;
  return Number((2n * microMs + perHour) / (2n * perHour)) as MicroUsd;
}

export function sumUsd(amounts: Iterable<MicroUsd>): MicroUsd {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum as MicroUsd;
}

/** The sum of the known amounts, and how many are unknown. The sum is undefined if there are only unknown ones. */
export function sumOfKnown(amounts: readonly (MicroUsd | undefined)[]): {
  readonly sum: MicroUsd | undefined;
  readonly unknown: number;
} {
  const known = amounts.filter(amount => amount !== undefined);
  const unknown = amounts.length - known.length;
  return { sum: known.length === 0 && unknown > 0 ? undefined : sumUsd(known), unknown };
}

export function differenceUsd(a: MicroUsd, b: MicroUsd): MicroUsd {
  return (a - b) as MicroUsd;
}

/**
 * Dollars as a number, for JSON and for plots; never for further sums.
 * @example
 * toDollars(usd(1.5)) // 1.5
 */
export function toDollars(amount: MicroUsd): number {
  return amount / MICRO;
}

/**
 * `$41.43`: at least two decimals, at most `maxDecimals`, trailing zeros beyond two dropped. `$1.34375` needs 5 or more.
 * With `sign`, positive amounts have a plus sign, for differences.
 * @example
 * formatUsd(usd(1.34375)) // '$1.34'
 * formatUsd(usd(1.34375), { maxDecimals: 5 }) // '$1.34375'
 */
export function formatUsd(amount: MicroUsd, options: { maxDecimals?: number; sign?: boolean } = {}): string {
  const decimals = Math.max(2, options.maxDecimals ?? 2);
  invariant(decimals <= 6, 'money has six decimals');
  const step = 10 ** (6 - decimals);
  const rounded = Math.floor((Math.abs(amount) + step / 2) / step) * step;
  const whole = Math.floor(rounded / MICRO)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = (rounded % MICRO)
    .toString()
    .padStart(6, '0')
    .slice(0, decimals)
    .replace(/(?<=\d\d)0+$/, '');
  const sign = rounded === 0 ? '' : amount < 0 ? '−' : options.sign ? '+' : '';
  return `${sign}$${whole}.${fraction}`;
}
