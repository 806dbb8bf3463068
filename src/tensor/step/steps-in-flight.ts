// The steps that were submitted and are still running: a loop that reads nothing must not queue an unlimited number of them.
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';

const maxStepsInFlight = 2;

export class StepsInFlight {
  /** An output of each step, the oldest first. */
  #outputs: DeviceBuffer[] = [];

  /** Waits for earlier steps if there are too many. */
  add(output: DeviceBuffer): void {
    this.#outputs = this.#outputs.filter(buffer => !buffer.isReady);
    this.#outputs.push(output);
    while (this.#outputs.length > maxStepsInFlight) this.#outputs.shift()!.wait();
  }
  /** Resolves when at most `steps` are still running. */
  async atMost(steps: number): Promise<void> {
    while (this.#outputs.length > steps) await this.#outputs.shift()!.ready;
  }
  /** Whether none is running. */
  get isIdle(): boolean {
    return this.#outputs.every(buffer => buffer.isReady);
  }
  /** All have run. */
  clear(): void {
    this.#outputs = [];
  }
}
