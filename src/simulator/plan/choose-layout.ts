// A good layout where none was asked for: the fastest of the plain ones that fits. Plain: tensor parallelism within a machine,
// with sequence parallelism where it is used, no interleaving. `searchLayouts` tries the others too.
import { TrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Job } from '../job.ts';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import { whyNoLayout } from './given-layout.ts';
import { type LayoutSpace, layoutsOf } from './layouts.ts';
import type { Predict } from './predict-type.ts';

export interface ChosenLayout {
  readonly prediction: Prediction;
  /** How many layouts it was chosen from; 1 where everything was given. */
  readonly from: number;
}

/**
 * The fastest layout for each sample that fits; where none does, the one that lacks least memory.
 * @throws LAYOUT_IMPOSSIBLE where nothing divides: which division it is of what was asked for.
 */
export function chooseLayout(
  job: Job,
  machine: Machine,
  nodes: number,
  space: LayoutSpace,
  predict: Predict,
): ChosenLayout {
  let best: Prediction | undefined;
  let from = 0;
  const useless = new Uselessness();
  for (const layout of layoutsOf(job, machine.devices * nodes, space)) {
    if (!isPlain(job, layout, space, machine)) continue;
    from++;
    if (useless.includes(layout)) continue;
    const prediction = predict(job, machine, nodes, layout);
    useless.learn(layout, prediction.memory.fits);
    if (best === undefined || isBetter(prediction, best)) best = prediction;
  }
  if (best !== undefined) return { prediction: best, from };
  throw new TrenioError('LAYOUT_IMPOSSIBLE', whyNoLayout(job, machine, nodes, space));
}

/**
 * Layouts that need not be priced, in the order in which `layoutsOf` gives them:
 * - once a layout fits, the same with more recomputation only takes longer;
 * - once a micro-batch fits in no way, larger ones do not fit either.
 */
class Uselessness {
  #milder: Layout | undefined;
  #split = '';
  /** The largest micro-batch of this split that was tried, and the largest that fits. */
  #tried = 0;
  #fitting = 0;

  includes(layout: Layout): boolean {
    const split = splitOf(layout);
    if (split !== this.#split) {
      this.#split = split;
      this.#tried = 0;
      this.#fitting = 0;
    }
    if (this.#tried > this.#fitting && layout.microBatch > this.#tried) return true;
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
  a.sequenceParallel === b.sequenceParallel &&
  a.microBatches === b.microBatches &&
  splitOf(a) === splitOf(b);

function isPlain({ workload }: Job, layout: Layout, given: LayoutSpace, machine: Machine): boolean {
  const { tensor, interleave, sequenceParallel, microBatch } = layout;
  return (
    (given.interleave !== undefined || interleave === 1) &&
    (given.tensor !== undefined || tensor <= machine.devices) &&
    (given.sequenceParallel !== undefined || sequenceParallel === tensor > 1) &&
    // A program's batch is what it was recorded with.
    (given.microBatch !== undefined || workload.kind === 'program' || Number.isInteger(Math.log2(microBatch)))
  );
}

function isBetter(a: Prediction, b: Prediction): boolean {
  if (a.memory.fits !== b.memory.fits) return a.memory.fits;
  // Faster by more than rounding: of equals, the first is the simpler one.
  if (a.memory.fits) return a.samplesPerSecond > b.samplesPerSecond * (1 + 1e-9);
  return a.memory.spare > b.memory.spare;
}
