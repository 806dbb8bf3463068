// Search: the training jobs, experiments, trials or trial components that match an expression, sorted, in pages.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Search.html
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import type { Operations } from '../protocols/json-service.ts';
import { describeExperiment, describeTrial } from './experiments.ts';
import { compileSearch, numberOf } from './search-expression.ts';
import { invalid, type Property, propertyOf, type SearchRoot } from './search-properties.ts';
import { tagList } from './tags.ts';
import { describeTrainingJob } from './training-job-reply.ts';
import { componentsIn, describeComponent, findComponent, type TrialComponentOptions } from './trial-components.ts';

type Model = typeof sagemaker;

export type SearchOptions = TrialComponentOptions;

const DEFAULT_RESULTS = 10;
/** After this number of records, other requests are processed. */
const RECORDS_PER_TURN = 200;

export const searchOperations = (options: SearchOptions) =>
  ({ Search: input => search(options, input) }) satisfies Partial<Operations<Model>>;

/** The records of a kind, each created when it is accessed; it may have been deleted by then. */
interface Searched {
  readonly root: SearchRoot;
  readonly names: () => Iterable<string>;
  readonly record: (name: string) => object | undefined;
}

function searchedOf(options: SearchOptions, resource: string): Searched {
  const { jobs, experiments: store, now } = options;
  switch (resource) {
    case 'TrainingJob':
      return {
        root: 'TrainingJob',
        names: () => jobs.training.names(),
        record: name => {
          const job = jobs.training.get(name);
          return job && { ...describeTrainingJob(job, now()), Tags: tagList(job.tags) };
        },
      };
    case 'Experiment':
      return {
        root: 'Experiment',
        names: () => store.experiments.all().map(({ name }) => name),
        record: name => {
          const row = store.experiments.get(name);
          return row && { ...describeExperiment(row), Tags: tagList(row.tags) };
        },
      };
    case 'ExperimentTrial':
      return {
        root: 'Trial',
        names: () => store.trials.all().map(({ name }) => name),
        record: name => {
          const row = store.trials.get(name);
          return row && { ...describeTrial(row), Tags: tagList(row.tags) };
        },
      };
    case 'ExperimentTrialComponent':
      return {
        root: 'TrialComponent',
        names: () => componentsIn(options, undefined, undefined).map(({ name }) => name),
        record: name => {
          const row = findComponent(options, name);
          const trials = store.trialsWith(name).flatMap(trial => store.trials.get(trial) ?? []);
          return (
            row && {
              ...describeComponent(options, row),
              Parents: trials.map(trial => ({ TrialName: trial.name, ExperimentName: trial.experiment })),
              Tags: tagList(row.tags),
            }
          );
        },
      };
    default:
      throw invalid(`This server searches training jobs, experiments, trials and trial components, not ${resource}.`);
  }
}

async function search(options: SearchOptions, input: InputOf<Model, 'Search'>): Promise<object> {
  const { Resource, SearchExpression, SortBy, SortOrder, MaxResults: limit = DEFAULT_RESULTS } = input;
  const { root, names, record: recordOf } = searchedOf(options, Resource);
  const offset = fromPageToken(input.NextToken, 'ValidationException');
  const matches = compileSearch(SearchExpression, root);
  const property = propertyOf(root, SortBy ?? 'LastModifiedTime');
  if (property.kind === 'group') throw invalid(`Results cannot be sorted by '${property.name}'.`);
  const found: Found[] = [];
  // There is only one account, so nothing is shared.
  const all = input.CrossAccountFilterOption === 'CrossAccount' ? [] : [...names()];
  for (const [i, name] of all.entries()) {
    if (i % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn();
    const record = recordOf(name);
    if (record !== undefined && matches(record)) found.push({ name, sortValue: sortValueOf(property, record), record });
  }
  const sign = SortOrder === 'Ascending' ? 1 : -1;
  found.sort((a, b) => compare(a, b, sign));
  return {
    Results: found.slice(offset, offset + limit).map(({ record }) => ({ [root]: record })),
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
