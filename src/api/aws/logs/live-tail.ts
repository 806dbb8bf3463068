// StartLiveTail: the events that arrive in up to ten groups, once a second, until the client goes.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartLiveTail.html
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogStore } from '../../../jobs/logs/log-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsRequest } from '../aws-request.ts';
import { jsonEvent, streamException } from '../event-stream.ts';
import type { logs } from '../models/logs.ts';
import type { InputOf } from '../models/service-model.ts';
import { EventStreamReply } from '../protocols/event-stream-reply.ts';
import { filterPattern } from './filter-text.ts';
import { groupOf } from './find-logs.ts';

const UPDATE_MS = 1000;
/** More events in a second are left out, and the update says so. */
const MAX_EVENTS = 500;
const MAX_SESSION_MS = 3 * 3_600_000;

export interface LiveTailOptions {
  readonly store: LogStore;
  readonly account: string;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** @throws {AwsError} ResourceNotFoundException, InvalidParameterException */
export function startLiveTail(
  { store, account, closing }: LiveTailOptions,
  input: InputOf<typeof logs, 'StartLiveTail'>,
  request: AwsRequest,
): EventStreamReply {
  const { logGroupIdentifiers, logStreamNames: names, logStreamNamePrefixes: prefixes } = input;
  if (names !== undefined && prefixes !== undefined)
    throw new AwsError(
      'InvalidParameterException',
      'LogStreamNamePrefixes and LogStreamNames cannot be specified together.',
    );
  if ((names ?? prefixes) !== undefined && logGroupIdentifiers.length > 1)
    throw new AwsError(
      'InvalidParameterException',
      'LogStreamNames and LogStreamNamePrefixes need exactly one log group.',
    );
  const groups = logGroupIdentifiers.map(identifier => groupOf(store, undefined, identifier));
  const { contains, matches } = filterPattern(input.logEventFilterPattern);
  const isWanted = (stream: string): boolean =>
    names?.includes(stream) ?? prefixes?.some(prefix => stream.startsWith(prefix)) ?? true;
  const signal = AbortSignal.any([request.signal, closing]);

  async function* events(): AsyncGenerator<Uint8Array> {
    const last = new Map(groups.map(group => [group, store.lastId(group)]));
    yield jsonEvent('initial-response', {});
    yield jsonEvent('sessionStart', {
      requestId: request.requestId,
      sessionId: randomUUID(),
      logGroupIdentifiers,
      logStreamNames: names,
      logStreamNamePrefixes: prefixes,
      logEventFilterPattern: input.logEventFilterPattern,
    });
    const endMs = performance.now() + MAX_SESSION_MS;
    while (performance.now() < endMs) {
      if (!(await pause(signal))) return;
      const found = [];
      for (const group of groups) {
        const all = store.events(group, {
          ...{ streams: undefined, after: last.get(group), fromMs: undefined, toMs: undefined },
          ...{ contains, limit: MAX_READ },
        });
        // Events that the pattern excludes have been seen, too.
        last.set(group, all.length === MAX_READ ? all.at(-1)!.id : Math.max(all.at(-1)?.id ?? 0, last.get(group)!));
        for (const { stream, message, timeMs, ingestedMs } of all)
          if (isWanted(stream) && matches?.(message) !== false)
            found.push({
              logStreamName: stream,
              logGroupIdentifier: `${account}:${group}`,
              message,
              timestamp: timeMs,
              ingestionTime: ingestedMs,
            });
      }
      yield jsonEvent('sessionUpdate', {
        sessionMetadata: { sampled: found.length > MAX_EVENTS },
        sessionResults: found.slice(0, MAX_EVENTS),
      });
    }
    yield streamException('SessionTimeoutException', { message: 'The session has lasted for three hours.' });
  }
  return new EventStreamReply(events());
}

const MAX_READ = 10_000;

/** False if the session ends meanwhile. */
async function pause(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(UPDATE_MS, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
