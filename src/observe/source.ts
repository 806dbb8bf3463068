// Where tools read the records of processes: the ring files of this host. While a user is watching, launchers add copies of the
// files of a run's other hosts.
import type { Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { type ProcessReading, readProcess } from './host.ts';
import { isRingOfThisHost, liveRings, noteWatched, ringDirectory } from './ring-directory.ts';
import { type RingContent, readRing } from './ring-file.ts';

/** A process as it was at `timeMs`. */
export interface ObservedProcess extends RingContent {
  /** The system's statistics of the process; undefined if they cannot be read, as on other hosts. */
  readonly system: ProcessReading | undefined;
  /** False for a copy of the records of a process on another host. */
  readonly isHere: boolean;
}

export interface ObservationSource {
  /** All processes that this source can reach, each with its last `last` samples. */
  processes(last?: number): Promise<readonly ObservedProcess[]>;
  /** Sends a signal. Rejects if the process has ended or cannot be reached. */
  signal(process: ObservedProcess, signal: NodeJS.Signals): Promise<void>;
}

/** The processes of this user on this host. */
export class LocalSource implements ObservationSource {
  readonly #directory: string;

  constructor(variables?: Variables) {
    this.#directory = ringDirectory(variables);
  }

  async processes(last?: number): Promise<readonly ObservedProcess[]> {
    noteWatched(this.#directory);
    return liveRings(this.#directory).flatMap(path => {
      const content = readRing(path, last);
      if (content === undefined) return [];
      const isHere = isRingOfThisHost(path);
      return [{ ...content, isHere, system: isHere ? readProcess(content.identity.pid) : undefined }];
    });
  }

  async signal({ identity, isHere }: ObservedProcess, signal: NodeJS.Signals): Promise<void> {
    if (!isHere)
      throw new TrenioError('UNSUPPORTED', {
        what: 'a signal to a process of another host',
        where: 'trenio top',
        instead: `send it on ${identity.host}`,
      });
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
