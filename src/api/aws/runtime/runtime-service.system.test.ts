// Members of InvokeEndpoint that are refused, before an endpoint is looked for.
import { InvokeEndpointCommand, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { afterAll, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../aws-server.testing.ts';

const server = await startTestServer();
const client = new SageMakerRuntimeClient({
  endpoint: server.url,
  region: 'us-east-1',
  credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  maxAttempts: 1,
});
afterAll(async () => {
  client.destroy();
  await server[Symbol.asyncDispose]();
});

test.each([
  { TargetModel: 'm.tar.gz' },
  { TargetContainerHostname: 'other' },
  { InferenceComponentName: 'part' },
  { SessionId: 'NEW_SESSION' },
  { EnableExplanations: '`true`' },
])('%j is refused', async options => {
  const sent = client.send(new InvokeEndpointCommand({ EndpointName: 'e', Body: '{}', ...options }));
  await expect(sent).rejects.toMatchObject({ message: expect.stringContaining('is not supported by this server') });
});
