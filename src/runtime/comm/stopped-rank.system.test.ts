// A rank that is late while the others wait: they report it and its activity, and continue when it arrives.
import { afterAll, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { temporaryCache } from '../engine.testing.ts';
import { type Child, startScript, until } from '../processes.testing.ts';
import { createLaunchMemory } from './launch-memory.ts';

const folder = temporaryCache();
afterAll(() => folder[Symbol.dispose]());

/** Three ranks with two barriers, between which one is stopped. Returns what they wrote to their standard error streams. */
async function meet(during: (ranks: readonly Child[], stderr: () => string) => Promise<void>) {
  const common = { TRENIO_CACHE_DIR: folder.path, WORLD_SIZE: '3', LOCAL_WORLD_SIZE: '3', TRENIO_NUM_THREADS: '1' };
  const script = `
    import { defaultRuntime } from '../index.ts';
    const runtime = defaultRuntime();
    runtime.barrier();
    console.log('met');
    if (runtime.ranks.rank === 1) process.kill(process.pid, 'SIGSTOP');
    runtime.barrier();
    console.log('met again');`;
  const memory = createLaunchMemory(3, { ...inheritedVariables(), ...common });
  try {
    const ranks = [0, 1, 2].map(rank =>
      startScript(import.meta.url, script, {
        ...common,
        RANK: `${rank}`,
        LOCAL_RANK: `${rank}`,
        TRENIO_SHM: memory.name,
      }),
    );
    let stderr = '';
    for (const { process } of ranks)
      process.stderr!.on('data', text => {
        stderr += text;
      });
    await during(ranks, () => stderr);
    const outcomes = await Promise.all(ranks.map(rank => rank.outcome));
    expect(outcomes.map(({ status, stdout }) => [status, stdout])).toEqual(new Array(3).fill([0, 'met\nmet again\n']));
    return stderr;
  } finally {
    memory.unlink();
  }
}

test('a waiting rank names the stopped one, and all continue when it is resumed', {
  timeout: 180_000,
}, async () => {
  let stopped = 0;
  const stderr = await meet(async (ranks, said) => {
    await until(() => said().includes('\n'));
    stopped = ranks[1]!.process.pid!;
    ranks[1]!.process.kill('SIGCONT');
  });
  expect(stderr.replaceAll(/\d+ s/g, 'N s')).toBe(
    `trenio: warn: rank 0 has waited N s for rank 1 (process ${stopped}, stopped; kill -CONT ${stopped} continues it); here: ranks 0, 2\n` +
      'trenio: warn: rank 0 goes on after N s\n',
  );
});
