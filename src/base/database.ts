// An SQLite database that several processes share: opened with the required settings, with its statements prepared once.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { TrenioError } from './errors.ts';

// Another process may lock the database for the duration of a transaction.
const BUSY_TIMEOUT_MS = 10_000;

/** `FULL`: a committed change survives a crash of the machine. `NORMAL`: it survives a crash of the process only. */
export type Durability = 'FULL' | 'NORMAL';

export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @throws {DATABASE_DAMAGED} if the file is not a database, or cannot be opened */
  constructor(file: string, schema: string, durability: Durability) {
    try {
      this.#database = new DatabaseSync(file);
      this.#database.exec(
        `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON;`,
      );
      this.#database.exec(schema);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TrenioError('DATABASE_DAMAGED', { file, reason }, { cause });
    }
  }

  close(): void {
    this.#database.close();
  }

  /** The statement of this text, prepared at its first use. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `change` in one transaction, which is rolled back if it throws. A nested transaction is part of the outer one. */
  transaction<T>(change: () => T): T {
    if (this.#database.isTransaction) return change();
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
