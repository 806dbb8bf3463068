// A schedule run on paper: how long it takes, how long ranks wait, how many micro-batches are in flight, and whether it ends.
import { TrenioError } from '../../base/errors.ts';
import type { Action, ActionKind } from './schedules.ts';

export interface ScheduleRun {
  readonly time: number;
  /** See `bubbleIn`. */
  readonly bubble: number;
  /** For each rank, the most forward passes whose activations it keeps at once. */
  readonly live: readonly number[];
}

/** When a rank begins its first action, ends its last, and how long it works. */
export interface RankSpan {
  readonly from: number;
  readonly to: number;
  readonly busy: number;
}
/**
 * The share of a step in which ranks run no action. A step takes as long as the rank that needs longest from its own first
 * action to its own last: other ranks may end the step before or begin the next one meanwhile, so from the first action of any
 * rank to the last of any is longer than what a step adds.
 */
export function bubbleIn(ranks: readonly RankSpan[]): number {
  const longest = Math.max(...ranks.map(({ from, to }) => to - from));
  return 1 - ranks.reduce((sum, { busy }) => sum + busy, 0) / (longest * ranks.length);
}
const nameOf = ({ kind, stage, microBatch }: Action): string => `${kind}${stage} of micro-batch ${microBatch}`;
const keyOf = (kind: ActionKind, stage: number, microBatch: number): string => `${kind}${stage} ${microBatch}`;

/**
 * Runs the actions of all ranks. `durations`: the time of each kind of action.
 * @throws {DEADLOCK} if ranks wait for each other, or for an action that no rank has
 */
export function runSchedule(
  actions: readonly (readonly Action[])[],
  stages: number,
  durations: Readonly<Record<ActionKind, number>> = { F: 1, B: 2, I: 1, W: 1 },
): ScheduleRun {
  const ends = new Map<string, number>();
  const next = actions.map(() => 0);
  const clocks = actions.map(() => 0);
  const busy = actions.map(() => 0);
  const starts = actions.map(() => Number.POSITIVE_INFINITY);
  const held = actions.map(() => 0);
  const live = actions.map(() => 0);
  const backwardEnd = (stage: number, m: number): number | undefined =>
    ends.get(keyOf('B', stage, m)) ?? ends.get(keyOf('I', stage, m));
  /** When what an action needs is there; undefined if it is not yet. */
  const ready = ({ kind, stage, microBatch: m }: Action): number | undefined => {
    const own = kind === 'W' ? ends.get(keyOf('I', stage, m)) : ends.get(keyOf('F', stage, m));
    if (kind === 'F') return stage === 0 ? 0 : ends.get(keyOf('F', stage - 1, m));
    if (kind === 'W' || stage === stages - 1) return own;
    const after = backwardEnd(stage + 1, m);
    return own === undefined || after === undefined ? undefined : Math.max(own, after);
  };
  for (let left = actions.reduce((sum, list) => sum + list.length, 0); left > 0; left--) {
    const rank = actions.findIndex((list, r) => list[next[r]!] !== undefined && ready(list[next[r]!]!) !== undefined);
    if (rank < 0) throw deadlock(actions, next);
    const action = actions[rank]![next[rank]!]!;
    const { kind, stage, microBatch } = action;
    next[rank]!++;
    const start = Math.max(clocks[rank]!, ready(action)!);
    const end = start + durations[kind];
    starts[rank] = Math.min(starts[rank]!, start);
    clocks[rank] = end;
    busy[rank]! += durations[kind];
    ends.set(keyOf(kind, stage, microBatch), end);
    held[rank]! += kind === 'F' ? 1 : kind === 'I' ? 0 : -1;
    live[rank] = Math.max(live[rank]!, held[rank]!);
  }
  const bubble = bubbleIn(clocks.map((to, rank) => ({ from: starts[rank]!, to, busy: busy[rank]! })));
  return { time: Math.max(...clocks), bubble, live };
}

function deadlock(actions: readonly (readonly Action[])[], next: readonly number[]): TrenioError {
  const waiting = actions.flatMap((list, rank) => {
    const action = list[next[rank]!];
    return action === undefined ? [] : [`rank ${rank} waits in ${nameOf(action)}`];
  });
  return new TrenioError('DEADLOCK', { waits: waiting.join(', ') });
}
