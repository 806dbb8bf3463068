// The write operations of CloudWatch Logs: groups, streams and events of clients, in addition to those of jobs.
import type { LogStore } from '../../../jobs/logs/log-store.ts';
import { AwsError } from '../aws-error.ts';
import type { logs } from '../models/logs.ts';
import type { InputOf } from '../models/service-model.ts';
import type { Operations } from '../protocols/json-service.ts';
import { checkStreams, groupOf } from './find-logs.ts';
import { checkTags } from './group-tags.ts';

type Model = typeof logs;

const DAY_MS = 24 * 3_600_000;
const MAX_AGE_MS = 14 * DAY_MS;
const MAX_AHEAD_MS = 2 * 3_600_000;
const MAX_EVENT_BYTES = 1_048_576;
// A batch may be a megabyte, with 26 bytes for each event.
const MAX_BATCH_BYTES = 1_048_576;
const EVENT_OVERHEAD_BYTES = 26;
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const invalid = (message: string): AwsError => new AwsError('InvalidParameterException', message);
const exists = (what: string): AwsError =>
  new AwsError('ResourceAlreadyExistsException', `The specified log ${what} already exists`);

export function writeOperations(store: LogStore, now: () => number) {
  return {
    CreateLogGroup: ({ logGroupName: name, tags = {} }) => {
      checkTags(tags);
      if (!store.createGroup(name, now())) throw exists('group');
      store.setTags(name, tags);
      return undefined;
    },
    CreateLogStream: ({ logGroupName, logStreamName: name }) => {
      const group = groupOf(store, logGroupName, undefined);
      if (/[:*]/.test(name)) throw invalid("A log stream's name has no ':' and no '*'.");
      if (!store.createStream(group, name, now())) throw exists('stream');
      return undefined;
    },
    DeleteLogGroup: ({ logGroupName }) => {
      store.remove(groupOf(store, logGroupName, undefined));
      return undefined;
    },
    DeleteLogStream: ({ logGroupName, logStreamName }) => {
      const group = groupOf(store, logGroupName, undefined);
      checkStreams(store, group, [logStreamName]);
      store.remove(group, logStreamName);
      return undefined;
    },
    PutLogEvents: input => putLogEvents(store, input, now()),
    PutRetentionPolicy: ({ logGroupName, retentionInDays: days }) => {
      const group = groupOf(store, logGroupName, undefined);
      if (!RETENTION_DAYS.includes(days))
        throw invalid(`retentionInDays must be one of ${RETENTION_DAYS.join(', ')}, got ${days}.`);
      store.setRetention(group, days, now());
      store.expire(now());
      return undefined;
    },
    DeleteRetentionPolicy: ({ logGroupName }) => {
      store.setRetention(groupOf(store, logGroupName, undefined), undefined, now());
      return undefined;
    },
  } satisfies Partial<Operations<Model>>;
}

/** Events that are too old or too new are not stored, and the response lists them. Sequence tokens are ignored, as AWS does. */
function putLogEvents(store: LogStore, input: InputOf<Model, 'PutLogEvents'>, nowMs: number): object {
  const group = groupOf(store, input.logGroupName, undefined);
  const { logStreamName: stream, logEvents: events } = input;
  checkStreams(store, group, [stream]);
  const bytes = events.map(({ message }) => Buffer.byteLength(message));
  if (bytes.some(count => count > MAX_EVENT_BYTES)) throw invalid('Log event too large: a message has at most 1 MiB.');
  if (bytes.reduce((sum, count) => sum + count + EVENT_OVERHEAD_BYTES, 0) > MAX_BATCH_BYTES)
    throw invalid('Upload too large: the events of one request have at most 1 MiB, with 26 bytes more for each.');
  if (events.some(({ timestamp }, i) => i > 0 && timestamp < events[i - 1]!.timestamp))
    throw invalid('Log events in a single PutLogEvents request must be in chronological order.');
  if (events.at(-1)!.timestamp - events[0]!.timestamp > DAY_MS)
    throw invalid('The batch of log events in a single PutLogEvents request cannot span more than 24 hours.');
  const retentionDays = store.groups().find(({ name }) => name === group)?.retentionDays;
  const isExpired = ({ timestamp }: { readonly timestamp: number }): boolean =>
    retentionDays !== undefined && timestamp < nowMs - retentionDays * DAY_MS;
  const oldEnd = events.findLastIndex(({ timestamp }) => timestamp < nowMs - MAX_AGE_MS) + 1;
  const expiredEnd = events.findLastIndex(isExpired) + 1;
  const newStart = events.findIndex(({ timestamp }) => timestamp > nowMs + MAX_AHEAD_MS);
  const kept = events.slice(Math.max(oldEnd, expiredEnd), newStart === -1 ? undefined : newStart);
  const isKept = store.append(
    group,
    stream,
    kept.map(({ timestamp, message }) => ({ timeMs: timestamp, message })),
    nowMs,
  );
  if (!isKept) throw new AwsError('LimitExceededException', `The log quota of the stream ${stream} is used up.`);
  const rejected = {
    ...(newStart === -1 ? {} : { tooNewLogEventStartIndex: newStart }),
    ...(oldEnd === 0 ? {} : { tooOldLogEventEndIndex: oldEnd }),
    ...(expiredEnd === 0 ? {} : { expiredLogEventEndIndex: expiredEnd }),
  };
  return {
    nextSequenceToken: '1',
    rejectedLogEventsInfo: Object.keys(rejected).length === 0 ? undefined : rejected,
  };
}
