// `trenio plan`
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatBytes } from '../../base/units.ts';
import {
  describeAmount,
  formatLayout,
  formatStep,
  type PlanRow,
  type SearchProgress,
} from '../../simulator/plan/index.ts';
import type { CliContext } from '../command/command.ts';
import { keeps } from './answer.ts';
import type { Entries, Entry } from './entries.ts';
import { intervalSentences, widthText } from './interval.ts';
import { answerJson, failuresJson, purchaseJson, rowJson, searchJson } from './json.ts';
import { layoutCall } from './layout-call.ts';
import type { PlanInput } from './plan-options.ts';
import { makeReport, type PlanReport } from './report.ts';
import { readRequest } from './request.ts';
import type { NamedProgram } from './script.ts';
import { describeFailures, describePurchase, describeRows, describeSearch } from './table.ts';
import { tieSentences } from './ties.ts';

/** @param program what is planned instead of the file that the input names */
export async function runPlan(input: PlanInput, context: CliContext, program?: NamedProgram): Promise<number> {
  const request = await readRequest(input, context, program);
  const { options } = input;
  // A large search takes seconds, and nothing has been written yet.
  await context.endAtOnce();
  using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
  const report = makeReport(request, new Date(), progressOf(progress));
  progress.done();
  const write = (file: string, text: string): Promise<number> =>
    writeFileAtomically(resolve(context.cwd, file), [text]);
  if (options.html !== undefined) await write(options.html, (await import('./page/page.ts')).pageOf(report));
  if (options.trace !== undefined) {
    const { chromeTrace } = await import('../../simulator/timeline/index.ts');
    await write(options.trace, chromeTrace(report.answer.entry.prediction.timeline()));
  }
  context.stdout.write(`${options.json ? JSON.stringify(toJson(report)) : describeReport(report)}\n`);
  return report.answer.kept ? 0 : 1;
}

/** Shows how far a search is. Exported for its test. */
export const progressOf =
  (progress: TaskProgress) =>
  ({ priced, machine, nodes, done, total }: SearchProgress): void =>
    progress.update({
      what: 'searching layouts',
      done,
      total,
      detail: `${priced.toLocaleString('en-US')} priced, now ${nodes} × ${machine}`,
    });

function describeReport(report: PlanReport): string {
  const { request, rows, search, purchase, failures, warnings, assumptions } = report;
  const { workload, amount } = request;
  const title = `${workload.model.name}${amount === undefined ? '' : `, ${describeAmount(amount)}`}`;
  return [
    title,
    '',
    search === undefined ? describeRows(rows) : describeSearch(search, request.search?.objective ?? 'time'),
    ...triedLayouts(rows),
    ...verdicts(report),
    ...purchase.flatMap(({ machine, nodes, options }) => ['', describePurchase(machine, nodes, options)]),
    ...(failures.length === 0 ? [] : ['', describeFailures(failures)]),
    ...(warnings.length === 0 ? [] : ['', ...warnings.map(warning => `Warning: ${warning}`)]),
    '',
    'Assumptions:',
    ...assumptions.map(assumption => `  ${assumption}`),
  ].join('\n');
}

/** The layouts in which a script was recorded, where there are several. */
const triedLayouts = (rows: readonly PlanRow[]): readonly string[] =>
  rows.flatMap(row =>
    row.kind === 'impossible' || row.tried === undefined
      ? []
      : [
          '',
          `Layouts tried on ${row.nodes} × ${row.machine.name}:`,
          ...row.tried.map(
            ({ layout, stepSeconds, memory }) =>
              `  ${formatLayout(layout)}: ${formatStep(stepSeconds)}, ${formatBytes(memory.total)}${memory.fits ? '' : ', does not fit'}`,
          ),
        ],
  );

/** The answer, if there is a choice, and which rows meet the deadline and the budget. A search reports the latter itself. */
function verdicts({ request, search, entries, answer }: PlanReport): readonly string[] {
  const { entry, reason } = answer;
  const { layout } = entry.prediction;
  const call = layoutCall(layout, request.workload.model.name);
  const named =
    reason === ''
      ? []
      : [`Answer: ${entry.name}, ${formatLayout(layout)}: ${reason[0]!.toLowerCase()}${reason.slice(1)}.`];
  const isMade = call !== undefined && (named.length > 0 || layout.mesh !== undefined);
  const chosen = isMade ? [...named, `It is made by ${call}.`] : named;
  const { deadlineSeconds, budget } = request;
  const isLimited = search === undefined && (deadlineSeconds !== undefined || budget !== undefined);
  const kept = entries.all.filter(one => keeps(request, one)).map(({ name }) => name);
  const limits = !isLimited
    ? []
    : [
        kept.length === 0
          ? 'No row meets the deadline and the budget.'
          : `Within deadline and budget: ${kept.join(', ')}.`,
      ];
  const lines = [
    ...limits,
    ...chosen,
    ...tieSentences(answer),
    ...intervalSentences(entry.interval),
    ...widths(entries, entry),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Why other machines have other intervals. */
function widths({ all }: Entries, answer: Entry): readonly string[] {
  const reasons = new Map<string, string>();
  for (const { machine, interval } of all)
    if (interval.uncertainty.reason !== answer.interval.uncertainty.reason)
      reasons.set(
        machine.name,
        `${machine.name}: ${widthText(interval.uncertainty)} (${interval.uncertainty.reason}).`,
      );
  return [...reasons.values()];
}

function toJson({
  request,
  rows,
  search,
  entries,
  answer,
  purchase,
  failures,
  warnings,
  assumptions,
}: PlanReport): object {
  const { workload, amount } = request;
  return {
    model: workload.model.name,
    amount: amount ?? null,
    rows: rows.map(row =>
      rowJson(
        row,
        entries.all.find(({ prediction }) => row.kind === 'predicted' && prediction === row.prediction),
      ),
    ),
    search: search === undefined ? null : searchJson(search),
    answer: { ...answerJson(answer), call: layoutCall(answer.entry.prediction.layout, workload.model.name) ?? null },
    purchase: purchase.map(({ machine, nodes, options }) => ({ machine, nodes, options: options.map(purchaseJson) })),
    failures: failures.map(failuresJson),
    warnings,
    assumptions,
  };
}
