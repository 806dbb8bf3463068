// The rates of a process over its last samples, as shown by `trenio top` and `trenio monitor`.

import type { Sample } from './sample.ts';
import type { ObservedProcess } from './source.ts';

/** Shares are of the wall-clock time, from 0 to 1. Undefined means that it is not known. */
export interface Rates {
  /** Computing in compiled programs. */
  readonly kernels: number;
  /** In collectives. */
  readonly collectives: number;
  /** The rest: the script, tracing, compiling, waiting for data. */
  readonly host: number;
  /** The part of the host's share spent waiting for batches. */
  readonly dataWait: number;
  readonly stepsPerSecond: number;
  /** Wall-clock time of a step. */
  readonly stepMs: number | undefined;
  readonly fastestMs: number | undefined;
  readonly slowestMs: number | undefined;
  readonly examplesPerSecond: number;
  readonly tokensPerSecond: number;
  readonly flopsPerSecond: number;
  /** Model FLOP/s utilization: the FLOPs of matrix multiplies and convolutions relative to the peak of the threads. */
  readonly mfu: number | undefined;
  readonly loss: number | undefined;
}

const isKnown = (value: number): boolean => Number.isFinite(value);

/**
 * Over the `periodMs` before `untilMs`. A process that has written nothing since is counted as running on the host: it may also
 * be in a single long step, which is known only when it ends.
 */
export function ratesOf(
  { identity, details, samples }: Pick<ObservedProcess, 'identity' | 'details' | 'samples'>,
  periodMs: number,
  untilMs: number,
): Rates {
  const within = samples.filter(({ timeMs }) => timeMs > untilMs - periodMs && timeMs <= untilMs);
  const sum = (field: keyof Sample): number => within.reduce((total, sample) => total + sample[field], 0);
  // A sample that began before the period is included with its whole span; before the first sample nothing is known.
  const covered = sum('spanMs');
  const last = within.at(-1);
  const wallMs = last === undefined ? 0 : Math.max(covered, 1);
  const share = (ms: number): number => (wallMs === 0 ? 0 : Math.min(1, ms / wallMs));
  const collectiveMs = Math.min(sum('collectiveMs'), sum('busyMs'));
  const kernels = share(sum('busyMs') - collectiveMs);
  const collectives = share(collectiveMs);
  const steps = sum('steps');
  const perSecond = (amount: number): number => (wallMs === 0 ? 0 : (1000 * amount) / wallMs);
  const flopsPerSecond = perSecond(sum('flops'));
  const peaks = identity.peakFlops;
  const isBf16 = details.programs[0]?.products === 'bf16';
  const peak = isBf16 ? (peaks?.bf16 ?? peaks?.f32) : peaks?.f32;
  const fastest = within.map(({ fastestMs }) => fastestMs).filter(isKnown);
  const slowest = within.map(({ slowestMs }) => slowestMs).filter(isKnown);
  return {
    kernels,
    collectives,
    host: Math.max(0, 1 - kernels - collectives),
    dataWait: share(sum('dataWaitMs')),
    stepsPerSecond: perSecond(steps),
    stepMs: steps === 0 ? undefined : wallMs / steps,
    fastestMs: fastest.length === 0 ? undefined : Math.min(...fastest),
    slowestMs: slowest.length === 0 ? undefined : Math.max(...slowest),
    examplesPerSecond: perSecond(sum('examples')),
    tokensPerSecond: perSecond(sum('tokens')),
    flopsPerSecond,
    mfu: peak === undefined ? undefined : flopsPerSecond / peak,
    loss: samples.findLast(({ loss, timeMs }) => timeMs <= untilMs && !Number.isNaN(loss))?.loss,
  };
}
