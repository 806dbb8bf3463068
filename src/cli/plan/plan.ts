// `trenio plan`
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { describeAmount, type PlanRow, type SearchProgress, type SearchResult } from '../../simulator/plan/index.ts';
import type { CliContext } from '../command.ts';
import { failuresJson, purchaseJson, rowJson, searchJson } from './json.ts';
import type { PlanInput } from './options.ts';
import { chosenRow, isKept, makeReport, type PlanReport } from './report.ts';
import { type PlanRequest, readRequest } from './request.ts';
import { describeFailures, describePurchase, describeRows, describeSearch } from './table.ts';

export async function runPlan(input: PlanInput, context: CliContext): Promise<number> {
  const request = await readRequest(input, context);
  const { options } = input;
  // Nothing is written yet, and a large search lasts seconds.
  context.endAtOnce();
  const report = makeReport(request, new Date(), progressTo(context.stderr, performance.now()));
  const write = (file: string, text: string): Promise<number> =>
    writeFileAtomically(resolve(context.cwd, file), [text]);
  if (options.html !== undefined) await write(options.html, (await import('./page/page.ts')).pageOf(report));
  if (options.trace !== undefined) {
    const { chromeTrace } = await import('../../simulator/timeline/index.ts');
    await write(options.trace, chromeTrace(chosenRow(report).prediction.timeline()));
  }
  context.stdout.write(`${options.json ? JSON.stringify(toJson(report)) : describeReport(report)}\n`);
  return isKept(report) ? 0 : 1;
}

const SILENT_MS = 2000;

/** A search that lasts says every two seconds how far it is. */
export function progressTo(
  stderr: OutputStream,
  startedMs: number,
  clock: () => number = () => performance.now(),
): (progress: SearchProgress) => void {
  let saidMs = startedMs;
  return ({ priced, machine, nodes }) => {
    const nowMs = clock();
    if (nowMs - saidMs < SILENT_MS) return;
    saidMs = nowMs;
    stderr.write(
      `trenio plan: ${priced.toLocaleString('en-US')} layouts priced in ${((nowMs - startedMs) / 1000).toFixed(0)} s, now ${nodes} × ${machine}\n`,
    );
  };
}

function describeReport({ request, rows, search, purchase, failures, warnings, assumptions }: PlanReport): string {
  const { workload, amount } = request;
  const title = `${workload.model.name}${amount === undefined ? '' : `, ${describeAmount(amount)}`}`;
  return [
    title,
    '',
    search === undefined ? describeRows(rows) : describeSearch(search, request.search?.objective ?? 'time'),
    ...verdicts(request, rows, search),
    ...purchase.flatMap(({ machine, nodes, options }) => ['', describePurchase(machine, nodes, options)]),
    ...(failures.length === 0 ? [] : ['', describeFailures(failures)]),
    ...(warnings.length === 0 ? [] : ['', ...warnings.map(warning => `Warning: ${warning}`)]),
    '',
    'Assumed:',
    ...assumptions.map(assumption => `  ${assumption}`),
  ].join('\n');
}

/** Which rows keep a deadline and a budget; a search says so by itself. */
function verdicts(request: PlanRequest, rows: readonly PlanRow[], search: SearchResult | undefined): readonly string[] {
  const { deadlineSeconds, budget } = request;
  if (search !== undefined || (deadlineSeconds === undefined && budget === undefined)) return [];
  const kept = rows.filter(row =>
    isKept({ request, rows: [row], search, purchase: [], failures: [], warnings: [], assumptions: [] }),
  );
  const names = kept.map(row => `${row.nodes} × ${row.machine.name}`).join(', ');
  return [
    '',
    kept.length === 0 ? 'Nothing keeps the deadline and the budget.' : `Within deadline and budget: ${names}.`,
  ];
}

function toJson({ request, rows, search, purchase, failures, warnings, assumptions }: PlanReport): object {
  const { workload, amount } = request;
  return {
    model: workload.model.name,
    amount: amount ?? null,
    rows: rows.map(rowJson),
    search: search === undefined ? null : searchJson(search),
    purchase: purchase.map(({ machine, nodes, options }) => ({ machine, nodes, options: options.map(purchaseJson) })),
    failures: failures.map(failuresJson),
    warnings,
    assumptions,
  };
}
