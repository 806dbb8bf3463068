// Writing logs with the AWS SDK for JavaScript and the `aws` command; `aws logs tail`, if the command has it.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type CloudWatchLogsClient,
  type CloudWatchLogsServiceException,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  DeleteLogGroupCommand,
  DeleteLogStreamCommand,
  DeleteRetentionPolicyCommand,
  DescribeLogGroupsCommand,
  DescribeLogStreamsCommand,
  GetLogEventsCommand,
  PutLogEventsCommand,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { startTestServer, type TestServer } from '../aws-server.testing.ts';
import { logsClient } from './logs-client.testing.ts';

let server: TestServer;
let client: CloudWatchLogsClient;
beforeAll(async () => {
  server = await startTestServer();
  client = logsClient(server);
});
afterAll(async () => {
  client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const at = { logGroupName: '/app', logStreamName: 'one' };
const DAY_MS = 86_400_000;
const put = (...logEvents: { readonly timestamp: number; readonly message: string }[]) =>
  client.send(new PutLogEventsCommand({ ...at, logEvents: [...logEvents] }));
const messages = async () =>
  (await client.send(new GetLogEventsCommand({ ...at, startFromHead: true }))).events!.map(({ message }) => message);
const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: CloudWatchLogsServiceException) => `${error.name}: ${error.message}`,
  );

test('groups, streams and events are created, read and deleted', async () => {
  await client.send(new CreateLogGroupCommand({ logGroupName: '/app' }));
  expect(await errorOf(client.send(new CreateLogGroupCommand({ logGroupName: '/app' })))).toBe(
    'ResourceAlreadyExistsException: The specified log group already exists',
  );
  expect(await errorOf(put({ timestamp: Date.now(), message: 'x' }))).toContain('The specified log stream');
  await client.send(new CreateLogStreamCommand(at));
  expect(await errorOf(client.send(new CreateLogStreamCommand(at)))).toContain('ResourceAlreadyExistsException');
  const now = Date.now();
  const answer = await put({ timestamp: now - 1, message: 'first' }, { timestamp: now, message: 'second' });
  expect(answer.rejectedLogEventsInfo).toBe(undefined);
  expect(await messages()).toEqual(['first', 'second']);
});

test('skips events that are too old or too new; requires events in order', async () => {
  const now = Date.now();
  const old = await put({ timestamp: now - 15 * DAY_MS, message: 'old' });
  expect(old.rejectedLogEventsInfo).toEqual({ tooOldLogEventEndIndex: 1 });
  const late = await put({ timestamp: now, message: 'third' }, { timestamp: now + 3 * 3_600_000, message: 'new' });
  expect(late.rejectedLogEventsInfo).toEqual({ tooNewLogEventStartIndex: 1 });
  expect(await messages()).toEqual(['first', 'second', 'third']);
  expect(await errorOf(put({ timestamp: now, message: 'a' }, { timestamp: now - 1, message: 'b' }))).toContain(
    'must be in chronological order',
  );
  expect(await errorOf(put({ timestamp: now, message: 'x'.repeat(1_048_577) }))).toContain('Log event too large');
});

test('retention', async () => {
  const days = async () =>
    (await client.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: '/app' }))).logGroups![0]!.retentionInDays;
  await put({ timestamp: Date.now() - 5 * DAY_MS, message: 'of last week' });
  expect(await messages()).toContain('of last week');
  await client.send(new PutRetentionPolicyCommand({ logGroupName: '/app', retentionInDays: 3 }));
  expect(await days()).toBe(3);
  expect(await messages()).not.toContain('of last week');
  const expired = await put({ timestamp: Date.now() - 5 * DAY_MS, message: 'expired' });
  expect(expired.rejectedLogEventsInfo).toEqual({ expiredLogEventEndIndex: 1 });
  expect(
    await errorOf(client.send(new PutRetentionPolicyCommand({ logGroupName: '/app', retentionInDays: 2 }))),
  ).toContain('retentionInDays must be one of 1, 3, 5');
  await client.send(new DeleteRetentionPolicyCommand({ logGroupName: '/app' }));
  expect(await days()).toBe(undefined);
});

const run = promisify(execFile);
const help = spawnSync('aws', ['--version'], { encoding: 'utf8' });

test.skipIf(help.error !== undefined && inheritedVariables().CI === undefined)(
  'the aws command',
  { timeout: 180_000 },
  async () => {
    const aws = async (...args: string[]) =>
      (await run('aws', ['--endpoint-url', server.url, 'logs', ...args], { env: server.variables() })).stdout;
    await aws('create-log-group', '--log-group-name', 'cli');
    await aws('create-log-stream', '--log-group-name', 'cli', '--log-stream-name', 's');
    const events = JSON.stringify([{ timestamp: Date.now(), message: 'by the command' }]);
    await aws('put-log-events', '--log-group-name', 'cli', '--log-stream-name', 's', '--log-events', events);
    expect(await aws('filter-log-events', '--log-group-name', 'cli')).toContain('by the command');
    // Version 1 has no tail.
    if (help.stdout.startsWith('aws-cli/2')) expect(await aws('tail', 'cli')).toContain('by the command');
    await aws('delete-log-group', '--log-group-name', 'cli');
  },
);

test('deletion', async () => {
  await client.send(new DeleteLogStreamCommand(at));
  const { logStreams } = await client.send(new DescribeLogStreamsCommand({ logGroupName: '/app' }));
  expect(logStreams).toEqual([]);
  await client.send(new DeleteLogGroupCommand({ logGroupName: '/app' }));
  expect((await client.send(new DescribeLogGroupsCommand({}))).logGroups).toEqual([]);
  expect(await errorOf(client.send(new DeleteLogGroupCommand({ logGroupName: '/app' })))).toBe(
    'ResourceNotFoundException: The specified log group does not exist.',
  );
});
