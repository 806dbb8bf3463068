// Checks that memory is available before it is allocated. The system reserves addresses without memory behind them, and
// kills the process later, when they are touched and memory is exhausted, without reporting which allocation was too large. So
// before results are allocated, parameters are sampled or a program is loaded, the sum is compared with the available memory.
//
// The check takes as long as a small kernel, so small amounts are accumulated and checked together.
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import { collectGarbage } from './garbage.ts';

const askFromBytes = 64 << 20;
/** Reserved for the rest of the process: the heap, the code of programs. */
const spareBytes = 16 << 20;
/** Freed memory is returned to the system on another thread. */
const freedMs = 50;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export class MemoryBudget {
  #unasked = 0;
  readonly #promised: () => number;
  readonly #settle: () => void;

  /**
   * `promised`: allocated bytes that will be written but have not been yet. `settle`: waits until they are written and their
   * temporary memory can be freed.
   */
  constructor(promised: () => number = () => 0, settle: () => void = () => {}) {
    this.#promised = promised;
    this.#settle = settle;
  }

  /** @throws {OUT_OF_MEMORY} if `bytes` more are not available for `what` */
  require(bytes: number, what: string | (() => string)): void {
    this.#unasked += bytes;
    if (this.#unasked < askFromBytes) return;
    this.#unasked = 0;
    const left = (): number => availableBytes() - this.#promised() - spareBytes;
    if (bytes <= left()) return;
    // Unused memory may not have been freed yet.
    this.#settle();
    collectGarbage();
    for (let waited = 0; waited < freedMs; waited += 10) {
      if (bytes <= left()) return;
      Atomics.wait(sleeper, 0, 0, 10);
    }
    throw new TrenioError('OUT_OF_MEMORY', {
      what: typeof what === 'string' ? what : what(),
      bytes,
      available: Math.max(0, left()),
    });
  }
}
