// An SQLite database that several processes share: opened with the required settings, with its statements prepared once.
//
// A change must be possible while the disk is full: a job that ends has to be stored, and objects have to be deleted. So
// databases whose changes must last keep a reserve, a row of bytes without meaning:
//
//   change ─ full ─▶ write the log back to the database (then the log is reused from its start) ─▶ delete the reserve: its
//            pages are free ─▶ the same change once more ─ full ─▶ DISK_FULL; nothing was changed
//
// The reserve is written again by a later change that the disk has space for.
import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { TrenioError } from './errors.ts';

// Another process may lock the database for the duration of a transaction.
const BUSY_TIMEOUT_MS = 10_000;
const RESERVE_BYTES = 256 * 1024;
/** The log is written back after this many pages: pages by which the database grows must be in it before the disk is full. */
const LOG_PAGES = 64;
/** How long a database without a reserve waits before it tries to write one. */
const RESERVE_PAUSE_MS = 1000;

/** `FULL`: a change survives a crash of the machine; there is a reserve. `NORMAL`: it survives a crash of the process only. */
export type Durability = 'FULL' | 'NORMAL';

type Values = readonly SQLInputValue[];
type Row = Readonly<Record<string, unknown>>;

/** A statement; outside of a transaction, `run` is one. */
export interface Statement {
  readonly get: (...values: Values) => Row | undefined;
  readonly all: (...values: Values) => readonly Row[];
  readonly run: (...values: Values) => { readonly changes: number | bigint };
}

export class Database {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #hasReserve: boolean;
  readonly #statements = new Map<string, Statement>();
  /** When the reserve is to be written again; undefined: it exists. */
  #reserveAtMs: number | undefined;

  /**
   * @throws {DATABASE_DAMAGED} if the file is not a database, or cannot be opened
   * @throws {DISK_FULL}
   */
  constructor(file: string, schema: string, durability: Durability) {
    this.#file = file;
    this.#hasReserve = durability === 'FULL';
    try {
      this.#database = new DatabaseSync(file);
      this.#database.exec(
        `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON;`,
      );
      // Tables that exist need no space.
      this.#database.exec(schema);
      if (this.#hasReserve)
        this.#database.exec(
          `PRAGMA wal_autocheckpoint = ${LOG_PAGES}; CREATE TABLE IF NOT EXISTS reserve (id INTEGER PRIMARY KEY, bytes BLOB)`,
        );
    } catch (cause) {
      if (isFull(cause)) throw this.#diskFull(cause);
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TrenioError('DATABASE_DAMAGED', { file, reason }, { cause });
    }
    // The log of a database that was closed is gone, and with it the space that it had.
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (this.#hasReserve && log < RESERVE_BYTES) this.#fillReserve();
  }

  close(): void {
    this.#database.close();
  }

  /** The bytes of its pages that hold something. */
  get usedBytes(): number {
    const numberOf = (pragma: string): number => Object.values(this.prepare(`PRAGMA ${pragma}`).get()!)[0] as number;
    return (numberOf('page_count') - numberOf('freelist_count')) * numberOf('page_size');
  }

  /** Returns the space of what was deleted to the disk. */
  shrink(): void {
    this.prepare('PRAGMA incremental_vacuum').all();
  }

  /** The statement of this text, prepared at its first use. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      const prepared = this.#database.prepare(sql);
      statement = {
        get: (...values) => prepared.get(...values),
        all: (...values) => prepared.all(...values),
        run: (...values) => this.transaction(() => prepared.run(...values)),
      };
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /**
   * Runs `change` in one transaction, which is rolled back if it throws. A nested transaction is part of the outer one. If the
   * disk is full, `change` may be called twice.
   * @throws {DISK_FULL}
   */
  transaction<T>(change: () => T): T {
    if (this.#database.isTransaction) return change();
    let result: T;
    try {
      result = this.#once(change);
    } catch (error) {
      if (!isFull(error)) throw error;
      if (!this.#hasReserve) throw this.#diskFull(error);
      result = this.#withReserve(change);
    }
    if (this.#reserveAtMs !== undefined && performance.now() >= this.#reserveAtMs) this.#fillReserve();
    return result;
  }

  #once<T>(change: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back itself when the disk is full.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #withReserve<T>(change: () => T): T {
    this.#reserveAtMs = performance.now() + RESERVE_PAUSE_MS;
    try {
      this.#writeBack();
      this.#once(() => this.#database.exec('DELETE FROM reserve'));
      return this.#once(change);
    } catch (error) {
      throw isFull(error) ? this.#diskFull(error) : error;
    }
  }

  /** Writes the reserve, also into the log, which keeps its size when it is reused. Without space, it is written later. */
  #fillReserve(): void {
    try {
      this.#once(() => this.#database.exec(`INSERT OR REPLACE INTO reserve VALUES (1, randomblob(${RESERVE_BYTES}))`));
      this.#writeBack();
      this.#reserveAtMs = undefined;
    } catch (error) {
      if (!isFull(error) && !isBusy(error)) throw error;
      this.#reserveAtMs = performance.now() + RESERVE_PAUSE_MS;
    }
  }

  /** Without space for pages that the database does not have yet, the log goes on in what is left of its file. */
  #writeBack(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(RESTART)');
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }

  #diskFull(cause: unknown): TrenioError<'DISK_FULL'> {
    return new TrenioError('DISK_FULL', { file: this.#file, bytesWritten: 0, reason: 'the disk is full' }, { cause });
  }
}

/** SQLITE_FULL, and the error of the index of the log when it cannot grow. */
const FULL: ReadonlySet<unknown> = new Set([13, 4874 /* SQLITE_IOERR_SHMSIZE */]);
const BUSY = 5;

const codeOf = (error: unknown): unknown => (error as { readonly errcode?: unknown } | undefined)?.errcode;
const isFull = (error: unknown): boolean => FULL.has(codeOf(error));
const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;
