// The loader workers of one loader, as seen from the loop: threads that make batches. A worker never keeps the process running:
// it is referenced only while a batch is awaited.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { TrenioError } from '../../base/errors.ts';
import { neighbor } from '../../base/neighbor.ts';
import type { BatchTask } from './batch-maker.ts';
import { decodeError } from './worker-errors.ts';
import { decode, type Sendable } from './worker-exports.ts';
import type { WorkerReply, WorkerRequest, WorkerSetup, WorkerStart } from './worker-protocol.ts';

const file = neighbor(import.meta.url, './loader-worker.ts');

export interface WorkerPoolOptions {
  readonly numWorkers: number;
  readonly seed: number;
  readonly recipe: Sendable;
  readonly workerInitFn: Sendable;
  /** The time limit of a batch; 0: no limit. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly resolve: (batch: { readonly batch: unknown } | undefined) => void;
  readonly reject: (error: Error) => void;
}
interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  /** Why the worker makes no more batches. */
  failure: Error | undefined;
}

export class WorkerPool {
  #options: WorkerPoolOptions;
  readonly #threads: readonly Thread[];
  #requests = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const peers = connections(options.numWorkers);
    this.#threads = peers.map((ports, id) => startThread(options, id, ports));
  }
  get size(): number {
    return this.#threads.length;
  }
  /** Whether all threads are alive and have nothing to do. */
  get isIdle(): boolean {
    return this.#threads.every(({ waiting, failure }) => waiting.size === 0 && failure === undefined);
  }
  /** Sets the idle threads up with another dataset, as if they were new. */
  setUp(options: WorkerPoolOptions): void {
    this.#options = options;
    this.#threads.forEach(({ worker }, id) => {
      worker.postMessage({ kind: 'setup', setup: setupOf(options, id) } satisfies WorkerRequest);
    });
  }
  /**
   * Requests a batch from a worker; undefined if the stream has ended. A worker makes its batches in the order of the requests.
   */
  request(id: number, task: BatchTask): Promise<{ readonly batch: unknown } | undefined> {
    const thread = this.#threads[id]!;
    const request = this.#requests++;
    const answer = new Promise<{ readonly batch: unknown } | undefined>((resolve, reject) => {
      if (thread.failure !== undefined) return reject(thread.failure);
      thread.waiting.set(request, { resolve, reject });
      thread.worker.postMessage({ kind: 'make', request, task } satisfies WorkerRequest);
    });
    // The error is thrown where the batch is awaited; this handler prevents an unhandled rejection before that.
    answer.catch(() => {});
    return answer;
  }
  /**
   * Waits for the answer of a worker.
   * @throws {DATA_WORKER_TIMEOUT}
   */
  async await<T>(id: number, answer: Promise<T>): Promise<T> {
    const { worker } = this.#threads[id]!;
    const { timeoutMs } = this.#options;
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      if (timeoutMs === 0) return await answer;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new TrenioError('DATA_WORKER_TIMEOUT', { worker: id, seconds: timeoutMs / 1000 })),
          timeoutMs,
        );
      });
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }
  /** Ends all threads, also those that are busy. */
  async close(): Promise<void> {
    for (const thread of this.#threads) thread.failure ??= new Error('the loader was closed');
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}

const setupOf = ({ numWorkers, seed, recipe, workerInitFn }: WorkerPoolOptions, id: number): WorkerSetup => ({
  id,
  numWorkers,
  seed: seed + id,
  recipe,
  workerInitFn,
});

/** A channel between each pair of workers: the ports of each worker. */
function connections(count: number): readonly (readonly (MessagePort | null)[])[] {
  const ends = Array.from({ length: count }, () => Array<MessagePort | null>(count).fill(null));
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const { port1, port2 } = new MessageChannel();
      ends[a]![b] = port1;
      ends[b]![a] = port2;
    }
  return ends;
}

function startThread(options: WorkerPoolOptions, id: number, peers: readonly (MessagePort | null)[]): Thread {
  const workerData: WorkerStart = { setup: setupOf(options, id), peers };
  const transferList = peers.filter(port => port !== null);
  const worker = new Worker(file, { workerData, transferList, name: `trenio loader ${id}` });
  const thread: Thread = { worker, waiting: new Map(), failure: undefined };
  const fail = (error: Error): void => {
    thread.failure ??= error;
    for (const { reject } of thread.waiting.values()) reject(thread.failure);
    thread.waiting.clear();
  };
  worker.on('message', (reply: WorkerReply) => {
    const waiting = thread.waiting.get(reply.request);
    thread.waiting.delete(reply.request);
    if (waiting === undefined) return;
    if (reply.kind === 'error') waiting.reject(decodeError(reply.error, id));
    else if (reply.kind === 'end') waiting.resolve(undefined);
    else
      decode(reply.batch, 'the batch').then(
        batch => waiting.resolve({ batch }),
        (error: Error) => waiting.reject(error),
      );
  });
  const died = (reason: string): TrenioError => new TrenioError('DATA_WORKER_DIED', { worker: id, reason });
  worker.on('messageerror', error => fail(died(error.message)));
  worker.on('error', error => fail(died(error instanceof Error ? error.message : String(error))));
  worker.on('exit', code => fail(died(`the thread ended with exit code ${code}`)));
  // Must come last: listening for messages references the worker again.
  worker.unref();
  return thread;
}
