// The difference between the closed form of a step and the same step simulated event by event.
import { predict } from '../predict.ts';
import type { RandomLayout } from './random-layouts.testing.ts';

export interface ClosedFormDifference {
  readonly what: string;
  /** closed form ÷ timeline − 1. */
  readonly difference: number;
}

export const closedFormDifferences = (layouts: readonly RandomLayout[]): readonly ClosedFormDifference[] =>
  layouts.map(({ workload, machine, nodes, layout }) => {
    const prediction = predict({ workload, machine, nodes, layout });
    const { data, tensor, pipeline, interleave, microBatch, microBatches, recompute } = layout;
    return {
      what:
        `${workload.model.name}, ${nodes} × ${machine.name}, DP ${data}, TP ${tensor}, PP ${pipeline} × ${interleave}, ` +
        `${microBatches} micro-batches of ${microBatch}, ${recompute} recomputation`,
      difference: prediction.stepSeconds / prediction.timeline().seconds - 1,
    };
  });
