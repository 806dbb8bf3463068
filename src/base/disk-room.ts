// The free space of a disk that is kept for the state of the server: objects, logs and metrics are refused before it is used.
import { statfsSync } from 'node:fs';
import { TrenioError } from './errors.ts';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** On small disks, this share is kept. */
const KEPT_SHARE = 1 / 16;
/** How long an answer of the system counts. */
const FRESH_MS = 100;

export class DiskRoom {
  readonly #folder: string;
  #isLow = false;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get isLow(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs >= FRESH_MS) {
      const { bavail, blocks, bsize } = statfsSync(this.#folder);
      this.#isLow = bavail * bsize < Math.min(MAX_KEPT_BYTES, blocks * bsize * KEPT_SHARE);
      this.#lookedMs = nowMs;
    }
    return this.#isLow;
  }

  /**
   * @param file what is about to be written
   * @throws {DISK_FULL} if only the space for the server's state is left
   */
  check(file: string, bytesWritten = 0): void {
    if (this.isLow)
      throw new TrenioError('DISK_FULL', { file, bytesWritten, reason: "the rest is kept for the server's own state" });
  }
}
