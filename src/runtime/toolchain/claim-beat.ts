// The heartbeat of a process that compiles: it updates the modification time of its claims four times a second. It runs on a
// separate thread, because the main thread is blocked while it waits for the C compiler; and in the process itself rather than
// in its shell, so that it stops if the process is killed, stopped or cut off from the file system.
import { Worker } from 'node:worker_threads';

const beatMs = 250;
/** A program is often compiled soon after another one, and starting a thread takes 30 ms of CPU time: it stays this long. */
const idleMs = 10_000;

// A message starts or stops the renewal of a path. A path that no longer exists was taken over.
const source = `
const { parentPort } = require('node:worker_threads');
const { closeSync, openSync, utimesSync, writeSync } = require('node:fs');
const paths = new Set();
let timer;
parentPort.on('message', path => {
  if (!paths.delete(path)) paths.add(path);
  if (paths.size > 0) timer ??= setInterval(renew, ${beatMs});
  else timer = clearInterval(timer);
});
const renew = () => {
  const now = new Date();
  for (const path of paths) {
    try {
      utimesSync(path, now, now);
    } catch {
      // Taken over from another user of the group: its file is writable, but only its owner may set its time.
      try {
        const file = openSync(path, 'r+');
        writeSync(file, '.');
        closeSync(file);
      } catch {}
    }
  }
};`;

const paths = new Set<string>();
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/** Starts renewing the modification time of this file. */
export function beat(path: string): void {
  clearTimeout(idle);
  // Without the thread the claim looks abandoned after a while, and a program is compiled twice.
  if (thread === undefined) {
    thread = new Worker(source, { eval: true, execArgv: [], stdin: false });
    thread.on('error', () => {});
    thread.unref();
  }
  thread.postMessage(path);
  paths.add(path);
}

export function stopBeating(path: string): void {
  if (!paths.delete(path)) return;
  thread?.postMessage(path);
  if (paths.size > 0) return;
  clearTimeout(idle);
  idle = setTimeout(end, idleMs).unref();
}
function end(): void {
  void thread?.terminate();
  thread = undefined;
}
