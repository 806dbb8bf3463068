// Tensors in pieces, as the ranks of torch.distributed.checkpoint write them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { literal } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import { writeSafetensors } from '../../models/safetensors.ts';
import { shardMetadata } from './shard-metadata.ts';
import { checkpointFormat, openTensors } from './tensor-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trenio-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Rank `rank` writes these columns of a matrix of two rows. */
const write = (rank: number, column: number, rows: readonly (readonly number[])[], dtype: 'f32' | 'f64' = 'f32') =>
  writeSafetensors(
    join(folder, `shard-0000${rank + 1}-model-00001-of-00001.safetensors`),
    new Map([['w', literal(dtype, [2, rows[0]!.length], rows.flat())]]),
    shardMetadata([{ name: 'w', offset: [0, column] }]),
  );

test('pieces are assembled for any split dim', async () => {
  await write(0, 0, [
    [1, 2],
    [6, 7],
  ]);
  await write(1, 2, [
    [3, 4, 5],
    [8, 9, 10],
  ]);
  expect(await checkpointFormat(folder)).toBe('torch');
  await using reader = await openTensors(folder, 'torch');
  expect(reader.types.get('w')).toEqual(tensorType('f32', [2, 5]));
  expect([...((await reader.read('w')).data as Float32Array)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('missing or inconsistent pieces are an error', async () => {
  await write(1, 2, [[3], [8]]);
  await expect(openTensors(folder, 'torch')).rejects.toMatchObject({
    code: 'CHECKPOINT_INVALID',
    message: expect.stringContaining("the pieces of 'w' have 8 bytes, and the tensor has 24"),
  });
  await write(
    0,
    0,
    [
      [1, 2],
      [6, 7],
    ],
    'f64',
  );
  await expect(openTensors(folder, 'torch')).rejects.toThrow('different types');
});
