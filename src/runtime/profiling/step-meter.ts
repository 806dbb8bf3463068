// Writes the execution times of each program to a small JSON file, for another process to read while this one trains,
// about once a second and when the process exits. `trenio run --plan` shows them next to the prediction.
import { renameSync, writeFileSync } from 'node:fs';
import { expectFileError } from '../../base/file-error.ts';
import { peakResidentBytes } from '../../base/peak-memory.ts';
import type { CommunicationEvent, ObservedEvent, PipelineEvent } from '../../observe/events.ts';

/** Statistics of a program's executions so far. */
export interface ProgramTimes {
  readonly name: string;
  /** The number of its inputs that hold state, which it replaces. */
  readonly donatedInputs: number;
  /** FLOPs of its kernels, with loops counted once and bit operations ignored: the size of the program. */
  readonly ops: number;
  readonly executions: number;
  /** Execution time without waiting; the first execution is ignored if there are others. */
  readonly medianMs: number;
  readonly fastestMs: number;
}
/** The bytes that each rank sends in a training step, and the mean time for which it waits for them. */
export type StepCommunication = Omit<CommunicationEvent, 'kind'> & { readonly exposedMs: number };
export interface StepReport {
  readonly programs: readonly ProgramTimes[];
  /** Steps of pipelines: the time of all that the rank runs in one, with what it waits for in receives. */
  readonly pipelines: readonly ProgramTimes[];
  /** Undefined before the first training step. */
  readonly communication: StepCommunication | undefined;
  /** Memory of the process: during training, and the peak, which may have been before. */
  readonly residentBytes: number;
  readonly peakBytes: number;
}

const everyMs = 1000;
/** The median is over this number of recent executions. */
const kept = 512;

class Times {
  readonly name: string;
  readonly donatedInputs: number;
  readonly ops: number;
  executions = 0;
  readonly last: number[] = [];
  fastest = Number.POSITIVE_INFINITY;

  constructor(name: string, donatedInputs: number, ops: number) {
    this.name = name;
    this.donatedInputs = donatedInputs;
    this.ops = ops;
  }
  add(ms: number): void {
    // The first execution touches memory for the first time.
    if (this.executions === 1) {
      this.last.length = 0;
      this.fastest = Number.POSITIVE_INFINITY;
    }
    this.last[this.executions % kept] = ms;
    this.executions++;
    this.fastest = Math.min(this.fastest, ms);
  }
  report(): ProgramTimes {
    const { name, donatedInputs, ops, executions, fastest: fastestMs } = this;
    const sorted = this.last.filter(ms => ms !== undefined).sort((a, b) => a - b);
    return { name, donatedInputs, ops, executions, medianMs: sorted[sorted.length >> 1]!, fastestMs };
  }
}

export class StepMeter {
  readonly #file: string;
  readonly #nowMs: () => number;
  readonly #programs = new Map<number, Times>();
  readonly #pipelines = new Map<number, Times>();
  /** Steps of pipelines that have been submitted. */
  readonly #running: PipelineEvent[] = [];
  #communication: CommunicationEvent | undefined;
  #steps = 0;
  readonly #collectiveNs: () => number;
  #writtenMs = Number.NEGATIVE_INFINITY;
  #residentBytes = 0;

  /** `collectiveNs`: how long this process has waited for collectives so far. */
  constructor(file: string, collectiveNs: () => number = () => 0, nowMs = (): number => performance.now()) {
    this.#file = file;
    this.#collectiveNs = collectiveNs;
    this.#nowMs = nowMs;
  }

  /** Records an event. */
  readonly hear = (event: ObservedEvent): void => {
    if (event.kind === 'program') this.#programs.set(event.id, new Times(event.name, event.stateInputs, event.ops));
    if (event.kind === 'pipeline') this.#running.push(event);
    if (event.kind === 'communication') this.#communication = event;
    if (event.kind === 'step') this.#steps++;
    if (event.kind !== 'run') return;
    this.#programs.get(event.program)?.add(event.nanoseconds / 1e6);
    if (this.#nowMs() - this.#writtenMs >= everyMs) this.write();
  };

  #addDone(): void {
    while (this.#running[0]?.ran.every(({ execution }) => execution.isDone) === true) {
      const { program, stateInputs, ran } = this.#running.shift()!;
      const times = this.#pipelines.get(program) ?? new Times('step', stateInputs, 0);
      this.#pipelines.set(program, times);
      const spans = ran.flatMap(({ execution }) => execution.ran ?? []);
      times.add(spans.reduce((sum, { from, to }) => sum + Number(to - from), 0) / 1e6);
    }
  }
  /** Replaces the file. */
  write(): void {
    this.#writtenMs = this.#nowMs();
    this.#residentBytes = Math.max(this.#residentBytes, process.memoryUsage.rss());
    this.#addDone();
    const reports = (of: ReadonlyMap<number, Times>): readonly ProgramTimes[] =>
      [...of.values()].filter(times => times.executions > 0).map(times => times.report());
    const { collectives = [], replicated = [] } = this.#communication ?? {};
    const exposedMs = this.#collectiveNs() / 1e6 / this.#steps;
    const report: StepReport = {
      programs: reports(this.#programs),
      pipelines: reports(this.#pipelines),
      communication: this.#steps === 0 ? undefined : { collectives, replicated, exposedMs },
      residentBytes: this.#residentBytes,
      peakBytes: peakResidentBytes(),
    };
    try {
      writeFileSync(`${this.#file}.partial`, JSON.stringify(report));
      renameSync(`${this.#file}.partial`, this.#file);
    } catch (error) {
      expectFileError(error);
      // The folder was removed, or the disk is full: the report is lost, and the training continues.
    }
  }
}
