// The elapsed time of work that blocks this thread, such as the C compiler or a native call: another thread writes it to
// standard error. Work that reports its progress uses a TaskProgress instead.
import { Worker } from 'node:worker_threads';
import { mediumOf, type ProgressMedium, type ProgressStream } from './progress.ts';

const AFTER_MS = 2000;
const TERMINAL_EVERY_MS = 1000;
const LOG_EVERY_MS = 10_000;
const STANDARD_ERROR = 2;
/** Longer than a line takes to be written. */
const LONGEST_END_MS = 1000;
const states = { running: 0, ending: 1, ended: 2 } as const;

// It waits in Atomics.wait, which returns at once when the work ends.
const source = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { shared, what, isTerminal, columns, afterMs, everyMs } = workerData;
const state = new Int32Array(shared);
const start = performance.now();
let shown = false;
const write = text => { try { writeSync(${STANDARD_ERROR}, text); } catch {} };
const wait = ms => Atomics.wait(state, 0, ${states.running}, ms) === 'timed-out';
if (wait(afterMs))
  do {
    const line = what + ': ' + ((performance.now() - start) / 1000).toFixed(0) + ' s';
    write(isTerminal ? '\\r\\u001b[K' + line.slice(0, columns - 1) : line + '\\n');
    shown = true;
  } while (wait(everyMs));
if (shown && isTerminal) write('\\r\\u001b[K');
Atomics.store(state, 0, ${states.ended});
Atomics.notify(state, 0);`;

export interface BlockedOptions {
  /** The stream for errors and notices of the command; the other thread can only write to standard error. */
  readonly stream: ProgressStream;
  /** Show no progress, because the output is for programs. */
  readonly quiet?: boolean;
  readonly medium?: ProgressMedium;
  /** Default 2000. */
  readonly afterMs?: number;
  /** The time between two lines of a log. Default 10,000. */
  readonly logEveryMs?: number;
}

/** The depth of nested work: only the outermost is shown. */
let nested = 0;

/** While the result exists, nothing is shown: the output is for programs. */
export function hideBlockedProgress(): Disposable {
  nested++;
  return { [Symbol.dispose]: () => nested-- };
}

/** Calls `work`, which blocks; its name and elapsed time are shown after two seconds. */
export function whileBlocked<T>(what: string, options: BlockedOptions, work: () => T): T {
  using _ = new BlockedProgress(what, options);
  return work();
}

/** The same for work that blocks in parts: from creation to disposal. */
export class BlockedProgress {
  readonly #worker: Worker | undefined;
  readonly #state = new Int32Array(new SharedArrayBuffer(4));
  readonly #shownFromMs: number;
  #isDone = false;

  constructor(what: string, options: BlockedOptions) {
    const { stream, quiet = false, medium = mediumOf(stream), afterMs = AFTER_MS, logEveryMs = LOG_EVERY_MS } = options;
    this.#shownFromMs = performance.now() + afterMs;
    if (nested++ > 0 || quiet || stream !== process.stderr) return;
    // A notebook shows the output of another thread only later, as a log.
    const isTerminal = medium === 'terminal';
    const everyMs = isTerminal ? TERMINAL_EVERY_MS : logEveryMs;
    const workerData = {
      shared: this.#state.buffer,
      what,
      isTerminal,
      columns: stream.columns || 80,
      afterMs,
      everyMs,
    };
    this.#worker = new Worker(source, { eval: true, execArgv: [], stdin: false, workerData });
    this.#worker.on('error', () => {}); // without the thread there is no progress display
    this.#worker.unref();
  }

  done(): void {
    if (!this.#isDone) nested--;
    this.#isDone = true;
    if (this.#worker === undefined || Atomics.load(this.#state, 0) !== states.running) return;
    Atomics.store(this.#state, 0, states.ending);
    Atomics.notify(this.#state, 0);
    // A line that is being written must not follow the result.
    if (performance.now() > this.#shownFromMs) Atomics.wait(this.#state, 0, states.ending, LONGEST_END_MS);
    void this.#worker.terminate();
  }
  [Symbol.dispose](): void {
    this.done();
  }
}
