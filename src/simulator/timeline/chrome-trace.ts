// A timeline as a file that Perfetto (ui.perfetto.dev) and chrome://tracing open: the JSON of the Trace Event Format, a
// process for each stage, a thread for each lane, complete events in microseconds.
import type { Timeline } from './timeline.ts';

interface MetadataEvent {
  readonly ph: 'M';
  readonly name: 'process_name' | 'process_sort_index' | 'thread_name' | 'thread_sort_index';
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name: string } | { readonly sort_index: number };
}
interface CompleteEvent {
  readonly ph: 'X';
  readonly name: string;
  /** The phase, to filter and color by. */
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
}

/**
 * The text of the file.
 * @example
 * const timeline: simulator.Timeline = {
 *   lanes: [{ group: 'stage 0', name: 'compute', kind: 'compute' }],
 *   tasks: [{ lane: 0, name: 'block', phase: 'forward', start: 0, end: 0.01 }],
 *   seconds: 0.01,
 * };
 * JSON.parse(simulator.chromeTrace(timeline)).traceEvents.length > 0 // true
 */
export function chromeTrace(timeline: Timeline): string {
  const groups = [...new Set(timeline.lanes.map(lane => lane.group))].sort(byNumber);
  const pids = timeline.lanes.map(lane => groups.indexOf(lane.group) + 1);
  const metadata: MetadataEvent[] = [];
  groups.forEach((name, i) => {
    metadata.push({ ph: 'M', name: 'process_name', pid: i + 1, tid: 0, args: { name } });
    metadata.push({ ph: 'M', name: 'process_sort_index', pid: i + 1, tid: 0, args: { sort_index: i } });
  });
  timeline.lanes.forEach((lane, i) => {
    const at = { ph: 'M', pid: pids[i]!, tid: i + 1 } as const;
    metadata.push({ ...at, name: 'thread_name', args: { name: lane.name } });
    metadata.push({ ...at, name: 'thread_sort_index', args: { sort_index: kinds.indexOf(lane.kind) } });
  });
  const events = timeline.tasks.map(
    (task): CompleteEvent => ({
      ph: 'X',
      name: task.name,
      cat: task.phase,
      pid: pids[task.lane]!,
      tid: task.lane + 1,
      ts: microseconds(task.start),
      dur: microseconds(task.end - task.start),
    }),
  );
  // One event per line, so that the file can be read and compared.
  const lines = [...metadata, ...events].map(event => JSON.stringify(event));
  return `{"displayTimeUnit":"ms","traceEvents":[\n${lines.join(',\n')}\n]}\n`;
}

const kinds = ['compute', 'link', 'collectives', 'host'];
const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
/** To the nanosecond, which the format's viewers resolve. */
const microseconds = (seconds: number): number => Math.round(seconds * 1e9) / 1e3;
