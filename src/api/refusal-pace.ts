// Slows down clients that ignore Retry-After: hundreds of them would keep the server busy with rejecting requests. The
// first rejection on a connection is sent at once; the next one after the time in the last Retry-After has passed, or after
// a second, so that a client with a timeout still gets the reason. Requests that can be served are not delayed.
import type { Socket } from 'node:net';

const MOST_HELD_MS = 1000;

export class RefusalPace {
  /** The time at which the next rejection may be sent, on the clock of `performance.now()`. */
  readonly #next = new WeakMap<Socket, number>();
  readonly #held = new Set<() => void>();
  #released = false;

  /** Resolves when a rejection with `Retry-After: seconds` may be sent, or when the client has disconnected. */
  async wait(socket: Socket, seconds: number, gone: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next.get(socket) ?? now);
    this.#next.set(socket, at + Math.min(seconds * 1000, MOST_HELD_MS));
    if (at === now || this.#released || gone.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, at - now);
    this.#held.add(resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    this.#held.delete(resolve);
  }

  /** Sends all delayed rejections, and delays none from now on, because the server is stopping. */
  release(): void {
    this.#released = true;
    for (const resolve of this.#held) resolve();
  }
}
