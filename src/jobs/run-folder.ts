// The folder of a training run: one run at a time, and the files of a single run. A script opens it first,
// states whether to start or resume, and records its settings when they are known:
//
//   using run = await openRun('out', { begin: resume ? 'resume' : 'new' });
//   … data, model, optimizer …
//   const { changes } = await run.record({ lr, layers }, { layers: 'refused' });
//   const checkpointer = new Checkpointer({ directory: run.checkpoints, every: 50, run: run.id }, { model, optimizer });
//   let step = await checkpointer.resume(run.from);
//
//   out/  run.json       the run and its settings (run-file.ts)
//         run.lock       the process that is training here (base/file-lock.ts)
//         checkpoints/   of the run
//         previous/<id>/ the files of runs that were started over
//
// The ranks of one launch are one run: rank 0 holds the lock and tells the others where to resume.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isTrialRun } from '../base/environment.ts';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { describeHolder, type FileLock, takeFileLock } from '../base/file-lock.ts';
import { makeOutputFolder } from '../base/output-files.ts';
import { fileExists } from '../base/read-file.ts';
import { version } from '../base/version.ts';
import {
  checkpointName,
  type IntactCheckpoint,
  latestIntactCheckpoint,
  listCheckpoints,
  removeRemains,
} from '../distributed/checkpoints/folder.ts';
import { readManifest } from '../distributed/checkpoints/manifest.ts';
import { allReduceSum, rank, worldSize } from '../distributed/process-group.ts';
import { RUN_FILE, type RunFile, type RunSettings, readRunFile, writeRunFile } from './run-file.ts';
import { refuseChanges, type SettingChange, type SettingEffect, settingChanges } from './setting-changes.ts';

/** Options of `openRunFolder`. */
export interface RunFolderOptions {
  /**
   * `new`: the folder must not contain another run's files; `resume`: resumes the existing run; `start-over`: starts a
   * new run, and moves the files of the existing run to `previous/<its id>`. Default `new`.
   */
  readonly begin?: 'new' | 'resume' | 'start-over';
  /** The files that the script leaves in the folder. Default: checkpoints, checkpoint and results.json. */
  readonly files?: readonly string[];
  /** The script's option for each choice, named in the error for a folder that is taken. */
  readonly choices?: {
    /** The option that continues a run, as named in error messages. */
    readonly resume: string;
    /** The option that selects another folder, as named in error messages. */
    readonly elsewhere: string;
    /** The option that starts again, as named in error messages. */
    readonly startOver: string;
  };
}

/** The output folder of a training run; closing it releases its lock. */
export interface RunFolder extends Disposable {
  /** The path of the folder. */
  readonly folder: string;
  /** The folder of its checkpoints. */
  readonly checkpoints: string;
  /** The id of the run, for a `Checkpointer`. It stays the same when the run is resumed. Only known on rank 0. */
  readonly id: string | undefined;
  /** The checkpoint to resume from: the last intact one, the same on every rank. Undefined for a new run. */
  readonly from: IntactCheckpoint | undefined;
  /**
   * Writes run.json, and moves the files of a run that is started over. Call it after all user input has been
   * validated; every rank must call it. `effects` describes the consequences of resuming with a changed setting.
   * @throws {RUN_SETTINGS_CHANGED}
   * @throws {DISK_FULL}
   * @throws {WRITE_FAILED}
   */
  record(settings: RunSettings, effects?: Readonly<Record<string, SettingEffect>>): Promise<RunRecord>;
  /** Releases the folder; so does the end of the process. */
  release(): void;
}

/** The result of `RunFolder.record`. */
export interface RunRecord {
  /** Settings that have changed since the previous session. */
  readonly changes: readonly SettingChange[];
  /** The folder to which the files of the previous run were moved. */
  readonly keptIn: string | undefined;
}

const defaultFiles: readonly string[] = ['checkpoints', 'checkpoint', 'results.json'];
const defaultChoices = { resume: "begin: 'resume'", elsewhere: 'another folder', startOver: "begin: 'start-over'" };
const LOCK_FILE = 'run.lock';

/**
 * Takes a folder for a run. Every rank must call it. While `trenio compile` or `trenio plan` traces the script, no folder is
 * locked or rejected.
 * @throws {RUN_IN_PROGRESS}
 * @throws {RUN_FOLDER_TAKEN}
 * @throws {NOTHING_TO_RESUME}
 * @throws {RUN_FILE_INVALID}
 * @throws {WRITE_FAILED}
 * @throws the errors of `latestIntactCheckpoint` if no checkpoint is intact
 * @example
 * ```ts no-run
 * using run = await openRun('runs/polarity', { begin: 'resume' });
 * console.log(run.checkpoints);
 * ```
 */
export async function openRun(folder: string, options: RunFolderOptions = {}): Promise<RunFolder> {
  const { begin = 'new', files = defaultFiles, choices = defaultChoices } = options;
  const checkpoints = join(folder, 'checkpoints');
  if (isTrialRun()) {
    const from = begin === 'resume' ? await latestIntactCheckpoint(checkpoints) : undefined;
    return trialRun(folder, checkpoints, from);
  }
  if (rank() !== 0) return otherRank(folder, checkpoints);

  // Before the folder is created: a folder that does not exist has nothing to resume.
  if (begin === 'resume' && (await listCheckpoints(checkpoints)).length === 0)
    throw new TrenioError('NOTHING_TO_RESUME', { folder: checkpoints });
  const lock = lockFolder(folder);
  try {
    const there = await readRunFile(folder);
    // No other process writes here now: partially written files are from processes that were killed.
    await removeRemains(checkpoints);
    if (begin === 'new') await refuseTaken(folder, there, files, choices);
    const run = begin === 'resume' ? await resumed(checkpoints, there) : { id: newRunId(), from: undefined };
    shareStep(run.from);
    return new OwnedRun({ folder, checkpoints, lock, there, files, begin, ...run });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function resumed(
  checkpoints: string,
  there: RunFile | undefined,
): Promise<{ readonly id: string; readonly from: IntactCheckpoint }> {
  const from = await latestIntactCheckpoint(checkpoints);
  if (from === undefined) throw new TrenioError('NOTHING_TO_RESUME', { folder: checkpoints });
  // Without a run.json (an earlier version, or a script that did not open the folder), the run is read from the checkpoints.
  const id = there?.id ?? (await runOf(checkpoints)) ?? newRunId();
  return { id, from };
}

/** The id of a run: 12 random hexadecimal digits. */
const newRunId = (): string => randomBytes(6).toString('hex');
/** The run that wrote the last readable checkpoint. */
async function runOf(checkpoints: string): Promise<string | undefined> {
  for (const { directory } of (await listCheckpoints(checkpoints)).toReversed()) {
    const manifest = await readManifest(directory).catch((error: unknown) => {
      // Damaged: an earlier checkpoint has the same run id.
      if (!isTrenioError(error)) throw error;
      return undefined;
    });
    if (manifest !== undefined) return manifest.run;
  }
  return undefined;
}

function lockFolder(folder: string): FileLock {
  makeOutputFolder(folder);
  const lock = takeFileLock(join(folder, LOCK_FILE));
  if ('release' in lock) return lock;
  const { heldBy } = lock;
  throw new TrenioError('RUN_IN_PROGRESS', {
    folder,
    holder: heldBy === undefined ? 'another process' : describeHolder(heldBy),
    since: heldBy?.since,
  });
}

async function refuseTaken(
  folder: string,
  there: RunFile | undefined,
  files: readonly string[],
  choices: NonNullable<RunFolderOptions['choices']>,
): Promise<void> {
  const found: string[] = [];
  for (const name of files) if (await holdsSomething(join(folder, name))) found.push(name);
  if (found.length === 0) return;
  const last = (await listCheckpoints(join(folder, 'checkpoints'))).at(-1);
  throw new TrenioError('RUN_FOLDER_TAKEN', {
    folder,
    run: there?.id,
    startedAt: there?.startedAt,
    lastStep: last?.step,
    found,
    ...choices,
  });
}

/** Whether the file, or a folder that is not empty, exists. */
async function holdsSomething(path: string): Promise<boolean> {
  return (await fileExists(path)) || (await readdir(path).catch((): string[] => [])).length > 0;
}

/** Sends the step of the checkpoint to the other ranks; -1: none. */
function shareStep(from: IntactCheckpoint | undefined): void {
  if (worldSize() === 1) return;
  allReduceSum([from?.step ?? -1]);
}

function otherRank(folder: string, checkpoints: string): RunFolder {
  // Waits for rank 0; if rank 0 rejects the folder, it exits, and so does this rank.
  const [step = -1] = allReduceSum([0]);
  const from = step < 0 ? undefined : { directory: join(checkpoints, checkpointName(step)), step, damaged: [] };
  return observedRun(folder, checkpoints, from, () => {
    // Not before rank 0 has accepted the settings.
    allReduceSum([0]);
  });
}

function trialRun(folder: string, checkpoints: string, from: IntactCheckpoint | undefined): RunFolder {
  return observedRun(folder, checkpoints, from, () => {});
}

/** A run that another process owns. */
function observedRun(
  folder: string,
  checkpoints: string,
  from: IntactCheckpoint | undefined,
  onRecord: () => void,
): RunFolder {
  const release = (): void => {};
  const record = async (): Promise<RunRecord> => {
    onRecord();
    return { changes: [], keptIn: undefined };
  };
  return { folder, checkpoints, id: undefined, from, record, release, [Symbol.dispose]: release };
}

interface OpenedFolder {
  /** The path of the folder. */
  readonly folder: string;
  readonly checkpoints: string;
  readonly lock: FileLock;
  readonly there: RunFile | undefined;
  readonly files: readonly string[];
  readonly begin: NonNullable<RunFolderOptions['begin']>;
  readonly id: string;
  readonly from: IntactCheckpoint | undefined;
}

class OwnedRun implements RunFolder {
  /** The path of the folder. */
  readonly folder: string;
  readonly checkpoints: string;
  readonly id: string;
  readonly from: IntactCheckpoint | undefined;
  readonly #opened: OpenedFolder;

  constructor(opened: OpenedFolder) {
    this.folder = opened.folder;
    this.checkpoints = opened.checkpoints;
    this.id = opened.id;
    this.from = opened.from;
    this.#opened = opened;
  }

  async record(settings: RunSettings, effects: Readonly<Record<string, SettingEffect>> = {}): Promise<RunRecord> {
    const { folder, there, begin } = this.#opened;
    // Converted as by a round trip through JSON: values that JSON omits are not settings.
    const now = JSON.parse(JSON.stringify(settings)) as RunSettings;
    const before = begin === 'resume' ? there : undefined;
    const changes = before === undefined ? [] : settingChanges(before.settings, now, effects);
    refuseChanges(folder, changes);
    const keptIn = begin === 'start-over' ? await this.#setAside() : undefined;
    const startedAt = new Date().toISOString();
    await writeRunFile(folder, {
      format: 'trenio-run-1',
      id: this.id,
      startedAt: before?.startedAt ?? startedAt,
      settings: now,
      sessions: [
        ...(before?.sessions ?? []),
        {
          startedAt,
          host: hostname(),
          pid: process.pid,
          fromStep: this.from?.step ?? null,
          changed: Object.fromEntries(
            changes.map(({ name }) => [name, { from: before?.settings[name] ?? null, to: now[name] ?? null }]),
          ),
        },
      ],
      versions: { trenio: version, node: process.versions.node },
    });
    if (worldSize() > 1) allReduceSum([0]);
    return { changes, keptIn };
  }

  /** Moves the files of the existing run to `previous/<its id>`; returns that folder if there were any. */
  async #setAside(): Promise<string | undefined> {
    const { folder, there, files, checkpoints } = this.#opened;
    const names: string[] = [];
    for (const name of files) if (await holdsSomething(join(folder, name))) names.push(name);
    if (names.length === 0) return undefined;
    const known = there?.id ?? (await runOf(checkpoints));
    const target = await freshFolder(join(folder, 'previous'), known ?? 'unnamed');
    // run.json is moved last: if this is interrupted, the remaining files are still identified.
    for (const name of [...names, ...((await fileExists(join(folder, RUN_FILE))) ? [RUN_FILE] : [])])
      await rename(join(folder, name), join(target, name));
    // An empty folder of the same name is harmless, but does not belong to the run any more.
    await rm(checkpoints, { recursive: true, force: true });
    return target;
  }

  release(): void {
    this.#opened.lock.release();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** Creates `above/name`, or `above/name-2` and so on if that exists. */
async function freshFolder(above: string, name: string): Promise<string> {
  makeOutputFolder(above);
  for (let n = 1; ; n++) {
    const path = join(above, n === 1 ? name : `${name}-${n}`);
    try {
      await mkdir(path);
      return path;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new TrenioError('WRITE_FAILED', { file: path, reason: (cause as Error).message }, { cause });
    }
  }
}
