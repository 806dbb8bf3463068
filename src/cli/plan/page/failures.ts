// The effect of machine failures: expected time and cost, and the causes of lost time.
import { formatLongDuration } from '../../../base/units.ts';
import { timeCauses } from '../../../simulator/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import { percent } from '../number-text.ts';
import type { Failing } from '../report.ts';
import { type ChartRow, chartTable, stack } from './chart-table.ts';
import { partLegend } from './legend.ts';
import { colorOf } from './palette.ts';
import { table, words } from './table.ts';
import { roundedUsd, wholePercent } from './words.ts';

const losses = timeCauses.filter(cause => cause !== 'useful');
const nameOf = ({ plan: { prediction } }: Failing): string => `${prediction.nodes} × ${prediction.machine.name}`;

export function failureReport(failing: readonly Failing[]): Markup {
  return lines([failureTable(failing), lossChart(failing)]);
}

function failureTable(failing: readonly Failing[]): Markup {
  return table({
    caption: 'Time and cost with failures',
    headers: [
      { name: 'machines' },
      { name: 'time to train', number: true },
      { name: 'cost', number: true },
      { name: 'goodput', number: true },
      { name: 'a failure every', number: true },
      { name: 'failures', number: true },
      { name: 'checkpoint every', number: true },
    ],
    rows: failing.map(one => {
      const { plan, under } = one;
      const { goodput, mtbf, interval, failures } = under.reliability;
      return {
        name: words(nameOf(one)),
        cells: [
          words(formatLongDuration(under.seconds), `${formatLongDuration(plan.seconds)} without`),
          under.cost === undefined
            ? words('no public price')
            : words(roundedUsd(under.cost), plan.cost === undefined ? undefined : `${roundedUsd(plan.cost)} without`),
          words(percent(goodput.mean), `${percent(goodput.p5)} to ${percent(goodput.p95)}`),
          words(formatLongDuration(mtbf)),
          words(failures.mean.toFixed(1), 'expected'),
          words(formatLongDuration(interval)),
        ],
      };
    }),
  });
}

/** Shows the lost time alone, since it is a few percent of the total. */
function lossChart(failing: readonly Failing[]): Markup {
  const rows = failing.map((one): ChartRow => {
    const { byCause } = one.under.reliability;
    const all = timeCauses.reduce((sum, cause) => sum + byCause[cause], 0);
    const lost = all - byCause.useful;
    const share = (seconds: number): string => (all === 0 ? '0 %' : wholePercent(seconds / all));
    const segments = losses.map((cause, series) => ({
      series,
      value: byCause[cause],
      hint: `${cause}: ${share(byCause[cause])} of the time`,
    }));
    return {
      name: nameOf(one),
      pictures: [
        {
          description: segments.map(({ hint }) => hint).join('; '),
          body: stack(segments, 100, series => `f${colorOf(series)}`),
        },
      ],
      note: html`<b>${share(lost)}</b> <small>of the time lost</small>`,
    };
  });
  const used = (name: string): boolean => failing.some(({ under }) => under.reliability.byCause[name as never] > 0);
  return html`<figure>${lines([
    partLegend(losses, used),
    chartTable({
      id: 'lost',
      caption: 'Causes of lost time',
      nameHeader: 'machines',
      panels: [
        {
          header: 'share of the lost time',
          axis: { ticks: [0, 25, 50, 75, 100].map(at => ({ at, label: `${at} %` })) },
        },
      ],
      noteHeader: 'lost',
      rows,
    }),
  ])}</figure>`;
}
