// The lines of a job's log, as they arrive. The service cannot list events after a given one: each poll goes back a little, and
// events that were seen before are skipped by their ids, as in `aws logs tail`.
import type { JobServerClient } from '../job-server.ts';
import { isAbsent } from '../wire/absent.ts';

export interface LogLine {
  /** The host that printed it, such as `algo-1`. */
  readonly host: string;
  readonly timeMs: number;
  readonly message: string;
}

// Hosts write their lines in batches, so a line may arrive after a later line of another host.
const BACK_MS = 10_000;

export class JobLog {
  readonly #server: JobServerClient;
  readonly #group: string;
  readonly #prefix: string;
  #fromMs = 0;
  /** The times of events that the next poll will see again, by their ids. */
  #seen = new Map<string, number>();

  constructor(server: JobServerClient, job: string, group = '/aws/sagemaker/TrainingJobs') {
    this.#server = server;
    this.#group = group;
    this.#prefix = `${job}/`;
  }

  /** The lines since the last poll. */
  async *read(signal?: AbortSignal): AsyncGenerator<LogLine> {
    let token: string | undefined;
    let lastMs = this.#fromMs + BACK_MS;
    do {
      const page = await this.#page(token, signal);
      if (page === undefined) return;
      for (const { eventId = '', logStreamName = '', timestamp = 0, message = '' } of page.events ?? []) {
        if (this.#seen.has(eventId)) continue;
        this.#seen.set(eventId, timestamp);
        lastMs = Math.max(lastMs, timestamp);
        yield { host: hostOf(logStreamName), timeMs: timestamp, message };
      }
      token = page.nextToken;
    } while (token !== undefined);
    this.#fromMs = lastMs - BACK_MS;
    this.#seen = new Map([...this.#seen].filter(([, timeMs]) => timeMs >= this.#fromMs));
  }

  async #page(token: string | undefined, signal: AbortSignal | undefined) {
    try {
      return await this.#server.services.logs(
        'FilterLogEvents',
        {
          logGroupName: this.#group,
          logStreamNamePrefix: this.#prefix,
          startTime: this.#fromMs,
          ...(token === undefined ? {} : { nextToken: token }),
        },
        signal,
      );
    } catch (error) {
      // No job has printed anything yet.
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }
}

/** `job/algo-1-1700000000` → `algo-1` */
const hostOf = (stream: string): string => stream.slice(stream.indexOf('/') + 1).replace(/-\d{9,}$/, '');
