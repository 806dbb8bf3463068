// A plan as text.
import { formatUsd } from '../../base/money.ts';
import { type Column, formatTable } from '../../base/table.ts';
import { formatBytes, formatLongDuration } from '../../base/units.ts';
import type { Machine } from '../../hardware/machine.ts';
import { type Prediction, uncertaintyOf } from '../../simulator/index.ts';
import {
  type Candidate,
  describeLoss,
  formatLayout,
  formatStep,
  type LostCandidate,
  type PlanRow,
  type PredictedRow,
  type PurchaseOption,
  type Quote,
  type SearchResult,
  whySuperLinear,
} from '../../simulator/plan/index.ts';
import { largestBound } from '../../simulator/plan/training.ts';
import { widthText } from './interval.ts';
import { compact, percent } from './number-text.ts';
import type { Failing } from './report.ts';

const right = (header: string): Column => ({ header, align: 'right' });

/** The predicted rows; below them, notes on rows that do not fit, and the impossible rows. */
export function describeRows(rows: readonly PlanRow[]): string {
  const predicted = rows.filter(row => row.kind === 'predicted');
  const impossible = rows.filter(row => row.kind === 'impossible');
  const hasPlan = predicted.some(row => row.plan !== undefined);
  const hasRecipe = predicted.some(row => row.recipe !== undefined);
  const batches = new Set(predicted.map(row => row.prediction.samplesPerStep));
  const table = formatTable(
    [
      { header: 'machine' },
      right('nodes'),
      { header: 'layout' },
      ...(hasRecipe ? [{ header: 'recipe' }] : []),
      ...(batches.size > 1 ? [right('batch')] : []),
      right('step'),
      right('80 %'),
      right(throughputHeader(predicted)),
      right('MFU'),
      right('memory'),
      ...(hasPlan ? [right('time'), right('cost')] : []),
      { header: 'bound' },
      { header: '' },
    ],
    predicted.map(row => [
      row.machine.name,
      `${row.nodes}`,
      formatLayout(row.prediction.layout),
      ...(hasRecipe ? [row.recipe?.name ?? '-'] : []),
      ...(batches.size > 1 ? [row.prediction.samplesPerStep.toLocaleString('en-US')] : []),
      formatStep(row.prediction.stepSeconds),
      widthText(uncertaintyOf(row.question)),
      throughput(row.prediction),
      percent(row.prediction.mfu),
      memoryCell(row.prediction),
      ...(hasPlan ? [timeCell(row), costCell(row)] : []),
      boundCell(row.prediction),
      marksOf(row),
    ]),
  );
  return [
    table,
    ...remediesOf(predicted),
    ...impossible.map(row => `${row.nodes} × ${row.machine.name}: ${row.reason} (${row.fix})`),
    ...(batches.size > 1
      ? [
          'Rows with different batch sizes are different training runs: "cheapest" and "fastest" compare rows of one batch size (--global-batch).',
        ]
      : []),
    ...notesOnScaling(predicted),
    ...notesOnPrices(predicted),
  ].join('\n');
}

function marksOf({ cheapest, fastest, prediction }: PredictedRow): string {
  const marks = prediction.memory.fits
    ? [...(cheapest ? ['cheapest'] : []), ...(fastest ? ['fastest'] : [])]
    : ['does not fit'];
  return [...marks, ...waitOf(prediction)].join(', ');
}

/** The wait limits the step, even if it is not the largest part of it. */
function waitOf({ byPhase, stepSeconds }: Prediction): readonly string[] {
  const share = byPhase['data loading'] / stepSeconds;
  return share < 0.005 ? [] : [`waits for data ${Math.round(share * 100)} %`];
}

export const isCountedInTokens = ({ tokensPerStep, samplesPerStep }: Prediction): boolean =>
  tokensPerStep !== undefined && tokensPerStep > samplesPerStep;

function throughputHeader(rows: readonly PredictedRow[]): string {
  return rows.some(row => isCountedInTokens(row.prediction)) ? 'samples/s (tokens/s)' : 'samples/s';
}
function throughput(prediction: Prediction): string {
  const samples = compact(prediction.samplesPerSecond);
  if (!isCountedInTokens(prediction)) return samples;
  return `${samples} (${compact(prediction.tokensPerStep! / prediction.stepSeconds)})`;
}

/** `9.1 of 16.0 GiB`, and the excess if it does not fit. */
function memoryCell({ memory }: Prediction): string {
  const of = `${formatBytes(memory.total)} of ${formatBytes(memory.capacity)}`;
  return memory.fits ? of : `${of}, ${formatBytes(-memory.spare)} over`;
}

const timeCell = ({ plan }: PredictedRow): string => (plan === undefined ? '-' : formatLongDuration(plan.seconds));

/** The cost and the purchase option. */
export function costCell({ plan, machine }: PredictedRow): string {
  if (plan === undefined) return '-';
  return isOwn(machine) ? 'your own' : quoteCell(plan.quote);
}
function quoteCell(quote: Quote): string {
  if (quote.kind === 'priced') return `${formatUsd(quote.toPay)} ${quote.offer.purchase}`;
  return quote.kind === 'refused' ? 'not sold' : 'no public price';
}
/** True for the local machine. */
const isOwn = (machine: Machine): boolean => machine.device.kind === 'cpu';

function boundCell(prediction: Prediction): string {
  const { bound, share } = largestBound(prediction);
  return `${bound} ${Math.round(share * 100)} %`;
}

function remediesOf(rows: readonly PredictedRow[]): readonly string[] {
  const unfit = rows.filter(({ prediction: { memory } }) => !memory.fits);
  return unfit.map(
    ({ machine, nodes, prediction: { memory } }) =>
      `${nodes} × ${machine.name} lacks ${formatBytes(-memory.spare)} per device: ${memory.remedies.join('; ')}`,
  );
}

/** Why throughput grows more than the number of nodes from one row to the next. */
function notesOnScaling(rows: readonly PredictedRow[]): readonly string[] {
  return rows.flatMap((row, i) => {
    const before = rows[i - 1];
    if (before === undefined || before.machine !== row.machine) return [];
    if (before.prediction.samplesPerStep !== row.prediction.samplesPerStep) return [];
    const why = whySuperLinear(before.prediction, row.prediction);
    return why === undefined ? [] : [`${row.machine.name}, ${why}.`];
  });
}

/** Why a row has no cost. */
function notesOnPrices(rows: readonly PredictedRow[]): readonly string[] {
  const notes = rows.flatMap(({ machine, nodes, plan }) => {
    if (plan === undefined || plan.quote.kind === 'priced' || isOwn(machine)) return [];
    const { quote } = plan;
    const { purchase } = quote.offer;
    if (quote.kind === 'refused') return [`${nodes} × ${machine.name} is not sold as ${purchase}: ${quote.reason}.`];
    const known = machine.prices.map(p => `${p.kind} ${formatUsd(p.perHour, { maxDecimals: 4 })}/h`);
    if (known.length === 0) return [`${machine.name} has no public price.`];
    return [`${machine.name} has no public ${purchase} price, but ${known.join(', ')}.`];
  });
  return [...new Set(notes)];
}

export function describeSearch(result: SearchResult, objective: 'time' | 'cost'): string {
  const { best, runnersUp, rejected, withoutAny, impossible, priced, feasible } = result;
  const count = (n: number): string => n.toLocaleString('en-US');
  const lines = [`${count(priced)} layouts priced, ${count(feasible)} of them meet all constraints.`];
  if (best !== undefined) {
    const title = objective === 'time' ? 'fastest' : 'cheapest';
    lines.push('', searchTable([{ candidate: best, why: title }, ...runnersUp.map(lost)]));
    if (runnersUp.some(({ prediction }) => prediction.samplesPerStep !== best.prediction.samplesPerStep))
      lines.push(
        'Layouts with different batch sizes are different training runs; --global-batch compares a single batch size.',
      );
  }
  if (rejected.length > 0) {
    lines.push('', best === undefined ? 'No layout meets all constraints. The nearest:' : 'Better, but:');
    lines.push(searchTable(rejected.map(lost)));
  }
  for (const { machine, nearest, why } of withoutAny)
    if (best !== undefined || !rejected.some(one => one.prediction.machine === machine))
      lines.push(
        `${machine.name}: ${nearest === undefined ? 'no layout can be priced' : 'no layout meets all constraints; the nearest'}: ${nearest === undefined ? why : `${nearest.prediction.nodes} × ${formatLayout(nearest.prediction.layout)} ${why}`}`,
      );
  for (const { reason, count: times } of impossible.slice(0, 5))
    lines.push(times === 1 ? reason : `${count(times)} × ${reason}`);
  return lines.join('\n');
}

const lost = (candidate: LostCandidate): { readonly candidate: Candidate; readonly why: string } => ({
  candidate,
  why: describeLoss(candidate.loss),
});

function searchTable(rows: readonly { readonly candidate: Candidate; readonly why: string }[]): string {
  const hasTotals = rows.some(({ candidate }) => candidate.totals !== undefined);
  const batches = new Set(rows.map(({ candidate }) => candidate.prediction.samplesPerStep));
  return formatTable(
    [
      { header: 'machine' },
      right('nodes'),
      { header: 'layout' },
      ...(batches.size > 1 ? [right('batch')] : []),
      right('step'),
      right('80 %'),
      right('MFU'),
      right('memory'),
      ...(hasTotals ? [right('time'), right('cost')] : []),
      { header: 'why' },
    ],
    rows.map(({ candidate: { question, prediction, totals }, why }) => [
      prediction.machine.name,
      `${prediction.nodes}`,
      formatLayout(prediction.layout),
      ...(batches.size > 1 ? [prediction.samplesPerStep.toLocaleString('en-US')] : []),
      formatStep(prediction.stepSeconds),
      widthText(uncertaintyOf(question)),
      percent(prediction.mfu),
      formatBytes(prediction.memory.total),
      ...(hasTotals && totals !== undefined ? [formatLongDuration(totals.seconds), quoteCell(totals.quote)] : []),
      why,
    ]),
  );
}

export function describePurchase(machine: string, nodes: number, options: readonly PurchaseOption[]): string {
  const priced = options.filter(option => option.kind === 'priced');
  const cheapest = Math.min(...priced.map(option => option.toPay));
  const table = formatTable(
    [{ header: 'purchase' }, right('per hour'), right('time'), right('this training'), right('to pay'), { header: '' }],
    options.map(option => {
      const name = `${option.service === 'ec2' ? 'EC2' : 'SageMaker'} ${option.purchase}`;
      if (option.kind === 'impossible') return [name, '-', '-', '-', '-', option.reason];
      const time = formatLongDuration(option.seconds);
      if (option.kind !== 'priced') return [name, 'no public price', time, '-', '-', ''];
      return [
        name,
        formatUsd(option.price.perHour, { maxDecimals: 4 }),
        time,
        formatUsd(option.used),
        formatUsd(option.toPay),
        purchaseRemark(option, option.toPay === cheapest),
      ];
    }),
  );
  return [`${nodes} × ${machine}`, table, ...purchaseNotes(options)].join('\n');
}

/** Each rule once, with the purchase options that it applies to. */
function purchaseNotes(options: readonly PurchaseOption[]): readonly string[] {
  const waysOf = new Map<string, string[]>();
  for (const { purchase, notes } of options)
    for (const note of notes) waysOf.set(note, [...(waysOf.get(note) ?? []), purchase]);
  return [...waysOf].map(([note, ways]) => `  ${[...new Set(ways)].join(', ')}: ${note}`);
}

function purchaseRemark(option: Extract<PurchaseOption, { kind: 'priced' }>, isCheapest: boolean): string {
  const dates =
    option.block === undefined ? [] : [`${dayOf(option.block.starts)} to ${dayOf(option.block.ends)}, 11:30 UTC`];
  return [
    ...(isCheapest ? ['cheapest'] : []),
    ...(option.commitment ? ['whole term'] : []),
    ...dates,
    ...(option.price.uncertain ? ['uncertain price'] : []),
  ].join(', ');
}
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export function describeFailures(failing: readonly Failing[]): string {
  return formatTable(
    [
      { header: 'with failures' },
      right('nodes'),
      right('one every'),
      right('checkpoint every'),
      right('goodput'),
      right('time'),
      right('cost'),
      { header: 'time lost to' },
    ],
    failing.map(({ plan, under }) => {
      const { goodput, mtbf, interval, byCause } = under.reliability;
      const all = Object.values(byCause).reduce((sum, seconds) => sum + seconds, 0);
      const lost = Object.entries(byCause).filter(([cause, seconds]) => cause !== 'useful' && seconds / all >= 0.001);
      return [
        plan.prediction.machine.name,
        `${plan.prediction.nodes}`,
        formatLongDuration(mtbf),
        formatLongDuration(interval),
        `${percent(goodput.mean)} (${percent(goodput.p5)} … ${percent(goodput.p95)})`,
        formatLongDuration(under.seconds),
        under.cost === undefined ? 'no public price' : formatUsd(under.cost),
        lost.map(([cause, seconds]) => `${cause} ${percent(seconds / all)}`).join(', '),
      ];
    }),
  );
}
