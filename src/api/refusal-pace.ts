// Clients that ignore Retry-After and ask again at once: hundreds of them would keep the server busy with refusing. The
// first refusal on a connection goes out at once; the next one on it only when the time that the last one named is over, or
// a second: a client with a timeout should still read why. Requests that can be served are not delayed.
import type { Socket } from 'node:net';

const MOST_HELD_MS = 1000;

export class RefusalPace {
  /** When the next refusal may go out, on the clock of `performance.now()`. */
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

  /** Sends what is held, and holds nothing from now on: the server is stopping. */
  release(): void {
    this.#released = true;
    for (const resolve of this.#held) resolve();
  }
}
