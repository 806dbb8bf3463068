// The calendar of one instance type: how many instances are reserved at each time, and when a new block fits.
//
//   reserved  ──┐   ┌─────┐
//               └───┘     └────     a block fits where, for all of its time, the highest step plus its count is within the limit

export interface Reserved {
  readonly instanceCount: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** The maximum number of instances reserved at the same time from `startMs` to `endMs`. */
export function peakReserved(blocks: readonly Reserved[], startMs: number, endMs: number): number {
  const overlapping = blocks.filter(one => one.startMs < endMs && one.endMs > startMs);
  // The number increases only where a block starts.
  const times = [startMs, ...overlapping.map(one => one.startMs).filter(time => time > startMs)];
  return Math.max(
    0,
    ...times.map(time =>
      overlapping
        .filter(one => one.startMs <= time && one.endMs > time)
        .reduce((sum, one) => sum + one.instanceCount, 0),
    ),
  );
}

/** The first of `starts` at which `count` instances are free for `durationMs`. */
export const firstFit = (
  blocks: readonly Reserved[],
  starts: readonly number[],
  count: number,
  durationMs: number,
  limit: number,
): number | undefined => starts.find(start => peakReserved(blocks, start, start + durationMs) + count <= limit);
