// ZeRO with real processes: state divided among 1, 2 and 4 ranks gives the bits of whole state, checkpoints are resumed by other
// numbers of ranks, and a rank holds its share of the state.
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Linear } from '../nn/index.ts';
import { AdamW, LAMB } from '../optim/index.ts';
import { convertCheckpoint } from './checkpoints/convert.ts';
import { diffCheckpoints } from './checkpoints/diff.ts';
import { launch } from './launch/launch.ts';
import { ZeroRedundancyOptimizer } from './zero-redundancy-optimizer.ts';

const script = fileURLToPath(new URL('./launch/fixtures/zero.ts', import.meta.url));
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trenio-zero-'));
});
afterEach(() => rm(root, { recursive: true }));

interface Outcome {
  readonly hash: string;
  readonly stateBytes: number;
}
async function train(
  ranks: number,
  folder: string,
  [from, to]: readonly [number, number],
  how: 'divided' | 'whole',
): Promise<Outcome> {
  const args = [join(root, folder), `${from}`, `${to}`, how];
  if (ranks === 1)
    return JSON.parse((await promisify(execFile)(process.execPath, [script, ...args])).stdout) as Outcome;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [stdout.toArray(), stderr.toArray()];
  const { exitCode } = await launch({ script, args, nprocPerNode: ranks, stdout, stderr });
  stdout.end();
  stderr.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, `${text}\n${Buffer.concat(await err)}`).toBe(0);
  return JSON.parse(text.slice(text.indexOf('{'))) as Outcome;
}

test('the same bits as whole state, resumed by any number of ranks', { timeout: 300_000 }, async () => {
  const alone = await train(1, 'alone', [0, 4], 'whole');
  const two = await train(2, 'two', [0, 4], 'divided');
  expect(two.hash).toBe(alone.hash);
  expect(two.stateBytes).toBeLessThan(1.03 * (alone.stateBytes / 2));
  // Checkpoints have divided state as lists of elements.
  const last = (folder: string) => join(root, folder, 'checkpoint-4');
  expect(await diffCheckpoints(last('two'), last('alone'))).toEqual([]);
  // For PyTorch, with the shapes of the parameters.
  const exported = await Promise.all(
    ['two', 'alone'].map(async folder => {
      const target = join(root, `${folder}.pt`);
      expect(await convertCheckpoint({ source: last(folder), target, to: 'torch-file' })).toMatchObject({
        hasOptimizer: true,
      });
      return readFileSync(target);
    }),
  );
  expect(exported[0]!.equals(exported[1]!)).toBe(true);

  await train(2, 'half', [0, 2], 'divided');
  const differences = await diffCheckpoints(join(root, 'half/checkpoint-2'), last('alone'));
  expect(differences).toContainEqual(
    expect.objectContaining({ kind: 'elements', tensor: 'optimizer.tensors.0.exp_avg', different: 37 * 53 }),
  );
  for (const folder of ['half-of-four', 'half-of-one'])
    cpSync(join(root, 'half'), join(root, folder), { recursive: true });
  const four = await train(4, 'half-of-four', [2, 4], 'divided');
  expect(four.hash).toBe(alone.hash);
  const whole = await train(1, 'half-of-one', [2, 4], 'whole');
  expect(whole.hash).toBe(alone.hash);
});

describe('with a single rank', () => {
  test('it is the optimizer that was given', () => {
    const { weight } = new Linear(3, 2);
    const optimizer = new ZeroRedundancyOptimizer([weight], { optimizerClass: AdamW, lr: 0.25 });
    expect(optimizer).toBeInstanceOf(AdamW);
    expect(optimizer.paramGroups[0]).toMatchObject({ lr: 0.25 });
  });
  test('an optimizer that needs whole tensors is refused', () => {
    const { weight } = new Linear(3, 2);
    expect(() => new ZeroRedundancyOptimizer([weight], { optimizerClass: LAMB, lr: 0.25 })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED' }),
    );
  });
  test('no class of optimizers is refused', () => {
    const { weight } = new Linear(3, 2);
    expect(() => new ZeroRedundancyOptimizer([weight], { optimizerClass: Linear as never })).toThrow(
      expect.objectContaining({ code: 'WRONG_ARGUMENT' }),
    );
  });
});
