// Traffic statistics of endpoints: the current minute in memory, completed minutes in SQLite. For operators and the console; the
// autoscaler reads the load.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import type { EndpointStatus } from './endpoint-states.ts';
import { Latencies, type Quantiles } from './latencies.ts';

/** One variant in one minute. */
export interface VariantMinute {
  readonly startMs: number;
  readonly invocations: number;
  /** Responses of the model with a status of 400 to 499, and of 500 or more; and requests without a response. */
  readonly clientErrors: number;
  readonly modelErrors: number;
  readonly failures: number;
  /** The time from the first byte sent to the model to the last byte of its response. Undefined: no invocations. */
  readonly modelMs: Quantiles | undefined;
  /** The latency added by this server. */
  readonly overheadMs: Quantiles | undefined;
  /** The average number of concurrent requests. */
  readonly concurrency: number;
  /** Runs of the model, and items in them, if its program reports them: `runs-header.ts`. */
  readonly batches: number;
  readonly batchItems: number;
  /** Measured at the end of the minute. */
  readonly replicas: number;
}

export interface ReplicaLoad {
  readonly id: string;
  readonly status: 'starting' | 'ready' | 'draining' | 'failed';
  readonly outstanding: number;
  readonly createdMs: number;
  readonly readyMs: number | undefined;
}

export interface VariantTraffic {
  readonly name: string;
  readonly isShadow: boolean;
  readonly weight: number;
  readonly desiredCount: number;
  readonly instanceType: string;
  readonly modelName: string;
  readonly replicas: readonly ReplicaLoad[];
  /** Requests in flight, and requests that wait for a replica. */
  readonly outstanding: number;
  readonly waiting: number;
  /** Oldest first; the last one is the current minute. */
  readonly minutes: readonly VariantMinute[];
}

export interface EndpointTraffic {
  readonly name: string;
  readonly status: EndpointStatus;
  readonly configName: string;
  /** Waiting asynchronous invocations. */
  readonly backlog: number;
  readonly variants: readonly VariantTraffic[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KEPT_MS = 31 * 24 * 3600 * 1000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS minutes (
    endpoint TEXT NOT NULL, variant TEXT NOT NULL, start_ms INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (endpoint, variant, start_ms)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS instance_time (
    hour_ms INTEGER NOT NULL, endpoint TEXT NOT NULL, instance_type TEXT NOT NULL, ms INTEGER NOT NULL,
    PRIMARY KEY (hour_ms, endpoint, instance_type)) STRICT, WITHOUT ROWID;
`;

export class TrafficStore {
  readonly #database: Database;

  constructor(folder: string) {
    this.#database = new Database(join(folder, 'traffic.sqlite'), SCHEMA, 'NORMAL');
  }

  add(endpoint: string, variant: string, minute: VariantMinute): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO minutes (endpoint, variant, start_ms, data) VALUES (?, ?, ?, ?)')
      .run(endpoint, variant, minute.startMs, JSON.stringify(minute));
  }

  minutes(endpoint: string, variant: string, fromMs: number): readonly VariantMinute[] {
    return this.#database
      .prepare('SELECT data FROM minutes WHERE endpoint = ? AND variant = ? AND start_ms >= ? ORDER BY start_ms')
      .all(endpoint, variant, fromMs)
      .map(row => JSON.parse(row.data as string) as VariantMinute);
  }

  /** Counts the time of one instance, which is billed. It is kept when the endpoint is deleted. */
  addInstanceTime(nowMs: number, endpoint: string, instanceType: string, ms: number): void {
    this.#database
      .prepare(
        `INSERT INTO instance_time (hour_ms, endpoint, instance_type, ms) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET ms = ms + excluded.ms`,
      )
      .run(Math.floor(nowMs / HOUR_MS) * HOUR_MS, endpoint, instanceType, Math.round(ms));
  }

  /** The time of instances in the hours that start between two moments. */
  instanceTime(fromMs: number, toMs: number): readonly { readonly instanceType: string; readonly ms: number }[] {
    return this.#database
      .prepare(
        'SELECT instance_type, sum(ms) AS ms FROM instance_time WHERE hour_ms >= ? AND hour_ms < ? GROUP BY instance_type',
      )
      .all(fromMs, toMs)
      .map(row => ({ instanceType: row.instance_type as string, ms: row.ms as number }));
  }

  /** Removes the minutes of a deleted endpoint, and those that are too old. */
  remove(endpoint: string, nowMs: number): void {
    this.#database.prepare('DELETE FROM minutes WHERE endpoint = ? OR start_ms < ?').run(endpoint, nowMs - KEPT_MS);
  }

  close(): void {
    this.#database.close();
  }
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

export interface Invocation {
  readonly modelMs: number;
  readonly overheadMs: number;
  /** Undefined: no response. */
  readonly status: number | undefined;
}

/** The counts of one variant in the current minute. */
export class VariantMeter {
  readonly #now: () => number;
  readonly #onMinute: (minute: VariantMinute) => void;
  readonly #replicas: () => number;
  #startMs: number;
  #model = new Latencies();
  #overhead = new Latencies();
  #clientErrors = 0;
  #modelErrors = 0;
  #failures = 0;
  #batches = 0;
  #batchItems = 0;
  /** Request-milliseconds: in this minute, and since the load was last read. */
  #minuteArea = 0;
  #area = 0;
  #areaSinceMs: number;
  #outstanding = 0;
  /** Since they were last read. */
  #ended = 0;
  #changedMs: number;

  constructor(now: () => number, replicas: () => number, onMinute: (minute: VariantMinute) => void) {
    this.#now = now;
    this.#replicas = replicas;
    this.#onMinute = onMinute;
    this.#startMs = now();
    this.#changedMs = this.#areaSinceMs = now();
  }

  get outstanding(): number {
    return this.#outstanding;
  }

  begin(): void {
    this.#advance();
    this.#outstanding++;
  }

  end({ modelMs, overheadMs, status }: Invocation): void {
    this.#advance();
    this.#outstanding--;
    this.#ended++;
    if (status === undefined) {
      this.#failures++;
      return;
    }
    this.#model.add(modelMs);
    this.#overhead.add(overheadMs);
    if (status >= 500) this.#modelErrors++;
    else if (status >= 400) this.#clientErrors++;
  }

  batches(count: number, items: number): void {
    this.#advance();
    this.#batches += count;
    this.#batchItems += items;
  }

  /** The number of requests that ended since the last call. */
  takeEnded(): number {
    const count = this.#ended;
    this.#ended = 0;
    return count;
  }

  /** The average number of concurrent requests since the last call. */
  takeConcurrency(): number {
    this.#advance();
    const ms = this.#now() - this.#areaSinceMs;
    const mean = ms <= 0 ? this.#outstanding : this.#area / ms;
    this.#area = 0;
    this.#areaSinceMs = this.#now();
    return mean;
  }

  /** The current minute. */
  get minute(): VariantMinute {
    this.#advance();
    return this.#minute(Math.max(1, this.#now() - this.#startMs));
  }

  /** Returns and ends the current minute. */
  flush(): void {
    const minute = this.#minute(minuteOf(this.#startMs) + MINUTE_MS - this.#startMs);
    if (minute.invocations + minute.failures + minute.batches > 0) this.#onMinute(minute);
  }

  #advance(): void {
    const nowMs = this.#now();
    const ms = Math.max(0, nowMs - this.#changedMs);
    this.#area += this.#outstanding * ms;
    this.#changedMs = nowMs;
    // A clock that was set back begins a new minute, too.
    if (minuteOf(nowMs) === minuteOf(this.#startMs)) {
      this.#minuteArea += this.#outstanding * ms;
      return;
    }
    this.flush();
    this.#startMs = minuteOf(nowMs);
    this.#model = new Latencies();
    this.#overhead = new Latencies();
    this.#minuteArea = 0;
    this.#clientErrors = this.#modelErrors = this.#failures = this.#batches = this.#batchItems = 0;
  }

  #minute(lengthMs: number): VariantMinute {
    return {
      startMs: this.#startMs,
      invocations: this.#model.count,
      clientErrors: this.#clientErrors,
      modelErrors: this.#modelErrors,
      failures: this.#failures,
      modelMs: this.#model.quantiles(),
      overheadMs: this.#overhead.quantiles(),
      concurrency: this.#minuteArea / lengthMs,
      batches: this.#batches,
      batchItems: this.#batchItems,
      replicas: this.#replicas(),
    };
  }
}
