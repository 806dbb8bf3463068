// When the instances of spot jobs are interrupted: at the request of a client, at given times, or at random with a rate. Random
// times are derived from the seed, the job's name and the attempt, so that they are reproducible.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defaultSpot } from '../../simulator/plan/spot.ts';
import type { JobStore } from '../store/job-store.ts';
import type { TrainingJob } from './training-job.ts';

export const spotSchema = z.strictObject({
  /** For each attempt, the time from getting its instances to its interruption; attempts beyond the list are not interrupted. */
  afterSeconds: z.array(z.number().min(0)).optional(),
  /** Interruptions per instance and hour; `catalog`: the rate that `trenio plan` assumes. */
  interruptionsPerInstanceHour: z.union([z.number().min(0), z.literal('catalog')]).optional(),
  seed: z.int().min(0).default(0),
  /** How long no spot instance is available after an interruption. */
  awaySeconds: z.number().min(0).default(0),
});
export type SpotMarket = z.output<typeof spotSchema>;

/** Interruptions only at the request of a client. */
export const calmMarket: SpotMarket = { seed: 0, awaySeconds: 0 };

/** How long after getting them the running attempt loses its instances to the market; undefined: never. */
export function interruptionMs(market: SpotMarket, job: TrainingJob): number | undefined {
  const { spec, instancesSinceMs, attempt } = job;
  if (!spec.isSpot || instancesSinceMs === undefined) return undefined;
  const { afterSeconds, interruptionsPerInstanceHour: rate } = market;
  const stated = afterSeconds?.[attempt - 1];
  if (stated !== undefined) return 1000 * stated;
  const perHour = rate === 'catalog' ? defaultSpot.interruptionsPerInstanceHour : (rate ?? 0);
  if (perHour === 0) return undefined;
  const hours = -Math.log1p(-uniform(`${market.seed} ${job.name} ${attempt}`)) / (perHour * spec.instanceCount);
  return hours * 3_600_000;
}

/** In [0, 1). */
const uniform = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;

/** How long after its interruption a job may get instances again; 0 for other jobs. */
export const awayMs = ({ awaySeconds }: SpotMarket, { secondary }: TrainingJob): number =>
  secondary === 'Interrupted' ? 1000 * awaySeconds : 0;

export type InterruptOutcome = 'interrupted' | 'no such job' | 'not spot' | 'not running';

/** Interrupts the instances of a job: its programs get SIGTERM, and SIGKILL two minutes later. */
export function interruptTrainingJob(jobs: JobStore, name: string, nowMs: number): InterruptOutcome {
  let outcome: InterruptOutcome = 'no such job';
  jobs.training.update(name, job => {
    outcome = !job.spec.isSpot ? 'not spot' : isOnInstances(job) ? 'interrupted' : 'not running';
    return outcome === 'interrupted' && job.interruptRequestedMs === undefined
      ? { ...job, interruptRequestedMs: nowMs }
      : undefined;
  });
  return outcome;
}

const isOnInstances = ({ secondary, runner }: TrainingJob): boolean =>
  runner !== undefined && (secondary === 'Downloading' || secondary === 'Training');
