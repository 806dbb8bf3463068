// The tables of the page.
import { formatUsd } from '../../../base/money.ts';
import { formatBytes } from '../../../base/units.ts';
import {
  describeLoss,
  formatLayout,
  formatStep,
  type LostCandidate,
  type PlanRow,
  type PredictedRow,
  type SearchResult,
} from '../../../simulator/plan/index.ts';
import { largestBound } from '../../../simulator/plan/training.ts';
import type { Failing, Purchase } from '../report.ts';
import { compact, costCell, isCountedInTokens, longDuration, memoryCell, percent, quoteCell } from '../table.ts';
import { escaped } from './svg.ts';

interface Cell {
  readonly html: string;
  readonly className?: string;
}
const words = (content: string): Cell => ({ html: escaped(content) });
const number = (content: string): Cell => ({ html: escaped(content), className: 'number' });
const wide = (content: string): Cell => ({ html: escaped(content), className: 'wide' });

function table(caption: string, headers: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const attribute = ({ className }: Cell): string => (className === undefined ? '' : ` class="${className}"`);
  const head = headers.map((header, i) => {
    const isNumber = rows.some(row => row[i]?.className === 'number');
    return `<th scope="col"${isNumber ? ' class="number"' : ''}>${escaped(header)}</th>`;
  });
  const body = rows.map(row => `<tr>${row.map(cell => `<td${attribute(cell)}>${cell.html}</td>`).join('')}</tr>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(caption)}"><table><thead><tr>${head.join('')}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

export function comparisonTable(rows: readonly PlanRow[]): string {
  const predicted = rows.filter(row => row.kind === 'predicted');
  const hasPlan = predicted.some(row => row.plan !== undefined);
  const headers = ['machine', 'nodes', 'layout', 'step', 'samples/s', 'tokens/s', 'MFU', 'memory of a device'];
  const cells = predicted.map(row => {
    const { prediction: p } = row;
    const { bound, share } = largestBound(p);
    return [
      words(row.machine.name),
      number(`${row.nodes}`),
      words(formatLayout(p.layout)),
      number(formatStep(p.stepSeconds)),
      number(compact(p.samplesPerSecond)),
      number(isCountedInTokens(p) ? compact(p.tokensPerStep! / p.stepSeconds) : '-'),
      number(percent(p.mfu)),
      number(memoryCell(p)),
      ...(hasPlan
        ? [number(row.plan === undefined ? '-' : longDuration(row.plan.seconds)), number(costCell(row))]
        : []),
      words(`${bound} ${Math.round(share * 100)} %`),
      { html: badges(row) },
    ];
  });
  const impossible = rows.filter(row => row.kind === 'impossible');
  const refused = impossible.map(row => `<li>${escaped(`${row.nodes} × ${row.machine.name}: ${row.reason}`)}</li>`);
  return [
    table('Comparison', [...headers, ...(hasPlan ? ['time to train', 'cost'] : []), 'bound', ''], cells),
    refused.length === 0 ? '' : `<ul class="note">${refused.join('')}</ul>`,
  ].join('\n');
}

function badges({ cheapest, fastest, prediction }: PredictedRow): string {
  const badge = (kind: string, label: string): string => `<span class="badge ${kind}">${label}</span>`;
  return [
    cheapest ? badge('good', 'cheapest') : '',
    fastest ? badge('good', 'fastest') : '',
    prediction.memory.fits ? '' : badge('bad', 'does not fit'),
  ].join('');
}

export function searchTable({ best, runnersUp, rejected, withoutAny }: SearchResult, bestLabel: string): string {
  const row = (c: Omit<LostCandidate, 'loss'>, why: string): readonly Cell[] => [
    words(c.prediction.machine.name),
    number(`${c.prediction.nodes}`),
    words(formatLayout(c.prediction.layout)),
    number(formatStep(c.prediction.stepSeconds)),
    number(percent(c.prediction.mfu)),
    number(formatBytes(c.prediction.memory.total)),
    number(c.totals === undefined ? '-' : longDuration(c.totals.seconds)),
    number(c.totals === undefined ? '-' : quoteCell(c.totals.quote)),
    wide(why),
  ];
  const lost = (c: LostCandidate): readonly Cell[] => row(c, describeLoss(c.loss));
  const headers = ['machine', 'nodes', 'layout', 'step', 'MFU', 'memory', 'time', 'cost', 'why'];
  return table('Search', headers, [
    ...(best === undefined ? [] : [row(best, bestLabel)]),
    ...runnersUp.map(lost),
    ...rejected.map(lost),
    // A machine of which nothing keeps every constraint is shown with what comes nearest.
    ...withoutAny.flatMap(({ nearest }) =>
      nearest === undefined || rejected.includes(nearest) ? [] : [lost(nearest)],
    ),
  ]);
}

export function purchaseTable({ machine, nodes, options }: Purchase): string {
  const rows = options.map(option => {
    const name = words(`${option.service === 'ec2' ? 'EC2' : 'SageMaker'} ${option.purchase}`);
    if (option.kind === 'impossible')
      return [name, number('-'), number('-'), number('-'), number('-'), wide(option.reason)];
    const time = number(longDuration(option.seconds));
    const notes = wide(option.notes.join(' '));
    if (option.kind !== 'priced') return [name, number('no public price'), time, number('-'), number('-'), notes];
    const { price, used, toPay } = option;
    return [
      name,
      number(formatUsd(price.perHour, { maxDecimals: 4 })),
      time,
      number(formatUsd(used)),
      number(formatUsd(toPay)),
      notes,
    ];
  });
  const title = `${nodes} × ${machine}`;
  return `<h3>${escaped(title)}</h3>${table(`Ways to buy ${title}`, ['bought', 'an hour', 'time', 'this training', 'to pay', 'rule'], rows)}`;
}

export function failureTable(failing: readonly Failing[]): string {
  const rows = failing.map(({ plan, under }) => {
    const { goodput, mtbf, interval, failures } = under.reliability;
    return [
      words(plan.prediction.machine.name),
      number(`${plan.prediction.nodes}`),
      number(longDuration(mtbf)),
      number(failures.mean.toFixed(1)),
      number(longDuration(interval)),
      number(`${percent(goodput.mean)} (${percent(goodput.p5)} … ${percent(goodput.p95)})`),
      number(longDuration(under.seconds)),
      number(under.cost === undefined ? 'no public price' : formatUsd(under.cost)),
    ];
  });
  const headers = ['machine', 'nodes', 'a failure every', 'failures', 'checkpoint every', 'goodput', 'time', 'cost'];
  return table('With failures', headers, rows);
}
