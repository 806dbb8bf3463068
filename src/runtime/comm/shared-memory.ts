// The launcher's side of the memory that ranks share: creating it before they start, notifying them when one has died,
// and removing it. The ranks' side is in native/shared.c.
import { TrenioError } from '../../base/errors.ts';
import { errnoText } from '../execution/errno-text.ts';
import type { NativeLibrary } from '../execution/native-library.ts';
import { newSegmentName } from '../execution/segment-name.ts';

/** Bytes per rank, in four slots; larger transfers are split. */
const defaultWindowBytes = 4 << 20;

export interface SharedSegment {
  /** The value of TRENIO_SHM for the ranks. */
  readonly name: string;
  /** Ends all current and later waits of ranks with PEER_LOST. */
  markDead(): void;
  readonly isDead: boolean;
  /** Removes it; attached ranks keep their mapping. Call it when all ranks have ended. */
  unlink(): void;
}

/** @throws {SHARED_MEMORY_FAILED} if the system cannot provide the memory */
export function createSegment(
  native: NativeLibrary,
  worldSize: number,
  windowBytes = defaultWindowBytes,
): SharedSegment {
  const name = newSegmentName();
  const { address, errno } = native.segmentCreate(name, worldSize, windowBytes);
  if (address === 0n)
    throw new TrenioError('SHARED_MEMORY_FAILED', { action: 'create', name, reason: errnoText(errno) });
  let isOpen = true;
  return {
    name,
    markDead: () => {
      if (isOpen) native.segmentMarkDead(address);
    },
    get isDead() {
      return isOpen && native.segmentIsDead(address);
    },
    unlink: () => {
      if (isOpen) native.segmentClose(address, name);
      isOpen = false;
    },
  };
}
