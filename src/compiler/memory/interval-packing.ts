// Packs intervals of time into one range of memory: the largest first, each at the lowest offset that is free for its
// whole life. Largest first keeps fragmentation low, as large buffers are hardest to place.

export interface Interval {
  readonly bytes: number;
  /** First and last time at which the memory is in use. */
  readonly start: number;
  readonly end: number;
  offset: number;
}

/** Sets the offsets; returns the bytes needed in all. Same input, same offsets. */
export function packIntervals(intervals: readonly Interval[]): number {
  const order = intervals
    .map((_, i) => i)
    .sort((a, b) => intervals[b]!.bytes - intervals[a]!.bytes || intervals[a]!.start - intervals[b]!.start || a - b);
  const placed: Interval[] = [];
  let total = 0;
  for (const i of order) {
    const item = intervals[i]!;
    let offset = 0;
    // `placed` is ordered by offset, so the first gap that fits is the lowest.
    for (const p of placed) {
      if (p.offset >= offset + item.bytes) break;
      if (p.start <= item.end && item.start <= p.end) offset = Math.max(offset, p.offset + p.bytes);
    }
    item.offset = offset;
    let at = placed.length;
    while (at > 0 && placed[at - 1]!.offset > offset) at--;
    placed.splice(at, 0, item);
    total = Math.max(total, offset + item.bytes);
  }
  return total;
}
