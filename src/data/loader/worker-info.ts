// Information about the loader worker that the code runs in.
import type { Dataset } from '../datasets/dataset.ts';

/** The loader worker that the code runs in. */
export interface WorkerInfo {
  /** From 0 up to, not including, `numWorkers`. */
  readonly id: number;
  /** The number of worker threads that load examples; 0 loads on the main thread. */
  readonly numWorkers: number;
  /** The worker's copy of the dataset or stream. */
  readonly dataset: Dataset<unknown> | object;
  /** Differs by worker. For randomness of items use `ItemRandom`, which does not depend on the workers. */
  readonly seed: number;
}

let current: WorkerInfo | null = null;
let hidden = 0;

/** Called once by each worker. */
export function setWorkerInfo(info: WorkerInfo): void {
  current = info;
}

/**
 * The loader worker that this code runs in; null in the main thread, like PyTorch's `get_worker_info`. Also null while the
 * source of a stream is read: each worker reads the whole stream and computes its own share of it, so a source must not split
 * itself.
 * @example
 * // undefined on the main thread; { id, numWorkers, … } in a worker of a DataLoader
 * getWorkerInfo() // null
 */
export function getWorkerInfo(): WorkerInfo | null {
  return hidden > 0 ? null : current;
}

/** Runs something that reads the source of a stream. */
export async function readingStream<T>(read: () => Promise<T>): Promise<T> {
  hidden++;
  try {
    return await read();
  } finally {
    hidden--;
  }
}
