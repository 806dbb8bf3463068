// Ranks that share no memory find each other through a store, as those of `trenio run` on several hosts do.
import { afterAll, expect, test } from 'vitest';
import { temporaryCache } from '../../runtime/engine.testing.ts';
import { startScript } from '../../runtime/processes.testing.ts';
import { StoreServer } from './store-server.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());

test('ranks publish where they listen, and connect', async () => {
  const secret = 'a secret for this test alone';
  const server = await StoreServer.listen({ endpoint: { host: '127.0.0.1', port: 0 }, secret, run: 'test' });
  try {
    const script = `
      import { defaultRuntime } from '../../runtime/index.ts';
      import { learnRankAddresses } from './rank-addresses.ts';
      await learnRankAddresses();
      const runtime = defaultRuntime();
      console.log(JSON.stringify(runtime.allGather(new Uint8Array([runtime.ranks.rank + 7])).map(([byte]) => byte)));`;
    const outcomes = await Promise.all(
      [0, 1, 2].map(
        rank =>
          startScript(import.meta.url, script, {
            TRENIO_CACHE_DIR: cache.path,
            TRENIO_NUM_THREADS: '1',
            MASTER_ADDR: server.endpoint.host,
            MASTER_PORT: `${server.endpoint.port}`,
            TRENIO_RDZV_SECRET: secret,
            TORCHELASTIC_RUN_ID: 'test',
            RANK: `${rank}`,
            LOCAL_RANK: '0',
            WORLD_SIZE: '3',
            LOCAL_WORLD_SIZE: '1',
          }).outcome,
      ),
    );
    expect(outcomes.map(({ stdout, stderr }) => stdout.trim() || stderr)).toEqual(new Array(3).fill('[7,8,9]'));
  } finally {
    server.close();
  }
});
