// One job on several machines and numbers of them: the rows of a comparison. A row that cannot be says why; the others stand.
import { isTrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Job } from '../job.ts';
import type { Prediction } from '../prediction.ts';
import type { Amount } from './amount.ts';
import { chooseLayout } from './choose-layout.ts';
import { compare } from './comparison.ts';
import type { LayoutSpace } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import type { StartUp } from './start-up.ts';
import { dollarsPerSample, planTraining, type TrainingPlan } from './training.ts';

export interface RowsQuestion {
  readonly job: Job;
  readonly machines: readonly Machine[];
  readonly nodes: readonly number[];
  readonly space: LayoutSpace;
  /** Undefined: rows have a time for a step and no time to train. */
  readonly amount?: Amount | undefined;
  readonly startUp?: StartUp | undefined;
}

export interface PredictedRow {
  readonly kind: 'predicted';
  readonly machine: Machine;
  readonly nodes: number;
  readonly prediction: Prediction;
  /** From how many layouts this one was chosen; 1: it was given. */
  readonly from: number;
  readonly plan: TrainingPlan | undefined;
  /** By the cost of the training, or of a sample where no amount was given. */
  readonly cheapest: boolean;
  readonly fastest: boolean;
}
export interface ImpossibleRow {
  readonly kind: 'impossible';
  readonly machine: Machine;
  readonly nodes: number;
  readonly reason: string;
  readonly fix: string;
}
export type PlanRow = PredictedRow | ImpossibleRow;

/** Machines in the order given, each with all its numbers of nodes. One row alone is neither cheapest nor fastest. */
export function planRows(question: RowsQuestion, predict: Predict): readonly PlanRow[] {
  const { job, machines, nodes, space, amount, startUp } = question;
  const rows = machines.flatMap(machine =>
    nodes.map((count): Omit<PredictedRow, 'cheapest' | 'fastest'> | ImpossibleRow => {
      try {
        const { prediction, from } = chooseLayout(job, machine, count, space, predict);
        const plan =
          amount === undefined ? undefined : planTraining(prediction, amount, startUp === undefined ? {} : { startUp });
        return { kind: 'predicted', machine, nodes: count, prediction, from, plan };
      } catch (error) {
        // Of this number of this machine alone: a division, a network that it lacks. Anything else is wrong for all.
        if (!isTrenioError(error, 'LAYOUT_IMPOSSIBLE')) throw error;
        const [reason] = error.message.split('\n');
        return { kind: 'impossible', machine, nodes: count, reason: reason!, fix: error.fix };
      }
    }),
  );
  const predicted = rows.filter(row => row.kind === 'predicted');
  const marked = compare(predicted.length > 1 ? predicted : [], {
    fits: row => row.prediction.memory.fits,
    time: row => row.plan?.seconds ?? 1 / row.prediction.samplesPerSecond,
    cost: row => (row.plan === undefined ? dollarsPerSample(row.prediction) : row.plan.cost),
  });
  const marks = new Map(marked.map(({ plan, cheapest, fastest }) => [plan, { cheapest, fastest }]));
  return rows.map(row =>
    row.kind === 'impossible' ? row : { ...row, ...(marks.get(row) ?? { cheapest: false, fastest: false }) },
  );
}
