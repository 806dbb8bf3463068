// A plan as a page: the answer, the comparison, cost against time, use of time and memory, scaling, assumptions. One
// self-contained file with styles and pictures and without scripts. It supports light and dark themes, narrow windows and
// printing.
import { describeAmount, formatLayout } from '../../../simulator/plan/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import { type Entries, type Entry, isSame } from '../entries.ts';
import type { PlanReport } from '../report.ts';
import { memoryChart, overfullChart, timeChart } from './charts-of-steps.ts';
import { comparison } from './comparison.ts';
import { costChart } from './cost.ts';
import { failureReport } from './failures.ts';
import { headline } from './headline.ts';
import { purchaseTables } from './purchase-tables.ts';
import { scalingCharts } from './scaling.ts';
import { searchTables } from './search-tables.ts';
import { style } from './style.ts';
import { timelineChart } from './timeline.ts';

export function pageOf(report: PlanReport): string {
  const { request, search, purchase, failures, assumptions, entries, answer } = report;
  const { model, precision, run } = request.workload;
  const lead = [
    ...(request.amount === undefined ? [] : [describeAmount(request.amount)]),
    precision,
    ...(model.kind === 'program' ? [] : [`${run.sequence.toLocaleString('en-US')} tokens per sample`]),
  ].join(' · ');
  const sections: readonly (Markup | undefined)[] = [
    headline(report, entries, answer),
    search &&
      section(
        'Search',
        `${search.priced.toLocaleString('en-US')} layouts were priced; ${search.feasible.toLocaleString('en-US')} meet all constraints.`,
        searchTables(request, search, report.now),
      ),
    section(
      search === undefined ? 'Comparison' : 'Comparison of default layouts',
      `Costs are ${request.amount === undefined ? 'per million samples' : 'for the whole training'} on all machines, with the purchase option shown below each.`,
      comparison(entries, answer.entry),
    ),
    entries.all.length > 1 ? costSection(report, entries, answer.entry) : undefined,
    purchase.length === 0
      ? undefined
      : section(
          'Purchase options',
          'A commitment is paid for its whole term, used or not.',
          purchaseTables(purchase, answer.entry),
        ),
    failures.length === 0
      ? undefined
      : section(
          'With failures',
          'When a machine fails, the job restarts from its last checkpoint. Goodput is the share of time spent on useful training.',
          failureReport(failures),
        ),
    timeSection(entries, answer.entry),
    memorySection(entries, answer.entry),
    timelineSection(answer.entry),
    scalingSection(entries),
    section('Assumptions', '', html`<ul class="assumed">${assumptions.map(text => html`<li>${text}</li>`)}</ul>`),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${`Plan of ${model.name}`}</title>
${style}
</head>
<body>
<main>
<header>
<p class="kind">Training plan</p>
<h1>${model.name}</h1>
<p class="lead">${lead}. Predicted; nothing was run.</p>
</header>
${lines(sections.filter(part => part !== undefined))}
</main>
</body>
</html>
`.source;
}

const section = (title: string, lead: string, body: Markup): Markup =>
  html`<section>\n<h2>${title}</h2>\n${lead !== '' && html`<p class="note">${lead}</p>\n`}${body}\n</section>`;
const figure = (body: Markup): Markup => html`<figure>${body}</figure>`;

function costSection({ request }: PlanReport, { all }: Entries, chosen: Entry): Markup {
  return section(
    request.amount === undefined ? 'Cost against time' : 'Cost against deadline',
    'Each mark is one row of the comparison, with its purchase option, labeled with the number of nodes. The ring marks the answer.',
    costChart(request, all, chosen),
  );
}

/** The rows, preceded by the layout that the search found. */
const withChosen = (entries: readonly Entry[], chosen: Entry): readonly Entry[] =>
  entries.some(entry => isSame(entry, chosen))
    ? entries
    : [{ ...chosen, name: `${chosen.name}, found by the search` }, ...entries];

function timeSection({ fitting, unfitting }: Entries, chosen: Entry): Markup {
  const fits = chosen.fits ? withChosen(fitting, chosen) : fitting;
  return section(
    'Where a step spends its time',
    'Communication and data loading are counted only where they do not overlap with computation.',
    lines([
      ...(fits.length === 0 ? [] : [figure(timeChart('time', fits))]),
      ...(unfitting.length === 0
        ? []
        : [
            html`<h3>Layouts that do not fit, if memory were sufficient</h3>`,
            figure(timeChart('time-unfitting', unfitting)),
          ]),
    ]),
  );
}

function memorySection({ fitting, unfitting }: Entries, chosen: Entry): Markup {
  const fits = chosen.fits ? withChosen(fitting, chosen) : fitting;
  return section(
    'Memory',
    'Memory of the fullest device.',
    lines([
      ...(fits.length === 0 ? [] : [figure(memoryChart('memory', fits))]),
      ...(unfitting.length === 0
        ? []
        : [html`<h3>Does not fit in memory</h3>`, figure(overfullChart('memory-unfitting', unfitting))]),
    ]),
  );
}

function timelineSection({ name, prediction }: Entry): Markup {
  const title = `A step of ${name}, ${formatLayout(prediction.layout)}`;
  return section('Timeline', '', figure(timelineChart(prediction.timeline(), title)));
}

function scalingSection({ all }: Entries): Markup | undefined {
  const charts = scalingCharts(all);
  return (
    charts &&
    section('Scaling', 'For each machine: the layout of its smallest row, with more copies of the model.', charts)
  );
}
