// A long training run on a cluster with failures: the assumptions, each figure with its source.
import { TrenioError } from '../../base/errors.ts';
import { formatDuration } from '../../base/units.ts';

/** Seconds, unless the name has another unit. */
export interface LongRun {
  /** Instances that train. */
  readonly nodes: number;
  /** The time for which the cluster is held. */
  readonly seconds: number;
  /** Mean time between interruptions per instance, from all causes. Exponential. */
  readonly nodeMtbf: number;
  /**
   * The share of interruptions after which an instance has to be replaced. After the others, the training restarts on the same
   * instances.
   */
  readonly replacementShare: number;
  /** When checkpoints are written. */
  readonly checkpoint: Checkpointing;
  /** After an interruption, in this order. */
  readonly restart: {
    /** The time until the failure is noticed. */
    readonly detect: number;
    /** Until all processes run again. */
    readonly reschedule: number;
    /** Reading the checkpoint. */
    readonly load: number;
    /** Loading the compiled step from the cache, and the first step. */
    readonly recompile: number;
  };
  /** Spare instances. Without one left, the training waits for the first repaired one. */
  readonly spares: number;
  /** Mean time until a broken instance is back, exponential. */
  readonly repair: number;
}

/** When checkpoints are written, and their cost in seconds. */
export interface Checkpointing {
  /** Training time between two checkpoints; left out: Daly's optimum. */
  readonly interval?: number;
  /** Training is stopped. */
  readonly blocking: number;
  /** Then written in the background; the checkpoint counts only when that is done. 0: all of it blocks. */
  readonly background: number;
}

const hour = 3600;
const day = 24 * hour;

/**
 * Interruptions of Llama 3's training (Grattafiori et al. 2024, "The Llama 3 herd of models", section 3.3.4): 419 unexpected
 * ones in 54 days on 16,384 H100, about 78 % of them by hardware, confirmed or suspected.
 */
export const llama3Interruptions = {
  /** The number of unexpected interruptions. */
  count: 419,
  /** The length of the training run in days. */
  days: 54,
  /** The number of GPUs. */
  chips: 16_384,
  /** The share of interruptions caused by hardware. */
  hardwareShare: 0.78,
} as const;

/**
 * An interruption every 2,112 chip-days, for instances of this many chips. No such figure is published for Trainium.
 * @example
 * simulator.llama3NodeMtbf(8) / 86_400 // 263.9427…
 */
export const llama3NodeMtbf = (chipsPerNode: number): number =>
  (llama3Interruptions.chips * llama3Interruptions.days * day) / llama3Interruptions.count / chipsPerNode;

/** Assumptions about a cluster before it runs. Report them with the result: `runAssumptions`. */
export const runDefaults = {
  /** The share of interruptions after which an instance is replaced. */
  replacementShare: llama3Interruptions.hardwareShare,
  /** The parts of a restart in seconds. */
  restart: {
    /** Until the interruption is noticed. */
    detect: 60,
    /** Until all processes run again. */
    reschedule: 120,
    /** Reading the checkpoint. */
    load: 60,
    /** Loading the compiled step from the cache, and the first step. */
    recompile: 60,
  },
  /** The number of spare instances. */
  spares: 0,
  /** Mean time until a broken instance is back, in seconds. */
  repair: 4 * hour,
} as const;

/**
 * Seconds to write or read a checkpoint: all nodes at once, each at `nodeBandwidth`, together at `storageBandwidth` at most
 * (bytes/s).
 * @example
 * simulator.checkpointSeconds({ bytes: 100e9, nodes: 4, nodeBandwidth: 5e9, storageBandwidth: 100e9 }) // 5
 */
export function checkpointSeconds(options: {
  readonly bytes: number;
  readonly nodes: number;
  readonly nodeBandwidth: number;
  readonly storageBandwidth: number;
}): number {
  for (const name of ['nodes', 'nodeBandwidth', 'storageBandwidth'] as const) {
    if (!(options[name] > 0)) refuse('checkpointSeconds', name, options[name], 'more than 0');
  }
  if (!(options.bytes >= 0)) refuse('checkpointSeconds', 'bytes', options.bytes, '0 or more');
  return options.bytes / Math.min(options.storageBandwidth, options.nodes * options.nodeBandwidth);
}

/**
 * Mean time between interruptions of the whole training.
 * @example
 * const day = 86_400;
 * const run = {
 *   ...simulator.runDefaults, nodes: 64, seconds: 10 * day, nodeMtbf: 1000 * day, checkpoint: { blocking: 30, background: 0 },
 * };
 * simulator.jobMtbf(run) / day // 15.625
 */
export const jobMtbf = (run: LongRun): number => run.nodeMtbf / run.nodes;

/**
 * The seconds from a failure until training continues.
 * @example
 * const day = 86_400;
 * const run = {
 *   ...simulator.runDefaults, nodes: 64, seconds: 10 * day, nodeMtbf: 1000 * day, checkpoint: { blocking: 30, background: 0 },
 * };
 * simulator.restartSeconds(run) > 0 // true
 */
export const restartSeconds = ({ restart: r }: LongRun): number => r.detect + r.reschedule + r.load + r.recompile;

/**
 * The assumptions behind a result, one sentence each.
 * @example
 * const day = 86_400;
 * const run = {
 *   ...simulator.runDefaults, nodes: 64, seconds: 10 * day, nodeMtbf: 1000 * day, checkpoint: { blocking: 30, background: 0 },
 * };
 * simulator.runAssumptions(run).length > 0 // true
 */
export function runAssumptions(run: LongRun): readonly string[] {
  const { checkpoint, restart, spares } = run;
  const share = Math.round(100 * run.replacementShare);
  return [
    `an instance is the cause of an interruption every ${formatDays(run.nodeMtbf)}, the job is interrupted every ${formatDuration(jobMtbf(run))}`,
    `${share} % of interruptions break an instance, which is back after ${formatDuration(run.repair)} on average; ${spares} stand${spares === 1 ? 's' : ''} by`,
    `a restart takes ${formatDuration(restartSeconds(run))}: ${formatDuration(restart.detect)} to notice, ${formatDuration(restart.reschedule)} to start processes, ${formatDuration(restart.load)} to read the checkpoint, ${formatDuration(restart.recompile)} to load the compiled step`,
    `a checkpoint stops the training for ${formatDuration(checkpoint.blocking)}` +
      (checkpoint.background > 0 ? ` and is written in ${formatDuration(checkpoint.background)} beside it` : ''),
  ];
}

const formatDays = (seconds: number): string => `${(seconds / day).toFixed(1)} days`;

/** @throws {INVALID_OPTION} naming the field */
export function checkRun(run: LongRun): void {
  const what = 'simulateReliability';
  if (!(Number.isInteger(run.nodes) && run.nodes >= 1)) refuse(what, 'nodes', run.nodes, 'an integer, 1 or more');
  if (!(Number.isInteger(run.spares) && run.spares >= 0)) refuse(what, 'spares', run.spares, 'an integer, 0 or more');
  for (const name of ['seconds', 'nodeMtbf'] as const) {
    if (!(run[name] > 0 && run[name] < Infinity)) refuse(what, name, run[name], 'more than 0 seconds');
  }
  if (!(run.replacementShare >= 0 && run.replacementShare <= 1)) {
    refuse(what, 'replacementShare', run.replacementShare, '0 to 1');
  }
  const atLeastZero: readonly (readonly [string, number])[] = [
    ['repair', run.repair],
    ['checkpoint.blocking', run.checkpoint.blocking],
    ['checkpoint.background', run.checkpoint.background],
    ...Object.entries(run.restart).map(([name, seconds]) => [`restart.${name}`, seconds] as const),
  ];
  for (const [name, seconds] of atLeastZero) {
    if (!(seconds >= 0 && seconds < Infinity)) refuse(what, name, seconds, '0 seconds or more');
  }
  const { interval } = run.checkpoint;
  if (interval !== undefined && !(interval > 0 && interval < Infinity)) {
    refuse(what, 'checkpoint.interval', interval, 'more than 0 seconds');
  }
  // A run that makes almost no progress would be simulated failure by failure forever.
  if (run.seconds / jobMtbf(run) > 1e6) {
    const least = Math.ceil((run.seconds * run.nodes) / 1e6);
    refuse(what, 'nodeMtbf', run.nodeMtbf, `at least ${least}, which is a million failures a run`);
  }
}

function refuse(what: string, option: string, got: number, expected: string): never {
  throw new TrenioError('INVALID_OPTION', { what, option, got: String(got), expected });
}
