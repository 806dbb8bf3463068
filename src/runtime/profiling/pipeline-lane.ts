// The lane of a rank of a pipeline in a profile: the actions of the schedule and what it sends; and the bubble, the share of the
// time in which ranks run no action.
import { bubbleIn, type RankSpan, runSchedule } from '../../transforms/pipeline/run-schedule.ts';
import type { Action } from '../../transforms/pipeline/schedules.ts';
import type { StageSpan, Timeline } from './timeline.ts';

/** `F0 3`: an action with its micro-batch; the kind of everything else. */
export const labelOf = ({ kind, stage, microBatch }: StageSpan): string =>
  stage === undefined ? kind : `${kind}${stage} ${microBatch}`;
/** An action with its time. */
type Acted = Action & { readonly at: number; readonly ns: number };
/** Undefined for what is no action. */
const actionOf = ({ kind, stage, microBatch, at, ns }: StageSpan): Acted | undefined =>
  stage === undefined ? undefined : ({ kind, stage, microBatch, at, ns } as Acted);

/** The actions of a rank run one after the other. */
const spanOf = (lane: readonly Acted[]): RankSpan => ({
  from: lane[0]!.at,
  to: lane.at(-1)!.at + lane.at(-1)!.ns,
  busy: lane.reduce((sum, { ns }) => sum + ns, 0),
});

export interface PipelineBubble {
  /** The share of a step in which ranks run no action (`bubbleIn`): the median of the steps. */
  readonly measured: number;
  /** The same if all stages take equal time, and sending none. */
  readonly onPaper: number;
}

/** Undefined for profiles that are not those of all ranks of a pipeline. */
export function bubbleOf(timelines: readonly Timeline[]): PipelineBubble | undefined {
  if (timelines.length !== timelines[0]?.worldSize) return undefined;
  // Programs that read a value run no action.
  const all = timelines.map(({ pipeline }) =>
    pipeline.map(step => step.flatMap(span => actionOf(span) ?? [])).filter(step => step.length > 0),
  );
  const bubbles: number[] = [];
  let onPaper: number | undefined;
  for (let step = 0; step < Math.min(...all.map(steps => steps.length)); step++) {
    const lanes = all.map(steps => steps[step]!);
    onPaper ??= paperBubble(lanes);
    bubbles.push(bubbleIn(lanes.map(spanOf)));
  }
  const sorted = bubbles.sort((a, b) => a - b);
  return onPaper === undefined ? undefined : { measured: sorted[sorted.length >> 1]!, onPaper };
}

/**
 * Undefined without stages on several ranks. Ranks with the same stages have parts of them. The first stage has no gradient to
 * send: where gradients of weights are separate, it has only these.
 */
export function paperBubble(actions: readonly (readonly Action[])[]): number | undefined {
  const keyOf = (list: readonly Action[]): string =>
    [...new Set(list.map(({ stage }) => stage))].sort((a, b) => a - b).join();
  const ranks = [...new Map(actions.map(list => [keyOf(list), list])).values()];
  const stages = new Set(ranks.flat().map(({ stage }) => stage));
  if (ranks.length === 1) return undefined;
  const isSent = ranks.flat().some(({ kind, stage }) => kind === 'I' && stage === 0);
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
  return `pipeline: ranks run no action in ${percent(measured)} of a step; by the schedule, if all stages take equal time: ${percent(onPaper)}\n`;
}
