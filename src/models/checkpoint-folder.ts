// A folder of checkpoints, as names: which there are, of which run each is, which is the latest, which may go. Several runs
// may have written into one folder; each removes only its own old checkpoints. What is in a checkpoint, and writing one, is
// checkpoint.ts's work.
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../base/read-file.ts';

export const STATE_FILE = 'trainer_state.json';

export interface CheckpointEntry {
  readonly directory: string;
  readonly step: number;
  /** The run that wrote it; undefined if unknown (earlier versions, or a damaged file). */
  readonly run: string | undefined;
  readonly writtenAtMs: number;
}

/** The id of a run: 12 random hexadecimal digits. */
export const newRunId = (): string => randomBytes(6).toString('hex');

export const checkpointName = (step: number): string => `checkpoint-${step}`;

/** The checkpoints in `root`, by step, ascending; only those of `run`, if given. */
export async function checkpointsIn(root: string, run?: string): Promise<readonly CheckpointEntry[]> {
  const names = await readdir(root).catch((): string[] => []);
  const entries: CheckpointEntry[] = [];
  for (const name of names) {
    // One that stepped aside for another run's has its run in its name.
    const digits = /^checkpoint-(\d+)(\.[0-9a-f]+(-\d+)?)?$/.exec(name)?.[1];
    if (digits === undefined) continue;
    const directory = join(root, name);
    const written = await stat(join(directory, STATE_FILE)).catch(() => undefined);
    const entry = {
      directory,
      step: Number(digits),
      run: await runOf(directory),
      writtenAtMs: written?.mtimeMs ?? 0,
    };
    if (run === undefined || entry.run === undefined || entry.run === run) entries.push(entry);
  }
  return entries.sort((a, b) => a.step - b.step);
}

/**
 * The checkpoints from which to go on, best first: those of one run, by step, descending. Without `run` it is the run that
 * wrote last.
 */
export async function latestFirst(root: string, run?: string): Promise<readonly CheckpointEntry[]> {
  const entries = await checkpointsIn(root, run);
  const newest = entries.reduce<CheckpointEntry | undefined>(
    (best, entry) => (best === undefined || entry.writtenAtMs >= best.writtenAtMs ? entry : best),
    undefined,
  );
  const wanted = run ?? newest?.run;
  return entries.filter(entry => wanted === undefined || entry.run === undefined || entry.run === wanted).toReversed();
}

/** The directory of the last checkpoint in `root`, or undefined if there is none. */
export async function latestCheckpoint(
  root: string,
  options: { readonly run?: string | undefined } = {},
): Promise<string | undefined> {
  return (await latestFirst(root, options.run))[0]?.directory;
}

/** Removes all but the last `keep` checkpoints of `run` up to `step`, which was just written. Other runs' stay. */
export async function removeOld(root: string, run: string, step: number, keep: number): Promise<void> {
  const own = (await checkpointsIn(root)).filter(entry => entry.run === run && entry.step <= step);
  for (const { directory } of own.slice(0, -Math.max(1, keep))) await rm(directory, { recursive: true, force: true });
}

/**
 * Frees the name of a new checkpoint. A checkpoint of the same run (an earlier attempt at this step) is moved to a
 * hidden name and returned, to be removed when the new one is complete; one of another run is renamed to include its run.
 */
export async function stepAside(directory: string, run: string): Promise<string | undefined> {
  const info = await stat(directory).catch(() => undefined);
  if (info === undefined) return undefined;
  const other = await runOf(directory);
  if (other === run) {
    const aside = join(directory, '..', `.${directory.split('/').at(-1)!}.${run}.old`);
    await rename(directory, aside);
    return aside;
  }
  for (let n = 1; ; n++) {
    const kept = `${directory}.${other ?? 'of-another-run'}${n === 1 ? '' : `-${n}`}`;
    if ((await stat(kept).catch(() => undefined)) !== undefined) continue;
    await rename(directory, kept);
    return undefined;
  }
}

/** The hidden name under which a checkpoint of `run` is written. */
export const partialName = (step: number, run: string): string => `.${checkpointName(step)}.${run}.partial`;

/** Leftovers of a process of `run` that died while writing; of every run, if none is given. */
export async function removeRemains(root: string, run?: string): Promise<void> {
  for (const name of await readdir(root).catch((): string[] => [])) {
    const match = /^\.checkpoint-\d+(?:\.([0-9a-f]+))?\.(?:partial|old)$/.exec(name);
    // Earlier versions did not write the run into the name.
    if (match === null || (run !== undefined && match[1] !== undefined && match[1] !== run)) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}

async function runOf(directory: string): Promise<string | undefined> {
  try {
    const { run } = JSON.parse(await readTextFile(join(directory, STATE_FILE))) as { run?: unknown };
    return typeof run === 'string' ? run : undefined;
  } catch {
    return undefined; // damaged, or not a checkpoint: reported when it is loaded
  }
}
