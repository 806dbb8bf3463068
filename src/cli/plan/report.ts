// Everything that a plan found: what the table, the JSON and the page show.
import { TrenioError } from '../../base/errors.ts';
import { predict } from '../../simulator/index.ts';
import {
  type Candidate,
  type PlanRow,
  type PredictedRow,
  type PurchaseOption,
  planRows,
  planTraining,
  purchaseOptions,
  type SearchResult,
  searchLayouts,
  type TrainingPlan,
  type TrainingUnderFailures,
  underFailures,
} from '../../simulator/plan/index.ts';
import { assumedStartUp, type PlanRequest } from './request.ts';

export interface PlanReport {
  readonly request: PlanRequest;
  readonly rows: readonly PlanRow[];
  readonly search: SearchResult | undefined;
  readonly purchase: readonly Purchase[];
  readonly failures: readonly Failing[];
  readonly assumptions: readonly string[];
}
export interface Failing {
  readonly plan: TrainingPlan;
  readonly under: TrainingUnderFailures;
}
export interface Purchase {
  readonly machine: string;
  readonly nodes: number;
  readonly options: readonly PurchaseOption[];
}

/** @throws LAYOUT_IMPOSSIBLE where no row can be. */
export function makeReport(request: PlanRequest, now: Date): PlanReport {
  const { job, machines, nodes, space, amount, startUp } = request;
  const rows = planRows({ job, machines, nodes, space, amount, startUp }, predict);
  const [first] = rows;
  if (rows.every(row => row.kind === 'impossible') && first?.kind === 'impossible') {
    const problem = first.reason.replace(/^this layout cannot be: /, '');
    throw new TrenioError('LAYOUT_IMPOSSIBLE', { problem, instead: first.fix });
  }
  const { deadlineSeconds, budget } = request;
  const search =
    request.search === undefined
      ? undefined
      : searchLayouts(
          {
            job,
            machines,
            nodes,
            space,
            amount,
            objective: request.search.objective,
            constraints: { deadlineSeconds, budget, memoryBytes: request.search.memoryBytes },
            startUp,
            top: request.search.top,
          },
          predict,
        );
  const failures = failuresOf(request, rows, search);
  return {
    request,
    rows,
    search,
    purchase: purchasesOf(request, rows, search, now),
    failures,
    assumptions: [
      ...new Set([...assumptionsOf(request, rows, search), ...failures.flatMap(({ under }) => under.assumptions)]),
    ],
  };
}

/** Every row under failures; of a search, its best alone. */
function failuresOf(
  request: PlanRequest,
  rows: readonly PlanRow[],
  search: SearchResult | undefined,
): readonly Failing[] {
  const { job, failures, amount, startUp } = request;
  if (failures === undefined || amount === undefined) return [];
  const plans =
    search === undefined
      ? rows.flatMap(row => (row.kind === 'predicted' && row.plan !== undefined ? [row.plan] : []))
      : search.best === undefined
        ? []
        : [planTraining(search.best.prediction, amount, startUp === undefined ? {} : { startUp })];
  return plans.map(plan => ({ plan, under: underFailures(plan, job, failures) }));
}

/** Every row is bought in every way; of a search, its best alone. */
function purchasesOf(
  request: PlanRequest,
  rows: readonly PlanRow[],
  search: SearchResult | undefined,
  now: Date,
): readonly Purchase[] {
  const { purchase, amount } = request;
  if (purchase === undefined || amount === undefined) return [];
  const found: readonly { readonly prediction: Candidate['prediction']; readonly stepsSeconds: number }[] =
    search === undefined
      ? rows.flatMap(row =>
          row.kind === 'predicted' && row.plan !== undefined
            ? [{ prediction: row.prediction, stepsSeconds: row.plan.stepsSeconds }]
            : [],
        )
      : search.best?.totals === undefined
        ? []
        : [{ prediction: search.best.prediction, stepsSeconds: search.best.totals.stepsSeconds }];
  // A machine that is here already is not bought.
  const rented = found.filter(({ prediction }) => prediction.machine.device.kind !== 'cpu');
  return rented.map(({ prediction: { machine, nodes }, stepsSeconds }) => ({
    machine: machine.name,
    nodes,
    options: purchaseOptions({
      machine,
      nodes,
      stepsSeconds,
      startUp: assumedStartUp(request, machine),
      spot: purchase.spot,
      ...(purchase.start === undefined ? {} : { start: { at: purchase.start, now } }),
    }),
  }));
}

function assumptionsOf(
  request: PlanRequest,
  rows: readonly PlanRow[],
  search: SearchResult | undefined,
): readonly string[] {
  const predicted = rows.filter(row => row.kind === 'predicted');
  const most = Math.max(1, ...predicted.map(row => row.from));
  return [
    ...new Set([
      ...request.assumptions,
      ...(most > 1 && search === undefined
        ? [
            'The layout of each row is the fastest plain one that fits in memory; --search tries all of them, --tp, --pp and so on choose one.',
          ]
        : []),
      ...predicted.flatMap(row => row.plan?.assumptions ?? row.prediction.assumptions),
      ...(search?.best?.prediction.assumptions ?? []),
    ]),
  ];
}

/** Fits, in time and within budget: at least one row of what was asked for. */
export function isKept({ request, rows, search }: PlanReport): boolean {
  if (search !== undefined) return search.best !== undefined;
  const { deadlineSeconds = Number.POSITIVE_INFINITY, budget } = request;
  return rows.some(
    row =>
      row.kind === 'predicted' &&
      row.prediction.memory.fits &&
      (row.plan === undefined || row.plan.seconds <= deadlineSeconds) &&
      (budget === undefined || (row.plan?.cost !== undefined && row.plan.cost <= budget)),
  );
}

/** What a trace shows: the best of the search, else the fastest row, else the first that there is. */
export function chosenRow({ rows, search }: PlanReport): Pick<PredictedRow, 'prediction'> {
  if (search?.best !== undefined) return search.best;
  const predicted = rows.filter(row => row.kind === 'predicted');
  const chosen = predicted.find(row => row.fastest) ?? predicted[0];
  if (chosen === undefined) {
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'plan',
      argument: '--trace',
      got: 'for a plan in which no layout is possible',
      expected: 'a layout that is possible',
    });
  }
  return chosen;
}
