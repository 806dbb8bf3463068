// One workload on several machines and numbers of nodes: the rows of a comparison. An impossible row has the reason; the others
// are kept.
import { isTrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Prediction } from '../prediction.ts';
import type { SimulatedSoftware, StepQuestion } from '../question.ts';
import type { Workload } from '../workload.ts';
import type { Amount } from './amount.ts';
import { chooseLayout, chooseRecording } from './choose-layout.ts';
import { compare } from './comparison.ts';
import type { LayoutSpace } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import { type TermsOptions, termsOf } from './quote.ts';
import type { Recipe } from './recipes.ts';
import { dollarsPerSample, planTraining, type TrainingOptions, type TrainingPlan } from './training.ts';

/** The question for `planRows`. */
export interface RowsQuestion extends SimulatedSoftware {
  /** The machines. */
  readonly machines: readonly Machine[];
  /** The numbers of instances. */
  readonly nodes: readonly number[];
  /** The layouts that are tried. */
  readonly space: LayoutSpace;
  /** The recipes to choose layouts from. Default: all recipes of each machine. */
  readonly recipe?: Recipe | undefined;
  /** Instead of the workload: recordings of a script for a number of devices, each with its own layout. */
  readonly recordings?: ((devices: number) => readonly Workload[]) | undefined;
  /** Undefined: rows have a step time, but no training time. */
  readonly amount?: Amount | undefined;
  /** The purchase options, and the deadline for the cheapest one. */
  readonly terms?: TermsOptions & Pick<TrainingOptions, 'deadlineSeconds'>;
}

/** A machine with the predicted time and cost of the training run. */
export interface PredictedRow {
  /** Discriminates the members of the union. */
  readonly kind: 'predicted';
  /** The machine. */
  readonly machine: Machine;
  /** The number of instances. */
  readonly nodes: number;
  /** The training step that was simulated. */
  readonly question: StepQuestion;
  /** The predicted step. */
  readonly prediction: Prediction;
  /** The recipe of the layout; undefined if it is not from a published run. */
  readonly recipe: Recipe | undefined;
  /** The number of layouts that this one was chosen from; 1 if it was given. */
  readonly from: number;
  /** The predictions of all recordings of a script, best first, where there are several. */
  readonly tried?: readonly Prediction[] | undefined;
  /** The plan of the whole training run, if an amount is given. */
  readonly plan: TrainingPlan | undefined;
  /**
   * Whether the row is the cheapest of those with the same global batch, since others are not the same training. Compares the
   * cost of the training run, or of a sample if the length of the training run was not given.
   */
  readonly cheapest: boolean;
  /** Whether it is the fastest one. */
  readonly fastest: boolean;
}
/** A machine on which the training is not possible, and why. */
export interface ImpossibleRow {
  /** Discriminates the members of the union. */
  readonly kind: 'impossible';
  /** The machine. */
  readonly machine: Machine;
  /** The number of instances. */
  readonly nodes: number;
  /** Why it is not possible. */
  readonly reason: string;
  /** The fix. */
  readonly fix: string;
}
/** A row of the table of `trenio plan`. */
export type PlanRow = PredictedRow | ImpossibleRow;
type Unmarked = Omit<PredictedRow, 'cheapest' | 'fastest'>;

/**
 * Machines in the order given, each with all its numbers of nodes. A single row is marked neither cheapest nor fastest.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machines: [machine], nodes: [1, 2], space: { globalBatch: 64 } };
 * simulator.planRows(question, simulator.predict).length // 2
 */
export function planRows(question: RowsQuestion, predict: Predict): readonly PlanRow[] {
  const { machines, nodes, amount, terms = {}, recordings } = question;
  const rows = machines.flatMap(machine =>
    nodes.map((count): Unmarked | ImpossibleRow => {
      try {
        const {
          question: step,
          prediction,
          recipe,
          from,
          tried,
        } = recordings === undefined
          ? chooseLayout({ ...question, machine, nodes: count }, predict)
          : chooseRecording({ ...question, machine, nodes: count }, recordings(machine.devices * count), predict);
        const plan = amount === undefined ? undefined : planTraining(prediction, amount, terms);
        return { kind: 'predicted', machine, nodes: count, question: step, prediction, recipe, from, tried, plan };
      } catch (error) {
        // The error concerns only this number of this machine: an uneven division, or a missing network. Any other
        // error concerns all rows.
        if (!isTrenioError(error, 'LAYOUT_IMPOSSIBLE')) throw error;
        const [reason] = error.message.split('\n');
        return { kind: 'impossible', machine, nodes: count, reason: reason!, fix: error.fix };
      }
    }),
  );
  const byBatch = Map.groupBy(
    rows.filter(row => row.kind === 'predicted'),
    row => row.prediction.samplesPerStep,
  );
  const marks = new Map([...byBatch.values()].flatMap(same => marked(same, terms)));
  return rows.map(row =>
    row.kind === 'impossible' ? row : { ...row, ...(marks.get(row) ?? { cheapest: false, fastest: false }) },
  );
}

type Marks = Pick<PredictedRow, 'cheapest' | 'fastest'>;
function marked(rows: readonly Unmarked[], terms: TermsOptions): readonly (readonly [Unmarked, Marks])[] {
  if (rows.length < 2) return [];
  return compare(rows, {
    fits: row => row.prediction.memory.fits,
    time: row => row.plan?.seconds ?? 1 / row.prediction.samplesPerSecond,
    cost: row =>
      row.plan === undefined ? dollarsPerSample(row.prediction, termsOf(row.machine, terms)) : row.plan.cost,
  }).map(({ plan, cheapest, fastest }) => [plan, { cheapest, fastest }]);
}
