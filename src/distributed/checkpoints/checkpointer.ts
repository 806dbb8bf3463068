// Automatic checkpoints of a run: everything that determines the next steps is saved while training continues, and a run that was
// ended in any way resumes from the last intact checkpoint, bit-identically.
//
//   const options = { directory: 'out/checkpoints', every: 50, keep: 3 };
//   const checkpointer = new Checkpointer(options, { model, optimizer, scheduler, user });
//   for (let step = await checkpointer.resume(); step < total; ) {
//     …
//     await checkpointer.step(++step);
//   }
//   await checkpointer.close();
//
// A save blocks the step only for a copy of this rank's share of the state (share.ts); a thread writes it (save-worker.ts).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isTrialRun } from '../../base/environment.ts';
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import type { FileLock } from '../../base/file-lock.ts';
import { formatBytes } from '../../base/units.ts';
import { farFrames, userFrame } from '../../base/user-frame.ts';
import { version } from '../../base/version.ts';
import type { Literal } from '../../hlo/literal.ts';
import { Module } from '../../nn/index.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { type Device, device as defaultDevice, type Tensor } from '../../tensor/index.ts';
import { EXIT_REQUEUE } from '../launch/exit-requeue.ts';
import { allReduceSum, barrier, rank, worldSize } from '../process-group.ts';
import { captureState, devicesOf, restoreState } from './captured-state.ts';
import { type CheckpointerOptions, checkOptions } from './checkpointer-options.ts';
import { checkpointName, type IntactCheckpoint, listCheckpoints, partialName, removeRemains } from './folder.ts';
import { type KeptFile, readKeptFiles } from './kept-files.ts';
import type { Manifest } from './manifest.ts';
import { copyShard, rankShard } from './rank-shard.ts';
import { CheckpointReader } from './read-checkpoint.ts';
import { lastIntact, lockDirectory } from './run-directory.ts';
import { shardName } from './save-plan.ts';
import { SaveThread } from './save-thread.ts';
import type { Json } from './state-tree.ts';
import { type CheckpointPart, type CheckpointParts, checkParts } from './stateful.ts';
import { StopSignal } from './stop-signal.ts';

/** The last checkpoint that was saved. */
export interface SavedCheckpoint {
  /** The number of completed steps. */
  readonly step: number;
  /** Its directory. */
  readonly directory: string;
  /** Bytes of this rank's share. */
  readonly bytes: number;
  /** The time that the step was blocked for the copy. */
  readonly heldMs: number;
  /** The time that the other thread took to write the files to disk; undefined while it is writing. */
  readonly writeMs: number | undefined;
}

const partTimeoutMs = 600_000;

/**
 * Saves the state of a run while it trains, and resumes it. Every rank creates one, with the same options.
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
  /** The directory of the checkpoints. */
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
  /** Part of the names of partial checkpoints. Ranks of an abandoned attempt may still write, on another machine. */
  #attempt = 1;
  #files: readonly KeptFile[] | undefined;
  readonly #onExit = (): void => this.#opened?.lock?.release();

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(options: CheckpointerOptions, parts: CheckpointParts) {
    checkOptions(options);
    const { directory, signals = true } = options;
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
   * @throws {CHECKPOINT_DAMAGED} if all are damaged
   * @throws {STATE_KEYS} if it does not match the parts
   * @throws {WEIGHT_SHAPE} if it does not match the parts
   * @throws {RUN_IN_PROGRESS} if another process saves to the directory
   */
  async resume(from?: IntactCheckpoint): Promise<number> {
    if (isTrialRun()) return 0;
    await this.#open();
    this.#hasBegun = true;
    const directory = from === undefined ? await lastIntact(this.directory) : from.directory;
    if (directory === undefined) return 0;
    await using reader = await CheckpointReader.open(directory);
    if (worldSize() > 1) this.#runPending();
    await restoreState(reader, this.#parts);
    this.#run ??= reader.manifest.run;
    return reader.manifest.step;
  }

  /**
   * After step `step` (1 is the first): saves if a save is due. After SIGTERM or SIGUSR1, saves, waits until that is written, and
   * ends the process with exit code 75. Every rank must call it, after each step of the optimizer.
   * @throws {DISK_FULL} if an earlier save failed; its checkpoint is missing, earlier ones are kept
   * @throws {WRITE_FAILED} if an earlier save failed; its checkpoint is missing, earlier ones are kept
   * @throws {CHECKPOINTS_PRESENT}
   */
  async step(step: number): Promise<void> {
    this.#checkStep(step);
    if (isTrialRun()) return;
    this.#raise();
    this.#runPending();
    const { every, signals = true } = this.#options;
    const mustStop = signals && (await this.#stop.after(step));
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
   * Saves step `step` now. Resolves when the state is copied; another thread writes it. If that thread is still writing the
   * previous one, waits for it. Every rank must call it.
   * @throws {DISK_FULL} if an earlier save failed; its checkpoint is missing, earlier ones are kept
   * @throws {WRITE_FAILED} if an earlier save failed; its checkpoint is missing, earlier ones are kept
   * @throws {CHECKPOINTS_PRESENT}
   * @throws {FILE_UNREADABLE} for a file of the option `files`
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
    const { state, tensors } = captureState(this.#parts);
    const devices = devicesOf(tensors);
    for (const device of devices) checkMicroBatches(device);
    for (const device of devices) await device.atMostInFlight(0);

    if (rank() === 0) this.#files ??= await readKeptFiles(this.#options.files ?? []);

    const begin = performance.now();
    const shard = rankShard(tensors);
    const { entries, prefix, pieces, bytes } = shard;
    this.#thread ??= new SaveThread();
    const room = this.#thread.room(bytes);
    room.set(prefix);
    copyShard(tensors, shard, room.subarray(prefix.byteLength));
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

  /** Waits until everything is written, and releases the directory. @throws {DISK_FULL} @throws {WRITE_FAILED} */
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
  /** Calls `close()`, for `await using`. */
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

  /** Allocates the memory of the first save while the first steps run. */
  #prepare(): void {
    this.#thread = new SaveThread();
    this.#preparing = this.#thread.prepare(rankShard(captureState(this.#parts).tensors).bytes);
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
  /** @throws {CHECKPOINTS_PRESENT} if a run that was not resumed would mix its checkpoints with others */
  async #begin(): Promise<void> {
    await this.#open();
    const { lastStep } = this.#opened!;
    if (!this.#hasBegun && lastStep >= 0)
      throw new TrenioError('CHECKPOINTS_PRESENT', { folder: this.directory, step: lastStep });
    this.#hasBegun = true;
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
        [...tensors].map(([name, { type }]) => [name, { dtype: type.elementType, shape: [...type.shape], pieces: [] }]),
      ),
    };
  }
}

function checkMicroBatches({ gradientAccumulationSteps: expected, microBatchesSoFar: got }: Device): void {
  if (expected > 1 && got % expected !== 0) throw new TrenioError('MICRO_BATCH_COUNT', { got, expected });
}
