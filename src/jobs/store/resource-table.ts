// A table of named resources in SQLite, each kept as JSON, with the columns that listings filter and sort by.
import type { Database } from '../../base/database.ts';
import { type Condition, type ListQuery, listClauses } from './list-query.ts';

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
  readonly #statusOf: (row: T) => string;

  constructor(database: Database, table: string, statusOf = ({ status = '' }: T): string => status) {
    this.#database = database;
    this.#table = table;
    this.#statusOf = statusOf;
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
      .run(row.name, this.#statusOf(row), row.createdMs, row.modifiedMs, JSON.stringify(row));
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
          .run(this.#statusOf(after), after.modifiedMs, JSON.stringify(after), name);
      return after ?? before;
    });
  }

  remove(name: string): void {
    this.#database.prepare(`DELETE FROM ${this.#table} WHERE name = ?`).run(name);
  }

  count(): number {
    return this.#database.prepare(`SELECT count(*) AS count FROM ${this.#table}`).get()!.count as number;
  }

  names(): ReadonlySet<string> {
    const rows = this.#database.prepare(`SELECT name FROM ${this.#table}`).all();
    return new Set(rows.map(({ name }) => name as string));
  }

  /** All resources, oldest first. */
  all(): readonly T[] {
    return this.#select('ORDER BY created_ms, name');
  }

  /** Those that have not ended, oldest first. */
  active(): readonly T[] {
    return this.#select("WHERE status IN ('InProgress', 'Stopping') ORDER BY created_ms, rowid");
  }

  /** Those that were changed at this time or later, in the order of their changes. */
  changedSince(ms: number): readonly T[] {
    return this.#select('WHERE modified_ms >= ? ORDER BY modified_ms, rowid', ms);
  }

  list(query: ListQuery, more?: readonly Condition[]): readonly T[] {
    const { sql, values } = listClauses(query, more);
    return this.#select(sql, ...values);
  }

  /** Those whose data have a value at a path, such as `$.warmPool.status`, in the order of their changes. */
  having(path: string, value: string): readonly T[] {
    return this.#select(`WHERE json_extract(data, '${path}') = ? ORDER BY modified_ms`, value);
  }

  #select(clauses: string, ...values: readonly (string | number)[]): readonly T[] {
    return this.#database
      .prepare(`SELECT data FROM ${this.#table} ${clauses}`)
      .all(...values)
      .map(row => this.#parsed(row)!);
  }

  #parsed(row: Readonly<Record<string, unknown>> | undefined): T | undefined {
    return row === undefined ? undefined : (JSON.parse(row.data as string) as T);
  }
}
