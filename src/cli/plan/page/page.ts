// A plan as a page: the comparison, where time and memory go, how it scales, what it costs by when, what was assumed. One file
// that needs nothing else: styles and pictures are in it, and there is no script. It follows the reader's light or dark theme.
import { formatUsd, toDollars } from '../../../base/money.ts';
import { formatBytes } from '../../../base/units.ts';
import { memoryKinds, phases, predict } from '../../../simulator/index.ts';
import {
  describeAmount,
  dollarsPerSample,
  formatLayout,
  formatStep,
  type PredictedRow,
  scalingOf,
} from '../../../simulator/plan/index.ts';
import { chosenRow, type PlanReport } from '../report.ts';
import { compact, longDuration, memoryCell, percent } from '../table.ts';
import { barChart } from './bars.ts';
import { type Point, paretoFront, pointChart, type Series } from './points.ts';
import { doublingScale, durationScale, linearScale, logScale } from './scale.ts';
import { style } from './style.ts';
import { escaped, markLegend } from './svg.ts';
import { comparisonTable, failureTable, purchaseTable, searchTable } from './tables.ts';
import { timelineChart } from './timeline.ts';

export function pageOf(report: PlanReport): string {
  const { request, rows, search, purchase, failures, warnings, assumptions } = report;
  const model = request.job.workload.name;
  const predicted = rows.filter(row => row.kind === 'predicted');
  const lead = [
    ...(request.amount === undefined ? [] : [describeAmount(request.amount)]),
    `${request.job.precision}`,
    ...(request.job.workload.kind === 'program' ? [] : [`${request.job.sequence} tokens a sample`]),
  ].join(' · ');
  const sections = [
    section('Comparison', '', comparisonTable(rows)),
    search === undefined
      ? ''
      : section(
          'Search',
          `${search.priced.toLocaleString('en-US')} layouts were priced; ${search.feasible.toLocaleString('en-US')} keep every constraint.`,
          searchTable(search, request.search?.objective === 'cost' ? 'cheapest' : 'fastest'),
        ),
    ...(predicted.length === 0
      ? []
      : [
          timeSection(predicted),
          memorySection(predicted),
          timelineSection(report),
          scalingSection(report, predicted),
          costSection(report, predicted),
        ]),
    purchase.length === 0
      ? ''
      : section(
          'Ways to buy',
          'A commitment is paid for its whole term, used or not.',
          purchase.map(purchaseTable).join('\n'),
        ),
    failures.length === 0
      ? ''
      : section(
          'With failures',
          'What is left of the throughput when machines fail now and then, and the job starts again from its last checkpoint.',
          failureTable(failures),
        ),
    section(
      'Assumed',
      '',
      `<ul class="assumed">${[...warnings.map(warning => `Warning: ${warning}`), ...assumptions].map(a => `<li>${escaped(a)}</li>`).join('')}</ul>`,
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`Plan of ${model}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(model)}</h1>
<p class="lead">${escaped(lead)}. Predicted, nothing was run.</p>
${sections.filter(part => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

const section = (title: string, lead: string, body: string): string =>
  `<section>\n<h2>${escaped(title)}</h2>\n${lead === '' ? '' : `<p class="note">${escaped(lead)}</p>\n`}${body}\n</section>`;
const figure = (body: string): string => `<figure>${body}</figure>`;
const nameOf = (row: PredictedRow): string => `${row.nodes} × ${row.machine.name}`;

function timeSection(rows: readonly PredictedRow[]): string {
  const chart = barChart({
    id: 'time',
    title: 'Time of a step by phase',
    description: rows.map(row => `${nameOf(row)}: ${formatStep(row.prediction.stepSeconds)}`).join('; '),
    series: phases,
    format: formatStep,
    bars: rows.map(row => ({
      label: nameOf(row),
      parts: phases.map(phase => row.prediction.byPhase[phase]),
      note: `${formatStep(row.prediction.stepSeconds)}, MFU ${percent(row.prediction.mfu)}`,
    })),
  });
  return section('Where a step spends its time', 'What is hidden behind computation is not counted.', figure(chart));
}

// Bars are in GiB, so that the axis has round numbers of them.
const GIB = 2 ** 30;
function memorySection(rows: readonly PredictedRow[]): string {
  const chart = barChart({
    id: 'memory',
    title: 'Memory of the fullest device by kind',
    description: rows.map(row => `${nameOf(row)}: ${memoryCell(row.prediction)}`).join('; '),
    series: memoryKinds,
    format: value => `${Number(value.toPrecision(3))} GiB`,
    bars: rows.map(row => {
      const { memory } = row.prediction;
      return {
        label: nameOf(row),
        parts: memoryKinds.map(kind => memory.byKind[kind] / GIB),
        note: memory.fits ? `${formatBytes(memory.spare)} to spare` : `${formatBytes(-memory.spare)} too much`,
        limit: { value: memory.capacity / GIB, hint: `a device has ${formatBytes(memory.capacity)}` },
        over: !memory.fits,
      };
    }),
  });
  return section('Memory', 'Of the fullest device; the line is what it has.', figure(chart));
}

function timelineSection(report: PlanReport): string {
  const { prediction } = chosenRow(report);
  const { machine, nodes, layout } = prediction;
  const title = `A step of ${nodes} × ${machine.name}, ${formatLayout(layout)}`;
  return section(
    'Timeline',
    `${title}. Point at a task for its time.`,
    figure(timelineChart(prediction.timeline(), title)),
  );
}

function scalingSection({ request }: PlanReport, rows: readonly PredictedRow[]): string {
  const machines = [...new Map(rows.map(row => [row.machine.name, row.machine])).values()].filter(
    machine => machine.network !== undefined || machine.device.kind !== 'cpu',
  );
  const throughput: Series[] = [];
  const efficiency: Series[] = [];
  machines.forEach((machine, index) => {
    const own = rows.filter(row => row.machine.name === machine.name);
    const base = own.reduce((least, row) => (row.nodes < least.nodes ? row : least));
    const most = Math.max(16 * base.nodes, ...own.map(row => row.nodes));
    const nodes: number[] = [];
    for (let count = base.nodes; count <= most; count *= 2) nodes.push(count);
    const curves = scalingOf(request.job, base.prediction, nodes, predict);
    for (const kind of ['strong', 'weak'] as const) {
      const style = kind === 'strong' ? 'solid' : 'dashed';
      const points = curves[kind].map(p => ({
        p,
        hint: `${kind}, ${p.nodes} × ${machine.name}: ${compact(p.samplesPerSecond)} samples/s, ${percent(p.efficiency)}${p.fits ? '' : ', does not fit'}${p.why === undefined ? '' : `; ${p.why}`}`,
      }));
      const at = (y: (p: (typeof points)[number]['p']) => number): readonly Point[] =>
        points.map(({ p, hint }) => ({ x: p.nodes, y: y(p), hint, hollow: !p.fits }));
      throughput.push({ index, line: style, points: at(p => p.samplesPerSecond) });
      efficiency.push({ index, line: style, points: at(p => p.efficiency * 100) });
    }
  });
  const everyPoint = throughput.flatMap(series => series.points);
  if (new Set(everyPoint.map(point => point.x)).size < 2) return '';
  const xs = everyPoint.map(point => point.x);
  const x = { title: 'nodes', format: (value: number) => `${value}` };
  const charts = [
    pointChart({
      id: 'throughput',
      title: 'Throughput over nodes',
      description: 'Samples a second; solid: the same global batch, dashed: the same batch on each copy.',
      x,
      y: { title: 'samples/s', format: compact },
      scale: a => ({
        x: doublingScale(xs, a.left + 12, a.right - 12),
        y: logScale(
          everyPoint.map(point => point.y),
          a.bottom,
          a.top,
        ),
      }),
      series: throughput,
    }),
    pointChart({
      id: 'efficiency',
      title: 'Scaling efficiency over nodes',
      description: 'Throughput of a node against that of the smallest number of nodes.',
      x,
      y: { title: 'efficiency, %', format: value => `${value}` },
      scale: a => ({
        x: doublingScale(xs, a.left + 12, a.right - 12),
        y: linearScale(Math.max(100, ...efficiency.flatMap(s => s.points.map(point => point.y))), a.bottom, a.top),
      }),
      series: efficiency,
    }),
  ];
  return section(
    'Scaling',
    'The layout of the smallest row, with more copies of the model. Solid: strong, the same global batch. Dashed: weak, the same batch on each copy. Outlines do not fit in memory.',
    `${markLegend(machines.map(machine => machine.name))}<div class="pair">${charts.map(figure).join('')}</div>`,
  );
}

const MILLION = 1e6;
function costSection({ request }: PlanReport, rows: readonly PredictedRow[]): string {
  const machines = [...new Set(rows.map(row => row.machine.name))];
  const pointOf = (row: PredictedRow): (Point & { readonly machine: string }) | undefined => {
    const { plan, prediction } = row;
    const each = dollarsPerSample(prediction);
    const cost =
      plan === undefined ? (each === undefined ? undefined : each * MILLION) : plan.cost && toDollars(plan.cost);
    if (cost === undefined) return undefined;
    const seconds = plan?.seconds ?? MILLION / prediction.samplesPerSecond;
    const hint = `${nameOf(row)}: ${longDuration(seconds)}, $${cost.toLocaleString('en-US', { maximumFractionDigits: 2 })}`;
    return { x: seconds, y: cost, hint, hollow: !prediction.memory.fits, machine: row.machine.name };
  };
  const points = rows.flatMap(row => pointOf(row) ?? []);
  const unpriced = machines.filter(name => !points.some(point => point.machine === name));
  const none = unpriced.length === 0 ? '' : ` Without a public price, and not shown: ${unpriced.join(', ')}.`;
  if (points.length === 0) return section('Cost against deadline', `No public price.${none}`, '');
  const front = paretoFront(points.filter(point => point.hollow !== true));
  const { deadlineSeconds, budget } = request;
  const per = request.amount === undefined ? ' of a million samples' : '';
  const chart = pointChart({
    id: 'cost',
    title: 'Cost against time to train',
    description: points.map(point => point.hint).join('; '),
    x: { title: `time${per}`, format: longDuration },
    y: { title: `US dollars${per}`, format: compact },
    scale: a => ({
      x: durationScale(
        [...points.map(p => p.x), ...(deadlineSeconds === undefined ? [] : [deadlineSeconds])],
        a.left,
        a.right,
      ),
      y: logScale([...points.map(p => p.y), ...(budget === undefined ? [] : [toDollars(budget)])], a.bottom, a.top),
    }),
    series: machines.map((name, index) => ({ index, line: 'none', points: points.filter(p => p.machine === name) })),
    limits: [
      ...(deadlineSeconds === undefined
        ? []
        : [{ axis: 'x' as const, value: deadlineSeconds, label: `deadline ${longDuration(deadlineSeconds)}` }]),
      ...(budget === undefined
        ? []
        : [{ axis: 'y' as const, value: toDollars(budget), label: `budget ${formatUsd(budget)}` }]),
    ],
    front,
  });
  const listed = front.map(point => `<li>${escaped(point.hint)}</li>`).join('');
  return section(
    'Cost against deadline',
    `Each machine and number of nodes is a mark; the dotted line joins those that no other beats in both.${none}`,
    `${markLegend(machines)}<div class="pair">${figure(chart)}<div><h3>Nothing is both faster and cheaper than</h3><ul>${listed}</ul></div></div>`,
  );
}
