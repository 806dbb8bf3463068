// Values derived from a job's row: its run time, its cost so far, and the appearance of its state.
import type { JobRow, Spent } from '../../src/api/console/messages.ts';

export type Tone = 'run' | 'good' | 'bad' | 'warn' | 'idle';

/** Time on instances, of all attempts. */
export const onInstancesMs = (row: JobRow, nowMs: number): number =>
  row.billedMs + (row.sinceMs === null ? 0 : Math.max(0, nowMs - row.sinceMs));

/** Billed in whole seconds, which are counted after the share of the price: as in `BillableTimeInSeconds`. */
export function costOf(row: JobRow, nowMs: number): number | null {
  const ms = onInstancesMs(row, nowMs);
  if (row.usdPerHour === null) return null;
  if (ms === 0) return 0;
  const billed = Math.max(1, Math.ceil((ms * row.priceShare) / 1000));
  return ((billed / 3600) * row.usdPerHour) / row.priceShare;
}

/** The cost of several jobs. */
export function totalCostOf(rows: readonly JobRow[], nowMs: number): Spent {
  const ran = rows.filter(row => onInstancesMs(row, nowMs) > 0);
  const known = ran.map(row => costOf(row, nowMs)).filter(usd => usd !== null);
  const jobsWithoutPrice = ran.length - known.length;
  const usd = known.length === 0 && jobsWithoutPrice > 0 ? null : known.reduce((sum, one) => sum + one, 0);
  return { usd, jobsWithoutPrice };
}

export const isQueued = (row: JobRow): boolean => row.status === 'InProgress' && row.sinceMs === null;
export const isActive = (row: JobRow): boolean => row.status === 'InProgress' || row.status === 'Stopping';

/** The state as one word that distinguishes waiting from running. */
export function stateOf(row: JobRow): { readonly text: string; readonly tone: Tone } {
  if (isQueued(row)) return { text: row.secondary === 'Starting' ? 'Queued' : row.secondary, tone: 'idle' };
  return { text: row.secondary.replace(/([a-z])([A-Z])/g, '$1 $2'), tone: toneOf(row.secondary) };
}

export function toneOf(secondary: JobRow['secondary']): Tone {
  switch (secondary) {
    case 'Completed':
      return 'good';
    case 'Failed':
      return 'bad';
    case 'Interrupted':
    case 'Restarting':
    case 'Stopping':
    case 'MaxRuntimeExceeded':
    case 'MaxWaitTimeExceeded':
      return 'warn';
    case 'Stopped':
      return 'idle';
    case 'Starting':
    case 'Downloading':
    case 'Training':
    case 'Uploading':
      return 'run';
  }
}
