// The timeline of one step: a lane for each resource that does one thing at a time.
import { type Phase, phases } from '../../../simulator/index.ts';
import { formatStep } from '../../../simulator/plan/index.ts';
import type { Task, Timeline } from '../../../simulator/timeline/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import { type ChartRow, chartTable } from './chart-table.ts';
import { partLegend } from './legend.ts';
import { colorOf } from './palette.ts';
import { linearScale } from './scale.ts';
import { percent } from './svg.ts';
import { tickOf, wholePercent } from './words.ts';

/** More lanes than this cannot be distinguished on a page; the trace has them all. */
const MOST_LANES = 48;
/** A lane with more tasks is drawn by columns. */
const MOST_TASKS = 150;
const COLUMNS = 300;
/** In percent: narrower tasks are widened to stay visible. */
const LEAST = 0.15;

export function timelineChart(timeline: Timeline, title: string): Markup {
  const { seconds } = timeline;
  const lanes = timeline.lanes.slice(0, MOST_LANES);
  const { at, ticks } = linearScale(seconds, 0, 100, 8);
  const byLane = Map.groupBy(timeline.tasks, task => task.lane);
  const isDense = (lane: number): boolean => (byLane.get(lane)?.length ?? 0) > MOST_TASKS;
  const used = new Set<string>();
  const rows = lanes.map((lane, i): ChartRow => {
    const own = byLane.get(i) ?? [];
    const busy = own.reduce((sum, task) => sum + task.end - task.start, 0);
    const drawn = isDense(i) ? columnsOf(own, seconds) : own;
    for (const { phase } of drawn) used.add(phase);
    return {
      name: lane.group === lane.name ? lane.name : `${lane.group} ${lane.name}`,
      begins: lane.group !== lanes[i - 1]?.group,
      pictures: [
        {
          description: `busy for ${formatStep(busy)} of ${formatStep(seconds)}`,
          body: drawn.map(
            task =>
              html`<rect x="${percent(at(task.start))}" y="3" width="${percent(Math.max(LEAST, at(task.end) - at(task.start)))}" height="16" class="f${colorOf(phases.indexOf(task.phase))}"><title>${`${task.name}: ${formatStep(task.end - task.start)} from ${formatStep(task.start)}`}</title></rect>`,
          ),
        },
      ],
      note: html`<small>busy ${wholePercent(busy / seconds)}</small>`,
    };
  });
  const more = timeline.lanes.length - lanes.length;
  return lines([
    partLegend(phases, name => used.has(name)),
    chartTable({
      id: 'timeline',
      caption: title,
      nameHeader: 'lane',
      panels: [
        {
          header: 'time since the start of the step',
          axis: { ticks: ticks.map(tick => ({ at: at(tick), label: tickOf(tick) })) },
        },
      ],
      noteHeader: 'busy',
      rows,
    }),
    ...(lanes.some((_, i) => isDense(i))
      ? [
          html`<p class="note">Lanes with many short tasks are drawn in columns, each in the color of what takes most of it.</p>`,
        ]
      : []),
    ...(more > 0 ? [html`<p class="note">${more} more lanes are in the trace (--trace).</p>`] : []),
  ]);
}

type Drawn = Pick<Task, 'name' | 'phase' | 'start' | 'end'>;
/**
 * Thousands of tasks, in columns of equal time: each has the color of the task that takes most of its time, or none if most of
 * it is waiting. Adjacent columns of the same color are merged.
 */
export function columnsOf(tasks: readonly Task[], seconds: number): readonly Drawn[] {
  const width = seconds / COLUMNS;
  const spent = Array.from({ length: COLUMNS }, () => new Map<Phase, number>());
  for (const { phase, start, end } of tasks) {
    const last = Math.min(COLUMNS - 1, Math.floor(end / width));
    for (let column = Math.min(last, Math.floor(start / width)); column <= last; column++) {
      const inside = Math.min(end, (column + 1) * width) - Math.max(start, column * width);
      spent[column]!.set(phase, (spent[column]!.get(phase) ?? 0) + Math.max(0, inside));
    }
  }
  const drawn: Drawn[] = [];
  spent.forEach((byPhase, column) => {
    const [phase, most] = [...byPhase].toSorted((a, b) => b[1] - a[1])[0] ?? [undefined, 0];
    const idle = width - [...byPhase.values()].reduce((sum, value) => sum + value, 0);
    if (phase === undefined || most < idle) return;
    const start = column * width;
    const before = drawn.at(-1);
    if (before !== undefined && before.phase === phase && before.end === start)
      drawn[drawn.length - 1] = { ...before, end: (column + 1) * width };
    else drawn.push({ name: `mostly ${phase}`, phase, start, end: (column + 1) * width });
  });
  return drawn;
}
