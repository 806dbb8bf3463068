// The two clocks of a process, passed to whatever needs the time.
export interface Clocks {
  /** The wall clock, ms since 1970: for times that are stored and shown. It may be set. */
  readonly wall: () => number;
  /** A clock that never jumps: for durations. */
  readonly steady: () => number;
}

export const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * For times of one process that are compared with each other: the wall clock at its start, continued by the steady one. The
 * states and the bill of a job show the time that passed, even if the wall clock is set meanwhile. Not for log lines.
 */
export function unsteppedClock({ wall, steady } = systemClocks): () => number {
  const offset = wall() - steady();
  return () => Math.round(offset + steady());
}
