// The work of making batches on the thread of the loop itself. With prefetching, it runs where the loop awaits something, such
// as a checkpoint: the loop does not wait for a batch then, but the device does, if it has no step left.
import { hostSpan } from '../../observe/host-spans.ts';
import { loaderAdvice } from './loader-stats.ts';

export class ThreadWork {
  readonly #isDeviceIdle: () => boolean;
  readonly #advice = loaderAdvice(0);
  #idleMs = 0;

  constructor(isDeviceIdle: () => boolean = () => false) {
    this.#isDeviceIdle = isDeviceIdle;
  }
  /** Milliseconds of work that began while the device was idle. */
  get idleMs(): number {
    return this.#idleMs;
  }
  /** Work on one item; a promise counts until it is returned. */
  item<T>(body: () => T): T {
    if (!this.#isDeviceIdle()) return body();
    const started = performance.now();
    try {
      return body();
    } finally {
      this.#idleMs += performance.now() - started;
    }
  }
  /** Work on the items of a batch: a span of profiles. */
  batch<T>(body: () => T): T {
    return hostSpan('data', this.#advice, body);
  }
}
