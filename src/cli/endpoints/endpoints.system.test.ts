import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../api/aws/aws-server.testing.ts';
import { type Ran, runTrenio } from '../job-server.testing.ts';

let server: TestServer;
beforeAll(async () => {
  const folder = join(import.meta.dirname, '../../client/endpoints/fixtures');
  const echo = {
    kind: 'command',
    train: [process.execPath, join(folder, 'train.mjs')],
    serve: [process.execPath, join(folder, 'serve.mjs')],
  };
  server = await startTestServer({ images: { 'local/echo:1': echo } });
});
afterAll(async () => server[Symbol.asyncDispose]());

const trenio = (...words: string[]): Promise<Ran> => runTrenio(server, words);
const output = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await trenio(...words);
  // Progress, on a slow machine; no errors.
  expect(stderr).not.toContain('trenio: ');
  expect(code).toBe(0);
  return stdout;
};

test('models and endpoints: create, list, show, invoke, update, delete', { timeout: 240_000 }, async () => {
  await output('jobs', 'create', '--image', 'local/echo:1', '--name', 'echo', '-f');
  expect(await output('models', 'create', 'one', '--job', 'echo')).toBe('one\n');
  expect(await output('models', 'ls')).toMatch(/^one +\d{4}-/m);
  expect(await output('models', 'show', 'one')).toMatch(/^modelData +s3:\/\/.*\/echo\/output\/model.tar.gz$/m);
  expect(await output('endpoints', 'create', 'live', '-m', 'one', '-n', '2')).toBe('live serves one\n');
  expect(await output('endpoints', 'ls')).toMatch(/^live +InService/m);
  expect(await output('endpoints', 'show', 'live')).toMatch(/^AllTraffic +one +2 × ml\.c5\.xlarge +1$/m);
  expect(JSON.parse(await output('endpoints', 'invoke', 'live', '-b', '{"a":1}'))).toMatchObject({ body: '{"a":1}' });
  await output('models', 'create', 'two', '--job', 'echo');
  expect(await output('endpoints', 'update', 'live', '-m', 'two')).toBe('live serves two\n');
  await output('models', 'create', 'broken', '--job', 'echo', '--env', 'BROKEN=1');
  expect(await trenio('endpoints', 'update', 'live', '-m', 'broken')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the endpoint live is rolled back') as string,
  });
  expect(await output('endpoints', 'show', 'live')).toMatch(/^AllTraffic +two +1 × /m);
  expect(await output('endpoints', 'delete', 'live')).toBe('deleted live\n');
  expect(await output('models', 'delete', 'one', 'two')).toBe('deleted one\ndeleted two\n');
  expect(await trenio('endpoints', 'create', 'live')).toMatchObject({ code: 2 });
  expect(await trenio('models', 'create', 'x')).toMatchObject({ code: 2 });
  expect((await trenio('endpoints', 'invoke', 'none', '-b', '{}')).stderr).toContain('InvokeEndpoint: ');
});
