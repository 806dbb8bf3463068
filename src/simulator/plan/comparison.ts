// Compares plans: which is cheapest, which is fastest. Only plans that fit in memory can win.
import type { TrainingPlan } from './training.ts';

/** A plan, and whether it is the cheapest or the fastest of those compared. */
export interface Compared<P> {
  /** The plan. */
  readonly plan: P;
  /** Whether it is the cheapest plan. */
  readonly cheapest: boolean;
  /** Whether it is the fastest one. */
  readonly fastest: boolean;
}

/** The quantity by which two plans are compared: less is better, undefined never wins. */
export interface Measures<P> {
  /** Whether the plan fits in memory. */
  readonly fits: (plan: P) => boolean;
  /** The time of the plan; undefined if it is not known. */
  readonly time: (plan: P) => number | undefined;
  /** The cost of the plan; undefined if it is not known. */
  readonly cost: (plan: P) => number | undefined;
}

/**
 * In the order given. Of equals, the first is marked.
 * @example
 * const plans = [{ hours: 2, usd: 30 }, { hours: 3, usd: 20 }];
 * const compared = simulator.compare(plans, { fits: () => true, time: p => p.hours, cost: p => p.usd });
 * compared.map(({ fastest }) => fastest) // [true, false]
 */
export function compare<P>(plans: readonly P[], { fits, time, cost }: Measures<P>): readonly Compared<P>[] {
  const candidates = plans.filter(fits);
  const cheapest = least(candidates, cost);
  const fastest = least(candidates, time);
  return plans.map(plan => ({ plan, cheapest: plan === cheapest, fastest: plan === fastest }));
}

/**
 * Marks the cheapest and the fastest of several plans.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const plan = simulator.planTraining(prediction, { kind: 'tokens', tokens: 1e9 });
 * simulator.compareTrainings([plan]).map(({ cheapest }) => cheapest) // [true]
 */
export const compareTrainings = (plans: readonly TrainingPlan[]): readonly Compared<TrainingPlan>[] =>
  compare(plans, {
    fits: plan => plan.prediction.memory.fits,
    time: plan => plan.seconds,
    cost: plan => plan.cost,
  });

function least<P>(plans: readonly P[], measure: (plan: P) => number | undefined): P | undefined {
  let best: P | undefined;
  let bestValue = Number.POSITIVE_INFINITY;
  for (const plan of plans) {
    const value = measure(plan);
    if (value !== undefined && value < bestValue) {
      best = plan;
      bestValue = value;
    }
  }
  return best;
}
