// How long ago a time stored by another process changed, by the clock of this process: a heartbeat that is immune to steps of the
// wall clock, because the stored time is only compared with its earlier value.
export class LastChange {
  #value: number | undefined;
  #changedMs: number;

  /** @param steadyMs of a clock that does not jump, such as performance.now() */
  constructor(steadyMs: number) {
    this.#changedMs = steadyMs;
  }

  /** @param value what the other process has written */
  sinceMs(value: number, steadyMs: number): number {
    if (value !== this.#value) this.#changedMs = steadyMs;
    this.#value = value;
    return steadyMs - this.#changedMs;
  }
}
