// A folder of checkpoints, as names. Checkpoints that are being written or removed have hidden names:
//
//   checkpoint-50                 a checkpoint
//   .checkpoint-100.1.partial     being written, or left by a killed process
//   .checkpoint-50.replaced       an older checkpoint of the same step; kept until the new one is renamed
//   .checkpoint-10.removed        too old; being deleted
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTrenioError, type TrenioError } from '../../base/errors.ts';
import { unreadable } from '../../base/read-file.ts';
import { MANIFEST_FILE } from './manifest.ts';
import { verifyCheckpoint } from './verify.ts';

/** A checkpoint in a folder. */
export interface CheckpointEntry {
  /** The path of the directory. */
  readonly directory: string;
  /** The number of completed steps. */
  readonly step: number;
}

export const checkpointName = (step: number): string => `checkpoint-${step}`;
export const partialName = (step: number, attempt: number): string => `.${checkpointName(step)}.${attempt}.partial`;

/**
 * The checkpoints in a folder, by step; none if there is no such folder. They are not read.
 * @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * for (const { directory, step } of await listCheckpoints('checkpoints')) console.log(step, directory);
 * ```
 */
export async function listCheckpoints(folder: string): Promise<readonly CheckpointEntry[]> {
  const entries: CheckpointEntry[] = [];
  for (const name of await namesIn(folder)) {
    const digits = /^checkpoint-(\d{1,15})$/.exec(name)?.[1];
    const directory = join(folder, name);
    if (digits !== undefined && (await exists(join(directory, MANIFEST_FILE))))
      entries.push({ directory, step: Number(digits) });
  }
  return entries.sort((a, b) => a.step - b.step);
}

/** The last intact checkpoint, and the later ones that are damaged. */
export interface IntactCheckpoint extends CheckpointEntry {
  /** Newer checkpoints that cannot be read, with the reason. */
  readonly damaged: readonly {
    /** The path of the directory. */
    readonly directory: string;
    /** Why it cannot be read. */
    readonly error: TrenioError;
  }[];
}

/**
 * The last intact checkpoint in a folder; undefined if there is none at all. If all are damaged, throws the error of the last
 * one.
 * @throws {CHECKPOINT_DAMAGED}
 * @throws {CHECKPOINT_INVALID}
 * @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * const latest = await latestIntactCheckpoint('checkpoints');
 * console.log(latest?.step, latest?.damaged);
 * ```
 */
export async function latestIntactCheckpoint(folder: string): Promise<IntactCheckpoint | undefined> {
  const damaged: { directory: string; error: TrenioError }[] = [];
  for (const entry of (await listCheckpoints(folder)).toReversed()) {
    try {
      await verifyCheckpoint(entry.directory);
      return { ...entry, damaged };
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push({ directory: entry.directory, error });
    }
  }
  if (damaged.length > 0) throw damaged[0]!.error;
  return undefined;
}

export const isDamage = (error: unknown): error is TrenioError =>
  isTrenioError(error, 'CHECKPOINT_DAMAGED') ||
  isTrenioError(error, 'CHECKPOINT_INVALID') ||
  isTrenioError(error, 'FILE_UNREADABLE');

/** Cleans up after a killed process. A replaced checkpoint whose replacement was not renamed is restored. */
export async function removeRemains(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const replaced = /^\.(checkpoint-\d+)\.replaced$/.exec(name)?.[1];
    if (replaced !== undefined && !(await exists(join(folder, replaced)))) await rename(path, join(folder, replaced));
    else if (replaced !== undefined || /^\.checkpoint-\d+\.(?:\d+\.partial|removed)$/.test(name))
      await rm(path, { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(folder, cause);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
