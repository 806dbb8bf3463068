// The progress line of a training run: step, loss, throughput, MFU, time left, and the predicted next to the measured time. Parts
// that are unknown are omitted. It also emits the values passed to it: `trenio top` shows the loss without reading it.
import { ProgressLine, type ProgressOptions } from '../base/progress.ts';
import { formatDuration } from '../base/units.ts';
import { emit, type ObservedEvent, subscribe } from './events.ts';

/** Options of `TrainingProgress`. */
export interface TrainingProgressOptions extends Partial<ProgressOptions> {
  /** The number of steps of the whole training. */
  readonly totalSteps: number;
  /** For a resumed training run, the step before its first one. */
  readonly firstStep?: number;
  /** The items that a step processes, by name: `{ sequences: 32 }`. */
  readonly perStep?: Readonly<Record<string, number>>;
  /** The peak FLOP/s of the machine, to show the utilization by multiplies (MFU). */
  readonly peakFlops?: number;
  /** Shown next to the measured time of a step. */
  readonly predictedStepMs?: number;
}

/** Rates are averaged over about this number of recent steps. */
const window = 50;
/** In a log: a line every two seconds at first, when one waits for it, then fewer. */
const logEveryMs = { first: 2000, later: 5000 } as const;
const firstMs = 60_000;

/**
 * The progress line of a training loop.
 *
 * @example
 * ```ts no-run
 * const progress = new TrainingProgress({ totalSteps: 1000, perStep: { sequences: 32 } });
 * for (let step = 1; step <= 1000; step++) {
 *   const loss = tensor(1 / step);
 *   progress.step(step, step % 10 === 0 ? loss.item() : undefined);
 * }
 * progress.done();
 * ```
 */
export class TrainingProgress {
  readonly #options: TrainingProgressOptions;
  readonly #line: ProgressLine;
  readonly #nowMs: () => number;
  /** The end times of the last steps, on a clock that stands still while something else than training happens. */
  readonly #ends: { readonly step: number; readonly ms: number; readonly flops: number }[];
  #notTrainingMs = 0;
  #pausedAtMs: number | undefined;
  #loss: number | undefined;
  #flops = 0;
  readonly #flopsOf = new Map<number, number>();
  readonly #unsubscribe: () => void;

  constructor(options: TrainingProgressOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    const begunMs = this.#nowMs();
    this.#line = new ProgressLine({
      logEveryMs: () => (this.#nowMs() - begunMs < firstMs ? logEveryMs.first : logEveryMs.later),
      ...options,
      stream: options.stream ?? process.stderr,
      nowMs: this.#nowMs,
    });
    this.#ends = [{ step: options.firstStep ?? 0, ms: this.#nowMs(), flops: 0 }];
    this.#unsubscribe = subscribe(this.#hear);
  }

  /** Reports that step `step` has ended, with `loss` if the script has read it. */
  step(step: number, loss?: number): void {
    if (loss !== undefined) {
      this.#loss = loss;
      emit({ kind: 'loss', value: loss });
    }
    this.resume();
    this.#ends.push({ step, ms: this.#nowMs() - this.#notTrainingMs, flops: this.#flops });
    if (this.#ends.length > window) this.#ends.shift();
    this.#line.update(this.#text());
  }
  /** Writes a separate line (a warning, an evaluation) above the progress line. */
  print(line: string): void {
    this.#line.print(line);
  }
  /** Call it before an evaluation or a checkpoint: the time until `resume`, or the next step, is not training. */
  pause(): void {
    this.#pausedAtMs ??= this.#nowMs();
  }
  /** Call it after an evaluation or a checkpoint. */
  resume(): void {
    if (this.#pausedAtMs !== undefined) this.#notTrainingMs += this.#nowMs() - this.#pausedAtMs;
    this.#pausedAtMs = undefined;
  }
  /** Ends the line. */
  done(): void {
    this.#unsubscribe();
    this.#line.done();
  }

  readonly #hear = (event: ObservedEvent): void => {
    if (event.kind === 'program') this.#flopsOf.set(event.id, event.flops);
    // An evaluation that compiles is paused as a whole.
    else if (event.kind === 'compile' && this.#pausedAtMs === undefined) this.#notTrainingMs += event.milliseconds;
    else if (event.kind === 'run') this.#flops += this.#flopsOf.get(event.program) ?? 0;
  };

  #text(): string {
    const { totalSteps, perStep = {}, peakFlops, predictedStepMs } = this.#options;
    const [first, last] = [this.#ends[0]!, this.#ends.at(-1)!];
    const steps = last.step - first.step;
    const parts = [`step ${last.step}/${totalSteps}`];
    if (this.#loss !== undefined) parts.push(`loss ${this.#loss.toPrecision(4)}`);
    if (steps > 0 && last.ms > first.ms) {
      const stepMs = (last.ms - first.ms) / steps;
      for (const [what, count] of Object.entries(perStep))
        parts.push(`${Math.round((1000 * count) / stepMs).toLocaleString('en-US')} ${what}/s`);
      parts.push(`${formatDuration(((totalSteps - last.step) * stepMs) / 1000)} left`);
      const measured = formatDuration(stepMs / 1000);
      parts.push(
        predictedStepMs === undefined
          ? `${measured}/step`
          : `${measured}/step (predicted ${formatDuration(predictedStepMs / 1000)})`,
      );
      const flops = last.flops - first.flops;
      if (peakFlops !== undefined && flops > 0)
        parts.push(`MFU ${((100 * 1000 * flops) / (last.ms - first.ms) / peakFlops).toFixed(1)} %`);
    }
    // The most important parts come first, because a narrow terminal truncates the rest.
    return parts.join('  ');
  }
}
