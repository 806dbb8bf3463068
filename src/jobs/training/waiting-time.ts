// How long jobs may wait for instances.
import type { SecondaryStatus } from './state-machine.ts';
import type { TrainingJob } from './training-job.ts';

/** The outcome of a waiting job that ends now; undefined: it keeps waiting. */
export function timeOver(
  { secondary, attempt, billedMs, spec }: TrainingJob,
  ageMs: number,
): { readonly to: SecondaryStatus; readonly message?: string } | undefined {
  const { maxWaitSeconds, maxPendingSeconds, maxRuntimeSeconds } = spec;
  const isOver = (seconds: number | undefined): boolean => seconds !== undefined && ageMs > seconds * 1000;
  if (isOver(maxWaitSeconds)) return { to: 'MaxWaitTimeExceeded' };
  if (secondary === 'Restarting' && billedMs >= maxRuntimeSeconds * 1000) return { to: 'MaxRuntimeExceeded' };
  if (secondary === 'Starting' && attempt === 0 && isOver(maxPendingSeconds))
    return { to: 'Stopped', message: 'Training job pending time exceeded MaxPendingTimeInSeconds' };
  return undefined;
}
