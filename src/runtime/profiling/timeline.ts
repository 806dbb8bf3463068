// A profile of one process: the activity of its threads between two points in time. Plain data, stored as JSON and shown by
// `trenio profile view`, Perfetto and TensorBoard. Each rank has a separate timeline.

import { z } from 'zod';
import { formatPlace } from '../../base/errors.ts';
import type { KernelInfo } from '../../compiler/index.ts';
import { type PipelineEvent, stageRunKinds } from '../../observe/events.ts';
import { type HostSpan, hostSpanKinds } from '../../observe/host-spans.ts';
import type { MachineLimits } from './limits.ts';
import type { DeviceSpans } from './span-recorder.ts';

const kernel = z.object({
  name: z.string(),
  kind: z.enum(['fused', 'multiply', 'other', 'collective']),
  shape: z.string(),
  /** The ops that it computes, and the line of the first one that has one. */
  ops: z.string(),
  line: z.string(),
  flops: z.number(),
  bytes: z.number(),
  /** Nanoseconds that the machine needs at least for one call: its arithmetic, and its memory; if the limits are known. */
  computeNs: z.number().optional(),
  memoryNs: z.number().optional(),
  /** For a collective: the bytes that a rank sends in one call, the ranks of its group, and 0 times where it only awaits. */
  sent: z.object({ bytes: z.number(), devices: z.number().int(), times: z.number().int() }).optional(),
});
const stageSpan = z.object({
  at: z.number(),
  ns: z.number(),
  /** An action of the schedule, a transfer, or the rest. */
  kind: z.enum(stageRunKinds),
  /** Missing for what is no action. */
  stage: z.number().int().optional(),
  /** Missing for what runs once a step. */
  microBatch: z.number().int().optional(),
  /** The size of what was sent or received. */
  bytes: z.number().optional(),
});
/** Times are nanoseconds from `startNs`. A span: start, duration, and subject. */
const timeline = z.object({
  /** Names this format. */
  format: z.literal('trenio-profile'),
  /** The version of this format. */
  version: z.literal(1),
  /** The rank that recorded it. */
  rank: z.number().int(),
  /** The number of ranks. */
  worldSize: z.number().int(),
  /** The host name. */
  host: z.string(),
  /** The process id. */
  pid: z.number().int(),
  /** The script that ran. */
  script: z.string(),
  /** The time of the monotonic clock, as a decimal number: processes of one host share it. */
  startNs: z.string(),
  /** Milliseconds since 1970 at the start: used to align hosts. */
  startMs: z.number(),
  /** From the start to the end of the recording. */
  durationNs: z.number(),
  /** The number of threads of the rank. */
  threads: z.number().int(),
  /** The programs that ran, with their kernels. */
  programs: z.array(z.object({ name: z.string(), kernels: z.array(kernel) })),
  /** Steps of the training loop: where each begins and how long it takes. */
  loop: z.array(z.tuple([z.number(), z.number()])),
  /** Executions of programs: the program's index, or -1. */
  steps: z.array(z.tuple([z.number(), z.number(), z.number()])),
  /** Calls of kernels: the indices of the program and of the kernel. */
  kernels: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** Other threads at work on a kernel: the thread. */
  workers: z.array(z.tuple([z.number(), z.number(), z.number()])),
  /** Collectives that steps have started, from start to end: the kind, and the bytes of this rank. */
  collectives: z.array(z.tuple([z.number(), z.number(), z.string(), z.number()])).default([]),
  /** The steps of a pipeline: what this rank ran in each, in order. */
  pipeline: z.array(z.array(stageSpan)).default([]),
  /** Sentences on operands that are gathered, with the constraint that avoids it. */
  replicated: z.array(z.string()).default([]),
  /** The script's thread. */
  spans: z.array(z.object({ at: z.number(), ns: z.number(), kind: z.enum(hostSpanKinds), name: z.string() })),
  /** The number of spans dropped for lack of space. */
  dropped: z.number().int(),
});
/** A recorded profile of one rank, as data: `trenio profile view` shows it. */
export type Timeline = Readonly<z.infer<typeof timeline>>;
export type StageSpan = Timeline['pipeline'][number][number];
export type TimelineKernel = Timeline['programs'][number]['kernels'][number];
export const timelineSchema = timeline;

/** The input of a timeline. */
export interface RecordedProfile {
  readonly rank: number;
  readonly worldSize: number;
  readonly host: string;
  readonly pid: number;
  readonly script: string;
  readonly startNs: bigint;
  readonly startMs: number;
  readonly endNs: bigint;
  readonly threads: number;
  readonly limits: MachineLimits | undefined;
  /** The start times of the steps of the loop, followed by the end of the last one. */
  readonly loop: readonly bigint[];
  readonly device: DeviceSpans | undefined;
  readonly pipeline: readonly PipelineEvent[];
  readonly replicated: readonly string[];
  readonly spans: readonly HostSpan[];
  /** The minimum times of one call of a kernel. */
  readonly leastTimes: (kernel: KernelInfo) => { readonly computeNs: number; readonly memoryNs: number } | undefined;
}

/** The profile as data. */
export function timelineOf(recorded: RecordedProfile): Timeline {
  const { startNs, endNs, device, loop } = recorded;
  const since = (time: bigint): number => Number(time - startNs);
  const within = ({ from, to }: { readonly from: bigint; readonly to: bigint }): boolean =>
    to > startNs && from < endNs;
  const spans = device?.spans.filter(within) ?? [];
  const of = <K extends string>(kind: K) => spans.filter(span => span.kind === kind);
  return {
    format: 'trenio-profile',
    version: 1,
    rank: recorded.rank,
    worldSize: recorded.worldSize,
    host: recorded.host,
    pid: recorded.pid,
    script: recorded.script,
    startNs: String(startNs),
    startMs: recorded.startMs,
    durationNs: since(endNs),
    threads: recorded.threads,
    programs: (device?.programs ?? []).map(({ name, kernels }) => ({
      name,
      kernels: kernels.map(info => kernelOf(info, recorded.leastTimes(info))),
    })),
    loop: loop.slice(0, -1).map((from, i) => [since(from), Number(loop[i + 1]! - from)]),
    steps: of('step').map(span => [since(span.from), Number(span.to - span.from), span.program ?? -1]),
    kernels: of('kernel').map(span => [since(span.from), Number(span.to - span.from), span.program!, span.kernel!]),
    workers: of('worker').map(span => [since(span.from), Number(span.to - span.from), span.worker]),
    collectives: of('collective').map(span => [
      since(span.from),
      Number(span.to - span.from),
      span.collective!,
      span.bytes!,
    ]),
    pipeline: recorded.pipeline.map(({ ran }) =>
      ran.flatMap(({ execution, kind, stage, microBatch, bytes }): readonly StageSpan[] => {
        if (execution.ran === undefined) return [];
        const { from, to } = execution.ran;
        return [{ at: since(from), ns: Number(to - from), kind, stage, microBatch, bytes }];
      }),
    ),
    replicated: [...recorded.replicated],
    spans: recorded.spans
      .filter(within)
      .map(({ from, to, kind, name }) => ({ at: since(from), ns: Number(to - from), kind, name })),
    dropped: device?.dropped ?? 0,
  };
}

function kernelOf(
  { name, kind, shape, ops, flops, bytes, sent }: KernelInfo,
  least: { readonly computeNs: number; readonly memoryNs: number } | undefined,
): TimelineKernel {
  const counts = new Map<string, number>();
  for (const op of ops) counts.set(op.name, (counts.get(op.name) ?? 0) + 1);
  const location = ops.find(op => op.location !== undefined)?.location;
  return {
    name,
    kind,
    shape,
    ops: [...counts].map(([op, count]) => (count === 1 ? op : `${op} ×${count}`)).join(' '),
    line: location === undefined ? '' : formatPlace(location),
    flops,
    bytes,
    ...(least === undefined ? {} : least),
    ...(sent === undefined ? {} : { sent }),
  };
}
