// The runs of a rank of a pipeline in a step, in order: the runtime runs this list, plans price it, and profiles show it.
//
//   lend, borrow ─▶ before 0 … ─▶ F0 0, F0 1, B0 0 … ─▶ round -1, round 0 …      each: receives, its program, sends
import type { Part, RankPart } from './cut.ts';
import type { Action, ActionKind } from './schedules.ts';
import { taskKey } from './tasks.ts';

/** One run of a part: receives, its program if it has one, sends. */
export interface PartRun {
  /** An action; what the rank computes of each micro-batch, or lends and borrows, before the first one; the update. */
  readonly kind: ActionKind | 'before' | 'update';
  /** Undefined for what is no action. */
  readonly stage: number | undefined;
  /** Undefined for what runs once a step. */
  readonly microBatch: number | undefined;
  /** Unique among the parts of a rank: `F0`, `round 0`. Equal parts may share a compiled program all the same. */
  readonly name: string;
  readonly part: Part;
}

export function runsOf(rank: RankPart, actions: readonly Action[]): readonly PartRun[] {
  const { before, tasks, beforeRounds, rounds, settings } = rank;
  const once = (kind: 'before' | 'update', name: string, part: Part): PartRun => ({
    ...{ kind, stage: undefined, microBatch: undefined, name, part },
  });
  const alone: Part = { program: before.program, receives: [], sends: [] };
  const microBatches = before.program === undefined ? 0 : (settings?.microBatches ?? 0);
  return [
    // Arguments are sent before they are received: ranks may lend to each other.
    once('before', 'lend', { ...before, program: undefined, receives: [] }),
    once('before', 'borrow', { ...before, program: undefined, sends: [] }),
    ...Array.from({ length: microBatches }, (_, microBatch) => ({
      ...once('before', 'before', alone),
      microBatch,
    })),
    ...actions.map(action => ({ ...action, name: taskKey(action), part: tasks.get(taskKey(action))! })),
    once('update', 'round -1', beforeRounds),
    ...rounds.map((round, i) => once('update', `round ${i}`, round)),
  ];
}
