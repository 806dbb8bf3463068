// Times of one process that are compared with each other: the wall clock at its start, continued by a clock that does not jump.
// The states and the bill of a job show the time that passed, even if the wall clock is set meanwhile. Not for log lines.

/** @param steady a clock that does not jump, in milliseconds */
export function unsteppedClock(wall = () => Date.now(), steady = () => performance.now()): () => number {
  const offset = wall() - steady();
  return () => Math.round(offset + steady());
}
