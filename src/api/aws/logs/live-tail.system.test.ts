// Live tails and filter patterns with the AWS SDK for JavaScript, and live tails with a boto3 that has them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  type CloudWatchLogsClient,
  type CloudWatchLogsServiceException,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  FilterLogEventsCommand,
  PutLogEventsCommand,
  StartLiveTailCommand,
  type StartLiveTailCommandInput,
  type StartLiveTailResponseStream,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readerKey, startTestServer, type TestServer } from '../aws-server.testing.ts';
import { logsClient } from './logs-client.testing.ts';

let server: TestServer;
let client: CloudWatchLogsClient;
const group = '/live';
const arn = `arn:aws:logs:us-east-1:123456789012:log-group:${group}`;

beforeAll(async () => {
  server = await startTestServer();
  client = logsClient(server);
  await client.send(new CreateLogGroupCommand({ logGroupName: group }));
  for (const logStreamName of ['a/1', 'b/1'])
    await client.send(new CreateLogStreamCommand({ logGroupName: group, logStreamName }));
});
afterAll(async () => {
  client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const say = (logStreamName: string, ...messages: readonly string[]) =>
  client.send(
    new PutLogEventsCommand({
      logGroupName: group,
      logStreamName,
      logEvents: messages.map(message => ({ timestamp: Date.now(), message })),
    }),
  );

/** The messages of a session, once there are `count`; `ready` is called when it has started. */
async function tail(
  input: Partial<StartLiveTailCommandInput>,
  count: number,
  ready: () => Promise<unknown>,
  from = client,
): Promise<readonly (string | undefined)[]> {
  const { responseStream } = await from.send(new StartLiveTailCommand({ logGroupIdentifiers: [arn], ...input }));
  const seen: (string | undefined)[] = [];
  for await (const event of responseStream as AsyncIterable<StartLiveTailResponseStream>) {
    if (event.sessionStart !== undefined) await ready();
    for (const { message, logStreamName, logGroupIdentifier } of event.sessionUpdate?.sessionResults ?? []) {
      expect(logGroupIdentifier).toBe(`123456789012:${group}`);
      seen.push(`${logStreamName} ${message}`);
    }
    if (seen.length >= count) break;
  }
  return seen;
}

const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: CloudWatchLogsServiceException) => `${error.name}: ${error.message}`,
  );

test('events that arrive after the start, of the named streams, that match the pattern', async () => {
  await say('a/1', 'before');
  expect(await tail({}, 2, () => say('a/1', 'one', 'two'))).toEqual(['a/1 one', 'a/1 two']);
  const both = async () => {
    await say('a/1', '{"level":"info"}', '{"level":"error"}');
    await say('b/1', '{"level":"error"}');
  };
  expect(await tail({ logStreamNamePrefixes: ['b/'] }, 1, both)).toEqual(['b/1 {"level":"error"}']);
  expect(await tail({ logStreamNames: ['a/1'], logEventFilterPattern: '{ $.level = error }' }, 1, both)).toEqual([
    'a/1 {"level":"error"}',
  ]);
  const reader = logsClient(server, readerKey);
  expect(await tail({}, 1, () => say('a/1', 'read'), reader)).toEqual(['a/1 read']);
  reader.destroy();
});

test('a session that cannot start', async () => {
  const start = (input: Partial<StartLiveTailCommandInput>) => errorOf(tail(input, 1, async () => {}));
  expect(await start({ logGroupIdentifiers: ['/absent'] })).toBe(
    'ResourceNotFoundException: The specified log group does not exist.',
  );
  expect(await start({ logStreamNames: ['a/1'], logStreamNamePrefixes: ['b'] })).toMatch(/^InvalidParameterException/);
  expect(await start({ logEventFilterPattern: '{ $.a' })).toMatch(/^InvalidParameterException: Invalid filter pattern/);
});

test('a server that stops ends sessions', async () => {
  const other = await startTestServer();
  const at = logsClient(other);
  await at.send(new CreateLogGroupCommand({ logGroupName: 'g' }));
  const { responseStream } = await at.send(new StartLiveTailCommand({ logGroupIdentifiers: ['g'] }));
  const events: string[] = [];
  let stopped: Promise<TestServer> | undefined;
  for await (const event of responseStream!) {
    events.push(...Object.keys(event));
    if (event.sessionStart !== undefined) stopped = other.restart();
  }
  await using _again = await stopped!;
  expect(events).toContain('sessionStart');
  at.destroy();
});

test('filter patterns select events, page by page', async () => {
  await say('b/1', '{"step":1}', '{"step":2}', 'text', '{"step":3}');
  const filter = async (filterPattern: string, limit?: number, nextToken?: string) =>
    client.send(
      new FilterLogEventsCommand({ logGroupName: group, logStreamNames: ['b/1'], filterPattern, limit, nextToken }),
    );
  const texts = (answer: Awaited<ReturnType<typeof filter>>) => answer.events?.map(({ message }) => message);
  expect(texts(await filter('{ $.step >= 2 }'))).toEqual(['{"step":2}', '{"step":3}']);
  const first = await filter('{ $.step >= 2 }', 1);
  expect(texts(first)).toEqual(['{"step":2}']);
  expect(texts(await filter('{ $.step >= 2 }', 1, first.nextToken))).toEqual(['{"step":3}']);
  expect(texts(await filter('?text ?nothing'))).toEqual(['text']);
  expect(await errorOf(filter('{ $.step'))).toBe(
    'InvalidParameterException: Invalid filter pattern: } is missing at the end',
  );
});

const PYTHON = `
import boto3, sys
from botocore.config import Config
logs = boto3.client("logs", endpoint_url=sys.argv[1], config=Config(inject_host_prefix=False))
for event in logs.start_live_tail(logGroupIdentifiers=[sys.argv[2]])["responseStream"]:
    print("started" if "sessionStart" in event else [e["message"] for e in event["sessionUpdate"]["sessionResults"]], flush=True)
    if event.get("sessionUpdate", {}).get("sessionResults"):
        break
`;
const knows =
  spawnSync('python3', ['-c', 'import boto3; boto3.client("logs", region_name="us-east-1").start_live_tail'], {
    stdio: 'ignore',
  }).status === 0;

test.runIf(knows)('boto3 reads a session', async () => {
  const python = spawn('python3', ['-c', PYTHON, server.url, arn], {
    env: server.variables(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  python.stdout.on('data', async (bytes: Buffer) => {
    text += bytes.toString();
    if (text === 'started\n') await say('a/1', 'to Python');
  });
  await once(python, 'close');
  expect(text.replaceAll('[]\n', '')).toBe("started\n['to Python']\n");
});
