// The table at the end of a run: its cost, compared with published results. One row per run; a published row keeps the
// published cost and shows the cost computed from its own time and price next to it. Without a price the cost is unknown, never
// 0.

import { TrenioError } from '../base/errors.ts';
import { costOf, differenceUsd, formatUsd, type MicroUsd, parseUsd, toDollars } from '../base/money.ts';
import { type Column, formatTable } from '../base/table.ts';
import { priceOf } from '../hardware/price-of.ts';
import { type PublishedRun, publishedBertRuns } from '../hardware/published.ts';
import { type PredictedRun, predictedArticleRuns } from '../simulator/validation/article-example.ts';

/** A measured run. */
export interface MeasuredRun {
  /** For example 'BERT classification, 4 layers of 256'. */
  readonly model: string;
  /** A name of the catalog, or a description of the machine. */
  readonly machine: string;
  /** Undefined if there is no public price and none was given. */
  readonly usdPerHour: MicroUsd | undefined;
  /** Optimizer steps per second. */
  readonly iterationsPerSecond: number;
  /** Share of the validation examples classified correctly, in [0, 1]; undefined if there were none. */
  readonly validationAccuracy: number | undefined;
  /** From the first to the last billed second. */
  readonly billableSeconds: number;
}

/** The simulator's prediction of a published run. */
export interface PredictedRow {
  /** The name of the model. */
  readonly model: string;
  /** The machine. */
  readonly machine: string;
  /** The price per hour. */
  readonly usdPerHour: MicroUsd;
  /** Training steps per second. */
  readonly iterationsPerSecond: number;
  /** Accuracy on the validation set, 0 to 1; without a value if it is not known. */
  readonly validationAccuracy: undefined;
  /** The billed time in seconds. */
  readonly billableSeconds: number;
  /** The cost of the training run. */
  readonly cost: MicroUsd;
  /** predicted ÷ published − 1, for iterations per second. */
  readonly difference: number;
}

/** A row of the result table: predicted, measured here, or published. */
export type ResultRow =
  | (PredictedRow & {
      /** Discriminates the members of the union. */
      readonly kind: 'predicted';
    })
  | (MeasuredRun & {
      /** Discriminates the members of the union. */
      readonly kind: 'measured';
      /** The cost of the training run. */
      readonly cost: MicroUsd | undefined;
    })
  | (PublishedRun & {
      /** Discriminates the members of the union. */
      readonly kind: 'published';
      /** Seconds × price. */
      readonly cost: MicroUsd;
      /** Published minus computed cost. */
      readonly printedMinusCost: MicroUsd;
    });

/**
 * The rows of the result table: measured runs next to published and predicted ones.
 * @example
 * const run = {
 *   model: 'BERT small', machine: 'a laptop', usdPerHour: undefined,
 *   iterationsPerSecond: 12, validationAccuracy: 0.9, billableSeconds: 60,
 * };
 * resultRows([run], []).map(({ machine }) => machine) // ['a laptop']
 */
export function resultRows(
  runs: readonly MeasuredRun[],
  published: readonly PublishedRun[] = publishedBertRuns,
): readonly ResultRow[] {
  const predicted = new Map(predictedArticleRuns().map(run => [run.published, run]));
  return [
    ...runs.map(run => ({
      ...run,
      kind: 'measured' as const,
      cost: run.usdPerHour === undefined ? undefined : costOf(run.usdPerHour, run.billableSeconds),
    })),
    ...published.flatMap(run => {
      const cost = costOf(run.usdPerHour, run.billableSeconds);
      const own = { ...run, kind: 'published' as const, cost, printedMinusCost: differenceUsd(run.printedUsd, cost) };
      const prediction = predicted.get(run);
      return prediction === undefined ? [own] : [own, predictedRow(prediction)];
    }),
  ];
}

function predictedRow({ published, iterationsPerSecond, billableSeconds }: PredictedRun): ResultRow {
  const { model, machine, usdPerHour } = published;
  return {
    kind: 'predicted',
    model,
    machine,
    usdPerHour,
    iterationsPerSecond,
    validationAccuracy: undefined,
    billableSeconds,
    cost: costOf(usdPerHour, billableSeconds),
    difference: iterationsPerSecond / published.iterationsPerSecond - 1,
  };
}

// At most 120 columns in all.
const columns: readonly Column[] = [
  { header: 'model', maxWidth: 26 },
  { header: 'machine', maxWidth: 24 },
  { header: 'price/h', align: 'right' },
  { header: 'steps/s', align: 'right' },
  { header: 'accuracy', align: 'right' },
  { header: 'billed s', align: 'right' },
  { header: 'cost', align: 'right' },
  { header: 'from' },
];

/**
 * The rows as text, for a terminal of 120 columns.
 * @example
 * ```ts no-run
 * const { table } = await readRunResults('runs/polarity/results.json');
 * console.log(table);
 * ```
 */
export function formatResultTable(rows: readonly ResultRow[]): string {
  const table = formatTable(
    columns,
    rows.map(row => [
      row.model,
      row.machine,
      row.usdPerHour === undefined ? 'none' : formatUsd(row.usdPerHour, { maxDecimals: 6 }),
      row.iterationsPerSecond.toFixed(2),
      accuracyOf(row),
      formatSeconds(row.billableSeconds),
      row.cost === undefined ? 'unknown' : formatCost(row.cost),
      originOf(row),
    ]),
  );
  const printed = rows.flatMap(row =>
    row.kind === 'published'
      ? [`${row.machine} ${formatUsd(row.printedUsd)} (${formatUsd(row.printedMinusCost, { sign: true })})`]
      : [],
  );
  return printed.length === 0 ? table : `${table}\nCost is price × time. The publication prints ${printed.join(', ')}.`;
}

function accuracyOf({ kind, validationAccuracy }: ResultRow): string {
  if (validationAccuracy !== undefined) return validationAccuracy.toFixed(3);
  return kind === 'predicted' ? '' : 'unknown';
}

function originOf(row: ResultRow): string {
  if (row.kind === 'measured') return 'this run';
  return row.kind === 'published' ? 'published' : `predicted (${formatPercent(row.difference)})`;
}
const formatPercent = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`;

/**
 * The rows as JSON: dollars as numbers, null for unknown values.
 * @example
 * const run = {
 *   model: 'BERT small', machine: 'a laptop', usdPerHour: usd(0.5),
 *   iterationsPerSecond: 12, validationAccuracy: 0.9, billableSeconds: 60,
 * };
 * resultTableJson(resultRows([run], []))[0]!.usdPerHour // 0.5
 */
export function resultTableJson(rows: readonly ResultRow[]): readonly ResultRowJson[] {
  return rows.map(row => ({
    kind: row.kind,
    model: row.model,
    machine: row.machine,
    usdPerHour: row.usdPerHour === undefined ? null : toDollars(row.usdPerHour),
    iterationsPerSecond: row.iterationsPerSecond,
    validationAccuracy: row.validationAccuracy ?? null,
    billableSeconds: row.billableSeconds,
    costUsd: row.cost === undefined ? null : toDollars(row.cost),
    ...(row.kind === 'published'
      ? {
          printedCostUsd: toDollars(row.printedUsd),
          printedMinusCostUsd: toDollars(row.printedMinusCost),
          source: row.source,
        }
      : {}),
    ...(row.kind === 'predicted' ? { predictedMinusPublished: row.difference } : {}),
  }));
}

/** A row of the result table as JSON: plain numbers, dollars, and null for unknown values. */
export interface ResultRowJson {
  /** Discriminates the members of the union. */
  readonly kind: ResultRow['kind'];
  /** The name of the model. */
  readonly model: string;
  /** The name of the machine. */
  readonly machine: string;
  /** The price per hour. */
  readonly usdPerHour: number | null;
  /** Training steps per second. */
  readonly iterationsPerSecond: number;
  /** Accuracy on the validation set, 0 to 1; without a value if it is not known. */
  readonly validationAccuracy: number | null;
  /** The billed time in seconds. */
  readonly billableSeconds: number;
  /** The cost of the training run in US dollars; null if it is not known. */
  readonly costUsd: number | null;
  /** The published cost in US dollars. */
  readonly printedCostUsd?: number;
  /** The published cost minus the computed one, in US dollars. */
  readonly printedMinusCostUsd?: number;
  /** The source of the figures. */
  readonly source?: string;
  /** The difference in iterations per second, as a share of the published value. */
  readonly predictedMinusPublished?: number;
}

/**
 * The price per hour: given by the user (`--price 0.34`), or from the catalog, or unknown.
 * @throws {INVALID_OPTION} if it is not an amount of money
 * @example
 * formatUsd(pricePerHour('1.50', 'my machine')!) // '$1.50'
 */
export function pricePerHour(given: string | number | undefined, machine: string): MicroUsd | undefined {
  if (given === undefined) return priceOf(machine)?.value;
  const price = parseUsd(typeof given === 'number' ? given.toFixed(6) : given);
  if (price === undefined) {
    throw new TrenioError('INVALID_OPTION', {
      what: 'the price of a machine',
      option: 'price',
      got: `'${given}'`,
      expected: 'US dollars per hour, such as 0.34',
    });
  }
  return price;
}

/** Small runs cost less than a cent, so significant digits are shown. */
function formatCost(cost: MicroUsd): string {
  return formatUsd(cost, { maxDecimals: cost < 10_000 ? 6 : cost < 1_000_000 ? 4 : 2 });
}

function formatSeconds(seconds: number): string {
  return seconds < 1000 && !Number.isInteger(seconds) ? seconds.toFixed(1) : Math.round(seconds).toString();
}
