// The thread of a loader worker: prepares the requested batches one after another, and posts them. Arrays are transferred,
// not copied, unless the dataset may still refer to them.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../base/errors.ts';
import { Peers } from '../datasets/shared-work.ts';
import { BatchMaker, type BatchRecipe, failedItems } from './batch-maker.ts';
import { encodeError } from './worker-errors.ts';
import { decode, encode } from './worker-exports.ts';
import { setWorkerInfo } from './worker-info.ts';
import type { WorkerReply, WorkerRequest, WorkerSetup, WorkerStart } from './worker-protocol.ts';

invariant(parentPort !== null, 'the file of loader workers was run directly');
const port = parentPort;

const start = workerData as WorkerStart;
const peers = new Peers(start.setup.id, start.peers as readonly (MessagePort | null)[]);

async function prepare({ id, numWorkers, seed, recipe, workerInitFn }: WorkerSetup) {
  const decoded = (await decode(recipe, 'the dataset')) as BatchRecipe<unknown, unknown>;
  const { source } = decoded;
  setWorkerInfo({ id, numWorkers, seed, dataset: source.kind === 'dataset' ? source.dataset : source.stream });
  const init = (await decode(workerInitFn, 'workerInitFn')) as ((id: number) => unknown) | undefined;
  await init?.(id);
  return new BatchMaker(decoded, { peers });
}
let maker = prepare(start.setup);
// The error is thrown by each request.
maker.catch(() => {});

let last: Promise<void> = Promise.resolve();
port.on('message', (message: WorkerRequest) => {
  last = last.then(() => (message.kind === 'make' ? answer(message) : startOver(message.setup)));
});

async function startOver(setup: WorkerSetup): Promise<void> {
  // A stream that could not be closed belongs to the previous epoch.
  await maker.then(made => made.close()).catch(() => {});
  maker = prepare(setup);
  maker.catch(() => {});
}

async function answer({ request, task }: Extract<WorkerRequest, { kind: 'make' }>): Promise<void> {
  try {
    const made = await (await maker).make(task);
    if (made === undefined) return post({ request, kind: 'end' });
    const batch = encode(made.batch, 'the batch');
    port.postMessage({ request, kind: 'batch', batch } satisfies WorkerReply, buffersOf(batch, made.items));
  } catch (error) {
    const item = typeof error === 'object' && error !== null ? failedItems.get(error) : undefined;
    post({ request, kind: 'error', error: encodeError(error, item) });
  }
}

function post(reply: WorkerReply): void {
  try {
    port.postMessage(reply);
  } catch (error) {
    // The data of an error may contain values that cannot be copied; its text can always be copied.
    if (reply.kind !== 'error') throw error;
    port.postMessage({ ...reply, error: { ...reply.error, ours: undefined } });
  }
}

/**
 * The buffers of a batch that can be transferred: a collate function may return arrays of the items, which a dataset may keep.
 */
function buffersOf(batch: unknown, items: readonly unknown[]): ArrayBuffer[] {
  const kept = new Set<ArrayBuffer>();
  for (const item of items) collectBuffers(item, kept, new Set());
  const found = new Set<ArrayBuffer>();
  collectBuffers(batch, found, new Set());
  return [...found].filter(buffer => !kept.has(buffer));
}

function collectBuffers(value: unknown, found: Set<ArrayBuffer>, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    return;
  }
  seen.add(value);
  if (value instanceof ArrayBuffer) found.add(value);
  else if (value instanceof Map || value instanceof Set) for (const entry of value) collectBuffers(entry, found, seen);
  else if (Array.isArray(value)) {
    // Most long arrays contain only numbers or strings.
    for (const entry of value) if (typeof entry === 'object') collectBuffers(entry, found, seen);
  } else for (const entry of Object.values(value)) collectBuffers(entry, found, seen);
}
