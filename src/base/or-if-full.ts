// Writes that may be left out, or are repeated later, while the disk is full.
import { isTrenioError } from './errors.ts';

/** Runs a step; false if the disk is full. */
export function orIfFull(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (!isTrenioError(error, 'DISK_FULL')) throw error;
    return false;
  }
}
