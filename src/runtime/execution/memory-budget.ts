// Checks that memory is available before it is allocated. The system hands out addresses without memory behind them, and
// kills the process later, when they are touched and nothing is left, without saying which allocation was too large. So before
// results are allocated, parameters are sampled or a program is loaded, the sum is compared with the available memory.
//
// The check takes as long as a small kernel, so small amounts are accumulated and checked together.
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import { collectGarbage } from './garbage.ts';

const askFromBytes = 64 << 20;
/** The rest of the process (the heap, the code of programs) needs some, too. */
const spareBytes = 16 << 20;
/** Freed memory goes back to the system on another thread. */
const freedMs = 50;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export class MemoryBudget {
  #unasked = 0;
  readonly #promised: () => number;
  readonly #settle: () => void;

  /**
   * `promised`: bytes handed out that nothing has been written to yet, and will be. `settle`: waits until that is done and its
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
