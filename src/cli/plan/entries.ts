// The entries that a plan compares: each of its rows, and the result of a search, with the way each is bought.
import type { MicroUsd } from '../../base/money.ts';
import type { Machine } from '../../hardware/machine.ts';
import type {
  Candidate,
  ImpossibleRow,
  PlanRow,
  Prediction,
  SearchResult,
  StepQuestion,
  TrainingPlan,
} from '../../simulator/index.ts';
import { formatLayout } from '../../simulator/plan/index.ts';
import { type Interval, intervalOf } from './interval.ts';
import { costOfPurchase, type RowPurchase, rowPurchase } from './purchases.ts';
import type { PlanRequest } from './request.ts';

export interface Entry {
  /** `16 × p5.48xlarge` */
  readonly name: string;
  readonly machine: Machine;
  readonly nodes: number;
  readonly question: StepQuestion;
  readonly prediction: Prediction;
  readonly fits: boolean;
  readonly bought: RowPurchase;
  /** From the request of the machines to the last step, bought so; undefined: no amount was given. */
  readonly seconds: number | undefined;
  /** How far measured times and costs can be from these. */
  readonly interval: Interval;
  readonly cheapest: boolean;
  readonly fastest: boolean;
}
export interface Entries {
  readonly all: readonly Entry[];
  readonly fitting: readonly Entry[];
  readonly unfitting: readonly Entry[];
  readonly impossible: readonly ImpossibleRow[];
  /** The best result of the search, or if nothing meets the constraints, the closest one. Not in `all`. */
  readonly found: Entry | undefined;
}

/** The results of the simulator, from which the answer is chosen. */
export interface Findings {
  readonly request: PlanRequest;
  readonly rows: readonly PlanRow[];
  readonly search: SearchResult | undefined;
  /** When the plan is made: a purchase may have to start later. */
  readonly now: Date;
}

export function entriesOf({ request, rows, search, now }: Findings): Entries {
  const all = rows.flatMap(row =>
    row.kind === 'predicted'
      ? [{ ...entryOf(request, row, row.plan, now), cheapest: row.cheapest, fastest: row.fastest }]
      : [],
  );
  const found = search?.best ?? search?.rejected[0];
  return {
    all,
    fitting: all.filter(entry => entry.fits),
    unfitting: all.filter(entry => !entry.fits),
    impossible: rows.filter(row => row.kind === 'impossible'),
    found: found === undefined ? undefined : entryOfCandidate(request, found, now),
  };
}

export const entryOfCandidate = (request: PlanRequest, candidate: Candidate, now: Date): Entry =>
  entryOf(request, candidate, candidate.totals, now);

type Totals = Pick<TrainingPlan, 'seconds' | 'stepsSeconds' | 'quote'>;
function entryOf(
  request: PlanRequest,
  { question, prediction }: Pick<Candidate, 'question' | 'prediction'>,
  totals: Totals | undefined,
  now: Date,
): Entry {
  const { machine, nodes, memory } = prediction;
  return {
    name: `${nodes} × ${machine.name}`,
    machine,
    nodes,
    question,
    prediction,
    fits: memory.fits,
    bought: rowPurchase(request, prediction, totals?.quote),
    seconds: totals?.seconds,
    interval: intervalOf(request, question, prediction.stepSeconds, totals, now),
    cheapest: false,
    fastest: false,
  };
}

/** Seconds of the training run, or of a sample where no amount was given: less is better. */
export const timeOf = ({ seconds, prediction }: Entry): number => seconds ?? 1 / prediction.samplesPerSecond;
export const costOfEntry = ({ bought }: Entry): MicroUsd | undefined => costOfPurchase(bought);

/** The same machines with the same layout: the result of a search may also be a row. */
export const isSame = (a: Entry, b: Entry): boolean =>
  a.name === b.name && formatLayout(a.prediction.layout) === formatLayout(b.prediction.layout);

/** Each machine once, in the order of the rows: its place is its color and shape in every chart. */
export const machinesOf = (entries: readonly Entry[]): readonly string[] => [
  ...new Set(entries.map(entry => entry.machine.name)),
];
