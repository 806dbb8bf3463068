// `profiler.profile`: torch.profiler's interface for programs that run as a whole. It records the timeline of each thread, kernel
// by kernel.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { makeOutputFolder, writeOutputFile } from '../../base/output-files.ts';
import { hostSpan } from '../../observe/host-spans.ts';
import { chromeTrace } from '../../runtime/profiling/chrome-trace.ts';
import { type KernelAverage, kernelAverages, profileText } from '../../runtime/profiling/kernel-averages.ts';
import { timeSentence } from '../../runtime/profiling/time-shares.ts';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import type { Device } from '../device.ts';
import { device as defaultDevice } from '../devices.ts';
import { userLocation } from '../location.ts';
import { Recording } from './recording.ts';
import type { ProfilerSchedule } from './schedule.ts';

/** Options of `profile`. */
export interface ProfileOptions {
  /** Which steps are recorded; everything from start to stop by default. */
  readonly schedule?: ProfilerSchedule;
  /** Called at the end of each cycle of the schedule, and at the stop. */
  readonly onTraceReady?: (profile: Profile) => void;
  /** The device that is recorded; the default one by default. */
  readonly device?: Device;
}

/**
 * A profiler. It is started by `profile` and stopped by `stop()`, or at the end of a `using` block.
 * @example
 * ```ts no-run
 * using profile = profiler.profile();
 * for (let step = 0; step < 10; step++) {
 *   randn(64, 64).matmul(randn(64, 64)).sum().item();
 *   profile.step();
 * }
 * profile.stop();
 * console.log(profile.keyAverages());
 * ```
 */
export class Profile implements Disposable {
  readonly #options: ProfileOptions;
  readonly #device: Device;
  #recording: Recording | undefined;
  #timeline: Timeline | undefined;
  #step = 0;
  #isStopped = false;

  /** @internal Created by `profile`. */
  constructor(options: ProfileOptions) {
    refuseUnknownOptions('profiler.profile', options, ['schedule', 'onTraceReady', 'device']);
    this.#options = options;
    this.#device = options.device ?? defaultDevice();
    this.#begin();
  }
  get #action(): ReturnType<ProfilerSchedule> {
    return this.#options.schedule?.(this.#step) ?? 'record';
  }
  #begin(): void {
    const action = this.#action;
    if (action === 'none') {
      this.#recording?.stop();
      this.#recording = undefined;
    } else if (this.#recording === undefined || (action !== 'warmup' && this.#wasWarmup)) {
      // Drop the recording of the warm-up.
      this.#recording?.stop();
      this.#recording = new Recording(this.#device);
    }
    this.#wasWarmup = action === 'warmup';
  }
  #wasWarmup = false;

  /** To be called at the end of each step of the loop. */
  step(): void {
    if (this.#isStopped) return;
    this.#recording?.step();
    if (this.#action === 'record_and_save') this.#finish();
    this.#step++;
    this.#begin();
  }
  /** The number of the step, from 0. */
  get stepNum(): number {
    return this.#step;
  }
  #finish(): void {
    if (this.#recording === undefined) return;
    this.#timeline = this.#recording.stop();
    this.#recording = undefined;
    this.#options.onTraceReady?.(this);
  }
  /** Stops recording. The last recording can be read from now on. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (this.#wasWarmup) {
      this.#recording?.stop();
      this.#recording = undefined;
    } else this.#finish();
  }
  /** The same as `stop()`, for `using`. */
  [Symbol.dispose](): void {
    this.stop();
  }

  /**
   * The recorded profile, as data.
   * @throws {NOTHING_PROFILED} where nothing was recorded yet
   */
  timeline(): Timeline {
    if (this.#timeline !== undefined) return this.#timeline;
    throw new TrenioError('NOTHING_PROFILED', { steps: this.#step }, { location: userLocation() });
  }
  /** The kernels by the time they took. @throws {NOTHING_PROFILED} */
  keyAverages(): readonly KernelAverage[] {
    return kernelAverages(this.timeline());
  }
  /** The kernels that took longest as a table, and where the time went. @throws {NOTHING_PROFILED} */
  table({ rowLimit = 20 }: { readonly rowLimit?: number } = {}): string {
    return profileText(this.timeline(), rowLimit);
  }
  /** Where the time went, in a sentence. @throws {NOTHING_PROFILED} */
  summary(): string {
    return timeSentence(this.timeline());
  }
  /**
   * Writes a trace for Perfetto or chrome://tracing.
   * @throws {NOTHING_PROFILED}
   * @throws {DISK_FULL}
   * @throws {WRITE_FAILED}
   */
  exportChromeTrace(path: string): void {
    writeOutputFile(path, JSON.stringify(chromeTrace([this.timeline()])));
  }
  /**
   * Writes the profile for `trenio profile view`.
   * @throws {NOTHING_PROFILED}
   * @throws {DISK_FULL}
   * @throws {WRITE_FAILED}
   */
  save(path: string): void {
    writeOutputFile(path, JSON.stringify(this.timeline()));
  }
}

/**
 * Profiles what runs until it is stopped: programs and their kernels on each thread, compiling, loading of data.
 *
 * ```ts
 * using prof = profiler.profile({ schedule: profiler.schedule({ wait: 1, warmup: 1, active: 3, repeat: 1 }) });
 * for (const batch of batches) {
 *   trainStep(batch);
 *   prof.step();
 * }
 * prof.stop();
 * console.log(prof.table({ rowLimit: 10 }));
 * prof.exportChromeTrace('trace.json');
 * ```
 * @example
 * ```ts no-run
 * using profile = profiler.profile({ onTraceReady: profiler.tensorboardTraceHandler('runs/profile') });
 * randn(64, 64).matmul(randn(64, 64)).sum().item();
 * ```
 */
export const profile = (options: ProfileOptions = {}): Profile => new Profile(options);

/**
 * Names a part of the script in profiles that are being recorded.
 *
 * ```ts
 * const batch = profiler.recordFunction('augment', () => augment(images));
 * ```
 * @example
 * profiler.recordFunction('loss', () => tensor([1, 2]).sum()) // 3
 */
export const recordFunction = <T>(name: string, body: () => T): T => hostSpan('user', name, body);

/**
 * An `onTraceReady` that writes each trace into a folder, under names that TensorBoard's profile plugin and Perfetto read.
 *
 * ```ts
 * profiler.profile({ onTraceReady: profiler.tensorboardTraceHandler('runs/mnist') });
 * ```
 * @example
 * ```ts no-run
 * using profile = profiler.profile({ onTraceReady: profiler.tensorboardTraceHandler('runs/profile') });
 * ```
 */
export function tensorboardTraceHandler(
  folder: string,
  workerName = `${hostname()}_${process.pid}`,
): (profile: Profile) => void {
  return profile => {
    makeOutputFolder(folder);
    profile.exportChromeTrace(join(folder, `${workerName}.${Date.now()}.pt.trace.json`));
  };
}
