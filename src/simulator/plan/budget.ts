// Budgets in a project's own tests: a change that makes training slower, larger or more expensive than allowed fails before
// anything is rented. Assertions throw, so they work in vitest, node:test and anything else:
//
//   import { test } from 'node:test';
//   import { hardware, simulator, usd } from 'trenio';
//   const { expectPlan, planTraining, predict } = simulator;
//
//   test('fine-tuning stays affordable', () => {
//     const step = predict({ workload, machine: hardware.machineOf('trn1.32xlarge'), nodes: 1, layout });
//     expectPlan(step).toFit().stepSecondsAtMost(0.25).mfuAtLeast(0.2);
//     expectPlan(planTraining(step, { kind: 'epochs', epochs: 3, samples: 3_600_000 })).costAtMost(usd(50)).hoursAtMost(2);
//   });
import { TrenioError } from '../../base/errors.ts';
import { formatUsd, type MicroUsd } from '../../base/money.ts';
import { formatBytes, formatDuration, formatLongDuration } from '../../base/units.ts';
import type { Prediction } from '../prediction.ts';
import { memoryKinds, phases } from '../run.ts';
import { formatStep } from './format.ts';
import { startUpSeconds } from './start-up.ts';
import type { TrainingPlan } from './training.ts';

/** Expectations on a step. Each method returns the same object. @throws {PLAN_OVER_BUDGET} if it does not hold */
export interface StepExpectation {
  /** In the memory of each device. */
  toFit(): this;
  /** The time of a step, in seconds. */
  stepSecondsAtMost(seconds: number): this;
  /** The throughput, in samples per second. */
  samplesPerSecondAtLeast(samples: number): this;
  /** The throughput, in tokens per second. */
  tokensPerSecondAtLeast(tokens: number): this;
  /** Model FLOPs utilization, in [0, 1]. */
  mfuAtLeast(share: number): this;
  /** Memory of the fullest device, in bytes. */
  memoryAtMost(bytes: number): this;
  /** The share of a step, in [0, 1], that is not spent computing: collectives, bubble, overhead. */
  notComputingAtMost(share: number): this;
}
/** Expectations for a whole training run. */
export interface TrainingExpectation extends StepExpectation {
  /** Including start-up. */
  secondsAtMost(seconds: number): this;
  /** The time of the training run including start-up, in hours. */
  hoursAtMost(hours: number): this;
  /** Also fails if there is no public price. */
  costAtMost(budget: MicroUsd): this;
}

/**
 * Asserts on a plan, for tests: each method throws if the plan exceeds the bound.
 *
 * @throws {PLAN_OVER_BUDGET}
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const plan = simulator.planTraining(prediction, { kind: 'tokens', tokens: 1e9 });
 * simulator.expectPlan(plan).hoursAtMost(24).costAtMost(usd(500));
 */
export function expectPlan(plan: TrainingPlan): TrainingExpectation;
/** Asserts on the prediction of a step, for tests. @throws {PLAN_OVER_BUDGET} if it exceeds a bound */
export function expectPlan(plan: Prediction): StepExpectation;
export function expectPlan(plan: Prediction | TrainingPlan): StepExpectation {
  return 'kind' in plan ? new TrainingBudget(plan) : new StepBudget(plan);
}

class StepBudget implements StepExpectation {
  protected readonly prediction: Prediction;

  constructor(prediction: Prediction) {
    this.prediction = prediction;
  }

  toFit(): this {
    const { memory } = this.prediction;
    const remedies = memory.remedies.length === 0 ? '' : `\n  what would make it fit: ${memory.remedies.join('; ')}`;
    const breakdown = memoryBreakdown(this.prediction) + remedies;
    return this.hold(
      memory.fits,
      'memory',
      formatBytes(memory.total),
      `the ${formatBytes(memory.capacity)} of a device`,
      breakdown,
    );
  }

  /** The time of a step, in seconds. */
  stepSecondsAtMost(seconds: number): this {
    checkBudget('stepSecondsAtMost', seconds);
    const { stepSeconds } = this.prediction;
    return this.hold(
      stepSeconds <= seconds,
      'time of a step',
      formatStep(stepSeconds),
      `at most ${formatStep(seconds)}`,
    );
  }

  /** The throughput, in samples per second. */
  samplesPerSecondAtLeast(samples: number): this {
    checkBudget('samplesPerSecondAtLeast', samples);
    const { samplesPerSecond } = this.prediction;
    return this.hold(
      samplesPerSecond >= samples,
      'samples per second',
      significant(samplesPerSecond),
      `at least ${samples}`,
    );
  }

  /** The throughput, in tokens per second. */
  tokensPerSecondAtLeast(tokens: number): this {
    checkBudget('tokensPerSecondAtLeast', tokens);
    const { tokensPerStep, stepSeconds } = this.prediction;
    const rate = tokensPerStep === undefined ? undefined : tokensPerStep / stepSeconds;
    const predicted = rate === undefined ? 'not known' : significant(rate);
    return this.hold(rate !== undefined && rate >= tokens, 'tokens per second', predicted, `at least ${tokens}`);
  }

  mfuAtLeast(share: number): this {
    checkShare('mfuAtLeast', share);
    const { mfu } = this.prediction;
    return this.hold(mfu >= share, 'model FLOPs utilization', percent(mfu), `at least ${percent(share)}`);
  }

  memoryAtMost(bytes: number): this {
    checkBudget('memoryAtMost', bytes);
    const { total } = this.prediction.memory;
    const breakdown = memoryBreakdown(this.prediction);
    return this.hold(
      total <= bytes,
      'memory of a device',
      formatBytes(total),
      `at most ${formatBytes(bytes)}`,
      breakdown,
    );
  }

  notComputingAtMost(share: number): this {
    checkShare('notComputingAtMost', share);
    const { byPhase, stepSeconds } = this.prediction;
    const computing = byPhase.forward + byPhase.backward + byPhase.recompute + byPhase.optimizer;
    const rest = stepSeconds === 0 ? 0 : 1 - computing / stepSeconds;
    return this.hold(rest <= share, 'share of a step without computing', percent(rest), `at most ${percent(share)}`);
  }

  protected hold(
    holds: boolean,
    what: string,
    predicted: string,
    budget: string,
    breakdown = timeBreakdown(this.prediction),
  ): this {
    if (holds) return this;
    const { model, nodes, machine } = this.prediction;
    const where = `${model} on ${nodes} × ${machine.name}`;
    throw new TrenioError('PLAN_OVER_BUDGET', { where, what, predicted, budget, breakdown });
  }
}

class TrainingBudget extends StepBudget implements TrainingExpectation {
  readonly #plan: TrainingPlan;

  constructor(plan: TrainingPlan) {
    super(plan.prediction);
    this.#plan = plan;
  }

  secondsAtMost(seconds: number): this {
    checkBudget('secondsAtMost', seconds);
    const { seconds: predicted } = this.#plan;
    const budget = `at most ${formatLongDuration(seconds)}`;
    return this.hold(predicted <= seconds, 'time to train', formatLongDuration(predicted), budget, this.#breakdown());
  }

  /** The time of the training run including start-up, in hours. */
  hoursAtMost(hours: number): this {
    return this.secondsAtMost(hours * 3600);
  }

  costAtMost(budget: MicroUsd): this {
    checkBudget('costAtMost', budget);
    const { cost } = this.#plan;
    const predicted = cost === undefined ? 'not known: no public price' : formatUsd(cost);
    const most = `at most ${formatUsd(budget)}`;
    return this.hold(cost !== undefined && cost <= budget, 'cost', predicted, most, this.#breakdown());
  }

  #breakdown(): string {
    const { steps, startUp, price, prediction } = this.#plan;
    const { nodes, stepSeconds } = prediction;
    const at =
      price === undefined ? '' : ` at ${formatUsd(price.perHour, { maxDecimals: 6 })} an hour each (${price.kind})`;
    return [
      `  ${steps.toLocaleString('en-US')} steps of ${formatStep(stepSeconds)}, ${formatDuration(startUpSeconds(startUp))} before the first; ${nodes} × ${prediction.machine.name}${at}`,
      timeBreakdown(prediction),
    ].join('\n');
  }
}

function timeBreakdown({ byPhase, stepSeconds }: Prediction): string {
  const parts = phases
    .filter(phase => byPhase[phase] > 0)
    .toSorted((a, b) => byPhase[b] - byPhase[a])
    .map(phase => `${phase} ${formatStep(byPhase[phase])}`);
  return `  a step of ${formatStep(stepSeconds)}: ${parts.join(', ')}`;
}

function memoryBreakdown({ memory: { byKind, total } }: Prediction): string {
  const parts = memoryKinds
    .filter(kind => byKind[kind] > 0)
    .toSorted((a, b) => byKind[b] - byKind[a])
    .map(kind => `${kind} ${formatBytes(byKind[kind])}`);
  return `  ${formatBytes(total)} of a device: ${parts.join(', ')}`;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const significant = (value: number): string => Number(value.toPrecision(4)).toLocaleString('en-US');

// NaN would make every comparison false, and the assertion would not explain why.
function checkBudget(option: string, value: number): void {
  if (value >= 0) return;
  throw new TrenioError('INVALID_OPTION', {
    what: 'expectPlan',
    option,
    got: `${value}`,
    expected: 'a number, 0 or more',
  });
}
function checkShare(option: string, value: number): void {
  if (value >= 0 && value <= 1) return;
  throw new TrenioError('INVALID_OPTION', {
    what: 'expectPlan',
    option,
    got: `${value}`,
    expected: 'a share from 0 to 1',
  });
}
