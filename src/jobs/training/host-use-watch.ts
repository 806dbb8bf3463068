// Cores and bytes of memory that the hosts of a job use, as series over time. Read from their control groups; without control
// groups, nothing is recorded.
import { orIfFull } from '../../base/or-if-full.ts';
import type { ControlGroup } from '../hosts/control-group.ts';
import type { MetricStore } from '../metrics/metric-store.ts';

export const useSeries = (host: string) => ({ cores: `${host} cores`, memory: `${host} memory` });

/** A host, and the control group of its programs. */
interface Watched {
  readonly host: { readonly place: { readonly name: string } };
  readonly group: Pick<ControlGroup, 'use'> | undefined;
}

interface Measured {
  readonly cpuSeconds: number;
  readonly timeMs: number;
}

/** The counters of the system are too coarse for shorter intervals between measurements. */
const SHORTEST_MS = 200;

export class HostUseWatch {
  readonly #store: MetricStore;
  readonly #job: string;
  /** The control group of a host starts with the job, with zero usage. */
  readonly #startMs: number;
  readonly #before = new Map<string, Measured>();

  constructor(store: MetricStore, job: string, startMs: number) {
    this.#store = store;
    this.#job = job;
    this.#startMs = startMs;
  }

  measure(programs: readonly Watched[], timeMs: number): void {
    for (const { group, host } of programs) {
      const use = group?.use();
      if (use === undefined) continue;
      const { name } = host.place;
      const last = this.#before.get(name);
      // An earlier time: the clock was set back.
      const before = last !== undefined && timeMs < last.timeMs ? undefined : last;
      if (last !== undefined && before === undefined) {
        this.#before.set(name, { cpuSeconds: use.cpuSeconds, timeMs });
        continue;
      }
      if (before !== undefined && timeMs - before.timeMs < SHORTEST_MS) continue;
      this.#before.set(name, { cpuSeconds: use.cpuSeconds, timeMs });
      const since = before ?? { cpuSeconds: 0, timeMs: this.#startMs };
      const cores = (use.cpuSeconds - since.cpuSeconds) / (Math.max(1, timeMs - since.timeMs) / 1000);
      const series = useSeries(name);
      const points = new Map([
        [series.cores, [{ timeMs, value: Math.max(0, cores) }]],
        [series.memory, [{ timeMs, value: use.memoryBytes }]],
      ]);
      orIfFull(() => this.#store.appendAll(this.#job, points));
    }
  }
}
