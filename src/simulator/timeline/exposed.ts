// The breakdown of a stage's time: the work of its compute lane, and its waits. The times sum to the whole step.
import type { Phase } from '../run.ts';
import type { Task, Timeline } from './timeline.ts';

/**
 * Seconds by phase of one group of lanes (`stage 0`, `device`). Times in which the compute lane is idle count as gradient
 * collectives while the group's collectives are busy, as overhead while the host is, and as bubble otherwise.
 */
export function exposedByPhase(timeline: Timeline, group: string): ReadonlyMap<Phase, number> {
  const total = new Map<Phase, number>();
  const add = (phase: Phase, seconds: number): void => {
    if (seconds > 0) total.set(phase, (total.get(phase) ?? 0) + seconds);
  };
  const compute: Task[] = [];
  const beside: Task[] = [];
  for (const task of timeline.tasks) {
    const lane = timeline.lanes[task.lane]!;
    if (lane.group === group && lane.kind === 'compute') compute.push(task);
    else if ((lane.group === group && lane.kind === 'collectives') || lane.kind === 'host') beside.push(task);
  }
  beside.sort((a, b) => a.start - b.start);
  let at = 0;
  let next = 0;
  // Between two tasks of the compute lane: first what runs concurrently, the rest is bubble.
  const rest = (until: number): void => {
    while (at < until) {
      while (next < beside.length && beside[next]!.end <= at) next++;
      const task = beside[next];
      if (task === undefined || task.start >= until) {
        add('pipeline bubble', until - at);
        at = until;
      } else {
        add('pipeline bubble', task.start - at);
        const begin = Math.max(at, task.start);
        const end = Math.min(until, task.end);
        add(task.phase, end - begin);
        at = end;
      }
    }
  };
  for (const task of compute) {
    rest(task.start);
    add(task.phase, task.end - task.start);
    at = Math.max(at, task.end);
  }
  rest(timeline.seconds);
  return total;
}
