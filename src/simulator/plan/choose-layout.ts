// A good layout where none was asked for: the fastest that fits of those that the machine's training software has really been run
// with (recipes.ts), with tensor parallelism within a machine. `searchLayouts` tries the others too.
import { TrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { Workload } from '../workload.ts';
import { whyNoLayout } from './given-layout.ts';
import { type LayoutSpace, layoutsOf } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import { allows, type Recipe, recipes } from './recipes.ts';

export interface ChosenLayout {
  readonly prediction: Prediction;
  /**
   * Whose layout it is. Undefined: nobody's, as no recipe of the machine has one that fits or with the sizes that were given; or a
   * script's own.
   */
  readonly recipe: Recipe | undefined;
  /** How many layouts it was chosen from; 1 where everything was given. */
  readonly from: number;
}

/**
 * The fastest layout for each sample that fits, of the recipes or of the one that was asked for. Where no recipe has one that
 * fits, the fastest of all plain layouts; where none of them fits either, the one that lacks least memory.
 * @throws LAYOUT_IMPOSSIBLE where nothing divides: which division it is of what was asked for.
 */
export function chooseLayout(
  workload: Workload,
  machine: Machine,
  nodes: number,
  space: LayoutSpace,
  predict: Predict,
  asked?: Recipe,
): ChosenLayout {
  if (asked !== undefined && asked.device !== machine.device.kind) {
    const known = recipesOf(machine).map(({ name }) => name);
    throw new TrenioError('LAYOUT_IMPOSSIBLE', {
      problem: `the recipe ${asked.name} (${asked.software}) does not run on ${machine.name}`,
      instead: `choose one of ${known.join(', ')}, or leave --recipe out`,
    });
  }
  // A script is data parallel, as Trenio runs it.
  const isProgram = workload.model.kind === 'program';
  const usable = isProgram ? [] : asked === undefined ? recipesOf(machine) : [asked];
  const within = (layout: Layout): boolean => usable.some(recipe => allows(recipe, layout, space));
  const chosen = isProgram ? undefined : fastest(workload, machine, nodes, space, predict, within);
  if (chosen !== undefined && (chosen.prediction.memory.fits || asked !== undefined)) {
    // A size that was given may be one that the recipe was never run with.
    const recipe = usable.find(one => allows(one, chosen.prediction.layout, {}));
    return { ...chosen, recipe };
  }
  if (asked !== undefined) {
    const why = whyNoLayout(workload, machine, nodes, space);
    const sizes = [...new Set(asked.runs.map(({ tensor }) => tensor))].join(', ');
    const impossible = [...layoutsOf(workload, machine.devices * nodes, space)].length === 0;
    if (impossible) throw new TrenioError('LAYOUT_IMPOSSIBLE', why);
    throw new TrenioError('LAYOUT_IMPOSSIBLE', {
      problem: `the recipe ${asked.name} has no layout of ${workload.model.name} for ${nodes} × ${machine.name}: it was run with tensor-parallel sizes ${sizes}`,
      instead: 'choose another number of nodes or another batch, or leave --recipe out',
    });
  }
  const plain = fastest(workload, machine, nodes, space, predict, layout => isPlain(layout, space));
  if (plain !== undefined) return { ...plain, recipe: undefined };
  throw new TrenioError('LAYOUT_IMPOSSIBLE', whyNoLayout(workload, machine, nodes, space));
}

const recipesOf = ({ device }: Machine): readonly Recipe[] => recipes.filter(recipe => recipe.device === device.kind);

function fastest(
  workload: Workload,
  machine: Machine,
  nodes: number,
  space: LayoutSpace,
  predict: Predict,
  isWanted: (layout: Layout) => boolean,
): { readonly prediction: Prediction; readonly from: number } | undefined {
  let best: Prediction | undefined;
  let from = 0;
  const useless = new Uselessness();
  for (const layout of layoutsOf(workload, machine.devices * nodes, space)) {
    if (!isTried(workload, layout, space, machine) || !isWanted(layout)) continue;
    from++;
    if (useless.includes(layout)) continue;
    const prediction = predict(workload, machine, nodes, layout);
    useless.learn(layout, prediction.memory.fits);
    if (best === undefined || isBetter(prediction, best)) best = prediction;
  }
  return best && { prediction: best, from };
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
  a.shard === b.shard &&
  a.sequenceParallel === b.sequenceParallel &&
  a.microBatches === b.microBatches &&
  splitOf(a) === splitOf(b);

/** Tensor parallelism within a machine, and micro-batches that are powers of two: of a program, what it was recorded with. */
function isTried({ model }: Workload, layout: Layout, given: LayoutSpace, machine: Machine): boolean {
  const { tensor, microBatch } = layout;
  return (
    (given.tensor !== undefined || tensor <= machine.devices) &&
    (given.microBatch !== undefined || model.kind === 'program' || Number.isInteger(Math.log2(microBatch)))
  );
}

/** What most software can do: no interleaving, sequence parallelism with tensor parallelism. */
function isPlain({ tensor, interleave, sequenceParallel }: Layout, given: LayoutSpace): boolean {
  return (
    (given.interleave !== undefined || interleave === 1) &&
    (given.sequenceParallel !== undefined || sequenceParallel === tensor > 1)
  );
}

function isBetter(a: Prediction, b: Prediction): boolean {
  if (a.memory.fits !== b.memory.fits) return a.memory.fits;
  // Faster by more than rounding: of equals, the first is the simpler one.
  if (a.memory.fits) return a.samplesPerSecond > b.samplesPerSecond * (1 + 1e-9);
  return a.memory.spare > b.memory.spare;
}
