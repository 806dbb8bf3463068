// Log lines of jobs and endpoints, in SQLite: groups, streams, and events in the order of arrival. Several processes write.
// A quota limits all events, of which the oldest are removed, and those of a stream, which takes no more then.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { DiskRoom } from '../../base/disk-room.ts';
import { makeFolder } from '../../base/make-folder.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS log_groups (
    name TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, retention_days INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS streams (
    id INTEGER PRIMARY KEY, log_group TEXT NOT NULL, name TEXT NOT NULL, created_ms INTEGER NOT NULL,
    UNIQUE (log_group, name)) STRICT;
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES streams, time_ms INTEGER NOT NULL,
    ingested_ms INTEGER NOT NULL, message TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS group_tags (
    log_group TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (log_group, key)) STRICT;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS events_of_stream ON events (stream, id);
`;

export interface LogGroup {
  readonly name: string;
  readonly createdMs: number;
  /** How long events are kept; undefined: forever. */
  readonly retentionDays: number | undefined;
}

export interface LogStream {
  readonly group: string;
  readonly name: string;
  readonly createdMs: number;
}

export interface LogEvent {
  /** Grows with each event of the store. */
  readonly id: number;
  readonly stream: string;
  readonly timeMs: number;
  readonly ingestedMs: number;
  readonly message: string;
}

export interface EventQuery {
  /** Undefined: all of the group. */
  readonly streams: readonly string[] | undefined;
  /** Only later ids, in order; or only earlier ones, in reverse order. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** Texts that the message must contain. */
  readonly contains: readonly string[];
  readonly limit: number;
}

/** The share of the quota that one stream may use. */
const STREAM_SHARE = 1 / 4;
/** The oldest events are removed this many at a time, and the quota is checked after this many characters. */
const REMOVED_AT_ONCE = 10_000;
const CHECK_CHARACTERS = 16 * 1024 * 1024;

export class LogStore {
  readonly #database: Database;
  readonly #file: string;
  readonly #room: DiskRoom;
  /** The characters of the streams that this process writes. */
  readonly #written = new Map<string, number>();
  #unchecked = 0;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    // A crash of the machine may lose the last lines; a crash of a process does not.
    this.#file = join(folder, 'logs.sqlite');
    this.#room = new DiskRoom(folder);
    this.#database = new Database(this.#file, SCHEMA, 'NORMAL');
  }

  close(): void {
    this.#database.close();
  }

  /** False if the group exists. */
  createGroup(name: string, nowMs: number): boolean {
    if (this.groups().some(one => one.name === name)) return false;
    this.#database.prepare('INSERT INTO log_groups (name, created_ms) VALUES (?, ?)').run(name, nowMs);
    return true;
  }

  /** Creates the stream if it does not exist; returns whether it did. */
  createStream(group: string, name: string, nowMs: number): boolean {
    const { changes } = this.#database
      .prepare('INSERT INTO streams (log_group, name, created_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(group, name, nowMs);
    return changes === 1;
  }

  /** Deletes a stream, or all streams of a group, with their events. */
  remove(group: string, stream?: string): void {
    this.#database.transaction(() => {
      const which = 'log_group = ? AND name = ifnull(?, name)';
      const values = [group, stream ?? null];
      this.#database
        .prepare(`DELETE FROM events WHERE stream IN (SELECT id FROM streams WHERE ${which})`)
        .run(...values);
      this.#database.prepare(`DELETE FROM streams WHERE ${which}`).run(...values);
      if (stream !== undefined) return;
      this.#database.prepare('DELETE FROM log_groups WHERE name = ?').run(group);
      this.#database.prepare('DELETE FROM group_tags WHERE log_group = ?').run(group);
    });
  }

  tags(group: string): Readonly<Record<string, string>> {
    const rows = this.#database
      .prepare('SELECT key, value FROM group_tags WHERE log_group = ? ORDER BY key')
      .all(group);
    return Object.fromEntries(rows.map(({ key, value }) => [key as string, value as string]));
  }

  setTags(group: string, tags: Readonly<Record<string, string>>): void {
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM group_tags WHERE log_group = ?').run(group);
      const insert = this.#database.prepare('INSERT INTO group_tags (log_group, key, value) VALUES (?, ?, ?)');
      for (const [key, value] of Object.entries(tags)) insert.run(group, key, value);
    });
  }

  /** @param days undefined: events are kept forever */
  setRetention(group: string, days: number | undefined, nowMs: number): void {
    this.#database
      .prepare(
        `INSERT INTO log_groups (name, created_ms, retention_days) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET retention_days = excluded.retention_days`,
      )
      .run(group, nowMs, days ?? null);
  }

  /** Deletes the events whose retention period is over. */
  expire(nowMs: number): void {
    this.#database
      .prepare(
        `DELETE FROM events WHERE id IN (
           SELECT events.id FROM log_groups JOIN streams ON streams.log_group = log_groups.name
           JOIN events ON events.stream = streams.id
           WHERE retention_days IS NOT NULL AND time_ms < ? - retention_days * 86400000)`,
      )
      .run(nowMs);
    this.#database.shrink();
  }

  /** The bytes that all events may use; kept with the store, for all processes. */
  setQuota(bytes: number): void {
    if (bytes === this.#quota) return;
    this.#database.prepare("INSERT OR REPLACE INTO settings VALUES ('quota', ?)").run(bytes);
  }

  get #quota(): number {
    const row = this.#database.prepare("SELECT value FROM settings WHERE name = 'quota'").get();
    return (row?.value as number | undefined) ?? Number.POSITIVE_INFINITY;
  }

  /** Removes the oldest events beyond the quota. */
  trim(): void {
    const quota = this.#quota;
    if (this.#database.usedBytes <= quota) return;
    while (this.#database.usedBytes > quota * 0.9) {
      const { changes } = this.#database
        .prepare('DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?)')
        .run(REMOVED_AT_ONCE);
      if (changes === 0) break;
    }
    this.#database.shrink();
  }

  /**
   * False if the stream has used up its share of the quota: its last line says so, and these are not kept.
   * @throws {DISK_FULL} also if only the space for the server's state is left
   */
  append(
    group: string,
    name: string,
    lines: readonly { readonly timeMs: number; readonly message: string }[],
    nowMs: number,
  ): boolean {
    this.#room.check(this.#file);
    const key = `${group}:${name}`;
    const before = this.#written.get(key) ?? this.#charactersOf(group, name);
    const limit = this.#quota * STREAM_SHARE;
    if (before >= limit) return false;
    const after = lines.reduce((sum, { message }) => sum + message.length, before);
    const kept =
      after < limit
        ? lines
        : [
            {
              timeMs: nowMs,
              message: `The log quota of this stream is used up (${Math.round(limit / 2 ** 20)} MiB): further lines are not kept.`,
            },
          ];
    this.#append(group, name, kept, nowMs);
    this.#written.set(key, after);
    this.#unchecked += after - before;
    if (this.#unchecked >= CHECK_CHARACTERS) {
      this.#unchecked = 0;
      this.trim();
    }
    return after < limit;
  }

  #charactersOf(group: string, name: string): number {
    const row = this.#database
      .prepare(
        'SELECT total(length(message)) AS characters FROM events WHERE stream = (SELECT id FROM streams WHERE log_group = ? AND name = ?)',
      )
      .get(group, name);
    return row!.characters as number;
  }

  #append(
    group: string,
    name: string,
    lines: readonly { readonly timeMs: number; readonly message: string }[],
    nowMs: number,
  ): void {
    this.#database.transaction(() => {
      this.createStream(group, name, nowMs);
      const { id } = this.#database
        .prepare('SELECT id FROM streams WHERE log_group = ? AND name = ?')
        .get(group, name) as {
        id: number;
      };
      const insert = this.#database.prepare(
        'INSERT INTO events (stream, time_ms, ingested_ms, message) VALUES (?, ?, ?, ?)',
      );
      for (const { timeMs, message } of lines) insert.run(id, timeMs, nowMs, message);
    });
  }

  /** The groups that were created explicitly, or that have streams. */
  groups(): readonly LogGroup[] {
    return this.#database
      .prepare(
        `SELECT name, min(created_ms) AS created_ms, max(retention_days) AS retention_days FROM (
           SELECT name, created_ms, retention_days FROM log_groups
           UNION ALL SELECT log_group, created_ms, NULL FROM streams) GROUP BY name ORDER BY name`,
      )
      .all()
      .map(row => ({
        name: row.name as string,
        createdMs: row.created_ms as number,
        retentionDays: (row.retention_days as number | null) ?? undefined,
      }));
  }

  streams(group: string, prefix = ''): readonly LogStream[] {
    return this.#database
      .prepare('SELECT * FROM streams WHERE log_group = ? AND substr(name, 1, ?) = ? ORDER BY name')
      .all(group, prefix.length, prefix)
      .map(row => ({ group, name: row.name as string, createdMs: row.created_ms as number }));
  }

  /** The times of the first and the last event of a stream. */
  span(
    group: string,
    name: string,
  ): { readonly firstMs: number; readonly lastMs: number; readonly ingestedMs: number } | undefined {
    const row = this.#database
      .prepare(
        'SELECT min(time_ms) AS first, max(time_ms) AS last, max(ingested_ms) AS ingested FROM events WHERE stream = (SELECT id FROM streams WHERE log_group = ? AND name = ?)',
      )
      .get(group, name);
    return row === undefined || row.first === null
      ? undefined
      : { firstMs: row.first as number, lastMs: row.last as number, ingestedMs: row.ingested as number };
  }

  /** The id of the last event that has arrived in a group; 0 if there is none. */
  lastId(group: string): number {
    const row = this.#database
      .prepare(
        'SELECT ifnull(max((SELECT max(id) FROM events WHERE stream = streams.id)), 0) AS last FROM streams WHERE log_group = ?',
      )
      .get(group);
    return row!.last as number;
  }

  events(group: string, query: EventQuery): readonly LogEvent[] {
    const conditions = ['streams.log_group = ?'];
    const values: (string | number)[] = [group];
    const where = (condition: string, ...bound: readonly (string | number)[]): void => {
      conditions.push(condition);
      values.push(...bound);
    };
    if (query.streams !== undefined)
      where(`streams.name IN (${query.streams.map(() => '?').join(', ')})`, ...query.streams);
    if (query.after !== undefined) where('events.id > ?', query.after);
    if (query.before !== undefined) where('events.id < ?', query.before);
    if (query.fromMs !== undefined) where('time_ms >= ?', query.fromMs);
    if (query.toMs !== undefined) where('time_ms < ?', query.toMs);
    for (const text of query.contains) where('instr(message, ?) > 0', text);
    const backwards = query.before !== undefined;
    const rows = this.#database
      .prepare(
        `SELECT events.id, streams.name, time_ms, ingested_ms, message FROM events JOIN streams ON streams.id = events.stream
       WHERE ${conditions.join(' AND ')} ORDER BY events.id ${backwards ? 'DESC' : 'ASC'} LIMIT ?`,
      )
      .all(...values, query.limit)
      .map(row => ({
        id: row.id as number,
        stream: row.name as string,
        timeMs: row.time_ms as number,
        ingestedMs: row.ingested_ms as number,
        message: row.message as string,
      }));
    return backwards ? rows.toReversed() : rows;
  }
}
