// The meeting point of a group of processes: each contributes its operands and receives those of all.
import { invariant, TrenioError } from '../../base/errors.ts';
import type { Collective } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import type { ProcessContext } from '../op-row.ts';
import { type GroupStrategy, processGroups } from '../process-groups.ts';
import type { Op } from '../program.ts';
import type { Answer, RuntimeValue, Wait } from '../steps.ts';

export interface Meeting {
  /** The operands of each member, in the order of the group. */
  readonly members: readonly (readonly Literal[])[];
  /** The index of this process among the members. */
  readonly mine: number;
}

/** One operand of each member. */
export const columnOf = (members: Meeting['members'], operand: number): readonly Literal[] =>
  members.map(operands => {
    const literal = operands[operand];
    invariant(literal !== undefined, `a process of the group has no operand ${operand}`);
    return literal;
  });

/** Waits for the other processes in this process's group; undefined if it is in no group. */
export function* rendezvousIfIn(
  op: Op,
  groups: readonly (readonly number[])[],
  strategy: GroupStrategy,
  operands: readonly RuntimeValue[],
  process: ProcessContext,
): Generator<Wait, Meeting | undefined, Answer> {
  const members = processGroups(groups, process.grid, strategy).find(group => group.includes(process.process));
  if (members === undefined) return undefined;
  const channel = (op.attributes as Collective).channelId ?? 0;
  const answer = yield { kind: 'rendezvous', op, members, channel, operands: operands as readonly Literal[] };
  return { members: answer, mine: members.indexOf(process.process) };
}

/** The same for ops in which every process takes part. @throws {COLLECTIVE_MISMATCH} when it is in no group */
export function* rendezvous(
  op: Op<'all_reduce' | 'all_gather' | 'reduce_scatter' | 'all_to_all'>,
  strategy: GroupStrategy,
  operands: readonly RuntimeValue[],
  process: ProcessContext,
): Generator<Wait, Meeting, Answer> {
  const meeting = yield* rendezvousIfIn(op, process.groupsOf(op.attributes), strategy, operands, process);
  if (meeting !== undefined) return meeting;
  throw new TrenioError(
    'COLLECTIVE_MISMATCH',
    { op: op.name, missing: process.process, group: '' },
    { location: op.location },
  );
}
