// Results do not depend on scheduling: the same bits for any number of threads and from run to run, and the
// same C for the same program in every process.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, scripts, workFolder } from './system.ts';

const script = join(scripts, 'accumulate.ts');

/** Its last line of output: losses, and hashes of parameters and moments. */
async function train(model: string, threads: number, cache: string): Promise<unknown> {
  // Large enough for several tasks per kernel.
  const args = ['--model', model, '--steps', '2', '--batch', '16', '--hidden', '128'];
  const variables = { TRENIO_NUM_THREADS: `${threads}`, TRENIO_CACHE_DIR: cache };
  const { exitCode, stdout, stderr } = await node([script, ...args], { variables });
  expect(exitCode, stderr).toBe(0);
  const { losses, parameters, moments } = JSON.parse(stdout) as Record<string, unknown>;
  return { losses, parameters, moments };
}
/** Hashes of the C files in a cache. */
function sources(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.c'));
  return files
    .map(name =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    )
    .sort();
}

test.each(['bert', 'gpt', 'convolutions'])(
  '%s gives the same bits and the same C for 1, 3 and 4 threads',
  async model => {
    using first = workFolder();
    using second = workFolder();
    const expected = await train(model, 1, first.path);
    expect(await train(model, 3, first.path), '3 threads').toEqual(expected);
    expect(await train(model, 4, second.path), '4 threads, compiled again').toEqual(expected);
    expect(sources(first.path).length).toBeGreaterThan(0);
    expect(sources(second.path)).toEqual(sources(first.path));
  },
  300_000,
);
