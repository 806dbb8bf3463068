// A table of named resources in SQLite, each kept as JSON, with the columns that listings filter and sort by.
import type { Database } from '../../base/database.ts';
import { type ListQuery, listClauses } from './list-query.ts';

export interface TableRow {
  readonly name: string;
  readonly status?: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** The tables of a schema. */
export const tableSchema = (...tables: readonly string[]): string =>
  tables
    .map(
      table => `
  CREATE TABLE IF NOT EXISTS ${table} (
    name TEXT PRIMARY KEY, status TEXT NOT NULL, created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL,
    data TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS ${table}_created ON ${table} (created_ms, name);
  CREATE INDEX IF NOT EXISTS ${table}_folded ON ${table} (name COLLATE NOCASE);
`,
    )
    .join('');

export class ResourceTable<T extends TableRow> {
  readonly #database: Database;
  readonly #table: string;

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = table;
  }

  get(name: string): T | undefined {
    return this.#parsed(this.#database.prepare(`SELECT data FROM ${this.#table} WHERE name = ?`).get(name));
  }

  /** Like `get`, but case-insensitive: ARNs are in lower case. */
  find(name: string): T | undefined {
    const sql = `SELECT data FROM ${this.#table} WHERE name = ? COLLATE NOCASE ORDER BY created_ms LIMIT 1`;
    return this.get(name) ?? this.#parsed(this.#database.prepare(sql).get(name));
  }

  /** False if the name is taken. */
  add(row: T): boolean {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO ${this.#table} (name, status, created_ms, modified_ms, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(row.name, row.status ?? '', row.createdMs, row.modifiedMs, JSON.stringify(row));
    return changes === 1;
  }

  /** Replaces a row in one transaction; undefined leaves it unchanged. Returns the row afterwards. */
  update(name: string, change: (row: T) => T | undefined): T | undefined {
    return this.#database.transaction(() => {
      const before = this.get(name);
      const after = before && change(before);
      if (after !== undefined)
        this.#database
          .prepare(`UPDATE ${this.#table} SET status = ?, modified_ms = ?, data = ? WHERE name = ?`)
          .run(after.status ?? '', after.modifiedMs, JSON.stringify(after), name);
      return after ?? before;
    });
  }

  remove(name: string): void {
    this.#database.prepare(`DELETE FROM ${this.#table} WHERE name = ?`).run(name);
  }

  /** All resources, oldest first. */
  all(): readonly T[] {
    return this.#database
      .prepare(`SELECT data FROM ${this.#table} ORDER BY created_ms, name`)
      .all()
      .map(row => this.#parsed(row)!);
  }

  list(query: ListQuery): readonly T[] {
    const { sql, values } = listClauses(query);
    return this.#database
      .prepare(`SELECT data FROM ${this.#table} ${sql}`)
      .all(...values)
      .map(row => this.#parsed(row)!);
  }

  #parsed(row: Readonly<Record<string, unknown>> | undefined): T | undefined {
    return row === undefined ? undefined : (JSON.parse(row.data as string) as T);
  }
}
