// A copied request must not be sent again by someone else. Clients sign again before each retry, but two equal requests of one
// second have the same signature; so a signature may come again for a few seconds, and then never more while it is valid.
import { SignatureError } from './signature/signature-error.ts';
import { type Authorization, MAX_SKEW_MS } from './signature/signature-v4.ts';

/** How long after a signature was first seen equal requests may still arrive. */
const SAME_MS = 10_000;

export class ReplayGuard {
  /** When each signature was first seen, oldest first. */
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

  /** How many signatures are remembered. */
  get size(): number {
    return this.#seen.size;
  }

  /** A signature that is older than this is refused for its time. */
  #forget(nowMs: number): void {
    for (const [key, first] of this.#seen) {
      if (nowMs - first <= 2 * MAX_SKEW_MS) break;
      this.#seen.delete(key);
    }
  }
}
