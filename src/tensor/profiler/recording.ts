// One recording of a device and of the script's thread, from its start to its end, as a timeline.
import { hostname } from 'node:os';
import { type PipelineEvent, subscribe } from '../../observe/events.ts';
import { startHostSpans, stopHostSpans } from '../../observe/host-spans.ts';
import { rankInfo } from '../../runtime/comm/ranks.ts';
import { rooflineOf } from '../../runtime/profiling/roofline.ts';
import { type Timeline, timelineOf } from '../../runtime/profiling/timeline.ts';
import type { Device } from '../device.ts';
import { replicationText } from '../step/explain-communication.ts';

/** A recording that has begun. */
export class Recording {
  readonly #device: Device;
  readonly #spans: ReturnType<NonNullable<Device['backend']['recordSpans']>> | undefined;
  readonly #pipeline: PipelineEvent[] = [];
  readonly #unsubscribe: () => void;
  readonly #startMs: number;
  readonly #loop: bigint[];

  constructor(device: Device) {
    this.#device = device;
    device.synchronize();
    this.#spans = device.backend.recordSpans?.();
    this.#unsubscribe = subscribe(event => {
      if (event.kind === 'pipeline') this.#pipeline.push(event);
    });
    startHostSpans();
    this.#startMs = Date.now();
    this.#loop = [process.hrtime.bigint()];
  }
  /** A step of the loop ends. */
  step(): void {
    this.#loop.push(process.hrtime.bigint());
  }
  /** Waits for queued work. */
  stop(): Timeline {
    this.#device.synchronize();
    const endNs = process.hrtime.bigint();
    this.#unsubscribe();
    const spans = stopHostSpans();
    const device = this.#spans?.stop();
    const limits = this.#spans?.limits;
    const { rank, worldSize } = rankInfo();
    return timelineOf({
      rank,
      worldSize,
      host: hostname(),
      pid: process.pid,
      script: process.argv[1] ?? '',
      startNs: this.#loop[0]!,
      startMs: this.#startMs,
      endNs,
      threads: limits?.threads ?? 1,
      limits,
      loop: this.#loop,
      device,
      pipeline: this.#pipeline,
      replicated: [...new Set(this.#device.history.flatMap(({ replicated }) => replicated.map(replicationText)))],
      spans,
      leastTimes: kernel => limits && rooflineOf(kernel, 0, limits.all),
    });
  }
}
