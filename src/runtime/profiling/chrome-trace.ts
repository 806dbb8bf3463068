// Timelines as a trace in the JSON format of Chrome, which Perfetto (https://ui.perfetto.dev) and TensorBoard's profile plugin
// read: a process for each rank, with the script's thread, the executor, the other threads of the device, the collectives in
// progress, and the actions of a pipeline.
import { alignedStarts } from './aligned-starts.ts';
import { labelOf } from './pipeline-lane.ts';
import type { Timeline } from './timeline.ts';

interface TraceEvent {
  readonly ph: 'X' | 'M';
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}
export interface ChromeTrace {
  readonly displayTimeUnit: 'ms';
  readonly traceEvents: readonly TraceEvent[];
}

const [scriptThread, executorThread, collectiveThread, pipelineThread] = [0, 1, 1000, 1001];

export function chromeTrace(timelines: readonly Timeline[]): ChromeTrace {
  const starts = alignedStarts(timelines);
  return { displayTimeUnit: 'ms', traceEvents: timelines.flatMap((timeline, i) => eventsOf(timeline, starts[i]!)) };
}

function eventsOf(timeline: Timeline, start: number): readonly TraceEvent[] {
  const pid = timeline.rank;
  const named = (name: string, tid: number, value: string): TraceEvent => ({
    ph: 'M',
    name,
    pid,
    tid,
    args: { name: value },
  });
  const span = (tid: number, cat: string, name: string, at: number, ns: number, args = {}): TraceEvent => ({
    ph: 'X',
    cat,
    name,
    pid,
    tid,
    ts: (start + at) / 1e3,
    dur: ns / 1e3,
    args,
  });
  const lane = timeline.pipeline.flat();
  const workers = [...new Set(timeline.workers.map(([, , worker]) => worker))].sort((a, b) => a - b);
  return [
    named('process_name', 0, `rank ${timeline.rank} (${timeline.host}, process ${timeline.pid})`),
    named('thread_name', scriptThread, 'script'),
    named('thread_name', executorThread, 'executor'),
    ...workers.map(worker => named('thread_name', executorThread + worker, `worker ${worker}`)),
    ...(timeline.collectives.length > 0 ? [named('thread_name', collectiveThread, 'communication')] : []),
    ...(lane.length > 0 ? [named('thread_name', pipelineThread, 'pipeline')] : []),
    ...timeline.loop.map(([at, ns], i) => span(scriptThread, 'step', `step ${i}`, at, ns)),
    ...timeline.spans.map(({ at, ns, kind, name }) => span(scriptThread, kind, name, at, ns)),
    ...timeline.steps.map(([at, ns, program]) =>
      span(executorThread, 'program', timeline.programs[program]?.name ?? 'runtime', at, ns),
    ),
    ...timeline.kernels.map(([at, ns, program, kernel]) => {
      const { name, kind, ops, line, shape, flops, bytes } = timeline.programs[program]!.kernels[kernel]!;
      return span(executorThread, kind, `${name} ${ops}`, at, ns, { shape, line, flops, bytes });
    }),
    ...timeline.workers.map(([at, ns, worker]) => span(executorThread + worker, 'worker', 'tasks', at, ns)),
    ...timeline.collectives.map(([at, ns, name, bytes]) =>
      span(collectiveThread, 'collective', name, at, ns, { bytes }),
    ),
    ...lane.map(one => {
      const { at, ns, bytes, microBatch } = one;
      return span(pipelineThread, 'pipeline', labelOf(one), at, ns, { bytes, microBatch });
    }),
  ];
}
