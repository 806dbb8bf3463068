// One step as it passes in time: a lane for each thing that does one thing at a time.

import { type Phase, phases } from '../../../simulator/index.ts';
import { formatStep } from '../../../simulator/plan/index.ts';
import type { Task, Timeline } from '../../../simulator/timeline/index.ts';
import { linearScale } from './scale.ts';
import { box, legend, line, svg, text } from './svg.ts';

const WIDTH = 960;
const ROW = 20;
const LABEL = 190;
const TOP = 8;
/** More lanes than this cannot be told apart on a page; the trace has them all. */
const MOST_LANES = 48;

export function timelineChart(timeline: Timeline, title: string): string {
  const lanes = timeline.lanes.slice(0, MOST_LANES);
  const bottom = TOP + lanes.length * ROW;
  const { at, ticks } = linearScale(timeline.seconds, LABEL, WIDTH - 20, 8);
  const perPixel = timeline.seconds / (WIDTH - 20 - LABEL);
  const merged = mergedTasks(timeline.tasks, lanes.length, perPixel);
  const body = [
    ...ticks.flatMap(tick => [
      line(at(tick), TOP, at(tick), bottom, 'grid'),
      text(at(tick), bottom + 16, formatStep(tick), { anchor: 'middle', className: 'tick' }),
    ]),
    ...lanes.map((lane, i) =>
      text(LABEL - 8, TOP + i * ROW + 14, lane.group === lane.name ? lane.name : `${lane.group} ${lane.name}`, {
        anchor: 'end',
      }),
    ),
    ...merged.map(task =>
      box(
        at(task.start),
        TOP + task.lane * ROW + 2,
        Math.max(0.4, at(task.end) - at(task.start)),
        ROW - 4,
        phases.indexOf(task.phase),
        `${task.name}: ${formatStep(task.end - task.start)} from ${formatStep(task.start)}`,
      ),
    ),
  ];
  const used = new Set<string>(merged.map(task => task.phase));
  const more =
    lanes.length < timeline.lanes.length
      ? `<p class="note">${timeline.lanes.length - lanes.length} more lanes are in the trace (--trace).</p>`
      : '';
  const description = `${lanes.length} lanes over ${formatStep(timeline.seconds)}`;
  return `${legend(phases, name => used.has(name))}\n${svg({ id: 'timeline', width: WIDTH, height: bottom + 24, title, description }, body)}${more}`;
}

/** Tasks of one phase that follow each other within a pixel become one: thousands of them would only be a grey block. */
function mergedTasks(tasks: readonly Task[], laneCount: number, perPixel: number): readonly Task[] {
  const merged: Task[] = [];
  const last = new Map<number, { index: number; phase: Phase; count: number }>();
  for (const task of tasks) {
    if (task.lane >= laneCount) continue;
    const before = last.get(task.lane);
    const previous = before === undefined ? undefined : merged[before.index]!;
    const isSmall = task.end - task.start < 2 * perPixel;
    if (
      before !== undefined &&
      previous !== undefined &&
      isSmall &&
      before.phase === task.phase &&
      task.start - previous.end < perPixel
    ) {
      before.count++;
      merged[before.index] = { ...previous, end: task.end, name: `${task.phase}, ${before.count} tasks` };
    } else {
      last.set(task.lane, { index: merged.length, phase: task.phase, count: 1 });
      merged.push(task);
    }
  }
  return merged;
}
