// CloudWatch Logs: groups, streams, events, filters; writing is in write-logs.ts. Times are milliseconds since 1970.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_Operations.html
import type { EventQuery, LogEvent, LogStore } from '../../../jobs/logs/log-store.ts';
import { AwsError } from '../aws-error.ts';
import { logs } from '../models/logs.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import { JsonService } from '../protocols/json-service.ts';
import { filterPattern } from './filter-text.ts';
import { checkStreams, groupOf } from './find-logs.ts';
import { tagOperations } from './group-tags.ts';
import { startLiveTail } from './live-tail.ts';
import { writeOperations } from './write-logs.ts';

type Model = typeof logs;

const MAX_EVENTS = 10_000;
const MAX_LISTED = 50;
/** A request searches so many events; the next page continues. */
const MAX_SEARCHED = 100_000;

export interface LogsServiceOptions {
  readonly store: LogStore;
  readonly account: string;
  readonly region: string;
  /** Aborted when the server stops: it ends live tails. */
  readonly closing: AbortSignal;
  readonly now: () => number;
}

export function logsService({ store, account, region, closing, now }: LogsServiceOptions): JsonService<Model> {
  return new JsonService({
    name: 'logs',
    account,
    model: logs,
    operations: {
      DescribeLogGroups: input => describeLogGroups(store, account, region, input),
      DescribeLogStreams: input => describeLogStreams(store, account, region, input),
      GetLogEvents: input => getLogEvents(store, input),
      FilterLogEvents: input => filterLogEvents(store, input),
      StartLiveTail: (input, request) => startLiveTail({ store, account, closing }, input, request),
      ...writeOperations(store, now),
      ...tagOperations(store),
    },
  });
}

const groupArn = (account: string, region: string, group: string): string =>
  `arn:aws:logs:${region}:${account}:log-group:${group}`;

function describeLogGroups(
  store: LogStore,
  account: string,
  region: string,
  input: InputOf<Model, 'DescribeLogGroups'>,
): object {
  const { logGroupNamePrefix: prefix = '', logGroupNamePattern: pattern = '' } = input;
  if (prefix !== '' && pattern !== '')
    throw new AwsError(
      'InvalidParameterException',
      'LogGroupNamePrefix and LogGroupNamePattern cannot be specified together.',
    );
  const all = store
    .groups()
    .filter(({ name }) => name.startsWith(prefix) && name.toLowerCase().includes(pattern.toLowerCase()));
  const { page, nextToken } = pageOf(all, input.nextToken, input.limit ?? MAX_LISTED);
  return {
    logGroups: page.map(({ name, createdMs, retentionDays }) => ({
      logGroupName: name,
      creationTime: createdMs,
      retentionInDays: retentionDays,
      metricFilterCount: 0,
      arn: `${groupArn(account, region, name)}:*`,
      logGroupArn: groupArn(account, region, name),
      storedBytes: 0,
      logGroupClass: 'STANDARD',
    })),
    nextToken,
  };
}

function describeLogStreams(
  store: LogStore,
  account: string,
  region: string,
  input: InputOf<Model, 'DescribeLogStreams'>,
): object {
  const group = groupOf(store, input.logGroupName, input.logGroupIdentifier);
  if (input.orderBy === 'LastEventTime' && input.logStreamNamePrefix !== undefined)
    throw new AwsError('InvalidParameterException', 'Cannot order by LastEventTime with a logStreamNamePrefix.');
  const streams = store
    .streams(group, input.logStreamNamePrefix)
    .map(stream => ({ ...stream, span: store.span(group, stream.name) }));
  if (input.orderBy === 'LastEventTime') streams.sort((a, b) => (a.span?.lastMs ?? 0) - (b.span?.lastMs ?? 0));
  if (input.descending === true) streams.reverse();
  const { page, nextToken } = pageOf(streams, input.nextToken, input.limit ?? MAX_LISTED);
  return {
    logStreams: page.map(({ name, createdMs, span }) => ({
      logStreamName: name,
      creationTime: createdMs,
      ...(span === undefined
        ? {}
        : { firstEventTimestamp: span.firstMs, lastEventTimestamp: span.lastMs, lastIngestionTime: span.ingestedMs }),
      uploadSequenceToken: '1',
      arn: `${groupArn(account, region, group)}:log-stream:${name}`,
      storedBytes: 0,
    })),
    nextToken,
  };
}

/**
 * Tokens name a position between events: `f/<id>` continues after an event, `b/<id>` before it. At the end the same token is
 * returned again; clients stop there.
 */
function getLogEvents(store: LogStore, input: InputOf<Model, 'GetLogEvents'>): object {
  const group = groupOf(store, input.logGroupName, input.logGroupIdentifier);
  checkStreams(store, group, [input.logStreamName]);
  const limit = input.limit ?? MAX_EVENTS;
  const token = /^([fb])\/(\d{1,15})$/.exec(input.nextToken ?? '');
  if (input.nextToken !== undefined && token === null)
    throw new AwsError('InvalidParameterException', 'The specified nextToken is invalid.');
  const range = { streams: [input.logStreamName], fromMs: input.startTime, toMs: input.endTime, contains: [], limit };
  const at = Number(token?.[2] ?? 0);
  const isForward = token === null ? input.startFromHead === true : token[1] === 'f';
  const query: EventQuery = isForward
    ? { ...range, after: at }
    : { ...range, before: token === null ? Number.MAX_SAFE_INTEGER : at };
  const events = store.events(group, query);
  const [first, last] = [events[0]?.id ?? at, events.at(-1)?.id ?? at];
  return {
    events: inTime(events).map(({ timeMs, ingestedMs, message }) => ({
      timestamp: timeMs,
      message,
      ingestionTime: ingestedMs,
    })),
    nextForwardToken: `f/${last}`,
    nextBackwardToken: `b/${first}`,
  };
}

/** A token that continues towards older events has this prefix. */
const BACKWARDS = 'b.';
/** AWS reads backwards only from 2024-01-01T00:00:00Z on. */
const BACKWARDS_FROM_MS = 1_704_067_200_000;

function filterLogEvents(store: LogStore, input: InputOf<Model, 'FilterLogEvents'>): object {
  const group = groupOf(store, input.logGroupName, input.logGroupIdentifier);
  const { logStreamNames: names, logStreamNamePrefix: prefix, nextToken: token } = input;
  if (names !== undefined && prefix !== undefined)
    throw new AwsError(
      'InvalidParameterException',
      'LogStreamNamePrefix and LogStreamNames cannot be specified together.',
    );
  // The token keeps the direction of the first request.
  const backwards = token === undefined ? input.startFromHead === false : token.startsWith(BACKWARDS);
  if (backwards && (input.startTime ?? 0) < BACKWARDS_FROM_MS)
    throw new AwsError(
      'InvalidParameterException',
      'startFromHead can be false only with a startTime on or after 2024-01-01T00:00:00Z.',
    );
  if (names !== undefined) checkStreams(store, group, names);
  const limit = input.limit ?? MAX_EVENTS;
  const streams = names ?? (prefix === undefined ? undefined : store.streams(group, prefix).map(({ name }) => name));
  const { contains, matches } = filterPattern(input.filterPattern);
  const query = { streams, fromMs: input.startTime, toMs: input.endTime, contains };
  const found: LogEvent[] = [];
  const start = fromPageToken(backwards ? token?.slice(BACKWARDS.length) : token, 'InvalidParameterException');
  let at = backwards && token === undefined ? Number.MAX_SAFE_INTEGER : start;
  let unread = MAX_SEARCHED;
  const batch = matches === undefined ? limit : MAX_EVENTS;
  let isMore = true;
  while (isMore && unread > 0 && found.length < limit) {
    const page = store.events(group, { ...query, ...(backwards ? { before: at } : { after: at }), limit: batch });
    const read = backwards ? page.toReversed() : page;
    unread -= read.length;
    const wanted = read.filter(({ message }) => matches?.(message) !== false);
    found.push(...wanted.slice(0, limit - found.length));
    const isFull = found.length === limit;
    at = (isFull ? found : read).at(-1)?.id ?? at;
    isMore = isFull || read.length === batch;
  }
  const events = backwards ? inTime(found).toReversed() : inTime(found);
  return {
    events: events.map(({ id, stream, timeMs, ingestedMs, message }) => ({
      logStreamName: stream,
      timestamp: timeMs,
      message,
      ingestionTime: ingestedMs,
      // Clients recognize events that they have seen by their ids.
      eventId: String(id).padStart(20, '0'),
    })),
    searchedLogStreams: [],
    nextToken: isMore ? `${backwards ? BACKWARDS : ''}${toPageToken(at)}` : undefined,
  };
}

/** Events of a page by their own times; pages follow the order of arrival, so that none is missed. */
const inTime = (events: readonly LogEvent[]): readonly LogEvent[] =>
  events.toSorted((a, b) => a.timeMs - b.timeMs || a.id - b.id);

function pageOf<T>(
  all: readonly T[],
  token: string | undefined,
  limit: number,
): { readonly page: readonly T[]; readonly nextToken: string | undefined } {
  const offset = fromPageToken(token, 'InvalidParameterException');
  const end = offset + limit;
  return { page: all.slice(offset, end), nextToken: end < all.length ? toPageToken(end) : undefined };
}
