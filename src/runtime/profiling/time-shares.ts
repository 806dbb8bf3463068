// Where the time of a profile goes: shares of the wall time by the activity of the device and, while it is idle, by the activity
// of the script's thread.
import type { HostSpanKind } from '../../observe/host-spans.ts';
import type { Timeline } from './timeline.ts';

/** The parts of the wall-clock time. */
export type TimeUse =
  | 'multiply'
  | 'fused'
  | 'other'
  | 'collective'
  | 'between kernels'
  | `idle: ${HostSpanKind | 'script'}`;

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Nanoseconds by activity, which add up to the duration. */
export function timeShares(timeline: Timeline): ReadonlyMap<TimeUse, number> {
  const shares = new Map<TimeUse, number>();
  const add = (use: TimeUse, ns: number): void => {
    if (ns > 0) shares.set(use, (shares.get(use) ?? 0) + ns);
  };
  const [begin, end] = windowOf(timeline);
  const clipped = (at: number, ns: number): Interval => ({ from: Math.max(at, begin), to: Math.min(at + ns, end) });
  let inKernels = 0;
  for (const [at, ns, program, kernel] of timeline.kernels) {
    const { from, to } = clipped(at, ns);
    if (to <= from) continue;
    inKernels += to - from;
    add(timeline.programs[program]!.kernels[kernel]!.kind, to - from);
  }
  // Between ranks, what runs outside of programs are collectives, such as the agreement of a checkpoint.
  const isCollective = (program: number): boolean => program < 0 && timeline.worldSize > 1;
  const steps = timeline.steps
    .map(([at, ns, program]) => ({ ...clipped(at, ns), isCollective: isCollective(program) }))
    .filter(({ from, to }) => to > from);
  const sumOf = (list: readonly Interval[]): number => list.reduce((sum, { from, to }) => sum + to - from, 0);
  add('collective', sumOf(steps.filter(step => step.isCollective)));
  add('between kernels', sumOf(steps.filter(step => !step.isCollective)) - inKernels);
  const innermost = innermostSpans(timeline);
  let idleFrom = begin;
  for (const step of [...steps, { from: end, to: end }]) {
    addIdle({ from: idleFrom, to: step.from }, innermost, add);
    idleFrom = Math.max(idleFrom, step.to);
  }
  return shares;
}
/** From the first step of the loop to the end of the last one, if steps are known. */
export function windowOf({ loop, durationNs }: Timeline): readonly [number, number] {
  const last = loop.at(-1);
  return last === undefined ? [0, durationNs] : [loop[0]![0], last[0] + last[1]];
}

interface Labeled extends Interval {
  readonly kind: HostSpanKind;
}
/** The script's thread as intervals that do not overlap: for nested spans, the innermost. */
function innermostSpans({ spans }: Timeline): readonly Labeled[] {
  const sorted = spans
    .filter(span => span.kind !== 'user')
    .map(({ at, ns, kind }) => ({ from: at, to: at + ns, kind }))
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const result: Labeled[] = [];
  const open: Labeled[] = [];
  let now = 0;
  const advance = (to: number): void => {
    for (let top = open.at(-1); top !== undefined && now < to; top = open.at(-1)) {
      const until = Math.min(top.to, to);
      if (until > now) result.push({ from: now, to: until, kind: top.kind });
      now = Math.max(now, until);
      if (top.to <= to) open.pop();
      else break;
    }
    now = Math.max(now, to);
  };
  for (const span of sorted) {
    advance(span.from);
    open.push(span);
  }
  advance(Math.max(0, ...sorted.map(span => span.to)));
  return result;
}
function addIdle(idle: Interval, spans: readonly Labeled[], add: (use: TimeUse, ns: number) => void): void {
  if (idle.to <= idle.from) return;
  let covered = 0;
  for (const { from, to, kind } of spans) {
    if (from >= idle.to) break;
    const ns = Math.min(to, idle.to) - Math.max(from, idle.from);
    if (ns <= 0) continue;
    covered += ns;
    add(`idle: ${kind}`, ns);
  }
  add('idle: script', idle.to - idle.from - covered);
}

const words: Readonly<Record<TimeUse, (percent: string) => string>> = {
  multiply: p => `${p} of the time is spent in matrix products and convolutions`,
  fused: p =>
    `${p} of the time is spent in element-wise kernels and reductions, which wait for memory more than they compute`,
  other: p => `${p} of the time is spent in kernels such as gathers, sorts and scatters`,
  collective: p =>
    `${p} of the time is spent in communication that computation does not hide, which includes waiting for other ranks`,
  'between kernels': p => `${p} of the time passes between kernels: they are short, so larger batches would help`,
  'idle: data': p => `${p} of the time waits on data: raise the loader's numWorkers or prefetchFactor`,
  'idle: tracing': p =>
    `${p} of the time the device waits while the script records the step: wrap it in compile(fn), or use larger batches`,
  'idle: compile': p =>
    `${p} of the time is spent on compiling: profile later steps, or see device().explain() for why programs compile again`,
  'idle: wait': p => `${p} of the time passes between the end of a step and the script reading its result`,
  'idle: user': p => `${p} of the time the device waits for the script`,
  'idle: script': percent =>
    `${percent} of the time the device waits for the script, which records the next step or does other work: use larger batches, or wrap the step in compile(fn)`,
};
/** Advice about the settings of the loader with the longest waiting time. */
function dataAdvice({ spans }: Timeline): string | undefined {
  const byName = new Map<string, number>();
  for (const { kind, name, ns } of spans) if (kind === 'data') byName.set(name, (byName.get(name) ?? 0) + ns);
  const [longest] = [...byName].sort((a, b) => b[1] - a[1]);
  return longest?.[0];
}
/**
 * Nanoseconds of collectives that overlap with the kernels of a step: in total, and while kernels compute.
 */
export function communication(timeline: Timeline): { readonly ns: number; readonly hiddenNs: number } {
  const [begin, end] = windowOf(timeline);
  const computing = timeline.kernels.filter(
    ([, , program, kernel]) => timeline.programs[program]!.kernels[kernel]!.kind !== 'collective',
  );
  let [ns, hiddenNs, next] = [0, 0, 0];
  for (const [at, length] of timeline.collectives) {
    const [from, to] = [Math.max(at, begin), Math.min(at + length, end)];
    if (to <= from) continue;
    ns += to - from;
    // Both are in the order of time, and neither overlaps itself.
    while (next > 0 && computing[next - 1]![0] + computing[next - 1]![1] > from) next--;
    for (; next < computing.length && computing[next]![0] < to; next++) {
      const [start, span] = computing[next]!;
      hiddenNs += Math.max(0, Math.min(start + span, to) - Math.max(start, from));
    }
  }
  return { ns, hiddenNs };
}

/**
 * The largest share that has a remedy, or else the largest, as a sentence, followed by the share of communication that overlaps
 * with computation.
 */
export function timeSentence(timeline: Timeline): string {
  const shares = [...timeShares(timeline)].sort((a, b) => b[1] - a[1]);
  const total = shares.reduce((sum, [, ns]) => sum + ns, 0);
  if (total === 0) return 'Nothing was recorded.';
  if (timeline.programs.length === 0)
    return "No program was recorded: none ran, or they ran without machine code, on the script's thread (is there a C compiler?).";
  const isAvoidable = (use: TimeUse): boolean => use.startsWith('idle') || use === 'collective';
  const avoidable = shares.find(([use, ns]) => isAvoidable(use) && ns > 0.1 * total);
  const [use, ns] = avoidable ?? shares[0]!;
  const percent = `${Math.round((100 * ns) / total)} %`;
  const advice = use === 'idle: data' ? dataAdvice(timeline) : undefined;
  const { ns: communicated, hiddenNs } = communication(timeline);
  const hidden =
    communicated === 0
      ? ''
      : ` ${Math.round((100 * hiddenNs) / communicated)} % of communication overlaps with computation.`;
  return advice === undefined
    ? `${words[use](percent)}.${hidden}`
    : `${percent} of the time waits on data: ${advice}.${hidden}`;
}
