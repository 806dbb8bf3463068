// `trenio profile run` and `trenio profile view`.
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { makeOutputFolder, onDisk, writeOutputFile } from '../../base/output-files.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { checkScript, launch } from '../../distributed/launch/launch.ts';
import { chromeTrace } from '../../runtime/profiling/chrome-trace.ts';
import { kernelAverages, profileText } from '../../runtime/profiling/kernel-averages.ts';
import { bubbleOf, bubbleText } from '../../runtime/profiling/pipeline-lane.ts';
import { timeSentence, timeShares } from '../../runtime/profiling/time-shares.ts';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import type { CliContext, CommandInput } from '../command/command.ts';
import { ranksForLayout } from '../run/layout-option.ts';
import { readPlace } from '../run/run-options.ts';
import { diffProfiles, diffText } from './diff.ts';
import { profilePage } from './page.ts';
import type { runOptions, viewOptions } from './profile-options.ts';
import { readProfile } from './read-profile.ts';

export async function profileScript(
  { options, positionals: [script], rest }: CommandInput<typeof runOptions>,
  context: CliContext,
): Promise<number> {
  checkScript(script!, context.cwd);
  const place = readPlace(options, context.environment);
  const { layout } = options;
  const isCounted = options['nproc-per-node'] !== undefined;
  const inLayout = { ...place, isCounted, command: 'profile run' };
  const nprocPerNode = layout === undefined ? place.nprocPerNode : ranksForLayout(layout, inLayout);
  const root = resolve(context.cwd, options.out);
  makeOutputFolder(root);
  // An earlier profile is replaced once the new one is whole.
  const made = onDisk(root, () => mkdtempSync(join(root, '.partial-')));
  try {
    const { exitCode, nodes, groupRank } = await launch({
      ...place,
      nprocPerNode,
      script: script!,
      args: rest,
      pin: !options['no-pin'],
      cwd: context.cwd,
      variables: {
        ...context.environment,
        ...(layout === undefined ? {} : { TRENIO_LAYOUT: layout }),
        TRENIO_PROFILE_FOLDER: made,
        TRENIO_PROFILE_STEPS: `${options.wait},${options.steps}`,
      },
      stdout: options.json ? context.stderr : context.stdout,
      stderr: context.stderr,
      signal: context.signal,
    });
    if (exitCode !== 0) return exitCode;
    if (!readdirSync(made).some(isProfileFile))
      throw new TrenioError('NO_STEPS_PROFILED', { script: script!, firstStep: options.wait + 1 });
    using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
    const timelines = readProfile(made, reading(progress));
    const part = nodes.length > 1 ? `node-${groupRank}` : '';
    const folder = join(root, part);
    makeOutputFolder(folder);
    progress.update({ what: 'writing the page and the trace' });
    writeOutputFile(join(made, 'trace.json'), JSON.stringify(chromeTrace(timelines)));
    writeOutputFile(join(made, 'index.html'), profilePage(timelines));
    onDisk(folder, () => replaceProfile(folder, made));
    progress.done();
    if (options.json) context.stdout.write(`${JSON.stringify({ folder, ...summariesOf(timelines) })}\n`);
    else {
      context.stdout.write(`\n${textOf(timelines)}\n`);
      context.stdout.write(
        `${join(options.out, part, 'index.html')} shows each thread; trace.json is for https://ui.perfetto.dev\n`,
      );
    }
    return 0;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
const isProfileFile = (name: string): boolean => /^(rank-\d+\.json|trace\.json|index\.html)$/.test(name);

/** Files of ranks that the new profile lacks go, too. */
function replaceProfile(folder: string, made: string): void {
  const names = new Set(readdirSync(made));
  for (const name of names) renameSync(join(made, name), join(folder, name));
  for (const name of readdirSync(folder)) if (isProfileFile(name) && !names.has(name)) rmSync(join(folder, name));
}

export async function viewProfile(
  { options, positionals: [path] }: CommandInput<typeof viewOptions>,
  context: CliContext,
): Promise<number> {
  using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
  const read = (name: string): readonly Timeline[] => readProfile(resolve(context.cwd, name), reading(progress));
  const timelines = read(path!);
  const before = options.diff === undefined ? undefined : read(options.diff);
  const differences = before && diffProfiles(before[0]!, timelines[0]!);
  if (options.out !== undefined)
    await writeFileAtomically(resolve(context.cwd, options.out), [profilePage(timelines, differences)]);
  progress.done();
  if (options.json)
    context.stdout.write(
      `${JSON.stringify({ ...summariesOf(timelines), ...(differences && { diff: differences }) })}\n`,
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
  return `${profileText(first!)}${lines.join('')}${bubbleText(timelines)}`;
}
function summariesOf(timelines: readonly Timeline[]) {
  const bubble = bubbleOf(timelines);
  return { ranks: timelines.map(summaryOf), ...(bubble && { bubble }) };
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
