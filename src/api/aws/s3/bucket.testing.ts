// For tests with the AWS SDK for JavaScript: a server with one bucket.
import { CreateBucketCommand, S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import { afterAll, expect } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

export const credentials = { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };

/** They end after the tests of the file, which may not have made the server log anything. */
export async function serverWithBucket(name: string): Promise<{ readonly server: TestServer; readonly s3: S3Client }> {
  const server = await startTestServer();
  const s3 = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials });
  afterAll(async () => {
    s3.destroy();
    expect(server.log).toEqual([]);
    await server[Symbol.asyncDispose]();
  });
  await s3.send(new CreateBucketCommand({ Bucket: name }));
  return { server, s3 };
}

/** The name of the error that a request fails with. */
export const nameOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: S3ServiceException) => error.name,
  );
