// Writes that wait while the disk is full: what a job has computed is not lost because there is no space for a moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { isTrenioError } from '../base/errors.ts';

const PAUSE_MS = 1000;
const MAX_WAIT_MS = 3_600_000;

/**
 * Runs a step again while the disk is full, up to an hour.
 * @param onWait called each second; undefined: the caller repeats the step itself, so a full disk is no error
 * @throws {DISK_FULL}
 */
export async function whenRoom(step: () => void | Promise<void>, onWait: (() => void) | undefined): Promise<void> {
  const endMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      const isFull = isTrenioError(error, 'DISK_FULL') || (error as NodeJS.ErrnoException).code === 'ENOSPC';
      if (!isFull || performance.now() > endMs) throw error;
      if (onWait === undefined) return;
    }
    await sleep(PAUSE_MS);
    onWait();
  }
}
