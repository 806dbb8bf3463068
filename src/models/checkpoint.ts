// Training checkpoints: everything a run needs to go on to the same bits. A checkpoint is a directory
//
//   checkpoint-<step>/  config.json  model.safetensors      as Hugging Face has them: a model directory like any other
//                       optimizer.safetensors               moments and counts, by parameter number
//                       trainer_state.json                  step, epoch, seeds, settings of the optimizer
//
// written under another name and renamed when it is whole: a full disk or a crash leaves the ones before as they were.
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { readTextFile } from '../base/read-file.ts';
import { loadInto, type Module } from '../nn/index.ts';
import type { LambdaLR, Optimizer } from '../optim/index.ts';
import { hostRandomState, setHostRandomState } from '../tensor/index.ts';
import { openSafetensors, readSafetensors, writeSafetensors } from './safetensors.ts';
import { matchWeights } from './weights.ts';

/** A model that can write itself to a directory. */
export interface SavableModel extends Module {
  savePretrained(directory: string): Promise<void>;
}
/** What a run is made of. */
export interface Training {
  readonly model: SavableModel;
  readonly optimizer: Optimizer;
  readonly schedule?: LambdaLR | undefined;
}
/** Where a run stands. */
export interface Progress {
  /** Steps taken. */
  readonly step: number;
  readonly epoch: number;
  /** Whatever else the script wants back, as JSON. */
  readonly extra?: unknown;
}

const stateSchema = z.object({
  version: z.literal(1),
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
  scheduleStep: z.int().nullable(),
  optimizer: z.object({ groups: z.array(z.record(z.string(), z.unknown())) }),
});

const nameOf = (step: number): string => `checkpoint-${step}`;
const deviceOf = ({ optimizer }: Training) => optimizer.parameters()[0]!.device;

/**
 * Writes a checkpoint into `root`, then removes all but the last `keep`; returns its directory. Await it before the next
 * step. Ranks but the first write nothing: theirs would be the same. Throws DISK_FULL or WRITE_FAILED; then the
 * checkpoints that were there still are.
 */
export async function saveCheckpoint(
  root: string,
  training: Training,
  progress: Progress,
  options: { readonly keep?: number } = {},
): Promise<string> {
  const { model, optimizer, schedule } = training;
  const device = deviceOf(training);
  const directory = join(root, nameOf(progress.step));
  if (device.rank !== 0) return directory;
  const partial = join(root, `.${nameOf(progress.step)}.partial`);
  await removeRemains(root);
  try {
    makeDirectory(partial);
    await model.savePretrained(partial);
    await writeSafetensors(join(partial, 'optimizer.safetensors'), new Map(optimizer.namedState()));
    const state: z.input<typeof stateSchema> = {
      version: 1,
      step: progress.step,
      epoch: progress.epoch,
      extra: progress.extra ?? null,
      seeds: { host: hostRandomState(), device: device.random.state },
      scheduleStep: schedule?.stepCount ?? null,
      optimizer: { groups: [...optimizer.groupSettings()] },
    };
    await writeFileAtomically(join(partial, 'trainer_state.json'), [`${JSON.stringify(state, null, 2)}\n`]);
    // A rename cannot replace a directory that has files in it: one of this step, from an earlier attempt, steps aside.
    const aside = join(root, `.${nameOf(progress.step)}.old`);
    await rename(directory, aside).catch(() => {});
    await rename(partial, directory);
    await rm(aside, { recursive: true, force: true });
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
  for (const old of (await checkpoints(root)).slice(0, -Math.max(1, options.keep ?? 2))) {
    await rm(join(root, nameOf(old)), { recursive: true, force: true });
  }
  return directory;
}

/** What a process that died while writing left behind. */
async function removeRemains(root: string): Promise<void> {
  const names = await readdir(root).catch((): string[] => []);
  for (const name of names)
    if (/^\.checkpoint-\d+\.(partial|old)$/.test(name)) await rm(join(root, name), { recursive: true, force: true });
}

function makeDirectory(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    throw new TrenioError('WRITE_FAILED', { file: path, reason: (cause as Error).message }, { cause });
  }
}

/** The steps of the checkpoints in a directory, ascending. */
async function checkpoints(root: string): Promise<number[]> {
  const names = await readdir(root).catch((): string[] => []);
  return names
    .flatMap(name => /^checkpoint-(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}
/** The directory of the last checkpoint in `root`, or undefined if there is none. */
export async function latestCheckpoint(root: string): Promise<string | undefined> {
  const last = (await checkpoints(root)).at(-1);
  return last === undefined ? undefined : join(root, nameOf(last));
}

/**
 * Brings a run back to where it was saved: weights, moments, settings, seeds. The model and the optimizer are built as
 * they were for the saved run. Throws CHECKPOINT_INVALID, FILE_UNREADABLE, SAFETENSORS_INVALID, WEIGHTS_MISMATCH and
 * STATE_KEYS where the files do not fit; weights are checked before anything is changed.
 */
export async function loadCheckpoint(directory: string, training: Training): Promise<Progress> {
  const { model, optimizer, schedule } = training;
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
  if (schedule !== undefined && state.scheduleStep !== null) schedule.stepCount = state.scheduleStep;
  setHostRandomState(state.seeds.host);
  deviceOf(training).random.state = state.seeds.device;
  return { step: state.step, epoch: state.epoch, extra: state.extra };
}

async function readState(directory: string): Promise<z.output<typeof stateSchema>> {
  const file = join(directory, 'trainer_state.json');
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
