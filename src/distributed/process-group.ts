// The rank of this process, and the few collectives that a training script calls itself: the counts of an evaluation, a barrier
// before a checkpoint is read. optimizerStep all-reduces gradients within the compiled step.
//
// With a single rank everything is the identity, so a script is the same for one rank and for many.
import { bytesOf, literal, literalOfBytes, toNumbers } from '../hlo/literal.ts';
import { defaultRuntime } from '../runtime/device.ts';
import { wrongArgument } from '../tensor/index.ts';

/**
 * The rank of this process among all ranks, from 0.
 * @example
 * rank() // 0
 */
export function rank(): number {
  return defaultRuntime().ranks.rank;
}

/**
 * The number of ranks.
 * @example
 * worldSize() // 1
 */
export function worldSize(): number {
  return defaultRuntime().ranks.worldSize;
}

/**
 * The rank of this process among the ranks of its machine, from 0.
 * @example
 * localRank() // 0
 */
export function localRank(): number {
  return defaultRuntime().ranks.localRank;
}

/**
 * Whether this is rank 0: the one that writes checkpoints and prints.
 * @example
 * if (isMain()) console.log('printed once, whatever the number of ranks');
 */
export function isMain(): boolean {
  return rank() === 0;
}

/**
 * Waits until every rank has called this. Blocks.
 * @throws {PEER_LOST} if another rank has ended
 * @example
 * distributed.barrier();
 */
export function barrier(): void {
  defaultRuntime().barrier();
}

/** Options of `allReduce`. */
export interface AllReduceOptions {
  /** The ranks to sum over, including this one, such as `mesh.group('data')`. All ranks by default. */
  readonly group?: readonly number[] | undefined;
}

/**
 * The sum over all ranks, or over those of a group, of each number, in double precision, the same bits on every rank of it.
 * Every rank must call it, in the same order, with the same number of values. Blocks.
 * @throws {PEER_LOST} if another rank has ended
 * @throws {WRONG_ARGUMENT} for a group with ranks that are not in this run, or without this rank
 * @example
 * // the sum over all ranks, in the order of the ranks
 * allReduceSum([1, 2]) // [1, 2]
 */
export function allReduceSum(
  numbers: readonly number[],
  { group = allRanks() }: AllReduceOptions = {},
): readonly number[] {
  checkGroup(group);
  if (worldSize() === 1 || numbers.length === 0) return [...numbers];
  const mine = literal('f64', [numbers.length], numbers);
  if (group.length === worldSize()) return toNumbers(defaultRuntime().allReduce(mine, 'add'));
  // All groups communicate at once; each rank uses its own result.
  const all = defaultRuntime().allGather(bytesOf(mine));
  return pairwiseSum(group.map(member => toNumbers(literalOfBytes(mine.type, all[member]!))));
}

const allRanks = (): readonly number[] => Array.from({ length: worldSize() }, (_, r) => r);

function checkGroup(group: readonly number[]): void {
  const isGroup =
    Array.isArray(group) &&
    group.every(member => Number.isInteger(member) && member >= 0 && member < worldSize()) &&
    new Set(group).size === group.length &&
    group.includes(rank());
  if (isGroup) return;
  throw wrongArgument(
    { call: 'allReduceSum', argument: 'the group' },
    group,
    `ranks from 0 to ${worldSize() - 1}, each once and ${rank()}, which this is, among them`,
    "give a group of the device's mesh, such as device().mesh.group('data')",
  );
}

/** As ranks are summed by the runtime: (0 + 1) + (2 + 3). */
function pairwiseSum(rows: readonly (readonly number[])[]): readonly number[] {
  let level = rows;
  while (level.length > 1)
    level = level.flatMap((left, i) => {
      const right = level[i + 1];
      return i % 2 === 1 ? [] : [right === undefined ? left : left.map((x, k) => x + right[k]!)];
    });
  return level[0]!;
}
