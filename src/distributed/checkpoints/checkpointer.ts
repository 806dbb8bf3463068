// Automatic checkpoints of a run: everything that determines the next steps is saved while training continues, and a run that was
// ended in any way resumes from the last intact checkpoint, to the same bits.
//
//   const options = { directory: 'out/checkpoints', every: 50, keep: 3 };
//   const checkpointer = new Checkpointer(options, { model, optimizer, scheduler, user });
//   for (let step = await checkpointer.resume(); step < total; ) {
//     …
//     await checkpointer.step(++step);
//   }
//   await checkpointer.close();
//
// A save holds the step only for a copy of this rank's share of the state (share.ts); a thread writes it (save-worker.ts).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isTrialRun } from '../../base/environment.ts';
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import { describeHolder, type FileLock, takeFileLock } from '../../base/file-lock.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { makeOutputFolder } from '../../base/output-files.ts';
import { formatBytes } from '../../base/units.ts';
import { farFrames, userFrame } from '../../base/user-frame.ts';
import { version } from '../../base/version.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { byteSize, type TensorType, tensorType } from '../../hlo/types.ts';
import { layOut } from '../../models/safetensors-header.ts';
import { Module } from '../../nn/index.ts';
import { shardOfState } from '../../optim/state-shards.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { HostBuffer } from '../../runtime/execution/buffer.ts';
import { type BufferCopy, copyBuffers } from '../../runtime/execution/copies.ts';
import { addressOf } from '../../runtime/execution/native-library.ts';
import {
  type Device,
  device as defaultDevice,
  type HostRandomState,
  hostRandomState,
  type RandomState,
  setHostRandomState,
  Tensor,
} from '../../tensor/index.ts';
import { EXIT_REQUEUE } from '../launch/exit-requeue.ts';
import { allReduceSum, barrier, rank, worldSize } from '../process-group.ts';
import {
  checkpointName,
  type IntactCheckpoint,
  isDamage,
  listCheckpoints,
  partialName,
  removeRemains,
} from './folder.ts';
import { type KeptFile, readKeptFiles } from './kept-files.ts';
import type { Manifest } from './manifest.ts';
import { CheckpointReader } from './read-checkpoint.ts';
import { blockBytes, shardName } from './save-plan.ts';
import { SaveThread } from './save-thread.ts';
import { shardMetadata } from './shard-metadata.ts';
import { type Piece, shareOut } from './share.ts';
import { type Json, readState, StateWriter, tensorNames } from './state-tree.ts';
import { type CheckpointPart, type CheckpointParts, checkParts, restorePart, stateOfPart } from './stateful.ts';
import { StopSignal } from './stop-signal.ts';
import { verifyCheckpoint } from './verify.ts';

/** Options of `Checkpointer`. */
export interface CheckpointerOptions {
  /** Where the checkpoints of this run are, and of no other run. Several machines need a shared file system. */
  readonly directory: string;
  /** The number of steps between saves. By default, only `save()` and signals do. */
  readonly every?: number | undefined;
  /** How many checkpoints stay; 3 by default. The last whole one is never removed. */
  readonly keep?: number | undefined;
  /** Checkpoints of steps that this divides stay for good. */
  readonly keepEvery?: number | undefined;
  /**
   * When a checkpoint cannot be written, because the disk is full for example: `throw` (the default) at the next step, or `warn`
   * and continue training. Earlier checkpoints stay in either case.
   */
  readonly onFailure?: 'throw' | 'warn' | undefined;
  /** Whether SIGTERM and SIGUSR1 save and end the process with exit code 75, after the step. Default true. */
  readonly signals?: boolean | undefined;
  /**
   * Paths of files that each checkpoint keeps, such as config.json and vocab.txt: with them it can be deployed
   * (`trenio deploy CHECKPOINT`). They are read at the first save.
   */
  readonly files?: readonly string[] | undefined;
  /** The name of the run, written into its checkpoints. A new one by default, or that of the checkpoint which was loaded. */
  readonly run?: string | undefined;
}

/** The last checkpoint that was saved. */
export interface SavedCheckpoint {
  /** The number of completed steps. */
  readonly step: number;
  /** Its directory. */
  readonly directory: string;
  /** Bytes of this rank's share. */
  readonly bytes: number;
  /** How long the step was held for the copy. */
  readonly heldMs: number;
  /** How long the other thread took until the files were on the disk; undefined while it works. */
  readonly writeMs: number | undefined;
}

const optionNames = [
  'directory',
  'every',
  'keep',
  'keepEvery',
  'onFailure',
  'signals',
  'files',
  'run',
] as const satisfies readonly (keyof CheckpointerOptions)[];
const partTimeoutMs = 600_000;

/**
 * Saves the state of a run while it trains, and resumes it. Every rank makes one, with the same options.
 *
 * @example
 * ```ts no-run
 * const model = new nn.Linear(4, 2);
 * const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
 * const checkpointer = new Checkpointer({ directory: 'checkpoints', every: 50 }, { model, optimizer });
 * for (let step = await checkpointer.resume(); step < 1000; ) {
 *   // one step of training
 *   await checkpointer.step(++step);
 * }
 * await checkpointer.close();
 * ```
 */
export class Checkpointer implements AsyncDisposable {
  /** Where the checkpoints are. */
  readonly directory: string;
  readonly #options: CheckpointerOptions;
  readonly #parts: ReadonlyMap<string, CheckpointPart>;
  readonly #stop = new StopSignal();
  #run: string | undefined;
  #opened: { readonly lock: FileLock | undefined; readonly lastStep: number } | undefined;
  #hasBegun = false;
  #thread: SaveThread | undefined;
  #preparing: Promise<void> | undefined;
  /** The save that is being written, and its failure. */
  #writing: { readonly step: number; readonly end: Promise<void>; isDone: boolean } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #saved: SavedCheckpoint | undefined;
  /** Part of the names of partial checkpoints. Ranks of an attempt that was given up may still write, on another machine. */
  #attempt = 1;
  #files: readonly KeptFile[] | undefined;
  readonly #onExit = (): void => this.#opened?.lock?.release();

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(options: CheckpointerOptions, parts: CheckpointParts) {
    refuseUnknownOptions('Checkpointer', options, optionNames);
    const check = (option: string, holds: boolean, got: unknown, expected: string): void => {
      if (!holds) throw new TrenioError('INVALID_OPTION', { what: 'Checkpointer', option, got: `${got}`, expected });
    };
    const { directory, onFailure = 'throw', signals = true, files = [] } = options;
    check('directory', typeof directory === 'string' && directory !== '', directory, 'a path');
    for (const name of ['every', 'keep', 'keepEvery'] as const) {
      const value = options[name];
      const isCount = value === undefined || (Number.isSafeInteger(value) && value >= 1);
      check(name, isCount, value, 'an integer, 1 or more');
    }
    check('onFailure', onFailure === 'throw' || onFailure === 'warn', onFailure, "'throw' or 'warn'");
    const isList = Array.isArray(files) && files.every(file => typeof file === 'string' && file !== '');
    check('files', isList, files, 'a list of paths');
    check('signals', typeof signals === 'boolean', signals, 'true or false');
    this.directory = directory;
    this.#options = options;
    this.#parts = checkParts(parts);
    this.#run = options.run;
    if (signals && !isTrialRun()) this.#stop.listen();
  }

  /** The last save; undefined before the first. */
  get lastSaved(): SavedCheckpoint | undefined {
    return this.#saved;
  }

  /**
   * Resumes from the last intact checkpoint in the directory: restores all parts and random numbers, and returns its step; 0 if
   * there is none. A damaged one is skipped, with a warning. Call it before the first step; every rank must. `from`: this
   * checkpoint, which has been verified.
   * @throws {CHECKPOINT_DAMAGED} where all are damaged
   * @throws {STATE_KEYS} where it does not fit the parts
   * @throws {WEIGHT_SHAPE} where it does not fit the parts
   * @throws {RUN_IN_PROGRESS} where another process saves to the directory
   */
  async resume(from?: IntactCheckpoint): Promise<number> {
    if (isTrialRun()) return 0;
    await this.#open();
    this.#hasBegun = true;
    const directory = from === undefined ? await this.#lastWhole() : from.directory;
    return directory === undefined ? 0 : this.#load(directory);
  }

  /**
   * After step `step` (1 is the first): saves if that is due. After SIGTERM or SIGUSR1, saves, waits until that is written, and
   * ends the process with exit code 75. Every rank must call it, after each step of the optimizer.
   * @throws {DISK_FULL} where an earlier save failed; its checkpoint is missing, earlier ones stay
   * @throws {WRITE_FAILED} where an earlier save failed; its checkpoint is missing, earlier ones stay
   * @throws {CHECKPOINTS_PRESENT}
   */
  async step(step: number): Promise<void> {
    this.#checkStep(step);
    if (isTrialRun()) return;
    this.#raise();
    this.#runPending();
    const { every, signals = true } = this.#options;
    const mustStop = signals && this.#stop.after(step);
    if (mustStop || (every !== undefined && step % every === 0))
      await this.#save(step, userFrame(farFrames, Checkpointer.prototype.step));
    else if (every !== undefined && this.#thread === undefined) this.#prepare();
    if (!mustStop) return;
    await this.#written();
    this.#raise();
    // A rank that ends early would end the others.
    barrier();
    if (rank() === 0)
      process.stderr.write(`trenio: step ${step} is saved in ${this.directory}; exiting as requested\n`);
    process.exit(EXIT_REQUEUE);
  }

  /**
   * Saves step `step` now. Resolves when the state is copied; another thread writes it. If that still writes the one before,
   * waits for it. Every rank must call it.
   * @throws {DISK_FULL} where an earlier save failed; its checkpoint is missing, earlier ones stay
   * @throws {WRITE_FAILED} where an earlier save failed; its checkpoint is missing, earlier ones stay
   * @throws {CHECKPOINTS_PRESENT}
   * @throws {FILE_UNREADABLE} for one of the option `files`
   * @throws {CHECKPOINT_STATE} for a state that cannot be written
   * @throws {MICRO_BATCH_COUNT} in the middle of a step
   */
  async save(step: number): Promise<void> {
    this.#checkStep(step);
    if (!isTrialRun()) await this.#save(step, userFrame(farFrames, Checkpointer.prototype.save));
  }
  /** `location`: the user's line, which an error of the write names: it occurs later, on another thread. */
  async #save(step: number, location: SourceLocation | undefined): Promise<void> {
    this.#raise();
    if (this.#saved?.step === step && this.#failure === undefined) return;
    await this.#begin();
    if (this.#writing !== undefined && !this.#writing.isDone) {
      const late = `the checkpoint of step ${this.#writing.step} is still being written`;
      defaultRuntime().log[rank() === 0 ? 'warn' : 'debug'](`${late}: step ${step} waits for it; save less often`);
    }
    await this.#written();
    this.#raise();
    await this.#preparing;

    this.#runPending();
    const { state, tensors } = this.#capture();
    const devices = devicesOf(tensors);
    for (const device of devices) checkMicroBatches(device);
    for (const device of devices) await device.atMostInFlight(0);

    if (rank() === 0) this.#files ??= await readKeptFiles(this.#options.files ?? []);

    const begin = performance.now();
    const shard = shardOf(tensors);
    const { entries, prefix, pieces, bytes } = shard;
    this.#thread ??= new SaveThread();
    const room = this.#thread.room(bytes);
    room.set(prefix);
    copyState(tensors, shard, room.subarray(prefix.byteLength));
    for (const device of devices) device.raiseWrongIndices();
    const directory = join(this.directory, checkpointName(step));
    const saved = { step, directory, bytes, heldMs: performance.now() - begin };
    this.#saved = { ...saved, writeMs: undefined };

    const plan = {
      folder: this.directory,
      partial: partialName(step, this.#attempt++),
      final: checkpointName(step),
      rank: rank(),
      ranks: worldSize(),
      file: shardName(rank()),
      headerBytes: prefix.byteLength,
      pieces: entries.map(({ name, start, end }) => {
        const { offset, shape } = pieces.get(name)!;
        return { name, offset, shape, bytes: end - start };
      }),
      bytes,
      manifest: rank() === 0 ? this.#manifest(step, state, tensors) : undefined,
      files: this.#files ?? [],
      keep: this.#options.keep ?? 3,
      keepEvery: this.#options.keepEvery,
      timeoutMs: partTimeoutMs,
    };
    const writing = this.#thread.save(plan, location);
    const entry = { step, end: this.#follow(writing, saved), isDone: false };
    this.#writing = entry;
    void entry.end.then(() => {
      entry.isDone = true;
    });
  }

  /** Waits until everything is written, and gives the directory free. @throws {DISK_FULL} @throws {WRITE_FAILED} */
  async close(): Promise<void> {
    await this.#preparing;
    await this.#written();
    this.#stop.unlisten();
    await this.#thread?.close();
    this.#thread = undefined;
    this.#opened?.lock?.release();
    this.#opened = undefined;
    process.off('exit', this.#onExit);
    this.#raise();
  }
  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #follow(writing: Promise<number>, saved: Omit<SavedCheckpoint, 'writeMs'>): Promise<void> {
    try {
      const writeMs = await writing;
      if (this.#saved?.step === saved.step) this.#saved = { ...saved, writeMs };
      const { step, bytes, heldMs } = saved;
      const took = `${heldMs.toFixed(0)} ms held, ${(writeMs / 1000).toFixed(1)} s written`;
      defaultRuntime().log.info(`checkpoint of step ${step}: ${formatBytes(bytes)}, ${took}`);
    } catch (error) {
      if (this.#saved?.step === saved.step) this.#saved = undefined;
      if (this.#options.onFailure !== 'warn') this.#failure = { error };
      else defaultRuntime().log.warn(`the checkpoint of step ${saved.step} is missing: ${(error as Error).message}`);
    }
  }
  async #written(): Promise<void> {
    await this.#writing?.end;
  }
  /** Throws the failure of a save, once. */
  #raise(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }
  #checkStep(step: number): void {
    if (Number.isSafeInteger(step) && step >= 0) return;
    throw new TrenioError('INVALID_OPTION', {
      what: 'Checkpointer',
      option: 'step',
      got: `${step}`,
      expected: 'the number of steps that were taken',
    });
  }

  /**
   * Runs recorded ops of the modules that have not run yet, such as averages of weights. After every step, so that random
   * numbers and roundings are the same whichever steps are saved.
   */
  #runPending(): void {
    const pending = new Set<Device>();
    for (const part of this.#parts.values())
      for (const module of Array.isArray(part) ? part : [part])
        if (module instanceof Module)
          for (const tensor of [...module.parameters(), ...module.buffers()])
            if (tensor.buffer === undefined) pending.add(tensor.device);
    for (const device of pending) device.markStep();
  }

  /** Makes the memory of the first save while the first steps run. */
  #prepare(): void {
    this.#thread = new SaveThread();
    this.#preparing = this.#thread.prepare(shardOf(this.#capture().tensors).bytes);
  }

  /** Locks the directory, and removes leftovers of killed processes. */
  async #open(): Promise<void> {
    if (this.#opened !== undefined) return;
    let lock: FileLock | undefined;
    let lastStep = 0;
    if (rank() === 0) {
      lock = lockDirectory(this.directory);
      process.on('exit', this.#onExit);
      await removeRemains(this.directory);
      lastStep = (await listCheckpoints(this.directory)).at(-1)?.step ?? -1;
    }
    if (worldSize() > 1) {
      const first = rank() === 0 ? 1 + randomBytes(4).readUInt32BE() : 0;
      [lastStep = 0, this.#attempt = 1] = allReduceSum([lastStep, first]);
    }
    this.#opened = { lock, lastStep };
  }
  /** @throws {CHECKPOINTS_PRESENT} where a run that was not resumed would mix its checkpoints with others */
  async #begin(): Promise<void> {
    await this.#open();
    const { lastStep } = this.#opened!;
    if (!this.#hasBegun && lastStep >= 0)
      throw new TrenioError('CHECKPOINTS_PRESENT', { folder: this.directory, step: lastStep });
    this.#hasBegun = true;
  }

  /** The last checkpoint that all ranks together have found whole. */
  async #lastWhole(): Promise<string | undefined> {
    let first: TrenioError | undefined;
    const known = rank() === 0 ? (await listCheckpoints(this.directory)).map(({ step }) => step) : [];
    for (;;) {
      const candidate = rank() === 0 ? (known.pop() ?? -1) : 0;
      const step = worldSize() > 1 ? allReduceSum([candidate])[0]! : candidate;
      if (step < 0) break;
      const directory = join(this.directory, checkpointName(step));
      const error = await verifyCheckpoint(directory, { share: { rank: rank(), ranks: worldSize() } }).then(
        () => undefined,
        (found: unknown) => {
          if (isDamage(found)) return found;
          throw found;
        },
      );
      const bad = worldSize() > 1 ? allReduceSum([error === undefined ? 0 : 1])[0]! : error === undefined ? 0 : 1;
      if (bad === 0) return directory;
      first ??=
        error ?? new TrenioError('CHECKPOINT_DAMAGED', { file: directory, problem: 'another rank found damage in it' });
      if (error !== undefined)
        defaultRuntime().log.warn(`${directory} is damaged and was skipped: ${error.message.split('\n')[0]}`);
    }
    if (first !== undefined) throw first;
    return undefined;
  }

  async #load(directory: string): Promise<number> {
    await using reader = await CheckpointReader.open(directory);
    const { state, run, step } = reader.manifest;
    const { random, ...saved } = state;
    const missing = [...this.#parts.keys()].filter(name => !(name in saved));
    const unexpected = Object.keys(saved).filter(name => !this.#parts.has(name));
    if (missing.length + unexpected.length > 0)
      throw new TrenioError('STATE_KEYS', { what: `the parts of ${directory}`, missing, unexpected });
    for (const [name, part] of this.#parts) {
      const tensors = new Map<string, Literal>();
      for (const tensor of tensorNames(saved[name]!)) tensors.set(tensor, await reader.read(tensor));
      restorePart(name, part, readState(saved[name]!, tensors));
    }
    const { host, devices } = readState(random!, new Map()) as RandomNumbers;
    setHostRandomState(host);
    devicesOf(this.#capture().tensors).forEach((device, i) => {
      const known = devices[i];
      if (known !== undefined) device.random.state = known;
    });
    this.#run ??= run;
    return step;
  }

  #capture(): { readonly state: Record<string, Json>; readonly tensors: ReadonlyMap<string, Tensor | Literal> } {
    const writer = new StateWriter();
    const state: Record<string, Json> = {};
    for (const [name, part] of this.#parts) {
      const { value, isPlain } = stateOfPart(part);
      state[name] = writer.write(value, name, isPlain);
    }
    const random: RandomNumbers = {
      host: hostRandomState(),
      devices: devicesOf(writer.tensors).map(device => device.random.state),
    };
    state.random = writer.write(random, 'random', true);
    return { state, tensors: writer.tensors };
  }

  #manifest(step: number, state: Record<string, Json>, tensors: ReadonlyMap<string, Tensor | Literal>): Manifest {
    this.#run ??= randomBytes(6).toString('hex');
    const [device = defaultDevice()] = devicesOf(tensors);
    return {
      format: 'trenio-checkpoint',
      version: 3,
      trenio: version,
      run: this.#run,
      step,
      ranks: worldSize(),
      mesh: String(device.mesh),
      state,
      files: {},
      tensors: Object.fromEntries(
        [...typesOf(tensors)].map(([name, { elementType, shape }]) => [
          name,
          { dtype: elementType, shape: [...shape], pieces: [] },
        ]),
      ),
    };
  }
}

/** The state of random numbers: of the host, and of each device in the order of the parts. */
interface RandomNumbers {
  readonly host: HostRandomState;
  readonly devices: readonly RandomState[];
}

const devicesOf = (tensors: ReadonlyMap<string, Tensor | Literal>): readonly Device[] => [
  ...new Set([...tensors.values()].flatMap(tensor => (tensor instanceof Tensor ? [tensor.device] : []))),
];
/** The types of whole tensors; state that is divided among ranks is a list of elements. */
const typesOf = (tensors: ReadonlyMap<string, Tensor | Literal>): ReadonlyMap<string, TensorType> =>
  new Map(
    [...tensors].map(([name, tensor]) => {
      const shard = tensor instanceof Tensor ? shardOfState(tensor) : undefined;
      return [name, shard === undefined ? tensor.type : tensorType(tensor.type.elementType, [shard.whole])];
    }),
  );
/** The pieces that this rank writes: its share of the state that all ranks have, and the state that only it has. */
function shareOf(tensors: ReadonlyMap<string, Tensor | Literal>): readonly Piece[] {
  const common = new Map<string, TensorType>();
  const own: Piece[] = [];
  for (const [name, type] of typesOf(tensors)) {
    const tensor = tensors.get(name)!;
    const shard = tensor instanceof Tensor ? shardOfState(tensor) : undefined;
    if (shard === undefined) common.set(name, type);
    else if (shard.count > 0) {
      const bytes = byteSize(tensorType(type.elementType, [shard.count]));
      own.push({ name, type, offset: [shard.from], shape: [shard.count], from: 0, bytes });
    }
  }
  return [...shareOut(common, worldSize())[rank()]!, ...own];
}
/** The file of this rank: its header, up to whole blocks, and where each of its pieces lies in the data after it. */
function shardOf(tensors: ReadonlyMap<string, Tensor | Literal>) {
  const share = shareOf(tensors);
  const types = share.map(({ name, type, shape }) => [name, { type: tensorType(type.elementType, shape) }] as const);
  const { entries, prefix } = layOut(new Map(types), shardMetadata(share), shardName(rank()), blockBytes);
  const bytes = prefix.byteLength + (entries.at(-1)?.end ?? 0);
  return { entries, prefix, pieces: new Map(share.map(piece => [piece.name, piece])), bytes };
}
/** Copies the pieces of a shard to its data: those of the process's own memory by all threads. */
function copyState(
  tensors: ReadonlyMap<string, Tensor | Literal>,
  { entries, pieces }: ReturnType<typeof shardOf>,
  data: Uint8Array<ArrayBuffer>,
): void {
  const runtime = defaultRuntime();
  const address = addressOf(data.buffer) + BigInt(data.byteOffset);
  const copies: BufferCopy[] = [];
  for (const { name, start, end } of entries) {
    const tensor = tensors.get(name)!;
    const { from, bytes } = pieces.get(name)!;
    const into = data.subarray(start, end);
    if (!(tensor instanceof Tensor)) {
      into.set(bytesOf(tensor).subarray(from, from + bytes));
      continue;
    }
    const buffer = tensor.device.read(tensor);
    if (runtime.isEngineStarted && buffer instanceof HostBuffer)
      copies.push({ buffer, from, bytes, to: address + BigInt(start) });
    else buffer.copyToHost(into, from);
  }
  if (copies.length > 0) copyBuffers(runtime.engine, copies).wait();
}

function checkMicroBatches({ gradientAccumulationSteps: expected, microBatchesSoFar: got }: Device): void {
  if (expected > 1 && got % expected !== 0) throw new TrenioError('MICRO_BATCH_COUNT', { got, expected });
}

/** @throws {WRITE_FAILED} @throws {RUN_IN_PROGRESS} */
function lockDirectory(folder: string): FileLock {
  makeOutputFolder(folder);
  const lock = takeFileLock(join(folder, '.lock'));
  if ('release' in lock) return lock;
  const { heldBy } = lock;
  throw new TrenioError('RUN_IN_PROGRESS', {
    folder,
    holder: heldBy === undefined ? 'another process' : describeHolder(heldBy),
    since: heldBy?.since,
  });
}
