// Greedy steps that run ahead of their reader: each takes its token from the device, so none has to wait for the host. The
// tokens of small models are read in groups, because waiting for one takes as long as waiting for several.
//
//   device  │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │
//   host    submits 1 2 3 4, waits for 2, submits 5 6, waits for 4, …
import { toNumbers } from '../../hlo/literal.ts';
import type { Tensor } from '../../tensor/index.ts';
import type { Session } from './session.ts';

/** A group takes at most this long, a frame of a screen, so that tokens arrive evenly. */
const groupMs = 16;
const largestGroup = 8;

export class StepsAhead {
  readonly #session: Pick<Session, 'next'>;
  /** Steps that can still be started. */
  #left: number;
  /** Steps whose tokens are not read yet, the earliest first. */
  readonly #running: Tensor[];
  #read: (readonly number[])[] = [];
  #last: Tensor;
  #groupSize = 1;
  #readAt = performance.now();

  /** @param first the result of the prompt, which is the first of `limit` steps */
  constructor(session: Pick<Session, 'next'>, first: Tensor, limit: number) {
    this.#session = session;
    this.#left = limit - 1;
    this.#running = [first];
    this.#last = first;
  }

  /** The tokens of the next step, one for each row. To be called `limit` times at most. */
  async next(): Promise<readonly number[]> {
    if (this.#read.length === 0) await this.#readGroup();
    return this.#read.shift()!;
  }

  async #readGroup(): Promise<void> {
    // The next group runs while the caller uses the tokens of this one.
    for (; this.#left > 0 && this.#running.length < 2 * this.#groupSize; this.#left--) {
      this.#last = this.#session.next(this.#last);
      this.#running.push(this.#last);
    }
    const group = this.#running.splice(0, this.#groupSize);
    await group.at(-1)!.ready();
    this.#read = group.map(tokens => toNumbers(tokens.literal()));
    // The time of a step and of the caller together: steps of a slow caller do not count as fast.
    const now = performance.now();
    const stepMs = (now - this.#readAt) / group.length;
    this.#readAt = now;
    this.#groupSize = Math.min(largestGroup, Math.max(1, Math.floor(groupMs / stepMs)));
  }
}
