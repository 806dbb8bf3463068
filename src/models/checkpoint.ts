// Training checkpoints: everything a run needs to go on to the same bits. A checkpoint is a directory
//
//   checkpoint-<step>/  config.json  model.safetensors      as Hugging Face has them: a model directory like any other
//                       optimizer.safetensors               moments and counts, by parameter number
//                       trainer_state.json                  run, step, epoch, seeds, settings of the optimizer
//                       checksums.json                      of all of them; compared before anything is loaded
//
// written under a temporary name and renamed when complete: a full disk or a crash does not affect earlier checkpoints. A
// checkpoint names the run that wrote it, and a run only removes its own (checkpoint-folder.ts).
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeFileAtomically } from '../base/atomic-write.ts';
import { isTrialRun } from '../base/environment.ts';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { readTextFile } from '../base/read-file.ts';
import { loadInto, type Module } from '../nn/index.ts';
import type { Optimizer, Resumable } from '../optim/index.ts';
import { hostRandomState, setHostRandomState } from '../tensor/index.ts';
import { CHECKSUMS_FILE, hasChecksums, verifyChecksums, writeChecksums } from './checkpoint-checksums.ts';
import {
  checkpointName,
  latestFirst,
  newRunId,
  partialName,
  removeOld,
  removeRemains,
  STATE_FILE,
  stepAside,
} from './checkpoint-folder.ts';
import { openSafetensors, readSafetensors, writeSafetensors } from './safetensors.ts';
import { matchWeights } from './weights.ts';

/** A model that can write itself to a directory. */
export interface SavableModel extends Module {
  /** Writes weights and configuration into a folder. */
  savePretrained(directory: string): Promise<void>;
}
/** What a run is made of. */
export interface Training {
  /** The model whose state is saved. */
  readonly model: SavableModel;
  /** The optimizer whose state is saved. */
  readonly optimizer: Optimizer;
  /** The scheduler whose state is saved, if there is one. */
  readonly schedule?: Resumable | undefined;
}
/** The position of a run in training. */
export interface Progress {
  /** Steps taken. */
  readonly step: number;
  /** The number of completed epochs. */
  readonly epoch: number;
  /** Other data of the script, as JSON. */
  readonly extra?: unknown;
}

const stateSchema = z.object({
  /** Checkpoints of version 1 have no checksums and do not name their run. */
  version: z.union([z.literal(1), z.literal(2)]),
  run: z.string().optional(),
  step: z.int().min(0),
  epoch: z.number().min(0),
  extra: z.unknown(),
  seeds: z.object({
    host: z.object({ seed: z.number(), draws: z.int() }),
    device: z.object({
      seed: z.number(),
      step: z.int(),
      rounding: z.int().optional(),
      updates: z.int().optional(),
    }),
  }),
  /** The step of the schedule, in checkpoints from before schedules had a state. */
  scheduleStep: z.int().nullable().optional(),
  schedule: z.record(z.string(), z.unknown()).nullable().optional(),
  optimizer: z.object({ groups: z.array(z.record(z.string(), z.unknown())) }),
});

const deviceOf = ({ optimizer }: Training) => optimizer.parameters()[0]!.device;
/** The default run of a model in this process: a new one, or that of the loaded checkpoint. */
const runs = new WeakMap<SavableModel, string>();

/** Options of `saveCheckpoint`. */
export interface SaveCheckpointOptions {
  /** How many checkpoints of this run stay. Default 2. */
  readonly keep?: number;
  /** The name of the run. Default: that of the checkpoint which was loaded, or else a new one. */
  readonly run?: string | undefined;
}

/**
 * Writes a checkpoint into `root`, then removes all but the last `keep` of this run; returns its directory. Await it before
 * the next step. Every rank may call it; only the first one writes, because each has
 * all parameters, whatever its coordinates. Checkpoints of other runs in `root` are kept.
 * @throws {DISK_FULL} earlier checkpoints are kept
 * @throws {WRITE_FAILED} earlier checkpoints are kept
 */
export async function saveCheckpoint(
  root: string,
  training: Training,
  progress: Progress,
  options: SaveCheckpointOptions = {},
): Promise<string> {
  const { model, optimizer, schedule } = training;
  const device = deviceOf(training);
  const directory = join(root, checkpointName(progress.step));
  // In a trial run nothing is computed, and what a real run saved must stay.
  if (device.mesh.rank !== 0 || isTrialRun()) return directory;
  const run = options.run ?? runs.get(model) ?? newRunId();
  runs.set(model, run);
  const partial = join(root, partialName(progress.step, run));
  await removeRemains(root, run);
  try {
    makeDirectory(partial);
    await model.savePretrained(partial);
    await writeSafetensors(join(partial, 'optimizer.safetensors'), new Map(optimizer.namedState()));
    const state: z.input<typeof stateSchema> = {
      version: 2,
      run,
      step: progress.step,
      epoch: progress.epoch,
      extra: progress.extra ?? null,
      seeds: { host: hostRandomState(), device: device.random.state },
      schedule: schedule?.stateDict() ?? null,
      optimizer: { groups: [...optimizer.groupSettings()] },
    };
    await writeFileAtomically(join(partial, STATE_FILE), [`${JSON.stringify(state, null, 2)}\n`]);
    await writeChecksums(partial);
    const replaced = await takeName(partial, directory, run);
    // On the disk before the older ones go.
    await syncFolder(root);
    if (replaced !== undefined) await rm(replaced, { recursive: true, force: true });
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
  await removeOld(root, run, progress.step, options.keep ?? 2);
  return directory;
}

/** Renames `partial` to `directory`; returns where what was there before is, if it may go. */
async function takeName(partial: string, directory: string, run: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    // A rename cannot replace a directory that has files in it.
    const replaced = await stepAside(directory, run);
    try {
      await rename(partial, directory);
      return replaced;
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      // Another run has written a checkpoint of this step meanwhile.
      if ((code === 'ENOTEMPTY' || code === 'EEXIST') && attempt < 100) continue;
      throw new TrenioError('WRITE_FAILED', { file: directory, reason: message }, { cause });
    }
  }
}

function makeDirectory(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    throw new TrenioError('WRITE_FAILED', { file: path, reason: (cause as Error).message }, { cause });
  }
}

/** The last checkpoint that is whole, and the later ones that are not. */
export interface IntactCheckpoint {
  /** The path of the directory. */
  readonly directory: string;
  /** The number of completed steps. */
  readonly step: number;
  /** Newer checkpoints that cannot be read, with the reason. */
  readonly damaged: readonly {
    /** The path of the directory. */
    readonly directory: string;
    /** Why it cannot be read. */
    readonly error: TrenioError;
  }[];
}

/**
 * The last intact checkpoint in `root` (of `run`, if given); undefined if there is no
 * checkpoint. If all are damaged, throws the error of the last one: CHECKPOINT_DAMAGED, CHECKPOINT_INVALID, FILE_UNREADABLE
 * or SAFETENSORS_INVALID.
 */
export async function latestIntactCheckpoint(
  root: string,
  options: { readonly run?: string | undefined } = {},
): Promise<IntactCheckpoint | undefined> {
  const damaged: { directory: string; error: TrenioError }[] = [];
  for (const { directory, step } of await latestFirst(root, options.run)) {
    try {
      await verifyCheckpoint(directory);
      return { directory, step, damaged };
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push({ directory, error });
    }
  }
  if (damaged.length > 0) throw damaged[0]!.error;
  return undefined;
}

const isDamage = (error: unknown): error is TrenioError =>
  isTrenioError(error, 'CHECKPOINT_DAMAGED') ||
  isTrenioError(error, 'CHECKPOINT_INVALID') ||
  isTrenioError(error, 'FILE_UNREADABLE') ||
  isTrenioError(error, 'SAFETENSORS_INVALID');

/**
 * Reads all files of a checkpoint and compares them with its checksums.
 * @throws {CHECKPOINT_DAMAGED} naming the file and the tensor
 * @throws {CHECKPOINT_INVALID}
 * @throws {FILE_UNREADABLE}
 * @throws {SAFETENSORS_INVALID}
 */
export async function verifyCheckpoint(directory: string): Promise<void> {
  if (await hasChecksums(directory)) return verifyChecksums(directory);
  const { version } = await readState(directory);
  if (version > 1) throw new TrenioError('CHECKPOINT_INVALID', { directory, problem: `${CHECKSUMS_FILE} is missing` });
  // Written by an earlier version: what can be checked without checksums.
  for (const name of ['model.safetensors', 'optimizer.safetensors']) {
    const tensors = await openSafetensors(join(directory, name));
    await tensors.close();
  }
}

/**
 * Brings a run back to where it was saved: weights, moments, settings, seeds. The model and the optimizer are built as they
 * were for the saved run.
 * @throws {CHECKPOINT_DAMAGED} where a file is not as it was written
 * @throws {CHECKPOINT_INVALID}
 * @throws {FILE_UNREADABLE}
 * @throws {SAFETENSORS_INVALID}
 * @throws {WEIGHTS_MISMATCH} where the files do not fit; all of that is checked before anything is changed
 * @throws {STATE_KEYS} where the files do not fit; all of that is checked before anything is changed
 */
export async function loadCheckpoint(directory: string, training: Training): Promise<Progress> {
  const { model, optimizer, schedule } = training;
  await verifyCheckpoint(directory);
  const state = await readState(directory);
  await using weights = await openSafetensors(join(directory, 'model.safetensors'));
  const parameters = new Map([...model.namedParameters(), ...model.namedBuffers()]);
  const match = matchWeights(weights, new Map([...parameters].map(([name, p]) => [name, p.type])));
  if (match.missing.length + match.unexpected.length > 0) {
    throw new TrenioError('STATE_KEYS', {
      what: `${model.constructor.name} (${weights.file})`,
      missing: match.missing,
      unexpected: match.unexpected,
    });
  }
  const tensors = await readSafetensors(join(directory, 'optimizer.safetensors'));
  optimizer.loadStateDict({ tensors, groups: state.optimizer.groups });
  for (const [name, inFile] of match.found) loadInto(parameters.get(name)!, await weights.read(inFile));
  if (schedule !== undefined) resumeSchedule(schedule, state);
  setHostRandomState(state.seeds.host);
  deviceOf(training).random.state = state.seeds.device;
  if (state.run !== undefined) runs.set(model, state.run);
  return { step: state.step, epoch: state.epoch, extra: state.extra };
}

function resumeSchedule(schedule: Resumable, state: z.output<typeof stateSchema>): void {
  if (state.schedule) schedule.loadStateDict(state.schedule);
  else if (typeof state.scheduleStep === 'number') {
    const lastEpoch = state.scheduleStep;
    schedule.loadStateDict({ ...schedule.stateDict(), lastEpoch, stepCount: lastEpoch + 1 });
  }
}

async function readState(directory: string): Promise<z.output<typeof stateSchema>> {
  const file = join(directory, STATE_FILE);
  const invalid = (problem: string): TrenioError => new TrenioError('CHECKPOINT_INVALID', { directory, problem });
  const text = await readTextFile(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalid(`trainer_state.json is not JSON: ${(error as Error).message}`);
  }
  const parsed = stateSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalid(`trainer_state.json: ${issue.path.join('.')}: ${issue.message}`);
}
