// The messages between the training loop and its loader workers.
import type { MessagePort } from 'node:worker_threads';
import type { BatchTask } from './batch-maker.ts';
import type { SentError } from './worker-errors.ts';
import type { Sendable } from './worker-exports.ts';

/** The start-up data of a worker (`workerData`), with its connections to the others, null for itself. */
export interface WorkerStart {
  readonly setup: WorkerSetup;
  readonly peers: readonly (MessagePort | null)[];
}

/** How a worker is to make batches. */
export interface WorkerSetup {
  readonly id: number;
  readonly numWorkers: number;
  readonly seed: number;
  /** A `BatchRecipe`. */
  readonly recipe: Sendable;
  /** A function of the worker's id, or undefined. */
  readonly workerInitFn: Sendable;
}

export type WorkerRequest =
  | { readonly kind: 'make'; readonly request: number; readonly task: BatchTask }
  /** Starts over on the same thread. */
  | { readonly kind: 'setup'; readonly setup: WorkerSetup };

export type WorkerReply = { readonly request: number } & (
  | { readonly kind: 'batch'; readonly batch: Sendable }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: SentError }
);
