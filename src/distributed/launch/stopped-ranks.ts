// Ranks that are stopped (SIGSTOP) while others run: the launcher reports them, and ends them if they stay stopped. A rank that
// is stopped between its last collective and its end keeps no other rank waiting, so no collective would notice it.
//
// A run may be paused as a whole: if all its ranks are on this machine and all are stopped, there is no limit.

/** A rank, as this file sees it. */
export interface Stoppable {
  readonly rank: number;
  readonly pid: number;
  readonly running: boolean;
  kill(signal: NodeJS.Signals): void;
}

/** A rank is reported when it has been stopped for this long. */
export const announceMs = 5000;
const pollMs = 1000;
/** The time that a rank may be stopped in addition to the time limit of collectives. */
export const afterCollectivesMs = 5000;

export interface StoppedWatchOptions {
  readonly ranks: readonly Stoppable[];
  /** Whether there are no ranks on other machines, so that the run may be paused. */
  readonly isWholeRun: boolean;
  /** When a stopped rank is ended; undefined: never. */
  readonly limitMs: number | undefined;
  /** The state letter of a process in /proc. */
  readonly stateOf: (pid: number) => string | undefined;
  readonly say: (text: string) => void;
}

/** Counts how long each rank is stopped. The time during which the launcher is stopped itself does not count. */
export class StoppedWatch {
  readonly #options: StoppedWatchOptions;
  readonly #stoppedMs = new Map<number, number>();
  /** Why a rank was ended, by rank. */
  readonly ended = new Map<number, string>();

  constructor(options: StoppedWatchOptions) {
    this.#options = options;
  }
  /** Checks all ranks, `sinceMs` after the last time. */
  poll(sinceMs: number): void {
    const { ranks, isWholeRun, limitMs, stateOf, say } = this.#options;
    const running = ranks.filter(one => one.running);
    const stopped = running.filter(({ pid }) => stateOf(pid) === 'T');
    const isPaused = isWholeRun && stopped.length === ranks.length;
    for (const one of running) {
      const { rank, pid } = one;
      if (isPaused || !stopped.includes(one)) {
        if (this.#stoppedMs.delete(rank) && !isPaused) this.#continued(rank, pid);
        continue;
      }
      const before = this.#stoppedMs.get(rank) ?? 0;
      const now = before + sinceMs;
      this.#stoppedMs.set(rank, now);
      if (limitMs !== undefined && now >= limitMs) {
        this.ended.set(rank, `was stopped (SIGSTOP) for ${seconds(now)}, and ended`);
        one.kill('SIGKILL');
      } else if (before < announceMs && now >= announceMs) {
        const until = limitMs === undefined ? '' : `; it is ended after ${seconds(limitMs)}`;
        say(
          `rank ${rank} (process ${pid}) is stopped (SIGSTOP) for ${seconds(now)}${until}. To continue it: kill -CONT ${pid}`,
        );
        this.#said.add(rank);
      }
    }
  }
  readonly #said = new Set<number>();
  #continued(rank: number, pid: number): void {
    if (this.#said.delete(rank)) this.#options.say(`rank ${rank} (process ${pid}) runs again`);
  }
}
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Polls until it is disposed of. */
export function watchStopped(options: StoppedWatchOptions): StoppedWatch & Disposable {
  const watch = new StoppedWatch(options);
  const timer = setInterval(() => watch.poll(pollMs), pollMs);
  timer.unref();
  return Object.assign(watch, { [Symbol.dispose]: () => clearInterval(timer) });
}
