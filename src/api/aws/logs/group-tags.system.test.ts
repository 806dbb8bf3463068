// Tags of log groups and the direction of FilterLogEvents, with the AWS SDK for JavaScript.
import {
  type CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  DeleteLogGroupCommand,
  FilterLogEventsCommand,
  ListTagsForResourceCommand,
  ListTagsLogGroupCommand,
  PutLogEventsCommand,
  TagLogGroupCommand,
  TagResourceCommand,
  UntagLogGroupCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const logGroupName = '/tagged';
const resourceArn = `arn:aws:logs:us-east-1:123456789012:log-group:${logGroupName}`;
const listed = async () => (await client.send(new ListTagsForResourceCommand({ resourceArn }))).tags;

test('tags are set on creation, added, removed, and gone with the group', async () => {
  await client.send(new CreateLogGroupCommand({ logGroupName, tags: { team: 'a' } }));
  expect(await listed()).toEqual({ team: 'a' });
  await client.send(new TagResourceCommand({ resourceArn, tags: { team: 'b', cost: '1' } }));
  await client.send(new TagLogGroupCommand({ logGroupName, tags: { old: 'api' } }));
  expect((await client.send(new ListTagsLogGroupCommand({ logGroupName }))).tags).toEqual({
    cost: '1',
    old: 'api',
    team: 'b',
  });
  await client.send(new UntagResourceCommand({ resourceArn, tagKeys: ['cost', 'missing'] }));
  await client.send(new UntagLogGroupCommand({ logGroupName, tags: ['old'] }));
  expect(await listed()).toEqual({ team: 'b' });
  await client.send(new DeleteLogGroupCommand({ logGroupName }));
  await expect(listed()).rejects.toThrow('The specified log group does not exist.');
  await client.send(new CreateLogGroupCommand({ logGroupName }));
  expect(await listed()).toEqual({});
});

test('more than 50 tags, reserved keys and other ARNs are refused', async () => {
  const tags = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
  await client.send(new TagResourceCommand({ resourceArn, tags }));
  await expect(client.send(new TagResourceCommand({ resourceArn, tags: { more: '1' } }))).rejects.toThrow(
    'at most 50 tags',
  );
  await client.send(new UntagResourceCommand({ resourceArn, tagKeys: Object.keys(tags) }));
  await expect(client.send(new TagResourceCommand({ resourceArn, tags: { 'aws:x': '1' } }))).rejects.toThrow(
    'reserved',
  );
  const other = 'arn:aws:logs:us-east-1:123456789012:destination:one';
  await expect(client.send(new ListTagsForResourceCommand({ resourceArn: other }))).rejects.toThrow('of a log group');
});

test('FilterLogEvents reads backwards if it does not start from the head; its token keeps the direction', async () => {
  const at = { logGroupName, logStreamName: 's' };
  await client.send(new CreateLogStreamCommand(at));
  const now = Date.now();
  const logEvents = Array.from({ length: 5 }, (_, i) => ({ timestamp: now - 10 + i, message: `m${i}` }));
  await client.send(new PutLogEventsCommand({ ...at, logEvents }));
  const pages = async (startFromHead: boolean | undefined, filterPattern?: string) => {
    const found: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.send(
        new FilterLogEventsCommand({
          logGroupName,
          startTime: now - 1000,
          limit: 2,
          filterPattern,
          // The token decides on later pages.
          startFromHead: nextToken === undefined ? startFromHead : true,
          nextToken,
        }),
      );
      found.push(page.events!.map(({ message }) => message).join(' '));
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    return found.filter(page => page !== '');
  };
  expect(await pages(undefined)).toEqual(['m0 m1', 'm2 m3', 'm4']);
  expect(await pages(true)).toEqual(['m0 m1', 'm2 m3', 'm4']);
  expect(await pages(false)).toEqual(['m4 m3', 'm2 m1', 'm0']);
  expect(await pages(false, '-m2')).toEqual(['m4 m3', 'm1 m0']);
  const early = new FilterLogEventsCommand({ logGroupName, startFromHead: false });
  await expect(client.send(early)).rejects.toThrow('2024-01-01');
});
