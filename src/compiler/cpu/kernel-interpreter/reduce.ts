// The reductions of a pass: their partial results, one each or several side by side, extended element by element.

import type { Reduction } from '../../ir/node.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import type { Pieces } from '../ir/pairwise-sum.ts';
import { accumulatorFunctions, applyRegion } from './accumulate.ts';
import type { Frame } from './frame.ts';
import { Partials } from './partials.ts';

export interface PartialResults {
  /** Adds the current element of the frame; `lane` is its position among parallel partial results. */
  add(lane: number): void;
  /** After this number of elements, where a piece may end. */
  after(elements: number): void;
  /** Lanes folded: the partial result of each input. */
  total(): readonly ScalarValue[];
}

/**
 * `lanes`: the number of parallel partial results; 0 for a single one. Regions that are not accumulators start from the initial
 * values.
 */
export function startReduction(frame: Frame, r: Reduction, lanes: number, pieces: Pieces | undefined): PartialResults {
  if (r.accumulator === undefined) {
    let partials: readonly ScalarValue[] = r.inits.map(n => frame.value(n));
    const types = r.inputs.map(n => n.type);
    return {
      add() {
        const captured = new Map(r.captured.map(([v, n]) => [v, frame.value(n)]));
        const elements = r.inputs.map(n => frame.value(n));
        partials = applyRegion(r.region, [...partials, ...elements], [...types, ...types], captured, frame.target);
      },
      after() {},
      total: () => partials,
    };
  }
  const partials = new Partials(r.accumulator, Math.max(1, lanes), pieces);
  const { of } = accumulatorFunctions(r.accumulator);
  return {
    add: lane => partials.add(lane, of(frame.value(r.inputs[0]!))),
    after: elements => partials.after(elements),
    total: () => [partials.total()],
  };
}

/** The results of a reduction from its partial results. */
export function finishReduction(frame: Frame, r: Reduction, totals: readonly ScalarValue[]): readonly ScalarValue[] {
  if (r.accumulator === undefined) return totals;
  return [accumulatorFunctions(r.accumulator).finish(frame.value(r.inits[0]!), totals[0]!)];
}
