// The loops of a server.
import { guarded } from '../base/guarded.ts';

export interface Loop {
  /** For the log. */
  readonly name: string;
  readonly everyMs: number;
  tick(): void;
}

/** Starts loops; returns a function that stops them. A step that fails is logged, and ends nothing. */
export function startLoops(loops: readonly Loop[], log: (line: string) => void): () => void {
  const timers = loops.map(loop => {
    const step = guarded(loop.name, () => loop.tick(), log);
    step();
    return setInterval(step, loop.everyMs);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
