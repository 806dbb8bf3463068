// The reductions of a pass: their partial results, one each or several side by side, extended element by element.

import type { Reduction } from '../ir/node.ts';
import type { ScalarValue } from '../ir/scalar-value.ts';
import { accumulatorFunctions, applyRegion } from './accumulate.ts';
import type { Frame } from './frame.ts';

export interface PartialResults {
  /** Adds the current element of the frame; `lane` is its position among parallel partial results. */
  add(lane: number): void;
  /** Lanes folded: the partial result of each input. */
  total(): readonly ScalarValue[];
}

/**
 * `lanes`: the number of parallel partial results; 0 for a single one. Regions that are not accumulators start from the initial
 * values.
 */
export function startReduction(frame: Frame, r: Reduction, lanes: number): PartialResults {
  if (r.accumulator === undefined) {
    let partials: readonly ScalarValue[] = r.inits.map(n => frame.value(n));
    const types = r.inputs.map(n => n.type);
    return {
      add() {
        const captured = new Map(r.captured.map(([v, n]) => [v, frame.value(n)]));
        const elements = r.inputs.map(n => frame.value(n));
        partials = applyRegion(r.region, [...partials, ...elements], [...types, ...types], captured, frame.target);
      },
      total: () => partials,
    };
  }
  const { identity, of, combine } = accumulatorFunctions(r.accumulator);
  const partials = new Array<ScalarValue>(Math.max(1, lanes)).fill(identity);
  return {
    add(lane) {
      partials[lane] = combine(partials[lane]!, of(frame.value(r.inputs[0]!)));
    },
    total() {
      // halves until one is left: always the same tree
      for (let half = partials.length / 2; half >= 1; half /= 2)
        for (let lane = 0; lane < half; lane++) partials[lane] = combine(partials[lane]!, partials[lane + half]!);
      return [partials[0]!];
    },
  };
}

/** The results of a reduction from its partial results. */
export function finishReduction(frame: Frame, r: Reduction, totals: readonly ScalarValue[]): readonly ScalarValue[] {
  if (r.accumulator === undefined) return totals;
  return [accumulatorFunctions(r.accumulator).finish(frame.value(r.inits[0]!), totals[0]!)];
}
