// Cores and bytes of memory that the hosts of a job use, as series over time. From their control groups; without groups there
// are none.
import type { MetricStore } from '../metrics/metric-store.ts';
import type { HostProgram } from './host-program.ts';

export const useSeries = (host: string) => ({ cores: `${host} cores`, memory: `${host} memory` });

interface Measured {
  readonly cpuSeconds: number;
  readonly timeMs: number;
}

/** Shorter times are too coarse for the counters of the system. */
const SHORTEST_MS = 200;

export class HostUseWatch {
  readonly #store: MetricStore;
  readonly #job: string;
  readonly #before = new Map<string, Measured>();

  constructor(store: MetricStore, job: string) {
    this.#store = store;
    this.#job = job;
  }

  measure(programs: readonly HostProgram<{ readonly place: { readonly name: string } }>[], timeMs: number): void {
    for (const { group, host } of programs) {
      const use = group?.use();
      if (use === undefined) continue;
      const { name } = host.place;
      const before = this.#before.get(name);
      if (before !== undefined && timeMs - before.timeMs < SHORTEST_MS) continue;
      this.#before.set(name, { cpuSeconds: use.cpuSeconds, timeMs });
      if (before === undefined) continue;
      const cores = (use.cpuSeconds - before.cpuSeconds) / ((timeMs - before.timeMs) / 1000);
      const series = useSeries(name);
      this.#store.appendAll(
        this.#job,
        new Map([
          [series.cores, [{ timeMs, value: Math.max(0, cores) }]],
          [series.memory, [{ timeMs, value: use.memoryBytes }]],
        ]),
      );
    }
  }
}
