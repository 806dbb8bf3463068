// The lane of a rank of a pipeline in a profile: the actions of the schedule and what it sends, from the names of the programs
// that ran; and the bubble, the share of the time in which ranks run no action.
import { runSchedule } from '../../transforms/pipeline/run-schedule.ts';
import type { Action, ActionKind } from '../../transforms/pipeline/schedules.ts';
import { alignedStarts } from './aligned-starts.ts';
import type { Timeline } from './timeline.ts';

/** A program of a stage, from its start to its end. */
export interface LaneSpan {
  readonly at: number;
  readonly ns: number;
  /** `F0 3`: an action with its micro-batch; `send`, `receive`, `update`. */
  readonly name: string;
  readonly action: Action | undefined;
}

/** The lane of each step that the profile has whole: a step ends with its update. */
export function laneOf({ steps, programs }: Timeline): readonly (readonly LaneSpan[])[] {
  const lanes: LaneSpan[][] = [];
  let lane: LaneSpan[] = [];
  let counts = new Map<string, number>();
  let isUpdated = false;
  for (const [at, ns, index] of steps) {
    const name = programs[index]?.name ?? '';
    const isUpdate = /^round \d+$/.test(name);
    const [, kind, stage] = /^([FBIW])(\d+)$/.exec(name) ?? [];
    const transfer = name === 'recv' ? 'receive' : name === 'send' ? name : undefined;
    if (kind === undefined && !isUpdate && transfer === undefined) continue;
    if (isUpdated && !isUpdate && kind !== undefined) {
      lanes.push(lane);
      lane = [];
      counts = new Map();
      isUpdated = false;
    }
    isUpdated ||= isUpdate;
    const microBatch = counts.get(name) ?? 0;
    counts.set(name, microBatch + 1);
    if (kind === undefined) lane.push({ at, ns, name: transfer ?? 'update', action: undefined });
    else {
      const action = { kind: kind as ActionKind, stage: Number(stage), microBatch };
      lane.push({ at, ns, name: `${name} ${microBatch}`, action });
    }
  }
  if (isUpdated) lanes.push(lane);
  return lanes;
}

export interface PipelineBubble {
  /** The share of the time between the first and the last action of a step in which ranks run none: the median of the steps. */
  readonly measured: number;
  /** The same if all stages take equal time, and sending none; undefined if equal stages of a rank share their programs. */
  readonly onPaper: number | undefined;
}

/** Undefined for profiles that are not those of all ranks of a pipeline. */
export function bubbleOf(timelines: readonly Timeline[]): PipelineBubble | undefined {
  const starts = alignedStarts(timelines);
  const all = timelines.map((timeline, i) =>
    laneOf(timeline).map(lane =>
      lane.flatMap(({ at, ns, action }) => (action === undefined ? [] : [{ at: starts[i]! + at, ns, action }])),
    ),
  );
  const longest = all.map(lanes => Math.max(0, ...lanes.map(lane => lane.length)));
  // Ranks begin with the same step, and the first of a recording may have begun before.
  const count = Math.min(...all.map(lanes => lanes.length));
  const bubbles: number[] = [];
  let onPaper: number | undefined;
  for (let step = 1; step <= count; step++) {
    const lanes = all.map(list => list.at(-step)!);
    if (lanes.some((lane, rank) => lane.length === 0 || lane.length < longest[rank]!)) continue;
    const actions = lanes.map(lane => lane.map(({ action }) => action));
    onPaper ??= paperBubble(actions);
    const from = Math.min(...lanes.flat().map(({ at }) => at));
    const to = Math.max(...lanes.flat().map(({ at, ns }) => at + ns));
    const busy = lanes.flat().reduce((sum, { ns }) => sum + ns, 0);
    bubbles.push(1 - busy / ((to - from) * lanes.length));
  }
  const sorted = bubbles.sort((a, b) => a - b);
  const isWhole = timelines.length > 1 && timelines.length === timelines[0]!.worldSize;
  return bubbles.length === 0 || !isWhole ? undefined : { measured: sorted[sorted.length >> 1]!, onPaper };
}

/**
 * Undefined if stages are missing. Ranks with the same stages have parts of them. The first stage has no gradient to send: where
 * gradients of weights are separate, it has only these.
 */
export function paperBubble(actions: readonly (readonly Action[])[]): number | undefined {
  const keyOf = (list: readonly Action[]): string =>
    [...new Set(list.map(({ stage }) => stage))].sort((a, b) => a - b).join();
  const ranks = [...new Map(actions.map(list => [keyOf(list), list])).values()];
  const stages = new Set(ranks.flat().map(({ stage }) => stage));
  if (Math.max(...stages) !== stages.size - 1 || ranks.length === 1) return undefined;
  const isSent = ranks.flat().some(({ kind, stage }) => kind === 'I' && stage === 0);
  // Equal stages of a rank share their programs, and then the names of these: such a list is no schedule.
  const counts = new Map<string, number>();
  for (const { kind, stage } of ranks.flat()) counts.set(`${kind}${stage}`, (counts.get(`${kind}${stage}`) ?? 0) + 1);
  const isSchedule = new Set(counts.values()).size === 1 && [...stages].every(stage => counts.has(`F${stage}`));
  if (!isSchedule) return undefined;
  const waiting = ranks.map(list =>
    list.map(action =>
      action.kind === 'W' && action.stage === 0 && !isSent ? { ...action, kind: 'I' as const } : action,
    ),
  );
  return runSchedule(waiting, stages.size).bubble;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
/** A sentence; empty for profiles without a pipeline. */
export function bubbleText(timelines: readonly Timeline[]): string {
  const bubble = bubbleOf(timelines);
  if (bubble === undefined) return '';
  const { measured, onPaper } = bubble;
  const paper = onPaper === undefined ? '' : `; by the schedule, if all stages take equal time: ${percent(onPaper)}`;
  return `pipeline: ranks run no action in ${percent(measured)} of the time from the first to the last of a step${paper}\n`;
}
