// A thread in each rank of several, for the case that its main thread does not respond. On request, it reports the state of the
// main thread to the launcher: its JavaScript stack, even in an endless loop. And it ends the process when the launcher has been
// stopped (SIGSTOP) for too long: launchers on other machines consider that one lost by then, and may have started its ranks
// again.
//
// Only Node's own modules are imported: the thread starts with each rank.
import { readFileSync, writeFileSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

export interface WatcherData {
  readonly launcher: number;
  /** The file through which the launcher asks. */
  readonly channel: number | undefined;
  /** How long the launcher may be stopped; undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** Where an error of the rank is written. */
  readonly errorFile: string | undefined;
  /** The last line of the script that recorded something: last-line.ts. */
  readonly lastLine: SharedArrayBuffer;
}

/** The activity of the main thread of a rank. */
export type RankActivity = {
  /** The line of the script that last used the library, as `file:line:column`. */
  readonly lastLine: string;
} & (
  | { readonly kind: 'running'; readonly frames: readonly string[] }
  /** It waits for these in the event loop. */
  | { readonly kind: 'waiting'; readonly for: readonly string[] }
  | { readonly kind: 'native' }
);

const answerMs = 2000;
/** The interval at which it checks whether the launcher is stopped. */
const lookMs = 500;
const data = workerData as WatcherData;

async function activity(): Promise<RankActivity> {
  const lastLine = textOf(data.lastLine);
  const session = new Session();
  session.connectToMainThread();
  const scripts = new Map<string, string>();
  const { promise: paused, resolve: onPaused } = Promise.withResolvers<readonly string[]>();
  const { promise: idle, resolve: onIdle } = Promise.withResolvers<readonly string[]>();
  const { promise: resumed, resolve: onResumed } = Promise.withResolvers<void>();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    onPaused(params.callFrames.map(frame => describe(frame, scripts)));
    session.post('Debugger.resume');
  });
  session.on('Debugger.resumed', () => onResumed());
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  const frames = await Promise.race([paused, sleep(answerMs)]);
  if (frames !== undefined) {
    // Disconnected earlier, it would stay paused.
    await resumed;
    session.disconnect();
    return { kind: 'running', frames, lastLine };
  }
  // No JavaScript runs. A main thread in its event loop answers; one in a native call does not.
  session.post('Debugger.disable');
  session.post('Runtime.evaluate', { expression: 'process.getActiveResourcesInfo().join()' }, (error, answer) => {
    if (error === null) onIdle(String(answer?.result.value).split(',').filter(Boolean));
  });
  const resources = await Promise.race([idle, sleep(answerMs)]);
  session.disconnect();
  return resources === undefined ? { kind: 'native', lastLine } : { kind: 'waiting', for: resources, lastLine };
}

function describe({ functionName, location }: Debugger.CallFrame, scripts: ReadonlyMap<string, string>): string {
  const at = `${scripts.get(location.scriptId) ?? ''}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`;
  return functionName === '' ? `    at ${at}` : `    at ${functionName} (${at})`;
}

function textOf(shared: SharedArrayBuffer): string {
  const offset = Atomics.load(new Int32Array(shared), 0);
  const bytes = Buffer.from(new Uint8Array(shared)).subarray(offset);
  return offset === 0 ? '' : bytes.subarray(0, bytes.indexOf(0)).toString();
}

if (data.channel !== undefined) {
  const socket = new Socket({ fd: data.channel, readable: true, writable: true });
  socket.on('error', () => {}); // the launcher has ended; the kernel ends this process
  socket.on('data', () => void activity().then(found => socket.write(`${JSON.stringify(found)}\n`)));
}

/** For the launcher, should it be continued, and for a scheduler: as error-file.ts does. Output cannot leave this process now. */
function leaveReason(message: string): void {
  const file = data.errorFile;
  if (file === undefined) return;
  const extraInfo = { py_callstack: '', timestamp: `${Math.floor(Date.now() / 1000)}` };
  try {
    writeFileSync(file, `${JSON.stringify({ message: { message, extraInfo } })}\n`, { flag: 'wx' });
  } catch {
    // There is already an error, or the file is not writable; the process ends in either case.
  }
}

if (data.timeoutMs !== undefined && process.platform === 'linux') {
  const { launcher, timeoutMs } = data;
  let stoppedMs = 0;
  let looked = performance.now();
  setInterval(() => {
    const now = performance.now();
    // The time during which this rank was stopped itself does not count.
    const passedMs = Math.min(now - looked, 2 * lookMs);
    looked = now;
    let state: string | undefined;
    try {
      const stat = readFileSync(`/proc/${launcher}/stat`, 'utf8');
      state = stat.slice(stat.lastIndexOf(')') + 2)[0];
    } catch {
      // It has ended, and so does this process.
    }
    stoppedMs = state === 'T' || state === 't' ? stoppedMs + passedMs : 0;
    if (stoppedMs <= timeoutMs) return;
    leaveReason(`the launcher (process ${launcher}) was stopped (SIGSTOP) for ${Math.round(timeoutMs / 1000)} s`);
    process.kill(process.pid, 'SIGKILL');
  }, lookMs);
}
