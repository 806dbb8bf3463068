// Monte Carlo simulation of a run: many histories, each with its own seed, and their statistics.
import { TrenioError } from '../../base/errors.ts';
import { type Failures, sampleFailures } from './failures.ts';
import { checkRun, jobMtbf, type LongRun, restartSeconds } from './long-run.ts';
import { dalyInterval, expectedGoodput, youngInterval } from './optimum.ts';
import { playRun, type TimeByCause, timeCauses } from './play-run.ts';

/** Over the histories. */
export interface Spread {
  /** The mean. */
  readonly mean: number;
  /** The 5th percentile. */
  readonly p5: number;
  /** The 95th percentile. */
  readonly p95: number;
}

/** The statistics of many simulated histories of a training run with failures. */
export interface Reliability {
  /** The number of simulated histories. */
  readonly histories: number;
  /** Mean time between interruptions of the whole training, seconds. */
  readonly mtbf: number;
  /** Training time between checkpoints that was simulated, seconds. */
  readonly interval: number;
  /** Useful time ÷ total time, in [0, 1]: the remaining share of the throughput. */
  readonly goodput: Spread;
  /** The number of interruptions. */
  readonly failures: Spread;
  /** Mean seconds of a history; they sum to the run. */
  readonly byCause: Readonly<TimeByCause>;
  /** Intervals by formula and by search, in seconds, each with its goodput in the same histories. */
  readonly optimum: {
    /** By Young's formula. */
    readonly young: Choice;
    /** By Daly's formula. */
    readonly daly: Choice;
    /** By search in the simulated histories. */
    readonly simulated: Choice;
  };
  /** By formula: for blocking checkpoints and sufficient spares. Undefined for checkpoints written in the background. */
  readonly expectedGoodput: number | undefined;
}
/** An interval between checkpoints, in seconds, and the goodput with it. */
export interface Choice {
  /** Training time between checkpoints in seconds. */
  readonly interval: number;
  /** Useful time over all time, 0 to 1. */
  readonly goodput: number;
}

/**
 * Simulates a training run many times with random failures: its goodput, and the causes of lost time.
 * @param options `histories`: default 200. `seed`: a 32-bit word, default 0; the same seed gives the same result.
 * @throws {INVALID_OPTION}
 * @example
 * const day = 86_400;
 * const run = {
 *   ...simulator.runDefaults, nodes: 64, seconds: 10 * day, nodeMtbf: 1000 * day, checkpoint: { blocking: 30, background: 0 },
 * };
 * simulator.simulateReliability(run, { seed: 0 }).goodput.mean < 1 // true
 */
export function simulateReliability(
  run: LongRun,
  options: {
    /** The number of histories. Default: 200. */
    readonly histories?: number;
    readonly seed?: number;
  } = {},
): Reliability {
  checkRun(run);
  const { histories = 200, seed = 0 } = options;
  if (!(Number.isInteger(histories) && histories >= 1)) refuse('histories', histories, 'an integer, 1 or more');
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) refuse('seed', seed, '0 to 2³² − 1');
  const mtbf = jobMtbf(run);
  const { blocking } = run.checkpoint;
  const sampled = Array.from({ length: histories }, (_, history) => sampleFailures(run, seed, history));
  const choice = (interval: number): Choice => ({ interval, goodput: meanGoodput(run, sampled, interval) });
  const young = choice(Math.max(shortest, youngInterval(blocking, mtbf)));
  const daly = choice(Math.max(shortest, dalyInterval(blocking, mtbf)));
  const interval = run.checkpoint.interval ?? daly.interval;

  const outcomes = sampled.map(failures => playRun(run, failures, interval));
  const byCause = Object.fromEntries(
    timeCauses.map(cause => [cause, mean(outcomes.map(outcome => outcome[cause]))]),
  ) as TimeByCause;
  return {
    histories,
    mtbf,
    interval,
    goodput: spread(outcomes.map(outcome => outcome.useful / run.seconds)),
    failures: spread(sampled.map(({ times }) => times.length)),
    byCause,
    optimum: { young, daly, simulated: search(run, sampled, daly) },
    expectedGoodput:
      run.checkpoint.background > 0 ? undefined : expectedGoodput(interval, blocking, restartSeconds(run), mtbf),
  };
}

/** Checkpoints that cost nothing would be written all the time. */
const shortest = 1;

/**
 * From Daly's interval outwards: a sixteenth to sixteen times, in steps of √2, then finer about the best. All intervals see the
 * same failures, so a part of the histories is enough to distinguish them.
 */
function search(run: LongRun, sampled: readonly Failures[], daly: Choice): Choice {
  const some = sampled.slice(0, 100);
  let best: Choice = { interval: daly.interval, goodput: meanGoodput(run, some, daly.interval) };
  const attempt = (interval: number): void => {
    if (interval < shortest || interval > run.seconds) return;
    const goodput = meanGoodput(run, some, interval);
    if (goodput > best.goodput) best = { interval, goodput };
  };
  for (let i = -8; i <= 8; i++) if (i !== 0) attempt(daly.interval * 2 ** (i / 2));
  const coarse = best.interval;
  for (let i = -4; i <= 4; i++) if (i !== 0) attempt(coarse * 2 ** (i / 10));
  return { interval: best.interval, goodput: meanGoodput(run, sampled, best.interval) };
}

function meanGoodput(run: LongRun, sampled: readonly Failures[], interval: number): number {
  let useful = 0;
  for (const failures of sampled) useful += playRun(run, failures, interval).useful;
  return useful / sampled.length / run.seconds;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function spread(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return { mean: mean(values), p5: at(0.05), p95: at(0.95) };
}

function refuse(option: string, got: number, expected: string): never {
  throw new TrenioError('INVALID_OPTION', { what: 'simulateReliability', option, got: String(got), expected });
}
