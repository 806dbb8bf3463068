// An event file that another thread writes: the training thread only hands bytes over, so that a slow disk does not hold a step
// and a loop that never waits is written all the same.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TrenioError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { encodeEvent, type LoggedEvent } from './messages.ts';
import { record } from './records.ts';

/** The positions of the shared numbers: messages that the thread has handled, and its error. */
const slots = { done: 0, error: 1 } as const;

// Files stay open; records that arrive together are written in one call. After an error the rest is only counted.
const source = `
const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads');
const { closeSync, openSync, writevSync } = require('node:fs');
const shared = new Int32Array(workerData);
const files = new Map();
parentPort.on('message', first => {
  const messages = [first];
  for (let next = receiveMessageOnPort(parentPort); next !== undefined; next = receiveMessageOnPort(parentPort)) messages.push(next.message);
  const byPath = Map.groupBy(messages, message => message.path);
  for (const [path, group] of byPath) {
    try {
      const bytes = group.flatMap(message => message.bytes ?? []);
      if (bytes.length > 0) {
        if (!files.has(path)) files.set(path, openSync(path, 'a'));
        let rest = bytes;
        while (rest.length > 0) {
          let written = writevSync(files.get(path), rest);
          while (rest.length > 0 && written >= rest[0].byteLength) written -= rest.shift().byteLength;
          if (written > 0) rest[0] = rest[0].subarray(written);
        }
      }
      if (group.some(message => message.bytes === undefined) && files.has(path)) {
        closeSync(files.get(path));
        files.delete(path);
      }
    } catch (error) {
      Atomics.store(shared, ${slots.error}, error.errno ?? -1);
      parentPort.postMessage({ path, code: error.code, message: error.message });
    }
  }
  Atomics.add(shared, ${slots.done}, messages.length);
  Atomics.notify(shared, ${slots.done});
});`;

const longestExitMs = 10_000;

/** The thread, shared by all event files of the process. */
class WriterThread {
  readonly #shared = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  #sent = 0;
  readonly failures = new Map<string, string>();

  constructor() {
    this.#worker = new Worker(source, { eval: true, execArgv: [], stdin: false, workerData: this.#shared.buffer });
    this.#worker.on('message', ({ path, message }: { path: string; message: string }) =>
      this.failures.set(path, message),
    );
    this.#worker.unref();
    // A script that ends, or calls process.exit(), loses nothing.
    process.once('exit', () => this.wait(longestExitMs));
  }
  send(path: string, bytes: Uint8Array | undefined): void {
    this.#sent++;
    this.#worker.postMessage({ path, bytes }, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
  }
  /** Waits until everything that was sent is written. False if that took longer than `limitMs`. */
  wait(limitMs: number): boolean {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const done = Atomics.load(this.#shared, slots.done);
      if (done >= this.#sent) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      Atomics.wait(this.#shared, slots.done, done, left);
    }
  }
  get failed(): boolean {
    return Atomics.load(this.#shared, slots.error) !== 0;
  }
}
let thread: WriterThread | undefined;

const version = 'brain.Event:2';
let files = 0;

/** Events are appended to a new file of this folder. */
export class EventFile {
  readonly folder: string;
  readonly path: string;
  #pending: Uint8Array[] = [];
  #isClosed = false;
  #lastFlushMs = performance.now();
  readonly #maxQueue: number;
  readonly #flushMs: number;

  /** @throws {FOLDER_UNWRITABLE} */
  constructor(folder: string, { maxQueue = 10, flushSecs = 120, suffix = '', wallTime = Date.now() / 1000 } = {}) {
    this.folder = folder;
    this.#maxQueue = maxQueue;
    this.#flushMs = flushSecs * 1000;
    const name = `events.out.tfevents.${String(Math.floor(wallTime)).padStart(10, '0')}.${hostname()}.${process.pid}.${files++}${suffix}`;
    this.path = join(folder, name);
    try {
      makeFolder(folder);
    } catch (cause) {
      throw new TrenioError('EVENT_FILE_UNWRITABLE', { file: this.path, reason: (cause as Error).message }, { cause });
    }
    thread ??= new WriterThread();
    this.add({ wallTime, step: undefined, what: { kind: 'file version', version, writer: 'trenio' } });
    this.#send();
  }
  /** @throws {EVENT_FILE_UNWRITABLE} where an earlier event could not be written */
  add(event: LoggedEvent): void {
    this.#check();
    this.#pending.push(record(encodeEvent(event)));
    if (this.#pending.length >= this.#maxQueue || performance.now() - this.#lastFlushMs > this.#flushMs) this.#send();
  }
  #check(): void {
    const reason = thread?.failed === true ? thread.failures.get(this.path) : undefined;
    if (this.#isClosed || reason !== undefined)
      throw new TrenioError('EVENT_FILE_UNWRITABLE', { file: this.path, reason: reason ?? 'the writer is closed' });
  }
  #send(): void {
    this.#lastFlushMs = performance.now();
    if (this.#pending.length === 0) return;
    const bytes = new Uint8Array(this.#pending.reduce((sum, part) => sum + part.byteLength, 0));
    let at = 0;
    for (const part of this.#pending) {
      bytes.set(part, at);
      at += part.byteLength;
    }
    this.#pending = [];
    thread!.send(this.path, bytes);
  }
  /** Waits until everything is in the file. */
  flush(): void {
    if (this.#isClosed) return;
    this.#send();
    thread!.wait(Number.POSITIVE_INFINITY);
  }
  close(): void {
    if (this.#isClosed) return;
    this.flush();
    thread!.send(this.path, undefined);
    this.#isClosed = true;
  }
}
