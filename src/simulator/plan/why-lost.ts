// Why a plan is not the best: the constraint it violates, or where it loses time compared with the best one.
import { assertNever } from '../../base/errors.ts';
import { formatUsd, type MicroUsd } from '../../base/money.ts';
import { formatBytes, formatLongDuration } from '../../base/units.ts';
import type { PurchaseKind } from '../../hardware/machine.ts';
import type { Prediction } from '../prediction.ts';
import { type MemoryKind, memoryKinds, type Phase, phases } from '../run.ts';

/** The additional time or cost of a phase compared with the best plan, as a share of the best plan's total. */
export interface PhaseDifference {
  /** The time outside of steps: start-up, a partly filled last step, and other billed time. */
  readonly phase:
    | Phase
    | 'start-up and rounding to whole steps'
    | 'start-up, interruptions, and time paid but not used';
  /** The additional time or cost as a share of that of the best plan. */
  readonly share: number;
}

/** Why a layout is not the best: the constraint it violates, or the phases in which it is slower. */
export type Loss =
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'memory';
      /** By how much the limit is exceeded, in its unit: bytes, seconds or micro-dollars. */
      readonly over: number;
      /** The kind of memory that takes the most. */
      readonly largest: MemoryKind;
      /** The size of that part in bytes. */
      readonly largestBytes: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'memory-limit';
      /** By how much the limit is exceeded, in its unit: bytes, seconds or micro-dollars. */
      readonly over: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'deadline';
      /** By how much the limit is exceeded, in its unit: bytes, seconds or micro-dollars. */
      readonly over: number;
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'budget';
      /** By how much the limit is exceeded, in its unit: bytes, seconds or micro-dollars. */
      readonly over: MicroUsd;
    }
  /** The deadline by this many seconds, and the budget by this amount. */
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'deadline and budget';
      /** The time by which the deadline is missed, in seconds. */
      readonly seconds: number;
      /** The amount by which the budget is exceeded. */
      readonly dollars: MicroUsd;
    }
  /** No published price: for the requested purchase option, or for any. */
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'no price';
      /** The way to buy it. */
      readonly purchase: PurchaseKind | undefined;
    }
  /** Not for this many machines or this long. */
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'not sold';
      /** The way to buy it. */
      readonly purchase: PurchaseKind;
      /** Why it is not sold. */
      readonly reason: string;
    }
  /** `ratio` above 1: relative to the time or cost of the best one for the same training. */
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'slower' | 'dearer';
      /** The time or cost relative to that of the best plan. */
      readonly ratio: number;
      /** The phases that take longer, the largest difference first. */
      readonly because: readonly PhaseDifference[];
    }
  | {
      /** Discriminates the members of the union. */
      readonly kind: 'equal';
    };

export function memoryLoss({ memory }: Prediction): Loss {
  let largest: MemoryKind = memoryKinds[0];
  for (const kind of memoryKinds) if (memory.byKind[kind] > memory.byKind[largest]) largest = kind;
  return { kind: 'memory', over: -memory.spare, largest, largestBytes: memory.byKind[largest] };
}

/** Less than a table shows. */
const EQUAL = 5e-4;

/** The quantity by which two plans are compared. */
export interface Comparison {
  /** Discriminates the members of the union. */
  readonly kind: 'slower' | 'dearer';
  /** The weight of a second of each plan's steps: 1 for time, the price of all its machines for cost. */
  readonly rates: {
    /** For the plan that lost. */
    readonly lost: number;
    /** For the best plan. */
    readonly best: number;
  };
  /** Its time or cost as a multiple of the best one's, for the same training. */
  readonly ratio: number;
  /** The share of steps in the best plan's time, or cost, in (0, 1]. */
  readonly stepsShare: number;
}

/**
 * Both plans' time of the same work, phase by phase. Keeps the differences that make it slower, largest first: at most three,
 * each at least a fifth of the largest.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const slow = { ...prediction, stepSeconds: 2 * prediction.stepSeconds };
 * const comparison = { kind: 'slower', rates: { lost: 1, best: 1 }, ratio: 2, stepsShare: 1 } as const;
 * const loss = simulator.comparedLoss(slow, prediction, comparison);
 * loss.kind // 'slower'
 */
export function comparedLoss(lost: Prediction, best: Prediction, { kind, rates, ratio, stepsShare }: Comparison): Loss {
  if (ratio < 1 + EQUAL) return { kind: 'equal' };
  const mine = rates.lost / lost.samplesPerStep;
  const its = rates.best / best.samplesPerStep;
  const whole = (best.stepSeconds * its) / stepsShare;
  const ofSteps = phases.map(phase => ({
    phase,
    share: (lost.byPhase[phase] * mine - best.byPhase[phase] * its) / whole,
  }));
  const rest = ratio - 1 - ofSteps.reduce((sum, { share }) => sum + share, 0);
  const notOfSteps: PhaseDifference = {
    phase:
      kind === 'slower'
        ? 'start-up and rounding to whole steps'
        : 'start-up, interruptions, and time paid but not used',
    share: rest,
  };
  const differences: readonly PhaseDifference[] = [...ofSteps, notOfSteps].toSorted((a, b) => b.share - a.share);
  const floor = differences[0]!.share / 5;
  return { kind, ratio, because: differences.filter(({ share }) => share > 0 && share >= floor).slice(0, 3) };
}

/**
 * One line: `12 % slower: pipeline bubble +9 %, layer collectives +3 %`.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const comparison = { kind: 'slower', rates: { lost: 1, best: 1 }, ratio: 2, stepsShare: 1 } as const;
 * const loss = simulator.comparedLoss(prediction, prediction, comparison);
 * simulator.describeLoss(loss).length > 10 // true
 */
export function describeLoss(loss: Loss): string {
  switch (loss.kind) {
    case 'memory':
      return `does not fit by ${formatBytes(loss.over)} (${loss.largest}: ${formatBytes(loss.largestBytes)})`;
    case 'memory-limit':
      return `needs ${formatBytes(loss.over)} more than the memory limit`;
    case 'deadline':
      return `${formatLongDuration(loss.over)} after the deadline`;
    case 'budget':
      return `${formatUsd(loss.over)} over the budget`;
    case 'deadline and budget':
      return `${formatLongDuration(loss.seconds)} after the deadline and ${formatUsd(loss.dollars)} over the budget`;
    case 'no price':
      return `no public price${loss.purchase === undefined ? '' : ` (${loss.purchase})`}`;
    case 'not sold':
      return `not sold as ${loss.purchase}: ${loss.reason}`;
    case 'slower':
    case 'dearer': {
      const because = loss.because.map(({ phase, share }) => `${phase} +${percent(share)}`).join(', ');
      return `${excess(loss.ratio)} ${loss.kind}${because === '' ? '' : `: ${because}`}`;
    }
    case 'equal':
      return 'as good, within 0.05 %';
    default:
      return assertNever(loss);
  }
}

const excess = (ratio: number): string => (ratio >= 3 ? `${ratio.toFixed(1)} ×` : percent(ratio - 1));
const percent = (share: number): string => {
  const value = share * 100;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} %`;
};
