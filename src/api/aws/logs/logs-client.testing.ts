// A client of the logs of a test server.
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { adminKey, type TestServer } from '../aws-server.testing.ts';

export const logsClient = ({ url }: TestServer, key = adminKey): CloudWatchLogsClient =>
  new CloudWatchLogsClient({
    endpoint: url,
    region: 'us-east-1',
    // AWS has a host of its own for live tails: stream-logs.…
    disableHostPrefix: true,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  });
