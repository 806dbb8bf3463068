// An event file that is written by another thread: the training thread only passes bytes on, so a slow disk does not block a
// step, and events are written even if the loop never yields.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { TrenioError } from '../base/errors.ts';
import { loggerFrom } from '../base/logger.ts';
import { makeFolder } from '../base/make-folder.ts';
import { encodeEvent, type LoggedEvent } from './messages.ts';
import { record } from './records.ts';

/** The positions of the shared numbers: the count of processed messages, and the error. */
const slots = { done: 0, error: 1 } as const;

// Files stay open; records that arrive together are written in one call. After an error, further records are only counted: a
// record may be torn.
const source = `
const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads');
const { closeSync, openSync, writevSync } = require('node:fs');
const shared = new Int32Array(workerData.shared);
const files = new Map(), failed = new Set();
parentPort.on('message', first => {
  const messages = [first];
  for (let next = receiveMessageOnPort(parentPort); next !== undefined; next = receiveMessageOnPort(parentPort)) messages.push(next.message);
  const byPath = Map.groupBy(messages, message => message.path);
  for (const [path, group] of byPath) {
    try {
      const bytes = failed.has(path) ? [] : group.flatMap(message => message.bytes ?? []);
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
      failed.add(path);
      workerData.failures.postMessage({ path, message: error.message });
      Atomics.store(shared, ${slots.error}, error.errno ?? -1);
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
  readonly #channel = new MessageChannel();
  readonly #failures = new Map<string, string>();
  /** Files whose failure was reported to the script. */
  readonly #told = new Set<string>();
  #sent = 0;

  constructor() {
    const failures = this.#channel.port2;
    const workerData = { shared: this.#shared.buffer, failures };
    const settings = { eval: true, execArgv: [], stdin: false, workerData, transferList: [failures] };
    this.#worker = new Worker(source, settings);
    this.#worker.unref();
    // A script that ends, or calls process.exit(), loses nothing.
    process.once('exit', () => {
      this.wait(longestExitMs);
      this.#receive();
      for (const [path, reason] of this.#failures)
        if (!this.#told.has(path)) loggerFrom().warn(`${path} is not complete: ${reason}`);
    });
  }
  send(path: string, bytes: Uint8Array | undefined): void {
    this.#sent++;
    this.#worker.postMessage({ path, bytes }, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
  }
  /** Waits until all sent records are written. False if that takes longer than `limitMs`. */
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
  /** Why a file could not be written. Available without a turn of the event loop, because a training loop may never yield. */
  failureOf(path: string): string | undefined {
    this.#receive();
    const reason = this.#failures.get(path);
    if (reason !== undefined) this.#told.add(path);
    return reason;
  }
  #receive(): void {
    if (Atomics.load(this.#shared, slots.error) === 0) return;
    for (let next = receiveMessageOnPort(this.#channel.port1); next; next = receiveMessageOnPort(this.#channel.port1)) {
      const { path, message } = next.message as { path: string; message: string };
      this.#failures.set(path, message);
    }
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
  /** @throws {EVENT_FILE_UNWRITABLE} if an earlier event could not be written */
  add(event: LoggedEvent): void {
    this.#check();
    this.#pending.push(record(encodeEvent(event)));
    if (this.#pending.length >= this.#maxQueue || performance.now() - this.#lastFlushMs > this.#flushMs) this.#send();
  }
  #check(): void {
    const reason = thread?.failureOf(this.path);
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
  /** Waits until everything is in the file. @throws {EVENT_FILE_UNWRITABLE} */
  flush(): void {
    if (this.#isClosed) return;
    this.#send();
    thread!.wait(Number.POSITIVE_INFINITY);
    this.#check();
  }
  /** @throws {EVENT_FILE_UNWRITABLE} if not everything was written; the file is closed in any case */
  close(): void {
    if (this.#isClosed) return;
    try {
      this.flush();
    } finally {
      thread!.send(this.path, undefined);
      this.#isClosed = true;
    }
  }
}
