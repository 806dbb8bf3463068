// `trenio jobs compare` and `trenio jobs cost`: several jobs next to each other.
import { formatUsd, sumOfKnown, toDollars, usd } from '../../base/money.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatDuration } from '../../base/units.ts';
import type { JobServerClient } from '../../client/job-server.ts';
import type { TrainingJobInfo } from '../../client/jobs/training-job-info.ts';
import { describeJob, listJobs } from '../../client/jobs/training-jobs.ts';
import type { CliContext } from '../command/command.ts';
import { fittingTable } from '../command/wide-table.ts';
import { connectTo } from '../server-option.ts';
import type { CommonInput } from './jobs-options.ts';

export async function compareThem({ options, positionals }: CommonInput, context: CliContext): Promise<number> {
  const { stdout } = context;
  using server = await connectTo(options, context);
  const jobs = await describeAll(server, positionals, options.json, context);
  const rows = comparison(jobs);
  stdout.write(
    options.json
      ? `${JSON.stringify({ jobs: positionals, rows })}\n`
      : `${fittingTable(
          [{ header: '' }, ...jobs.map(({ name }) => ({ header: name, align: 'right' as const }))],
          rows.map(({ what, values }) => [what, ...values.map(value => value ?? '-')]),
          stdout,
        )}\n`,
  );
  return 0;
}

interface Row {
  readonly what: string;
  /** The value of each job; null if it has none. */
  readonly values: readonly (string | null)[];
}

/** Settings are shown where they differ; results always. */
function comparison(jobs: readonly TrainingJobInfo[]): readonly Row[] {
  const row = (what: string, value: (job: TrainingJobInfo) => string | undefined): Row => ({
    what,
    values: jobs.map(job => value(job) ?? null),
  });
  const names = (of: (job: TrainingJobInfo) => object): readonly string[] => [
    ...new Set(jobs.flatMap(job => Object.keys(of(job)))),
  ];
  const settings = [
    row('image', ({ image }) => image),
    row('instances', ({ instanceCount, instanceType }) => `${instanceCount} × ${instanceType}`),
    row('spot', ({ usesSpotInstances }) => (usesSpotInstances ? 'yes' : 'no')),
    ...names(({ hyperparameters }) => hyperparameters).map(name =>
      row(name, ({ hyperparameters: { [name]: value } }) =>
        value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value),
      ),
    ),
  ];
  return [
    ...settings.filter(({ values }) => new Set(values).size > 1),
    row('status', ({ status }) => status),
    ...names(({ metrics }) => metrics).map(name =>
      row(name, ({ metrics: { [name]: value } }) =>
        value === undefined ? undefined : String(Number(value.toPrecision(5))),
      ),
    ),
    row('training time', ({ trainingSeconds: s }) => (s === undefined ? undefined : formatDuration(s))),
    row('billed', ({ billableSeconds: s }) => (s === undefined ? undefined : `${s} s`)),
    row('price per hour', ({ cost }) => dollars(cost.pricePerHourUsd)),
    row('cost, claimed', ({ cost }) => dollars(cost.claimedUsd)),
    ...[
      row('cost, predicted', ({ cost }) => dollars(cost.predicted?.usd)),
      row('time, predicted', ({ cost }) => seconds(cost.predicted?.seconds)),
      row('step, predicted', ({ cost }) => milliseconds(cost.predicted?.stepSeconds)),
      row('step, measured', ({ cost }) => milliseconds(cost.measured?.stepSeconds)),
    ].filter(({ values }) => values.some(value => value !== null)),
  ];
}

export async function costOfThem({ options, positionals }: CommonInput, context: CliContext): Promise<number> {
  const { stdout } = context;
  using server = await connectTo(options, context);
  const names =
    positionals.length > 0 ? positionals : (await Array.fromAsync(listJobs(server))).map(({ name }) => name);
  const jobs = await describeAll(server, names, options.json, context);
  const claimed = jobs.map(({ cost }) => (cost.claimedUsd === undefined ? undefined : usd(cost.claimedUsd)));
  const { sum, unknown } = sumOfKnown(claimed);
  const total = sum === undefined ? undefined : toDollars(sum);
  if (options.json) {
    const shown = jobs.map(({ name, instanceType, instanceCount, billableSeconds, cost }) => ({
      name,
      instanceType,
      instanceCount,
      billableSeconds,
      ...cost,
    }));
    stdout.write(`${JSON.stringify({ jobs: shown, totalUsd: total ?? null, jobsWithoutCost: unknown })}\n`);
    return 0;
  }
  const table = fittingTable(
    [
      { header: 'job' },
      { header: 'instances' },
      { header: 'billed', align: 'right' },
      { header: 'price/h', align: 'right' },
      { header: 'saved', align: 'right' },
      { header: 'claimed', align: 'right' },
      { header: 'predicted', align: 'right' },
      { header: 'steps here', align: 'right' },
    ],
    [
      ...jobs.map(({ name, instanceType, instanceCount, billableSeconds, cost }) => [
        name,
        `${instanceCount} × ${instanceType}`,
        billableSeconds === undefined ? '-' : `${billableSeconds} s`,
        dollars(cost.pricePerHourUsd) ?? '-',
        cost.savedShare === undefined ? '-' : `${Math.round(100 * cost.savedShare)} %`,
        dollars(cost.claimedUsd) ?? '-',
        cost.predicted === undefined
          ? '-'
          : `${dollars(cost.predicted.usd) ?? '-'}, ${formatDuration(cost.predicted.seconds)}`,
        cost.measured === undefined ? '-' : `${cost.measured.steps} × ${milliseconds(cost.measured.stepSeconds)}`,
      ]),
      ['total', '', '', '', '', dollars(total) ?? '-', '', ''],
    ],
    stdout,
  );
  stdout.write(`${table}\n`);
  if (unknown > 0)
    stdout.write(
      `Not in the total: ${unknown} of ${jobs.length} jobs, which have no public price or have not ended.\n`,
    );
  return 0;
}

const seconds = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : formatDuration(time);
const milliseconds = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : `${Number((time * 1000).toPrecision(3))} ms`;
const dollars = (amount: number | undefined): string | undefined =>
  amount === undefined ? undefined : formatUsd(usd(amount), { maxDecimals: 4 });

async function describeAll(
  server: JobServerClient,
  names: readonly string[],
  quiet: boolean,
  { stderr, signal }: CliContext,
): Promise<readonly TrainingJobInfo[]> {
  using progress = new TaskProgress({ stream: stderr, quiet });
  const found: TrainingJobInfo[] = [];
  for (const name of names) {
    found.push(await describeJob(server, name, signal));
    progress.update({ what: 'reading', done: found.length, total: names.length, unit: 'jobs' });
  }
  return found;
}
