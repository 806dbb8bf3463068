// Metrics of jobs over time, in SQLite. Points are kept in blocks, so that a million of them are read in tens of milliseconds;
// the last block of a series grows until it is full. Several processes write, each the series of one job.
//
//   series   job, name ──► blocks   first (index of its first point), points: [step, time, value] × count, f64, little-endian
import { endianness } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { DiskRoom } from '../../base/disk-room.ts';
import { invariant } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS series (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    last_step REAL NOT NULL, last_ms REAL NOT NULL, last_value REAL NOT NULL, UNIQUE (job, name)) STRICT;
  CREATE TABLE IF NOT EXISTS blocks (
    series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, first INTEGER NOT NULL, points BLOB NOT NULL,
    PRIMARY KEY (series, first)) STRICT, WITHOUT ROWID;
`;

export interface MetricPoint {
  /** Undefined: one more than the last. */
  readonly step?: number | undefined;
  readonly timeMs: number;
  readonly value: number;
}

export interface SeriesInfo {
  readonly name: string;
  readonly count: number;
  readonly last: { readonly step: number; readonly timeMs: number; readonly value: number };
}

/** The points of a series, as columns. */
export interface SeriesPoints {
  readonly steps: Float64Array;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** Points per block. Larger blocks are read faster, but the last one is rewritten with every flush. */
const BLOCK_POINTS = 1024;
const POINT_BYTES = 24;

/** The folder of the server's separate store for the cores and memory that jobs use. */
export const USAGE_FOLDER = 'usage';

export class MetricStore {
  readonly #database: Database;
  readonly #file: string;
  readonly #room: DiskRoom;

  constructor(folder: string) {
    invariant(endianness() === 'LE', 'blocks of metrics are little-endian');
    makeFolder(folder, 0o700);
    // A crash of the machine may lose the last points; a crash of a process does not.
    this.#file = join(folder, 'metrics.sqlite');
    this.#room = new DiskRoom(folder);
    this.#database = new Database(this.#file, SCHEMA, 'NORMAL');
  }

  close(): void {
    this.#database.close();
  }

  append(job: string, name: string, points: readonly MetricPoint[]): void {
    if (points.length > 0) this.appendAll(job, new Map([[name, points]]));
  }

  /**
   * Points of several metrics: all of them, or none.
   * @throws {DISK_FULL} also if only the space for the server's state is left
   */
  appendAll(job: string, series: ReadonlyMap<string, readonly MetricPoint[]>): void {
    if (series.size > 0) this.#room.check(this.#file);
    this.#database.transaction(() => {
      for (const [name, points] of series) if (points.length > 0) this.#append(job, name, points);
    });
  }

  #append(job: string, name: string, points: readonly MetricPoint[]): void {
    const known = this.#database.prepare('SELECT id, count, last_step FROM series WHERE job = ? AND name = ?');
    const row = known.get(job, name) as { id: number; count: number; last_step: number } | undefined;
    let step = row?.last_step ?? -1;
    const numbers = points.flatMap(point => {
      step = point.step ?? step + 1;
      return [step, point.timeMs, point.value];
    });
    const last = points.at(-1)!;
    const count = (row?.count ?? 0) + points.length;
    const { id } = this.#database
      .prepare(
        `INSERT INTO series (job, name, count, last_step, last_ms, last_value) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (job, name) DO UPDATE SET count = excluded.count, last_step = excluded.last_step,
         last_ms = excluded.last_ms, last_value = excluded.last_value RETURNING id`,
      )
      .get(job, name, count, step, last.timeMs, last.value) as { id: number };
    const open = row === undefined || row.count % BLOCK_POINTS === 0 ? undefined : this.#block(id, row.count);
    const before = open === undefined ? [] : [...new Float64Array(open.buffer)];
    const first = (row?.count ?? 0) - before.length / 3;
    const all = Float64Array.from([...before, ...numbers]);
    const write = this.#database.prepare(
      'INSERT INTO blocks (series, first, points) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET points = excluded.points',
    );
    for (let at = 0; at < all.length / 3; at += BLOCK_POINTS)
      write.run(id, first + at, new Uint8Array(all.slice(at * 3, (at + BLOCK_POINTS) * 3).buffer));
  }

  /** The bytes of the block that the point `index` belongs to. */
  #block(series: number, index: number): Uint8Array | undefined {
    const row = this.#database
      .prepare('SELECT points FROM blocks WHERE series = ? AND first = ?')
      .get(series, index - (index % BLOCK_POINTS));
    // Copied: the bytes of a row are not aligned to numbers.
    return row && Uint8Array.from(row.points as Uint8Array);
  }

  /** The series of a job, by name. */
  list(job: string): readonly SeriesInfo[] {
    return this.#database
      .prepare('SELECT name, count, last_step, last_ms, last_value FROM series WHERE job = ? ORDER BY name')
      .all(job)
      .map(row => ({
        name: row.name as string,
        count: row.count as number,
        last: { step: row.last_step as number, timeMs: row.last_ms as number, value: row.last_value as number },
      }));
  }

  /** All points of a series, in the order of their arrival; empty if there is none. */
  points(job: string, name: string): SeriesPoints {
    const blocks = this.#database
      .prepare(
        `SELECT points FROM blocks WHERE series = (SELECT id FROM series WHERE job = ? AND name = ?) ORDER BY first`,
      )
      .all(job, name)
      .map(row => row.points as Uint8Array);
    const count = blocks.reduce((sum, { length }) => sum + length, 0) / POINT_BYTES;
    const columns = {
      steps: new Float64Array(count),
      timesMs: new Float64Array(count),
      values: new Float64Array(count),
    };
    let at = 0;
    for (const block of blocks) {
      const numbers = new Float64Array(Uint8Array.from(block).buffer);
      for (let i = 0; i < numbers.length; i += 3, at++) {
        columns.steps[at] = numbers[i]!;
        columns.timesMs[at] = numbers[i + 1]!;
        columns.values[at] = numbers[i + 2]!;
      }
    }
    return columns;
  }

  remove(job: string): void {
    this.#database.prepare('DELETE FROM series WHERE job = ?').run(job);
  }
}
