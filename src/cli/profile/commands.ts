// `trenio profile run` and `trenio profile view`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { launch } from '../../distributed/launch/launch.ts';
import { chromeTrace } from '../../runtime/profiling/chrome-trace.ts';
import { kernelAverages, profileText } from '../../runtime/profiling/kernel-averages.ts';
import { timeSentence, timeShares } from '../../runtime/profiling/time-shares.ts';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import type { CliContext, CommandInput } from '../command.ts';
import { countRanks, type ranksOption } from '../ranks-option.ts';
import { diffProfiles, diffText } from './diff.ts';
import type { runOptions, viewOptions } from './options.ts';
import { profilePage } from './page.ts';
import { readProfile } from './read-profile.ts';

type RunInput = CommandInput<{ readonly 'nproc-per-node': typeof ranksOption } & typeof runOptions>;

export async function profileScript(
  { options, positionals: [script], rest }: RunInput,
  context: CliContext,
): Promise<number> {
  const folder = resolve(context.cwd, options.out);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (isProfileFile(name)) rmSync(join(folder, name));
  const { exitCode } = await launch({
    script: script!,
    args: rest,
    nprocPerNode: countRanks('profile run', options['nproc-per-node']),
    pin: !options['no-pin'],
    cwd: context.cwd,
    variables: {
      ...context.environment,
      TRENIO_PROFILE_FOLDER: folder,
      TRENIO_PROFILE_STEPS: `${options.wait},${options.steps}`,
    },
    stdout: options.json ? context.stderr : context.stdout,
    stderr: context.stderr,
    signal: context.signal,
  });
  if (exitCode !== 0) return exitCode;
  if (!readdirSync(folder).some(name => name.startsWith('rank-')))
    throw new TrenioError('NO_STEPS_PROFILED', { script: script!, wait: options.wait });
  using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
  const timelines = readProfile(folder, reading(progress));
  progress.update({ what: 'writing the page and the trace' });
  writeFileSync(join(folder, 'trace.json'), JSON.stringify(chromeTrace(timelines)));
  writeFileSync(join(folder, 'index.html'), profilePage(timelines));
  progress.done();
  if (options.json) context.stdout.write(`${JSON.stringify({ folder, ranks: timelines.map(summaryOf) })}\n`);
  else {
    context.stdout.write(`\n${textOf(timelines)}\n`);
    context.stdout.write(
      `${join(options.out, 'index.html')} shows each thread; trace.json is for https://ui.perfetto.dev\n`,
    );
  }
  return 0;
}
const isProfileFile = (name: string): boolean => /^(rank-\d+\.json|trace\.json|index\.html)$/.test(name);

export async function viewProfile(
  { options, positionals: [path] }: CommandInput<typeof viewOptions>,
  context: CliContext,
): Promise<number> {
  using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
  const read = (name: string): readonly Timeline[] => readProfile(resolve(context.cwd, name), reading(progress));
  const timelines = read(path!);
  const before = options.diff === undefined ? undefined : read(options.diff);
  const differences = before && diffProfiles(before[0]!, timelines[0]!);
  if (options.out !== undefined) writeFileSync(resolve(context.cwd, options.out), profilePage(timelines, differences));
  progress.done();
  if (options.json)
    context.stdout.write(
      `${JSON.stringify({ ranks: timelines.map(summaryOf), ...(differences && { diff: differences }) })}\n`,
    );
  else if (differences !== undefined) context.stdout.write(diffText(differences));
  else context.stdout.write(textOf(timelines));
  return 0;
}

const reading =
  (progress: TaskProgress) =>
  (file: string, done: number, total: number): void =>
    progress.update({ what: 'reading profiles', done, total, unit: 'files', detail: file });

/** The kernels of the first rank, and where the time of each went. */
function textOf(timelines: readonly Timeline[]): string {
  const [first, ...others] = timelines;
  const lines = others.map(timeline => `rank ${timeline.rank}: ${timeSentence(timeline)}\n`);
  return `${profileText(first!)}${lines.join('')}`;
}
function summaryOf(timeline: Timeline) {
  const { rank, host, pid, loop, durationNs, dropped } = timeline;
  return {
    rank,
    host,
    pid,
    steps: loop.length,
    durationNs,
    dropped,
    summary: timeSentence(timeline),
    shares: Object.fromEntries(timeShares(timeline)),
    kernels: kernelAverages(timeline),
  };
}
