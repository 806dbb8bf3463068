// The rules of capacity blocks (EC2 user guide): instances reserved for whole days, paid up front, ending at 11:30 UTC.
//
//   11:30 UTC ─────────── d days ─────────── 11:00 instances are ended ── 11:30 UTC
import { TrenioError } from '../../base/errors.ts';

const DAY = 86_400;
/** Running instances are terminated this long before the block ends. */
const ENDED_EARLY = 1800;
const BY_DAY = 14;
const LONGEST = 182;
const WEEK = 7;
const BOOKED_AHEAD_DAYS = 56;
export const blockInstances = { least: 1, most: 64 } as const;

/** The shortest block in which this many seconds can be used: 1 to 14 days, then whole weeks up to 182. Undefined: none. */
export function blockDays(seconds: number): number | undefined {
  const days = Math.max(1, Math.ceil((seconds + ENDED_EARLY) / DAY));
  const sold = days <= BY_DAY ? days : Math.ceil(days / WEEK) * WEEK;
  return sold <= LONGEST ? sold : undefined;
}

/** The dates of a capacity block. */
export interface BlockDates {
  /** When the block starts. */
  readonly starts: Date;
  /** When the block ends. */
  readonly ends: Date;
}

/** The first 11:30 UTC at or after a time. */
function firstStart(time: Date): Date {
  const starts = new Date(time);
  starts.setUTCHours(11, 30, 0, 0);
  if (starts < time) starts.setUTCDate(starts.getUTCDate() + 1);
  return starts;
}

/** Blocks can be booked up to eight weeks ahead. */
export const isTooFarAhead = (start: Date, now: Date): boolean =>
  firstStart(start).getTime() > now.getTime() + BOOKED_AHEAD_DAYS * DAY * 1000;

/** @throws {INVALID_OPTION} for a start in the past */
export function checkStart(start: Date, now: Date): void {
  if (start >= now) return;
  throw new TrenioError('INVALID_OPTION', {
    what: 'a capacity block',
    option: 'its start',
    got: start.toISOString(),
    expected: `a time after ${now.toISOString()}: blocks are booked up to eight weeks ahead`,
  });
}

/** The first block that starts at or after `start`. @throws {INVALID_OPTION} if that is in the past */
export function blockDates(days: number, start: Date, now: Date): BlockDates {
  checkStart(start, now);
  const starts = firstStart(start);
  return { starts, ends: new Date(starts.getTime() + days * DAY * 1000) };
}
