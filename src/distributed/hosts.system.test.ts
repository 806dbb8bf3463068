// Data parallel training on two hosts of four ranks: losses are bit-identical to those of one rank. Hosts are groups of
// processes that share no memory with each other.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { inheritedVariables } from '../base/environment.ts';
import { hostsOf } from '../runtime/comm/ranks.testing.ts';
import { temporaryCache } from '../runtime/engine.testing.ts';
import { startProcess } from '../runtime/processes.testing.ts';

const script = fileURLToPath(new URL('./launch/fixtures/train-parts.ts', import.meta.url));
const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());
const run = promisify(execFile);

interface Outcome {
  readonly losses: readonly (readonly number[])[];
  readonly parameters: string;
}

test.each(['f32', 'bf16'])(
  '8 ranks on 2 hosts have the losses and parameters of 1 rank in %s',
  { timeout: 600_000 },
  async type => {
    // Ranks that wait for each other forever report it before the test ends.
    const env = {
      ...inheritedVariables(),
      TRENIO_CACHE_DIR: cache.path,
      TRENIO_NUM_THREADS: '1',
      TRENIO_COMM_TIMEOUT: '100',
    };
    const alone = JSON.parse((await run(process.execPath, [script, type], { env })).stdout) as Outcome;
    const hosts = hostsOf(8, 2, env);
    try {
      const outcomes = await Promise.all(
        Array.from(
          { length: 8 },
          (_, rank) =>
            startProcess([script, type], { ...env, ...hosts.variablesOf(rank) }, hosts.listenerOf(rank)).outcome,
        ),
      );
      expect(outcomes.filter(({ status }) => status !== 0).map(({ stderr }) => stderr)).toEqual([]);
      expect(JSON.parse(outcomes[0]!.stdout)).toEqual(alone);
    } finally {
      hosts.end();
    }
    expect(alone.losses.flat()).toHaveLength(32);
    expect(new Set(alone.losses.flat()).size).toBeGreaterThan(1);
  },
);
