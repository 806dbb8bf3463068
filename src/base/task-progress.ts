// The progress of a task that may take longer than two seconds: the activity, the share, the time left, the rate. It is a
// ProgressLine with text made from counts; training has a more detailed one (observe/training-progress.ts).
//
//   verifying checkpoint-50: 42 %  5.2 s left  310 MiB/s          counts of bytes
//   compiling: 3/7 programs  12 s left                            other counts
//   tracing train.ts: 35 programs, 8.1 s                          no total
//
// Nothing is shown during the first two seconds. A timer keeps the elapsed time up to date while nothing is reported. The most
// important part comes first, because a narrow terminal truncates the rest.
import { ProgressLine, type ProgressMedium, type ProgressStream } from './progress.ts';
import { formatBytes, formatDuration } from './units.ts';

export interface TaskState {
  /** The task, in a few words: `verifying checkpoint-50`. A new text resets the counts. */
  readonly what: string;
  readonly done?: number;
  /** Undefined while unknown. */
  readonly total?: number | undefined;
  /** The unit of the counts: `bytes`, or a plural such as `programs`. Default: the share is shown, but no counts. */
  readonly unit?: string;
  /** Text shown at the end of the line. */
  readonly detail?: string;
}

export interface TaskProgressOptions {
  readonly stream: ProgressStream;
  /** Show no progress, because the output is for programs. */
  readonly quiet?: boolean;
  readonly medium?: ProgressMedium;
  readonly nowMs?: () => number;
  /** Default 2000. */
  readonly afterMs?: number;
}

const AFTER_MS = 2000;
const LOG_EVERY_MS = 10_000;
const TERMINAL_TICK_MS = 1000;
/** A remaining time that is estimated from less than this is too unstable to be useful. */
const ESTIMATE_AFTER_MS = 500;

/** Progress that is removed from a terminal at the end, before the result is printed. */
export class TaskProgress {
  readonly #stream: ProgressStream;
  readonly #line: ProgressLine | undefined;
  readonly #nowMs: () => number;
  readonly #begunMs: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #state: TaskState | undefined;
  /** The time at which the current `what` began, and its progress at that time. */
  #from = { ms: 0, done: 0 };

  constructor({ stream, quiet = false, medium, nowMs, afterMs = AFTER_MS }: TaskProgressOptions) {
    this.#stream = stream;
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#begunMs = this.#nowMs();
    if (quiet) return;
    const given = medium === undefined ? {} : { medium };
    this.#line = new ProgressLine({ stream, nowMs: this.#nowMs, afterMs, logEveryMs: LOG_EVERY_MS, ...given });
    this.#timer = setInterval(() => this.#show(), TERMINAL_TICK_MS);
    this.#timer.unref();
  }

  /** Cheap: most calls write nothing. */
  update(state: TaskState): void {
    if (state.what !== this.#state?.what) this.#from = { ms: this.#nowMs(), done: state.done ?? 0 };
    this.#state = state;
    this.#show();
  }
  /** Writes whole lines above the progress, even if the progress itself is not shown. */
  write(text: string): void {
    if (this.#line === undefined) this.#stream.write(text);
    else this.#line.print(text.replace(/\n$/, ''));
  }
  /** Removes it from a terminal until the next update; call it before writing to standard output. */
  hide(): void {
    this.#line?.clear();
  }
  /** Ends it, and removes it from a terminal. */
  done(): void {
    clearInterval(this.#timer);
    this.#line?.clear();
    this.#state = undefined;
  }
  [Symbol.dispose](): void {
    this.done();
  }

  #show(): void {
    if (this.#state !== undefined) this.#line?.update(this.#text(this.#state));
  }

  #text({ what, done = 0, total, unit, detail }: TaskState): string {
    const nowMs = this.#nowMs();
    const seconds = (nowMs - this.#from.ms) / 1000;
    const rate = seconds > 0 ? (done - this.#from.done) / seconds : 0;
    const parts: string[] = [];
    const isBytes = unit === 'bytes';
    const counted = unit === undefined || isBytes ? '' : ` ${unit}`;
    if (total !== undefined && total > 0) {
      parts.push(
        counted === '' ? `${Math.floor((100 * Math.min(done, total)) / total)} %` : `${done}/${total}${counted}`,
      );
      if (rate > 0 && done < total && 1000 * seconds >= ESTIMATE_AFTER_MS)
        parts.push(`${formatDuration((total - done) / rate)} left`);
      else parts.push(formatDuration((nowMs - this.#begunMs) / 1000));
    } else {
      if (unit !== undefined && done > 0) parts.push(isBytes ? formatBytes(done) : `${done}${counted}`);
      parts.push(formatDuration((nowMs - this.#begunMs) / 1000));
    }
    if (rate > 0 && unit !== undefined)
      parts.push(isBytes ? `${formatBytes(rate)}/s` : rate >= 10 ? `${Math.round(rate)}${counted}/s` : '');
    if (detail !== undefined && detail !== '') parts.push(detail);
    return `${what}: ${parts.filter(part => part !== '').join('  ')}`;
  }
}
