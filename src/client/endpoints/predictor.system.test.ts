import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../../api/aws/aws-server.testing.ts';
import { Estimator } from '../jobs/estimator.ts';
import type { ConnectionOptions } from '../wire/connection.ts';
import { Predictor } from './predictor.ts';

let server: TestServer;
let connection: ConnectionOptions;
const image = 'local/echo:1';
beforeAll(async () => {
  const folder = join(import.meta.dirname, 'fixtures');
  server = await startTestServer({
    images: {
      [image]: {
        kind: 'command',
        train: [process.execPath, join(folder, 'train.mjs')],
        serve: [process.execPath, join(folder, 'serve.mjs')],
      },
    },
  });
  connection = { endpoint: server.url, accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };
});
afterAll(async () => server[Symbol.asyncDispose]());

const quiet = { write: () => true };
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message,
  );

test('train, deploy, predict, delete', { timeout: 240_000 }, async () => {
  const estimator = new Estimator({ imageUri: image, instanceType: 'ml.trn1.2xlarge', connection });
  expect(await messageOf(estimator.deploy({ instanceType: 'ml.c5.xlarge' }))).toContain('deploy needs a training job');
  await estimator.fit(undefined, { stream: quiet, jobName: 'echo' });
  const predictor = await estimator.deploy({ instanceType: 'ml.c5.xlarge', stream: quiet });
  expect(predictor.endpointName).toBe('echo');
  expect(await predictor.predict({ a: [1, 2] })).toEqual({
    type: 'application/json',
    body: '{"a":[1,2]}',
    model: 'weights',
  });
  expect(await predictor.predict('a,b', { contentType: 'text/csv', accept: 'text/plain' })).toBe(
    'text/csv a,b weights',
  );
  expect(await messageOf(predictor.predict({ fail: true }))).toContain('InvokeEndpoint: Received client error (400)');
  // The names are taken, and the existing resources are unchanged.
  expect(await messageOf(estimator.deploy({ instanceType: 'ml.c5.xlarge', stream: quiet }))).toContain('CreateModel: ');
  expect(await new Predictor('echo', { connection }).predict('x', { accept: 'text/plain' })).toContain('x weights');
  await predictor.deleteEndpoint();
  await predictor.deleteModel();
  expect(await messageOf(predictor.predict({}))).toContain('InvokeEndpoint: ');
  expect(await messageOf(predictor.deleteModel())).toContain('DeleteModel: ');
});

test('an endpoint that does not start is an error', { timeout: 240_000 }, async () => {
  const estimator = await Estimator.attach('echo', { connection });
  const deployed = estimator.deploy({
    instanceType: 'ml.c5.xlarge',
    endpointName: 'broken',
    environment: { BROKEN: '1' },
    stream: quiet,
  });
  expect(await messageOf(deployed)).toContain('the endpoint broken is Failed: ');
  await new Predictor('broken', { connection }).deleteEndpoint();
});

test('invalid options are errors', async () => {
  expect(() => new Predictor('x', { conection: {} } as never)).toThrow('did you mean connection?');
  expect(await messageOf(new Predictor('x').predict(1, { contenttype: 'x' } as never))).toContain('contentType');
});
