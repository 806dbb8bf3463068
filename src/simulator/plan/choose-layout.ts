// The default layout: the fastest that fits among those that the machine's training software has been run
// with in published runs (recipes.ts), with tensor parallelism within a machine. `searchLayouts` tries all others too.
import { TrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { StepQuestion } from '../question.ts';
import type { Workload } from '../workload.ts';
import { whyNoLayout } from './given-layout.ts';
import { type LayoutQuestion, withLayout } from './layout-question.ts';
import { type LayoutSpace, layoutsOf } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import { allows, type Recipe, recipes } from './recipes.ts';
import { type LayoutRules, tryLayouts } from './try-layouts.ts';

/** A layout and its prediction. */
export interface ChosenLayout {
  /** The training step that was simulated. */
  readonly question: StepQuestion;
  /** The predicted step. */
  readonly prediction: Prediction;
  /**
   * The recipe of the layout. Undefined if no recipe of the machine has a layout that fits or has the given sizes; or for a
   * script's own layout.
   */
  readonly recipe: Recipe | undefined;
  /** The number of layouts that it was chosen from; 1 if everything was given. */
  readonly from: number;
  /** The predictions of all recordings of a script, best first, where there are several. */
  readonly tried?: readonly Prediction[] | undefined;
}

/**
 * The fastest layout per sample that fits, of all recipes or of the given one. If no recipe has one
 * that fits, the fastest of all plain layouts; if none of them fits either, the one with the smallest lack of memory.
 * @throws {LAYOUT_IMPOSSIBLE} if no sizes divide evenly, naming the division that fails
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.formatLayout(prediction.layout) // 'dp8 zero1 · 1 × 8'
 */
export function chooseLayout(question: LayoutQuestion, predict: Predict): ChosenLayout {
  const { workload, machine, nodes, space, recipe: asked } = question;
  if (asked !== undefined && asked.device !== machine.device.kind) {
    const known = recipesOf(machine).map(({ name }) => name);
    throw new TrenioError('LAYOUT_IMPOSSIBLE', {
      problem: `the recipe ${asked.name} (${asked.software}) does not run on ${machine.name}`,
      instead: `choose one of ${known.join(', ')}, or leave --recipe out`,
    });
  }
  // Trenio runs scripts data parallel.
  const isProgram = workload.model.kind === 'program';
  const usable = isProgram ? [] : asked === undefined ? recipesOf(machine) : [asked];
  const within = (layout: Layout): boolean => usable.some(recipe => allows(recipe, layout, space));
  const chosen = isProgram ? undefined : fastest(question, predict, within);
  if (chosen !== undefined && (chosen.prediction.memory.fits || asked !== undefined)) {
    // A given size may be one that the recipe was never run with.
    const recipe = usable.find(one => allows(one, chosen.prediction.layout, {}));
    return { ...chosen, recipe };
  }
  if (asked !== undefined) {
    const why = whyNoLayout(question);
    const sizes = [...new Set(asked.runs.map(({ tensor }) => tensor))].join(', ');
    const impossible = [...layoutsOf(workload, machine.devices * nodes, space)].length === 0;
    if (impossible) throw new TrenioError('LAYOUT_IMPOSSIBLE', why);
    throw new TrenioError('LAYOUT_IMPOSSIBLE', {
      problem: `the recipe ${asked.name} has no layout of ${workload.model.name} for ${nodes} × ${machine.name}: it was run with tensor-parallel sizes ${sizes}`,
      instead: 'choose another number of nodes or another batch, or leave --recipe out',
    });
  }
  const plain = fastest(question, predict, layout => isPlain(layout, space));
  if (plain !== undefined) return { ...plain, recipe: undefined };
  throw new TrenioError('LAYOUT_IMPOSSIBLE', whyNoLayout(question));
}

/**
 * The best of several recordings of one script, each with a layout of its own.
 * @throws {LAYOUT_IMPOSSIBLE} if there is none for the devices
 */
export function chooseRecording(
  question: LayoutQuestion,
  recordings: readonly Workload[],
  predict: Predict,
): ChosenLayout {
  const [best, ...others] = recordings
    .map(workload => chooseLayout({ ...question, workload }, predict))
    .toSorted((a, b) => (isBetter(a.prediction, b.prediction) ? -1 : isBetter(b.prediction, a.prediction) ? 1 : 0));
  if (best !== undefined) {
    const tried = [best, ...others].map(({ prediction }) => prediction);
    return { ...best, from: tried.length, tried: others.length === 0 ? undefined : tried };
  }
  const devices = question.machine.devices * question.nodes;
  throw new TrenioError('LAYOUT_IMPOSSIBLE', {
    problem: `the given layout is not one of ${devices} devices, those of ${question.nodes} × ${question.machine.name}`,
    instead: 'choose sizes with this product, or -1 for one of them',
  });
}

const recipesOf = ({ device }: Machine): readonly Recipe[] => recipes.filter(recipe => recipe.device === device.kind);

/** The best question with its layout, and the prediction for it. */
function fastest(
  question: LayoutQuestion,
  predict: Predict,
  isWanted: (layout: Layout) => boolean,
): Pick<ChosenLayout, 'question' | 'prediction' | 'from'> | undefined {
  let best: Pick<ChosenLayout, 'question' | 'prediction'> | undefined;
  const rules: LayoutRules = {
    includes: layout => isTried(question, layout) && isWanted(layout),
    leavesOutLargerBatches: true,
  };
  const from = tryLayouts(question, rules, layout => {
    const step = withLayout(question, layout);
    const prediction = predict(step);
    if (best === undefined || isBetter(prediction, best.prediction)) best = { question: step, prediction };
    return prediction.memory.fits;
  });
  return best && { ...best, from };
}

/** Tensor parallelism within a machine, and micro-batches that are powers of two; for a program, those it was recorded with. */
function isTried({ workload: { model }, machine, space: given }: LayoutQuestion, layout: Layout): boolean {
  const { tensor, microBatch } = layout;
  return (
    (given.tensor !== undefined || tensor <= machine.devices) &&
    (given.microBatch !== undefined || model.kind === 'program' || Number.isInteger(Math.log2(microBatch)))
  );
}

/** The features that most software supports: no interleaving, sequence parallelism with tensor parallelism. */
function isPlain({ tensor, interleave, sequenceParallel }: Layout, given: LayoutSpace): boolean {
  return (
    (given.interleave !== undefined || interleave === 1) &&
    (given.sequenceParallel !== undefined || sequenceParallel === tensor > 1)
  );
}

function isBetter(a: Prediction, b: Prediction): boolean {
  if (a.memory.fits !== b.memory.fits) return a.memory.fits;
  if (!a.memory.fits) return a.memory.spare > b.memory.spare;
  // Faster by more than rounding: of equals, the first is the simpler one.
  if (a.samplesPerSecond < b.samplesPerSecond * (1 - 1e-9)) return false;
  if (a.samplesPerSecond > b.samplesPerSecond * (1 + 1e-9)) return true;
  // Layouts that wait for data are as fast as the storage: the one that computes faster is better.
  return busyPerSample(a) < busyPerSample(b) * (1 - 1e-9);
}

/** The time of a sample without waiting for data. */
const busyPerSample = ({ stepSeconds, byPhase, samplesPerStep }: Prediction): number =>
  (stepSeconds - byPhase['data loading']) / samplesPerStep;
