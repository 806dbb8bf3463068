// The position of a loader as plain data, and whether it fits another loader.
import { TrenioError } from '../../base/errors.ts';

/** The result of `DataLoader.stateDict()`: plain data that JSON can hold. */
export interface LoaderState {
  /** The version of this format. */
  readonly version: 1;
  /** The epoch, from 0. */
  readonly epoch: number;
  /** Batches of this epoch that were delivered to the loop. */
  readonly step: number;
  /** The data that determines the batches: the items of an epoch, where known, those of a step over all ranks, and the order. */
  readonly items: number | null;
  /** The number of examples per step on all ranks together; null if it is not fixed. */
  readonly globalBatch: number | null;
  /** The number of batches per optimizer step. */
  readonly gradientAccumulationSteps: number;
  /** Whether the order is random. */
  readonly shuffle: boolean;
  /** The seed of the order; null without one. */
  readonly seed: number | null;
}
type Identity = Omit<LoaderState, 'version' | 'epoch' | 'step'>;

export function stateOf(position: { readonly epoch: number; readonly step: number }, identity: Identity): LoaderState {
  return { version: 1, ...position, ...identity };
}

/**
 * The step at which a loader continues.
 * @throws {LOADER_STATE_MISMATCH} if its batches would differ
 */
export function stepIn(state: LoaderState, identity: Identity): number {
  const mismatch = (field: string, got: unknown, expected: unknown): TrenioError =>
    new TrenioError('LOADER_STATE_MISMATCH', { field, got: String(got), expected: String(expected) });
  if (state?.version !== 1) throw mismatch('version', state?.version, 1);
  for (const field of ['epoch', 'step', 'gradientAccumulationSteps'] as const)
    if (!Number.isSafeInteger(state[field]) || state[field] < 0)
      throw mismatch(field, state[field], 'an integer, 0 or more');
  for (const field of ['items', 'globalBatch', 'shuffle', 'seed'] as const)
    if (state[field] !== identity[field]) throw mismatch(field, state[field], identity[field]);
  const { gradientAccumulationSteps: before } = state;
  const { gradientAccumulationSteps: now } = identity;
  if (before === now) return state.step;
  // The number of ranks has changed accordingly: the global batch is the same, but it has other micro-batches.
  if (state.step % before !== 0) throw mismatch('gradientAccumulationSteps', `${before}, in the middle of a step`, now);
  return (state.step / before) * now;
}
