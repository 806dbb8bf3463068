// The rules of capacity blocks (EC2 user guide): instances reserved for whole days, paid up front, ended at 11:30 UTC.
//
//   11:30 UTC ─────────── d days ─────────── 11:00 instances are ended ── 11:30 UTC
import { TrenioError } from '../../base/errors.ts';

const DAY = 86_400;
/** Instances still running are ended so long before the block is. */
const ENDED_EARLY = 1800;
const BY_DAY = 14;
const LONGEST = 182;
const WEEK = 7;
const BOOKED_AHEAD_DAYS = 56;
export const blockInstances = { least: 1, most: 64 } as const;

/** The shortest block in which so many seconds can be used: 1 to 14 days, then whole weeks up to 182. Undefined: none. */
export function blockDays(seconds: number): number | undefined {
  const days = Math.max(1, Math.ceil((seconds + ENDED_EARLY) / DAY));
  const sold = days <= BY_DAY ? days : Math.ceil(days / WEEK) * WEEK;
  return sold <= LONGEST ? sold : undefined;
}

export interface BlockDates {
  readonly starts: Date;
  readonly ends: Date;
}

/**
 * The first block that begins at or after `start`.
 * @throws INVALID_OPTION where it would begin in the past, or more than eight weeks from `now`.
 */
export function blockDates(days: number, start: Date, now: Date): BlockDates {
  const starts = new Date(start);
  starts.setUTCHours(11, 30, 0, 0);
  if (starts < start) starts.setUTCDate(starts.getUTCDate() + 1);
  const latest = new Date(now.getTime() + BOOKED_AHEAD_DAYS * DAY * 1000);
  if (start < now || starts > latest) {
    throw new TrenioError('INVALID_OPTION', {
      what: 'a capacity block',
      option: 'its start',
      got: start.toISOString(),
      expected: `a time from ${now.toISOString()} to ${latest.toISOString()}: blocks are booked up to eight weeks ahead`,
    });
  }
  return { starts, ends: new Date(starts.getTime() + days * DAY * 1000) };
}
