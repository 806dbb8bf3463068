// The commands of `trenio jobs` that look at single jobs, or change them.
import { setTimeout as sleep } from 'node:timers/promises';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatDuration } from '../../base/units.ts';
import type { JobServerClient } from '../../client/job-server.ts';
import { formatLogLine } from '../../client/jobs/follow-job.ts';
import { JobLog } from '../../client/jobs/job-log.ts';
import { formatTrainingCost } from '../../client/jobs/training-cost.ts';
import { isEnded, type TrainingJobInfo, type TrainingJobStatus } from '../../client/jobs/training-job-info.ts';
import { describeJob, listJobs, sharedByJob, type TrainingJobLine } from '../../client/jobs/training-jobs.ts';
import type { CliContext } from '../command/command.ts';
import { fittingTable } from '../command/wide-table.ts';
import { connectTo } from '../server-option.ts';
import type { CommonInput, LogsInput, LsInput } from './jobs-options.ts';

export async function listThem({ options }: LsInput, context: CliContext): Promise<number> {
  const { stdout, stderr } = context;
  using server = await connectTo(options, context);
  using progress = new TaskProgress({ stream: stderr, quiet: options.json });
  const found: TrainingJobLine[] = [];
  const { status, contains } = options;
  for await (const job of listJobs(server, {
    // The server refuses an unknown status, and lists the valid ones.
    ...(status === undefined ? {} : { StatusEquals: status as TrainingJobStatus }),
    ...(contains === undefined ? {} : { NameContains: contains }),
  })) {
    found.push(job);
    progress.update({ what: 'listing jobs', done: found.length, unit: 'jobs' });
    if (found.length === options.limit) break;
  }
  progress.done();
  if (options.json) stdout.write(`${JSON.stringify({ jobs: found })}\n`);
  else if (found.length === 0) stdout.write('No jobs.\n');
  else
    stdout.write(
      `${fittingTable(
        [{ header: 'job' }, { header: 'status' }, { header: 'created' }, { header: 'time', align: 'right' }],
        found.map(job => [job.name, statusText(job), localTime(job.createdAt), timeOf(job)]),
        stdout,
      )}\n`,
    );
  return 0;
}

export async function showOne({ options, positionals: [name] }: CommonInput, context: CliContext): Promise<number> {
  using server = await connectTo(options, context);
  const job = await describeJob(server, name!, context.signal);
  const shared = await sharedByJob(server, name!, context.signal);
  context.stdout.write(
    options.json ? `${JSON.stringify({ ...job, sharedWithMachine: shared ?? null })}\n` : `${jobText(job, shared)}\n`,
  );
  return 0;
}

function jobText(job: TrainingJobInfo, shared: readonly string[] | undefined): string {
  const list = (values: Readonly<Record<string, unknown>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ');
  const rows: readonly (readonly [string, string])[] = [
    ['job', job.name],
    ['status', statusText(job)],
    ['reason', job.failureReason ?? ''],
    ['image', job.image],
    ['instances', `${job.instanceCount} × ${job.instanceType}${job.usesSpotInstances ? ', spot' : ''}`],
    ['hyperparameters', list(job.hyperparameters)],
    ['metrics', list(job.metrics)],
    ['created', localTime(job.createdAt)],
    ['trained', job.trainingSeconds === undefined ? '' : formatDuration(job.trainingSeconds)],
    ['billed', job.billableSeconds === undefined ? '' : `${job.billableSeconds} s for each instance`],
    ['cost', formatTrainingCost(job.cost, job.instanceCount)],
    ['model', isEnded(job.status) ? job.modelData : ''],
    ...(shared ?? []).map((note, i) => [i === 0 ? 'not isolated' : '', note] as const),
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([title]) => title.length));
  return [
    ...shown.map(([title, value]) => `${title.padEnd(width)}  ${value}`),
    '',
    ...job.transitions.map(({ status, at, message }) => `${localTime(at)}  ${status.padEnd(12)}  ${message}`),
  ].join('\n');
}

const PAUSE_MS = 500;

export async function printLog({ options, positionals: [name] }: LogsInput, context: CliContext): Promise<number> {
  const { stdout, signal } = context;
  using server = await connectTo(options, context);
  const log = new JobLog(server, name!);
  for (;;) {
    // First the state: the log of a job that has ended is complete.
    const { status, instanceCount } = await describeJob(server, name!, signal);
    for await (const line of log.read(signal))
      stdout.write(options.json ? `${JSON.stringify(line)}\n` : `${formatLogLine(line, instanceCount)}\n`);
    if (!options.follow || isEnded(status)) return 0;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

export const stopThem = (input: CommonInput, context: CliContext): Promise<number> =>
  forEach(input, context, 'stopping', (server, name) =>
    server.services.sagemaker('StopTrainingJob', { TrainingJobName: name }),
  );

export const interruptThem = (input: CommonInput, context: CliContext): Promise<number> =>
  forEach(input, context, 'interrupting', (server, name) =>
    server.services.trenio('InterruptTrainingJob', { TrainingJobName: name }),
  );

export const deleteThem = (input: CommonInput, context: CliContext): Promise<number> =>
  forEach(input, context, 'deleted', (server, name) =>
    server.services.sagemaker('DeleteTrainingJob', { TrainingJobName: name }),
  );

/** Stops at the first name that is refused; those before it are printed. */
async function forEach(
  { options, positionals }: CommonInput,
  context: CliContext,
  word: string,
  act: (server: JobServerClient, name: string) => Promise<unknown>,
): Promise<number> {
  using server = await connectTo(options, context);
  for (const name of positionals) {
    await act(server, name);
    context.stdout.write(options.json ? `${JSON.stringify({ name })}\n` : `${word} ${name}\n`);
  }
  return 0;
}

/** The state in detail, where that says more. */
const statusText = ({ status, secondaryStatus }: TrainingJobLine): string =>
  secondaryStatus === '' || secondaryStatus === status ? status : `${status} (${secondaryStatus})`;

const localTime = (date: Date): string => {
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

const timeOf = ({ createdAt, endedAt }: TrainingJobLine): string =>
  formatDuration(((endedAt ?? new Date()).getTime() - createdAt.getTime()) / 1000);
