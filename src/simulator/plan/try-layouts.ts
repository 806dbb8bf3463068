// The loop over layouts: visits each layout that the rules include, except those that cannot be better than one already visited.
import type { Layout } from '../layout.ts';
import type { LayoutQuestion } from './layout-question.ts';
import { layoutsOf } from './layouts.ts';

export interface LayoutRules {
  readonly includes: (layout: Layout) => boolean;
  /**
   * If a micro-batch does not fit with any option, larger ones are omitted. A search shows them, because they may nearly fit.
   */
  readonly leavesOutLargerBatches: boolean;
}

/**
 * `visit` returns whether the layout fits.
 * @returns the number of layouts that the rules allow, and the number of those that were skipped.
 */
export function tryLayouts(
  { workload, machine, nodes, space }: LayoutQuestion,
  { includes, leavesOutLargerBatches }: LayoutRules,
  visit: (layout: Layout) => boolean,
): number {
  let included = 0;
  const useless = new Uselessness(leavesOutLargerBatches);
  for (const layout of layoutsOf(workload, machine.devices * nodes, space)) {
    if (!includes(layout)) continue;
    included++;
    if (!useless.includes(layout)) useless.learn(layout, visit(layout));
  }
  return included;
}

/**
 * Layouts that need not be priced, in the order of `layoutsOf`:
 * - once a layout fits, the same with more recomputation only takes longer;
 * - if a micro-batch does not fit with any option, larger ones do not fit either.
 */
class Uselessness {
  readonly #ofLargerBatches: boolean;
  #milder: Layout | undefined;
  #split = '';
  /** The largest micro-batch of this split that was tried, and the largest that fits. */
  #tried = 0;
  #fitting = 0;

  constructor(ofLargerBatches: boolean) {
    this.#ofLargerBatches = ofLargerBatches;
  }

  includes(layout: Layout): boolean {
    const split = splitOf(layout);
    if (split !== this.#split) {
      this.#split = split;
      this.#tried = 0;
      this.#fitting = 0;
    }
    if (this.#ofLargerBatches && this.#tried > this.#fitting && layout.microBatch > this.#tried) return true;
    return this.#milder !== undefined && isSameButRecompute(this.#milder, layout);
  }

  learn(layout: Layout, fits: boolean): void {
    this.#tried = layout.microBatch;
    if (!fits) return;
    this.#fitting = layout.microBatch;
    this.#milder = layout;
  }
}
const splitOf = ({ tensor, pipeline, interleave, expert }: Layout): string =>
  `${tensor} ${pipeline} ${interleave} ${expert}`;
const isSameButRecompute = (a: Layout, b: Layout): boolean =>
  a.microBatch === b.microBatch &&
  a.zero1 === b.zero1 &&
  a.shard === b.shard &&
  a.sequenceParallel === b.sequenceParallel &&
  a.microBatches === b.microBatches &&
  splitOf(a) === splitOf(b);
