// Search: the training jobs that meet an expression, sorted, in pages.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Search.html
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobStore } from '../../../jobs/training/job-store.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import type { Operations } from '../protocols/json-service.ts';
import { compileSearch, numberOf } from './search-expression.ts';
import { invalid, type Property, propertyOf } from './search-properties.ts';
import { tagList } from './tags.ts';
import { describeTrainingJob } from './training-job-reply.ts';

type Model = typeof sagemaker;

export interface SearchOptions {
  readonly jobs: JobStore;
  readonly now: () => number;
}

const DEFAULT_RESULTS = 10;
/** After so many jobs, other requests have their turn. */
const JOBS_PER_TURN = 200;

export const searchOperations = (options: SearchOptions) =>
  ({ Search: input => search(options, input) }) satisfies Partial<Operations<Model>>;

async function search({ jobs, now }: SearchOptions, input: InputOf<Model, 'Search'>): Promise<object> {
  const { Resource, SearchExpression, SortBy, SortOrder, MaxResults: limit = DEFAULT_RESULTS } = input;
  if (Resource !== 'TrainingJob')
    throw invalid(`This server searches resources of the type TrainingJob only, not ${Resource}.`);
  const offset = fromPageToken(input.NextToken, 'ValidationException');
  const matches = compileSearch(SearchExpression);
  const property = propertyOf(SortBy ?? 'LastModifiedTime');
  if (property.kind === 'group') throw invalid(`Results cannot be sorted by '${property.name}'.`);
  const found: Found[] = [];
  // Nothing is shared between accounts: there is one.
  const names = input.CrossAccountFilterOption === 'CrossAccount' ? [] : [...jobs.names()];
  for (const [i, name] of names.entries()) {
    if (i % JOBS_PER_TURN === JOBS_PER_TURN - 1) await nextTurn();
    const job = jobs.get(name);
    if (job === undefined) continue;
    const record = { ...describeTrainingJob(job, now()), Tags: tagList(job.tags) };
    if (matches(record)) found.push({ name, sortValue: sortValueOf(property, record), record });
  }
  const sign = SortOrder === 'Ascending' ? 1 : -1;
  found.sort((a, b) => compare(a, b, sign));
  return {
    Results: found.slice(offset, offset + limit).map(({ record }) => ({ TrainingJob: record })),
    NextToken: found.length > offset + limit ? toPageToken(offset + limit) : undefined,
    TotalHits: { Value: found.length, Relation: 'EqualTo' },
  };
}

interface Found {
  readonly name: string;
  readonly sortValue: string | number | undefined;
  readonly record: object;
}

function sortValueOf(property: Property, record: object): string | number | undefined {
  const [value] = property.read(record);
  if (value === undefined || typeof value === 'number') return value;
  const text = String(value);
  return property.kind === 'decimal' ? (numberOf(text) ?? text) : text;
}

/** Jobs without the property come last in both orders. */
function compare(a: Found, b: Found, sign: number): number {
  if (a.sortValue === undefined || b.sortValue === undefined) {
    if (a.sortValue !== b.sortValue) return a.sortValue === undefined ? 1 : -1;
  } else if (a.sortValue !== b.sortValue) {
    // Numbers come before text.
    if (typeof a.sortValue !== typeof b.sortValue) return typeof a.sortValue === 'number' ? -sign : sign;
    return a.sortValue < b.sortValue ? -sign : sign;
  }
  return a.name < b.name ? -sign : sign;
}
