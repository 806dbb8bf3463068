// Which of the ranks this is, and the few exchanges a training script makes itself: the counts of an evaluation, a barrier
// before a checkpoint is read. Gradients are exchanged by optimizerStep, within the compiled step.
//
// With a single rank everything is the identity, so a script is the same for one rank and for many.
import { literal, toNumbers } from '../hlo/literal.ts';
import { defaultRuntime } from '../runtime/device.ts';

/** This process's number among all ranks, from 0. */
export function rank(): number {
  return defaultRuntime().ranks.rank;
}

/** How many ranks there are. */
export function worldSize(): number {
  return defaultRuntime().ranks.worldSize;
}

/** This process's number among the ranks of its machine, from 0. */
export function localRank(): number {
  return defaultRuntime().ranks.localRank;
}

/** Whether this is rank 0: the one that writes checkpoints and prints. */
export function isMain(): boolean {
  return rank() === 0;
}

/** Waits until every rank has come here. Blocks. @throws PEER_LOST if another rank is gone. */
export function barrier(): void {
  defaultRuntime().barrier();
}

/**
 * The sum over all ranks of each number, in double precision, the same bits on every rank. Every rank must call it, in
 * the same order, with as many numbers. Blocks. @throws PEER_LOST if another rank is gone.
 */
export function allReduceSum(numbers: readonly number[]): readonly number[] {
  if (worldSize() === 1 || numbers.length === 0) return [...numbers];
  const mine = literal('f64', [numbers.length], numbers);
  return toNumbers(defaultRuntime().allReduce(mine, 'add'));
}
