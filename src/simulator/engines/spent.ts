// Time by category. Arrays of numbers, as a plan search adds up millions of them.
import { type Bound, bounds } from '../prediction.ts';

/** Seconds, and the same seconds by bottleneck: one number for each of `bounds`, in that order. */
export interface Spent {
  readonly seconds: number;
  readonly byBound: readonly number[];
}

const none: readonly number[] = bounds.map(() => 0);
export const nothing: Spent = { seconds: 0, byBound: none };

const indexOf = Object.fromEntries(bounds.map((bound, i) => [bound, i])) as Readonly<Record<Bound, number>>;

export function spend(bound: Bound, seconds: number): Spent {
  if (seconds === 0) return nothing;
  const byBound = none.slice();
  byBound[indexOf[bound]] = seconds;
  return { seconds, byBound };
}

/** The time for several bounds at once. */
export function spendOn(times: Readonly<Partial<Record<Bound, number>>>): Spent {
  const byBound = none.slice();
  let seconds = 0;
  for (const bound of bounds) {
    const own = times[bound] ?? 0;
    byBound[indexOf[bound]] = own;
    seconds += own;
  }
  return { seconds, byBound };
}

export function addSpent(a: Spent, b: Spent): Spent {
  if (a.seconds === 0) return b;
  if (b.seconds === 0) return a;
  const byBound = a.byBound.slice();
  for (let i = 0; i < byBound.length; i++) byBound[i]! += b.byBound[i]!;
  return { seconds: a.seconds + b.seconds, byBound };
}

export function scaleSpent(time: Spent, factor: number): Spent {
  if (time.seconds === 0 || factor === 1) return time;
  const byBound = time.byBound.slice();
  for (let i = 0; i < byBound.length; i++) byBound[i]! *= factor;
  return { seconds: time.seconds * factor, byBound };
}

const noBound = Object.fromEntries(bounds.map(bound => [bound, 0])) as Record<Bound, number>;
export function boundRecord({ byBound }: Spent): Record<Bound, number> {
  const record = { ...noBound };
  for (let i = 0; i < bounds.length; i++) record[bounds[i]!] = byBound[i]!;
  return record;
}
