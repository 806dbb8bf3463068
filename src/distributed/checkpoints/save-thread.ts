// The training thread's side of the thread that writes checkpoints: the memory that the two pass back and forth, and the outcome
// of the last save. The memory is allocated by the first save and reused by later ones.
import { Worker } from 'node:worker_threads';
import { writeError } from '../../base/atomic-write.ts';
import type { SourceLocation, TrenioError } from '../../base/errors.ts';
import { neighbor } from '../../base/neighbor.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { allocateUnshared } from '../../runtime/execution/memory.ts';
import {
  blockBytes,
  type SaveFailure,
  type SavePlan,
  type SaveReply,
  type SaveRequest,
  wholeBlocks,
} from './save-plan.ts';

/** The place of a file in an array buffer: whole blocks, in huge pages if available. */
interface Memory {
  readonly buffer: ArrayBuffer;
  readonly from: number;
  readonly bytes: number;
}
const longestExitMs = 120_000;

export class SaveThread {
  readonly #worker: Worker;
  /** The number of completed saves. */
  readonly #done = new Int32Array(new SharedArrayBuffer(4));
  #sent = 0;
  #memory: Memory | undefined;
  #reply: PromiseWithResolvers<SaveReply> | undefined;
  readonly #onExit = (): void => this.#waitAtExit();

  constructor() {
    // Next to this file, with the same extension: TypeScript in a checkout, JavaScript in the published package.
    const file = neighbor(import.meta.url, './save-worker.ts');
    this.#worker = new Worker(file, { execArgv: [], stdin: false, workerData: this.#done.buffer });
    this.#worker.on('message', (reply: SaveReply) => {
      this.#worker.unref();
      this.#reply?.resolve(reply);
    });
    this.#worker.on('error', error => {
      this.#memory = undefined;
      this.#reply?.reject(error);
    });
    this.#worker.unref();
    // A script that ends, or calls process.exit(), does not lose its last save.
    process.on('exit', this.#onExit);
  }

  /** Allocates the memory for `bytes` ahead of time: its pages are touched on the other thread. */
  prepare(bytes: number): Promise<void> {
    const { buffer, from } = this.#allocate(bytes);
    return this.#ask({ kind: 'touch', memory: buffer }).then(({ memory }) => {
      this.#memory = { buffer: memory, from, bytes };
    });
  }
  /** Memory for `bytes`, to be filled and then passed to `save`. */
  room(bytes: number): Uint8Array<ArrayBuffer> {
    if (this.#memory === undefined || this.#memory.bytes < bytes) this.#memory = this.#allocate(bytes);
    return new Uint8Array(this.#memory.buffer, this.#memory.from, bytes);
  }
  #allocate(bytes: number): Memory {
    const runtime = defaultRuntime();
    const native = runtime.isNativeLoaded ? runtime.native : undefined;
    const block = allocateUnshared(wholeBlocks(bytes) + blockBytes, 'a checkpoint', native);
    const skip = Number(-block.address & BigInt(blockBytes - 1));
    return { buffer: block.bytes.buffer, from: block.bytes.byteOffset + skip, bytes };
  }

  /**
   * Writes the contents of the memory; returns the time taken. `location`: the user's line, named in errors.
   * @throws {DISK_FULL} earlier checkpoints are kept
   * @throws {WRITE_FAILED} earlier checkpoints are kept
   */
  async save(plan: Omit<SavePlan, 'from'>, location: SourceLocation | undefined): Promise<number> {
    const { buffer, from, bytes } = this.#memory!;
    this.#sent++;
    const reply = await this.#ask({ kind: 'save', memory: buffer, plan: { ...plan, from } }).catch(error => {
      // It will not be done: the end of the script must not wait for it.
      this.#sent--;
      throw error;
    });
    this.#memory = { buffer: reply.memory, from, bytes };
    if (reply.kind === 'saved') return reply.writeMs;
    throw reply.kind === 'failed' ? errorOf(reply.failure, plan.rank, location) : new Error('unexpected reply');
  }

  async #ask(request: SaveRequest): Promise<SaveReply> {
    this.#reply = Promise.withResolvers();
    this.#memory = undefined;
    this.#worker.ref();
    this.#worker.postMessage(request, [request.memory]);
    return this.#reply.promise;
  }

  async close(): Promise<void> {
    process.off('exit', this.#onExit);
    await this.#worker.terminate();
  }
  #waitAtExit(): void {
    const deadline = performance.now() + longestExitMs;
    for (;;) {
      const done = Atomics.load(this.#done, 0);
      const left = deadline - performance.now();
      if (done >= this.#sent || left <= 0) return;
      Atomics.wait(this.#done, 0, done, left);
    }
  }
}

function errorOf(
  { file, bytesWritten, code, message, rank }: SaveFailure,
  ownRank: number,
  location: SourceLocation | undefined,
): TrenioError {
  const reason = rank === ownRank ? message : `rank ${rank}: ${message}`;
  return writeError(file, bytesWritten, { code, message: reason }, location);
}
