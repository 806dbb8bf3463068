// Server-sent events of the console: changes of jobs, and the log and metrics of one job. The id of each event contains the
// reader's position in all of them, so that an interrupted stream resumes where it ended (Last-Event-ID).
//
//   id: <time of the last change of a job>.<id of the last log line>
//
// Jobs run in separate processes, so the stores are polled a few times a second while there are listeners.
import type { ServerResponse } from 'node:http';
import type { MetricStore } from '../../jobs/metrics/metric-store.ts';
import { logPage, seriesSummary } from './job-detail.ts';
import type { JobRows } from './job-rows.ts';
import type { ConsoleEvents, JobRow } from './messages.ts';

const POLL_MS = 300;
/** Comments prevent connections from being closed as idle. */
const KEEP_ALIVE_MS = 15_000;
const MAX_LINES = 2000;
/** A reader that lags behind by this much is disconnected; it reconnects and resumes. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

export interface EventCursor {
  readonly jobsMs: number;
  readonly logId: number;
}

/** Parses the id of an event, or the cursor in the first response to a page. Undefined if it is invalid. */
export function parseCursor(text: string | undefined): EventCursor | undefined {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(text ?? '');
  return match === null ? undefined : { jobsMs: Number(match[1]), logId: Number(match[2]) };
}
export const formatCursor = ({ jobsMs, logId }: EventCursor): string => `${jobsMs}.${logId}`;

export interface EventSources {
  readonly rows: JobRows;
  readonly logs: Parameters<typeof logPage>[1];
  readonly metrics: MetricStore;
}

/** All streams of a server, which share one poll of the jobs. */
export class EventStreams {
  readonly #sources: EventSources;
  readonly #streams = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sources: EventSources) {
    this.#sources = sources;
  }

  /** Writes events until the reader disconnects. @param job the job whose log and metrics are included */
  open(response: ServerResponse, cursor: EventCursor, job: string | undefined): void {
    this.#sources.rows.refresh();
    const stream = new EventStream(response, this.#sources, cursor, job);
    this.#streams.add(stream);
    response.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#stop();
    });
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS);
  }

  #poll(): void {
    const changes = this.#sources.rows.refresh();
    for (const stream of this.#streams) stream.send(changes.rows, changes.removed);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  close(): void {
    this.#stop();
    for (const stream of this.#streams) stream.end();
  }
}

class EventStream {
  readonly #response: ServerResponse;
  readonly #sources: EventSources;
  readonly #job: string | undefined;
  #cursor: EventCursor;
  #writtenMs = performance.now();
  readonly #counts = new Map<string, number>();

  constructor(response: ServerResponse, sources: EventSources, cursor: EventCursor, job: string | undefined) {
    this.#response = response;
    this.#sources = sources;
    this.#cursor = cursor;
    this.#job = job;
    response.on('error', () => {});
    response.write('retry: 1000\n\n');
    if (cursor.jobsMs > 0) this.send(sources.rows.since(cursor.jobsMs), []);
  }

  send(rows: readonly JobRow[], removed: readonly string[]): void {
    if (this.#response.destroyed) return;
    if (this.#response.writableLength > MAX_UNREAD_BYTES) {
      this.#response.destroy();
      return;
    }
    if (rows.length + removed.length > 0) {
      this.#cursor = { ...this.#cursor, jobsMs: this.#sources.rows.cursorMs };
      this.#write('jobs', { rows, removed });
    }
    if (this.#job !== undefined) this.#sendJob(this.#job);
    if (performance.now() - this.#writtenMs > KEEP_ALIVE_MS) {
      this.#writtenMs = performance.now();
      this.#response.write(':\n\n');
    }
  }

  #sendJob(job: string): void {
    const { logs, metrics } = this.#sources;
    const { lines } = logPage(job, logs, {
      after: this.#cursor.logId,
      before: undefined,
      contains: undefined,
      limit: MAX_LINES,
    });
    const last = lines.at(-1);
    if (last !== undefined) {
      this.#cursor = { ...this.#cursor, logId: last.id };
      this.#write('log', { lines });
    }
    const series = metrics.list(job).filter(({ name, count }) => this.#counts.get(name) !== count);
    for (const { name, count } of series) this.#counts.set(name, count);
    if (series.length > 0) this.#write('metrics', { series: series.map(seriesSummary) });
  }

  #write<E extends keyof ConsoleEvents>(name: E, data: ConsoleEvents[E]): void {
    this.#writtenMs = performance.now();
    this.#response.write(`id: ${formatCursor(this.#cursor)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#response.end();
  }
}
