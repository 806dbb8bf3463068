// The two clocks of a process, passed to whatever needs the time.
export interface Clocks {
  /** The wall clock, ms since 1970: for times that are stored and shown. It may be set. */
  readonly wall: () => number;
  /** A clock that never jumps: for durations. */
  readonly steady: () => number;
}

export const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() };
