// The complete result of a plan, as shown by the table, the JSON and the page.
import { invariant, TrenioError } from '../../base/errors.ts';
import { formatUsd } from '../../base/money.ts';
import type { Machine } from '../../hardware/machine.ts';
import { predict } from '../../simulator/index.ts';
import {
  type Candidate,
  cheapestRate,
  type PlanRow,
  type PredictedRow,
  type PurchaseOption,
  planRows,
  planTraining,
  purchaseOptions,
  recipes,
  type SearchProgress,
  type SearchResult,
  searchLayouts,
  type TrainingPlan,
  type TrainingUnderFailures,
  termsOf,
  underFailures,
} from '../../simulator/plan/index.ts';
import { type Answer, answerOf } from './answer.ts';
import { type Entries, entriesOf, type Findings } from './entries.ts';
import { readingAssumption } from './reading.ts';
import { assumedStartUp, type PlanRequest, termsOptionsOf } from './request.ts';

export interface PlanReport extends Findings {
  readonly entries: Entries;
  readonly answer: Answer;
  readonly purchase: readonly Purchase[];
  readonly failures: readonly Failing[];
  /** Reservations about rows that can be computed. */
  readonly warnings: readonly string[];
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

/** @throws {LAYOUT_IMPOSSIBLE} if no row is possible */
export function makeReport(
  request: PlanRequest,
  now: Date,
  onProgress?: (progress: SearchProgress) => void,
): PlanReport {
  const { workload, software, storage, machines, nodes, space, recipe, amount, deadlineSeconds, budget } = request;
  const terms = termsOptionsOf(request, now);
  const question = { workload, software, storage, machines, nodes, space, recipe, amount };
  const { recordings } = request;
  const rows = planRows({ ...question, recordings, terms: { ...terms, deadlineSeconds } }, predict);
  const [first] = rows;
  if (rows.every(row => row.kind === 'impossible') && first?.kind === 'impossible') {
    const problem = first.reason.replace(/^invalid layout: /, '');
    throw new TrenioError('LAYOUT_IMPOSSIBLE', { problem, instead: first.fix });
  }
  const search =
    request.search === undefined
      ? undefined
      : searchLayouts(
          {
            ...question,
            objective: request.search.objective,
            constraints: { deadlineSeconds, budget, memoryBytes: request.search.memoryBytes },
            terms,
            onProgress,
            top: request.search.top,
          },
          predict,
        );
  const failures = failuresOf(request, rows, search, now);
  const findings: Findings = { request, rows, search, now };
  const entries = entriesOf(findings);
  const answer = answerOf(findings, entries);
  invariant(answer !== undefined, 'a row is possible, and nothing was predicted');
  return {
    ...findings,
    entries,
    answer,
    purchase: purchasesOf(request, rows, search, now),
    failures,
    warnings: machines.flatMap(warningsOf),
    assumptions: [
      ...new Set([...assumptionsOf(request, rows, search, now), ...failures.flatMap(({ under }) => under.assumptions)]),
    ],
  };
}

/** Every row with failures; for a search, only its best layout. */
function failuresOf(
  request: PlanRequest,
  rows: readonly PlanRow[],
  search: SearchResult | undefined,
  now: Date,
): readonly Failing[] {
  const { workload, failures, amount } = request;
  if (failures === undefined || amount === undefined) return [];
  const plans =
    search === undefined
      ? rows.flatMap(row => (row.kind === 'predicted' && row.plan !== undefined ? [row.plan] : []))
      : search.best?.totals === undefined
        ? []
        : [
            planTraining(search.best.prediction, amount, {
              ...termsOptionsOf(request, now),
              purchase: search.best.totals.quote.offer.purchase,
            }),
          ];
  return plans.map(plan => ({ plan, under: underFailures(plan, workload, failures) }));
}

function warningsOf({ name, madeFor }: Machine): readonly string[] {
  return madeFor === undefined
    ? []
    : [
        `${name} is made for ${madeFor}: no training throughput has been published for it, and its network is not made for training (no EFA). This prediction cannot be validated.`,
      ];
}

/** Every row with every purchase option; for a search, only its best layout. */
function purchasesOf(
  request: PlanRequest,
  rows: readonly PlanRow[],
  search: SearchResult | undefined,
  now: Date,
): readonly Purchase[] {
  const { purchase, amount } = request;
  if (!purchase.compare || amount === undefined) return [];
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
  // The local machine is not bought.
  const rented = found.filter(({ prediction }) => prediction.machine.device.kind !== 'cpu');
  return rented.map(({ prediction: { machine, nodes }, stepsSeconds }) => ({
    machine: machine.name,
    nodes,
    options: purchaseOptions({
      machine,
      nodes,
      stepsSeconds,
      startUp: assumedStartUp(request, machine),
      purchase: purchase.kinds,
      spot: purchase.spot,
      ...(purchase.start === undefined ? {} : { start: { at: purchase.start, now } }),
    }),
  }));
}

function assumptionsOf(
  request: PlanRequest,
  rows: readonly PlanRow[],
  search: SearchResult | undefined,
  now: Date,
): readonly string[] {
  const predicted = rows.filter(row => row.kind === 'predicted');
  const shown = search === undefined ? [] : [...(search.best === undefined ? [] : [search.best]), ...search.runnersUp];
  return [
    ...new Set([
      ...request.assumptions,
      ...(search === undefined ? layoutAssumptions(predicted, request) : searchedAssumptions(request)),
      ...(search === undefined ? predicted.flatMap(row => row.plan?.assumptions ?? row.prediction.assumptions) : []),
      ...(search === undefined && request.amount === undefined ? rateAssumptions(predicted, request, now) : []),
      ...shown.flatMap(({ prediction, totals }) =>
        totals === undefined || request.amount === undefined
          ? prediction.assumptions
          : planTraining(prediction, request.amount, {
              ...termsOptionsOf(request, now),
              purchase: totals.quote.offer.purchase,
            }).assumptions,
      ),
      ...readingAssumption((search === undefined ? predicted : shown).map(({ prediction }) => prediction)),
    ]),
  ];
}

const searchedAssumptions = ({ recipe }: PlanRequest): readonly string[] =>
  recipe === undefined
    ? []
    : [`Only layouts that ${recipe.software} has been run with were tried (recipe ${recipe.name}: ${recipe.source}).`];

/** Assumptions about where the layouts come from. */
function layoutAssumptions(rows: readonly PredictedRow[], { workload, recipe }: PlanRequest): readonly string[] {
  if (workload.model.kind === 'program') {
    const { division } = workload.model;
    if (division !== undefined)
      return [
        ...(rows.some(row => row.from > 1)
          ? ['The layout of each row is the fastest of those tried that fits in memory.']
          : []),
        'Collectives are those of the program of one rank. Where software overlaps gradients, parameters are gathered early, too.',
      ];
    return rows.some(row => row.from > 1)
      ? [
          'The layout of each row is the fastest data-parallel one that fits in memory; scripts support no other parallelism.',
        ]
      : [];
  }
  const used = recipes.filter(one => rows.some(row => row.recipe === one));
  const others = rows.filter(row => row.recipe === undefined).map(nameOf);
  return [
    ...used.map(
      one =>
        `Layouts of ${[...new Set(rows.filter(row => row.recipe === one).map(row => row.machine.name))].join(', ')} are those used with ${one.software} (recipe ${one.name}: ${one.source}).`,
    ),
    ...(others.length === 0
      ? []
      : [
          `No recipe has such a layout: ${others.join(', ')}. Either a given size is not in any recipe, or no layout of a recipe fits.`,
        ]),
    ...(recipe === undefined && used.length > 0
      ? [
          'Each row has the fastest layout that fits in memory, over all recipes of the machine. --recipe chooses a recipe, --search tries every layout, and --tp, --pp etc. fix a size.',
        ]
      : []),
  ];
}
const nameOf = ({ nodes, machine }: PredictedRow): string => `${nodes} × ${machine.name}`;

/** The measure for "cheapest" if the length of the training run is unknown. */
function rateAssumptions(rows: readonly PredictedRow[], request: PlanRequest, now: Date): readonly string[] {
  if (!rows.some(row => row.cheapest)) return [];
  return rows.flatMap(({ machine, nodes }) => {
    const rate = cheapestRate(nodes, termsOf(machine, termsOptionsOf(request, now)));
    if (rate === undefined) return [];
    const { purchase, price } = rate.offer;
    return [
      `No amount given, so "cheapest" compares the cost per sample: ${machine.name} at ${formatUsd(price.perHour, { maxDecimals: 4 })} an hour (${purchase}${price.uncertain ? ', uncertain' : ''}).`,
    ];
  });
}
