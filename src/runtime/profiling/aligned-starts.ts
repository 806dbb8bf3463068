// Profiles of several processes on one axis of time.
import type { Timeline } from './timeline.ts';

/**
 * The start of each timeline, in nanoseconds from the first: by the monotonic clock within a host, by the time of day between
 * hosts.
 */
export function alignedStarts(timelines: readonly Timeline[]): readonly number[] {
  const reference = new Map<string, { readonly ns: bigint; readonly ms: number }>();
  for (const { host, startNs, startMs } of timelines)
    if (!reference.has(host)) reference.set(host, { ns: BigInt(startNs), ms: startMs });
  const firstMs = Math.min(...timelines.map(({ host }) => reference.get(host)!.ms));
  const starts = timelines.map(({ host, startNs }) => {
    const { ns, ms } = reference.get(host)!;
    return (ms - firstMs) * 1e6 + Number(BigInt(startNs) - ns);
  });
  const first = Math.min(...starts);
  return starts.map(start => start - first);
}
