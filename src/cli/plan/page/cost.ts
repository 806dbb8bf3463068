// Cost against time for each row, with the purchase options of the comparison.

import { toDollars } from '../../../base/money.ts';
import { formatLongDuration } from '../../../base/units.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import { type Entry, isSame, machinesOf } from '../entries.ts';
import { costOfPurchase, wayOf, whyUnpriced } from '../purchases.ts';
import type { PlanRequest } from '../request.ts';
import { markLegend } from './legend.ts';
import { type Point, paretoFront, pointChart } from './points.ts';
import { durationScale, logScale } from './scale.ts';
import { none, table, words } from './table.ts';
import { roundedUsd, shortUsd, tickOf } from './words.ts';

const MILLION = 1e6;
interface CostPoint extends Point {
  readonly entry: Entry;
}

/** `chosen` may be a layout found by the search, which is not a row. */
export function costChart(request: PlanRequest, entries: readonly Entry[], chosen: Entry): Markup {
  const isRow = entries.some(entry => isSame(entry, chosen));
  const points = (isRow ? entries : [...entries, chosen]).map(pointOf);
  const machines = machinesOf(points.map(point => point.entry));
  const known = points.flatMap(point => (point.y === undefined ? [] : [{ ...point, y: point.y }]));
  const { deadlineSeconds, budget } = request;
  const front = paretoFront(known.filter(point => point.entry.fits));
  const per = request.amount === undefined ? ' per million samples' : '';
  const chart = pointChart({
    id: 'cost',
    title: 'Cost against time to train',
    description: points.map(point => point.hint).join('; '),
    x: { title: `time${per}, logarithmic scale`, format: tickOf },
    y: { title: `US dollars${per}, logarithmic scale`, format: shortUsd },
    scale: area => ({
      x: durationScale(
        [...points.map(p => p.x), ...(deadlineSeconds === undefined ? [] : [deadlineSeconds])],
        area.left,
        area.right,
      ),
      y: logScale(
        [
          ...known.map(p => p.y),
          ...(budget === undefined ? [] : [toDollars(budget)]),
          ...(known.length === 0 ? [1] : []),
        ],
        area.bottom,
        area.top,
      ),
    }),
    series: machines.map((name, index) => ({
      index,
      line: 'none',
      points: points.filter(point => point.entry.machine.name === name),
    })),
    limits: [
      ...(deadlineSeconds === undefined
        ? []
        : [{ axis: 'x' as const, value: deadlineSeconds, label: `deadline ${formatLongDuration(deadlineSeconds)}` }]),
      ...(budget === undefined
        ? []
        : [{ axis: 'y' as const, value: toDollars(budget), label: `budget ${roundedUsd(budget)}` }]),
    ],
    front,
    lane: known.length < points.length ? 'no price' : undefined,
    chosen: points.find(point => isSame(point.entry, chosen)),
  });
  return lines([
    markLegend({
      names: machines,
      lines: [
        ...(front.length < 2 ? [] : [{ className: 'front', name: 'Pareto front: no row is both faster and cheaper' }]),
        ...(deadlineSeconds === undefined && budget === undefined
          ? []
          : [{ className: 'limit', name: 'deadline, budget: the shaded area is within them' }]),
      ],
      hollow: points.some(point => point.hollow === true),
    }),
    html`<div class="pair cost"><figure>${chart}</figure>${frontTable(
      front.map(point => point.entry),
      points.some(point => point.entry.fits),
    )}</div>`,
  ]);
}

function pointOf(entry: Entry): CostPoint {
  const { bought, prediction, nodes, name } = entry;
  const cost = costOfPurchase(bought);
  const seconds = entry.seconds ?? MILLION / prediction.samplesPerSecond;
  return {
    entry,
    x: seconds,
    y: cost === undefined ? undefined : toDollars(cost),
    label: `${nodes}`,
    hollow: !entry.fits,
    hint: `${name}: ${formatLongDuration(seconds)}, ${costText(entry)}${entry.fits ? '' : ', does not fit in memory'}`,
  };
}

const costText = ({ bought }: Entry): string =>
  bought.kind === 'priced' ? `${roundedUsd(costOfPurchase(bought)!)}, ${wayOf(bought.price)}` : whyUnpriced(bought)!;

function frontTable(entries: readonly Entry[], fits: boolean): Markup | false {
  if (entries.length === 0)
    return html`<p>${fits ? 'No row that fits in memory has a public price.' : 'Nothing fits in memory.'}</p>`;
  return html`<div><h3>Pareto front</h3>${table({
    compact: true,
    caption: 'Rows that no other row beats in both time and cost',
    headers: [{ name: 'machines' }, { name: 'time', number: true }, { name: 'cost', number: true }],
    rows: entries.map(entry => {
      const { bought, seconds, prediction } = entry;
      return {
        name: words(entry.name),
        cells: [
          words(formatLongDuration(seconds ?? MILLION / prediction.samplesPerSecond)),
          bought.kind === 'priced' ? words(roundedUsd(costOfPurchase(bought)!), wayOf(bought.price)) : none,
        ],
      };
    }),
  })}</div>`;
}
