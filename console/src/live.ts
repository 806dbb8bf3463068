// Live changes on the server. There is one stream for the whole console, and it is closed while the page is hidden, since
// browsers allow few connections per server. A broken stream is resumed after the last event received. It is read with `fetch`,
// because the browser's EventSource cannot send the header of the session.
import { signal } from '@preact/signals';
import type { ConsoleEvents, JobList, JobRow } from '../../src/api/console/messages.ts';
import { ask, get, loadSession, session } from './api.ts';
import { eventsOf, type ServerEvent } from './server-events.ts';

/** Undefined until they are loaded. */
export const jobs = signal<ReadonlyMap<string, JobRow> | undefined>(undefined);
export const connection = signal<'connecting' | 'open' | 'broken'>('connecting');

type ConsoleEvent = {
  [E in keyof ConsoleEvents]: { readonly name: E; readonly data: ConsoleEvents[E] };
}[keyof ConsoleEvents];
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

let stream: AbortController | undefined;
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
  stream?.abort();
  stream = undefined;
}

const AGAIN_MS = 1000;
/** The server may be starting. */
const AGAIN_AFTER_REFUSAL_MS = 2000;

function open(): void {
  const own = new AbortController();
  stream = own;
  void follow(own.signal).then(async wasRefused => {
    if (stream !== own) return;
    connection.value = 'broken';
    await new Promise(resolve => setTimeout(resolve, wasRefused ? AGAIN_AFTER_REFUSAL_MS : AGAIN_MS));
    if (stream !== own) return;
    close();
    // The session may have ended.
    if (wasRefused) await loadSession().catch(() => {});
    if (session.value && stream === undefined && !document.hidden) open();
  });
}

/** Handles events until the stream ends; returns whether it was refused. */
async function follow(signal: AbortSignal): Promise<boolean> {
  const [jobsMs] = cursor.split('.');
  const parameters = new URLSearchParams({ since: `${jobsMs}.${watched?.logId ?? 0}` });
  if (watched !== undefined) parameters.set('job', watched.job);
  try {
    const response = await ask(`events?${parameters}`, { signal });
    if (!response.ok || response.body === null) return true;
    connection.value = 'open';
    for await (const event of eventsOf(response.body)) {
      if (signal.aborted) return false;
      handle(event);
    }
  } catch (error) {
    // The connection broke, or was closed.
    if (!(error instanceof TypeError || signal.aborted)) throw error;
  }
  return false;
}

function handle({ id, name, data: text }: ServerEvent): void {
  if (!(name in listeners)) return;
  cursor = id;
  const logId = Number(cursor.split('.')[1]);
  if (watched !== undefined && logId > 0) watched = { ...watched, logId };
  const event = { name, data: JSON.parse(text) } as ConsoleEvent;
  if (event.name === 'jobs') updateJobs(event.data);
  for (const listener of listeners[event.name]) (listener as Listener<typeof event.name>)(event.data as never);
}

function updateJobs({ rows, removed }: ConsoleEvents['jobs']): void {
  const next = new Map(jobs.value);
  for (const name of removed) next.delete(name);
  for (const row of rows) next.set(row.name, row);
  jobs.value = next;
}
