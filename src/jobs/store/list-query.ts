// The filters and sorting of SageMaker's listings, as SQL over the columns name, status, created_ms and modified_ms.

export interface ListQuery {
  readonly status?: string | undefined;
  /** Matched case-insensitively. */
  readonly nameContains?: string | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly createdBeforeMs?: number | undefined;
  readonly modifiedAfterMs?: number | undefined;
  readonly modifiedBeforeMs?: number | undefined;
  readonly sortBy: 'Name' | 'CreationTime' | 'Status';
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A condition with one `?`, and its value; undefined: no condition. */
export type Condition = readonly [sql: string, value: string | number | undefined];

const orders = { Name: ['name'], CreationTime: ['created_ms', 'name'], Status: ['status', 'created_ms', 'name'] };

/** The clauses after `SELECT … FROM table`. */
export function listClauses(
  query: ListQuery,
  more: readonly Condition[] = [],
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const conditions: readonly Condition[] = [
    ['status = ?', query.status],
    ['instr(lower(name), lower(?)) > 0', query.nameContains],
    ['created_ms > ?', query.createdAfterMs],
    ['created_ms < ?', query.createdBeforeMs],
    ['modified_ms > ?', query.modifiedAfterMs],
    ['modified_ms < ?', query.modifiedBeforeMs],
    ...more,
  ];
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const filter = given.length === 0 ? '' : `WHERE ${given.map(({ sql }) => sql).join(' AND ')} `;
  const order = orders[query.sortBy].map(column => `${column} ${query.descending ? 'DESC' : 'ASC'}`).join(', ');
  return {
    sql: `${filter}ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...given.map(({ value }) => value), query.limit, query.offset],
  };
}
