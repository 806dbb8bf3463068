// Filters, sorting and pagination, shared by the List operations.
import type { ListQuery } from '../../../jobs/store/list-query.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';

export interface ListInput {
  readonly NextToken?: string | undefined;
  readonly MaxResults?: number | undefined;
  readonly NameContains?: string | undefined;
  readonly CreationTimeAfter?: number | undefined;
  readonly CreationTimeBefore?: number | undefined;
  readonly LastModifiedTimeAfter?: number | undefined;
  readonly LastModifiedTimeBefore?: number | undefined;
  readonly StatusEquals?: string | undefined;
  readonly SortBy?: 'Name' | 'CreationTime' | 'Status' | undefined;
  readonly SortOrder?: 'Ascending' | 'Descending' | undefined;
}

const DEFAULT_RESULTS = 10;

export interface Page<T> {
  readonly rows: readonly T[];
  readonly NextToken: string | undefined;
}

/** @throws {AwsError} ValidationException for a token from another server */
export function listPage<T>(input: ListInput, list: (query: ListQuery) => readonly T[]): Page<T> {
  const limit = input.MaxResults ?? DEFAULT_RESULTS;
  const offset = fromPageToken(input.NextToken, 'ValidationException');
  const milliseconds = (time: number | undefined): number | undefined => time && time * 1000;
  const rows = list({
    status: input.StatusEquals,
    nameContains: input.NameContains,
    createdAfterMs: milliseconds(input.CreationTimeAfter),
    createdBeforeMs: milliseconds(input.CreationTimeBefore),
    modifiedAfterMs: milliseconds(input.LastModifiedTimeAfter),
    modifiedBeforeMs: milliseconds(input.LastModifiedTimeBefore),
    sortBy: input.SortBy ?? 'CreationTime',
    descending: input.SortOrder !== 'Ascending',
    limit: limit + 1,
    offset,
  });
  return { rows: rows.slice(0, limit), NextToken: rows.length > limit ? toPageToken(offset + limit) : undefined };
}
