// Live changes on the server. There is one stream for the whole console, and it is closed while the page is hidden, since
// browsers allow few connections per server. The browser resumes a broken stream after the last event received.
import { signal } from '@preact/signals';
import type { ConsoleEvents, JobList, JobRow } from '../../src/api/console/messages.ts';
import { get, loadSession, session } from './api.ts';

/** Undefined until they are loaded. */
export const jobs = signal<ReadonlyMap<string, JobRow> | undefined>(undefined);
export const connection = signal<'connecting' | 'open' | 'broken'>('connecting');

type Listener<E extends keyof ConsoleEvents> = (data: ConsoleEvents[E]) => void;
const listeners: { readonly [E in keyof ConsoleEvents]: Set<Listener<E>> } = {
  jobs: new Set(),
  log: new Set(),
  metrics: new Set(),
};

/** Subscribes to events of a kind; returns a function that unsubscribes. */
export function listen<E extends keyof ConsoleEvents>(event: E, listener: Listener<E>): () => void {
  listeners[event].add(listener);
  return () => listeners[event].delete(listener);
}

let stream: EventSource | undefined;
let cursor = '0.0';
/** The job whose log and metrics are streamed. */
let watched: { readonly job: string; readonly logId: number } | undefined;

export async function startLive(): Promise<void> {
  const list = await get<JobList>('jobs');
  jobs.value = new Map(list.rows.map(row => [row.name, row]));
  cursor = list.cursor;
  open();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close();
    else if (stream === undefined) open();
  });
}

/** Streams the log of a job after this line, and its metrics, until another job is selected. */
export function watchJob(job: string | undefined, logId = 0): void {
  watched = job === undefined ? undefined : { job, logId };
  if (jobs.value !== undefined && !document.hidden) {
    close();
    open();
  }
}

function close(): void {
  stream?.close();
  stream = undefined;
}

function open(): void {
  const [jobsMs] = cursor.split('.');
  const parameters = new URLSearchParams({ since: `${jobsMs}.${watched?.logId ?? 0}` });
  if (watched !== undefined) parameters.set('job', watched.job);
  const source = new EventSource(`/_console/api/events?${parameters}`);
  stream = source;
  source.onopen = () => {
    connection.value = 'open';
  };
  source.onerror = () => {
    if (stream !== source) return;
    connection.value = 'broken';
    if (source.readyState !== EventSource.CLOSED) return;
    // Rejected, not interrupted: the session has ended, or the server is starting.
    close();
    setTimeout(async () => {
      await loadSession().catch(() => {});
      if (session.value && stream === undefined && !document.hidden) open();
    }, 2000);
  };
  const on = <E extends keyof ConsoleEvents>(name: E, handle: (data: ConsoleEvents[E]) => void): void => {
    source.addEventListener(name, event => {
      cursor = event.lastEventId;
      const logId = Number(cursor.split('.')[1]);
      if (watched !== undefined && logId > 0) watched = { ...watched, logId };
      const data = JSON.parse(event.data as string) as ConsoleEvents[E];
      handle(data);
      for (const listener of listeners[name]) listener(data);
    });
  };
  on('jobs', ({ rows, removed }) => {
    const next = new Map(jobs.value);
    for (const name of removed) next.delete(name);
    for (const row of rows) next.set(row.name, row);
    jobs.value = next;
  });
  on('log', () => {});
  on('metrics', () => {});
}
