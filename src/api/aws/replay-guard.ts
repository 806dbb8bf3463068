// Prevents replays of captured requests. Clients sign again before each retry, but two equal requests within one
// second have the same signature. So a signature may be repeated for a few seconds, and then not again while it is valid.
import { SignatureError } from './signature/signature-error.ts';
import { type Authorization, MAX_SKEW_MS } from './signature/signature-v4.ts';

/** How long after a signature was first seen equal requests may still arrive. */
const SAME_MS = 10_000;

export class ReplayGuard {
  /** The time at which each signature was first seen, oldest first. */
  readonly #seen = new Map<string, number>();

  /**
   * Presigned URLs and requests that only read may be repeated.
   * @throws {SignatureError} `replayed`
   */
  check({ kind, signature }: Authorization, method: string, nowMs: number): void {
    if (kind === 'presigned' || method === 'GET' || method === 'HEAD') return;
    this.#forget(nowMs);
    const first = this.#seen.get(signature);
    if (first === undefined) this.#seen.set(signature, nowMs);
    else if (nowMs - first > SAME_MS) throw new SignatureError('replayed', 'This signed request was sent before.');
  }

  /** The number of remembered signatures. */
  get size(): number {
    return this.#seen.size;
  }

  /** Older signatures are rejected as expired anyway. */
  #forget(nowMs: number): void {
    for (const [key, first] of this.#seen) {
      if (nowMs - first <= 2 * MAX_SKEW_MS) break;
      this.#seen.delete(key);
    }
  }
}
