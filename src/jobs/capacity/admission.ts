// Whether a job that names a block may run in it now: only in the block's time, and only in its instances.
import { type CapacityBlock, stateAt } from './capacity-block.ts';

export type Admission =
  /** The block has free instances. */
  | 'runs'
  | 'starts later'
  /** Its instances are taken. */
  | 'is full'
  /** The block is over. */
  | 'expired';

/** How long before the end of a block its jobs are asked to stop: the time that a container has to end. */
export const DRAIN_MS = 120_000;

/** @param taken how many instances of the block other jobs have */
export function admission(block: CapacityBlock | undefined, taken: number, count: number, nowMs: number): Admission {
  if (block === undefined) return 'expired';
  switch (stateAt(block, nowMs)) {
    case 'expired':
      return 'expired';
    case 'scheduled':
      return 'starts later';
    case 'active':
      if (isDraining(block, nowMs)) return 'expired';
      return taken + count <= block.instanceCount ? 'runs' : 'is full';
  }
}

/** Whether the jobs in the block have to end now. */
export const isDraining = (block: CapacityBlock, nowMs: number): boolean => nowMs >= block.endMs - DRAIN_MS;
