// Trained models behind endpoints with the image `trenio`, and endpoints when the server exits.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobUser } from '../../../jobs/training/sandbox.ts';
import { GPT2LMHeadModel } from '../../../models/gpt2.ts';
import { tinyCheckpoint } from '../../../serving/model/tiny-bert.testing.ts';
import { errorOf, ServingTest } from './endpoints.testing.ts';

let serving: ServingTest;
beforeAll(async () => {
  serving = await ServingTest.start();
});
afterAll(async () => {
  await serving.stop();
});

async function deployFolder(name: string, folder: string): Promise<void> {
  const archive = create({ cwd: folder, gzip: true, portable: true }, ['.']);
  await serving.server.service.objects.put('models', `${name}.tar.gz`, Readable.from(archive));
  await serving.createModel(name, {
    PrimaryContainer: {
      Image: 'trenio',
      ModelDataUrl: `s3://models/${name}.tar.gz`,
      Environment: { TRENIO_BACKEND: 'interpreter' },
    },
  });
}

describe('the image trenio', () => {
  test('serves a trained BERT classifier unchanged', async () => {
    await using checkpoint = await tinyCheckpoint();
    await deployFolder('bert', checkpoint.folder);
    await serving.createConfig('bert', [['AllTraffic', 'bert', 1]]);
    await serving.createEndpoint('bert', 'bert');
    await serving.settled('bert', 'InService');
    // Other users of the machine cannot bypass the server, which checks keys.
    const { address } = serving.server.service.serving.store.replicas('bert')[0]!;
    expect(address).toEqual({ socketPath: expect.stringMatching(/\/socket$/) });
    const folder = dirname((address as { readonly socketPath: string }).socketPath);
    expect(statSync(folder)).toMatchObject({ uid: jobUser() ?? process.getuid!(), mode: 0o40700 });
    const json = { ContentType: 'application/json' };
    const answers: unknown = JSON.parse(await serving.text('bert', '{"inputs": ["good book", "bad"]}', json));
    expect(answers).toEqual([
      expect.objectContaining({ label: expect.any(String), score: expect.any(Number) }),
      expect.objectContaining({ label: expect.any(String) }),
    ]);
    expect(await errorOf(serving.invoke('bert', '{"inputs": 3}', json))).toContain(
      'ModelError: Received client error (400) from primary with message "{"error":{"code":"REQUEST_INVALID"',
    );
    const { minutes } = serving.server.service.serving.traffic('bert', 0)!.variants[0]!;
    expect(minutes.reduce((sum, { batchItems }) => sum + batchItems, 0)).toBe(2);
    expect(minutes.reduce((sum, { batches }) => sum + batches, 0)).toBeGreaterThanOrEqual(1);
    await serving.delete('bert');
    while (serving.server.service.serving.store.replicas('bert').length > 0) await sleep(20);
    expect(existsSync(folder)).toBe(false);
  });

  test('serves a trained GPT-2 unchanged, as a whole and as a stream', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trenio-gpt2-'));
    await new GPT2LMHeadModel({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 11, n_positions: 32 }).savePretrained(
      folder,
    );
    await deployFolder('gpt2', folder);
    rmSync(folder, { recursive: true });
    await serving.createConfig('gpt2', [['AllTraffic', 'gpt2', 1]]);
    await serving.createEndpoint('gpt2', 'gpt2');
    await serving.settled('gpt2', 'InService');
    const body = (more: object = {}): string =>
      JSON.stringify({ inputs: [1, 2, 3], parameters: { max_new_tokens: 4 }, ...more });
    const json = { ContentType: 'application/json' };
    const { generated } = JSON.parse(await serving.text('gpt2', body(), json)) as { generated: readonly number[] };
    expect(generated).toHaveLength(4);
    const lines = (await serving.text('gpt2', body({ stream: true }), json)).trim().split('\n');
    expect(lines.map(line => (JSON.parse(line) as { token: number }).token)).toEqual(generated);
    await serving.delete('gpt2');
  });
});

test('replicas keep running without the server, and the next one adopts them', async () => {
  const first = await ServingTest.start();
  await first.deploy('stays', 2);
  const before = first.server.service.serving.store.replicas();
  const text = await first.text('stays', 'x');
  first.close();
  const server = await first.server.restart();
  const next = ServingTest.of(server);
  let answer: string | undefined;
  while (answer === undefined) answer = await next.text('stays', 'x').catch(() => undefined);
  expect(answer.split(' ')[0]).toBe(text.split(' ')[0]);
  // A killed replica is replaced, and no other is started.
  process.kill(before[0]!.process!.pid, 'SIGKILL');
  const ids = (): readonly string[] => server.service.serving.store.replicas().map(({ id }) => id);
  while (ids().includes(before[0]!.id) || ids().length < 2) await sleep(50);
  expect(ids()).toContain(before[1]!.id);
  await next.settled('stays', 'InService');
  await next.stop();
});
