// Where tools get what processes record. This host's processes are read from their ring files; a launcher that reaches other
// hosts of a run can implement the same interface, and the tools show both.
import type { Variables } from '../base/environment.ts';
import { type ProcessReading, readProcess } from './host.ts';
import { liveRings, ringDirectory } from './ring-directory.ts';
import { type RingContent, readRing } from './ring-file.ts';

/** A process as it was at `timeMs`. */
export interface ObservedProcess extends RingContent {
  /** Of the system; undefined where it cannot be seen, as on other hosts. */
  readonly system: ProcessReading | undefined;
}

export interface ObservationSource {
  /** All processes that it reaches, each with its last `last` samples. */
  processes(last?: number): Promise<readonly ObservedProcess[]>;
  /** Sends a signal. Rejects if the process is gone or out of reach. */
  signal(process: ObservedProcess, signal: NodeJS.Signals): Promise<void>;
}

/** The processes of this user on this host. */
export class LocalSource implements ObservationSource {
  readonly #directory: string;

  constructor(variables?: Variables) {
    this.#directory = ringDirectory(variables);
  }

  async processes(last?: number): Promise<readonly ObservedProcess[]> {
    return liveRings(this.#directory).flatMap(path => {
      const content = readRing(path, last);
      return content === undefined ? [] : [{ ...content, system: readProcess(content.identity.pid) }];
    });
  }

  async signal({ identity }: ObservedProcess, signal: NodeJS.Signals): Promise<void> {
    process.kill(identity.pid, signal);
  }
}

/** Several sources as one. */
export class JoinedSource implements ObservationSource {
  readonly #sources: readonly ObservationSource[];
  readonly #of = new WeakMap<ObservedProcess, ObservationSource>();

  constructor(sources: readonly ObservationSource[]) {
    this.#sources = sources;
  }

  async processes(last?: number): Promise<readonly ObservedProcess[]> {
    const found = await Promise.all(
      this.#sources.map(async source => {
        const processes = await source.processes(last);
        for (const process of processes) this.#of.set(process, source);
        return processes;
      }),
    );
    return found.flat();
  }

  async signal(process: ObservedProcess, signal: NodeJS.Signals): Promise<void> {
    await this.#of.get(process)!.signal(process, signal);
  }
}
