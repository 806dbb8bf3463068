// Four real processes as a 2 × 2 mesh: only the data axis determines the shares of the data, which gradients are averaged and
// which random numbers are sampled, so ranks that differ only on the other axis do the same work as two ranks without that axis.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { comparable, leftovers, scripts, startTrenio, workFolder } from './system.ts';

interface Said {
  readonly rank: number;
  readonly mesh: string;
  readonly coordinates: readonly number[];
  readonly groups: readonly (readonly number[])[];
  readonly sums: readonly (readonly number[])[];
  readonly given: readonly number[];
  readonly losses: readonly number[];
  readonly averaged: number;
  readonly ends: string;
  /** The bytes of its share of the checkpoint. */
  readonly saved: number;
  readonly refusals?: readonly string[];
}

async function train(ranks: number, ...args: readonly string[]): Promise<readonly Said[]> {
  const running = startTrenio(['run', `--nproc_per_node=${ranks}`, join(scripts, 'mesh.ts'), ...args]);
  const { exitCode, stdout, stderr } = await running.ended;
  expect(exitCode, stderr).toBe(0);
  expect(leftovers(running.child.pid).memory).toEqual([]);
  const said = [...stdout.matchAll(/\{.*\}/g)].map(([line]) => JSON.parse(line) as Said);
  expect(said).toHaveLength(ranks);
  return said.toSorted((a, b) => a.rank - b.rank);
}

test('four ranks as a 2 × 2 mesh train like two ranks, for either order of the axes', {
  timeout: 300_000,
}, async () => {
  using folder = workFolder();
  const two = await train(2);
  expect(two.map(said => said.mesh)).toEqual(['{ data: 2 }', '{ data: 2 }']);
  expect(two[0]!.given).not.toEqual(two[1]!.given);
  expect(two[0]!.ends).toBe(two[1]!.ends);

  const square = await train(4, '--mesh', 'data=2,tensor=-1', '--save', folder.path, '--refused');
  expect(square.map(said => said.coordinates)).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  expect(square.map(said => said.groups)).toEqual([
    [[0, 2], [0, 1], [0]],
    [[1, 3], [0, 1], [1]],
    [[0, 2], [2, 3], [2]],
    [[1, 3], [2, 3], [3]],
  ]);
  for (const { rank, given, losses, ends, coordinates } of square) {
    const alike = two[coordinates[0]!]!;
    expect({ given, losses, ends }, `rank ${rank}`).toEqual({
      given: alike.given,
      losses: alike.losses,
      ends: alike.ends,
    });
  }
  // Averages along data only: ranks 0 and 2 have (1 + 3) / 2, 1 and 3 have (2 + 4) / 2.
  expect(square.map(said => said.averaged)).toEqual([2, 3, 2, 3]);
  expect(square.map(said => said.sums)).toEqual([
    [
      [2, 2],
      [1, 2],
      [6, 4],
    ],
    [
      [4, 2],
      [1, 2],
      [6, 4],
    ],
    [
      [2, 2],
      [5, 2],
      [6, 4],
    ],
    [
      [4, 2],
      [5, 2],
      [6, 4],
    ],
  ]);
  // All ranks have all parameters, so each rank writes a share of them.
  const total = square.reduce((sum, { saved }) => sum + saved, 0);
  for (const { saved } of square) expect(saved).toBeGreaterThan(total / 8);
  expect(readdirSync(folder.path)).toEqual(['checkpoint-2']);
  expect(square[3]!.refusals!.map(text => comparable(text).replaceAll(/:\d+:\d+$/gm, ':LINE'))).toMatchInlineSnapshot(`
    [
      "invalid mesh { data: 3 }: the product of its axes is 3, and the run has 4 ranks
      at TRENIO/test/scripts/mesh.ts:LINE
      fix: use sizes of 1 or more whose product is the number of ranks, 4; one size may be -1, which stands for the remaining ranks",
      "the mesh of the device cpu cannot be changed to { data: 4 }: it is { data: 2, tensor: 2 }, and programs have been recorded with it
      at TRENIO/test/scripts/mesh.ts:LINE
      fix: call initDeviceMesh once, at the start of the script",
      "allReduceSum: the group is an array, expected ranks from 0 to 3, each once and 3, which this is, among them
      at TRENIO/test/scripts/mesh.ts:LINE
      fix: give a group of the device's mesh, such as device().mesh.group('data')",
    ]
  `);

  // With data as the minor axis, resumed from the checkpoint written with the other order.
  const turned = await train(4, '--mesh', 'tensor=2,data=2', '--resume', folder.path);
  expect(turned.map(said => said.coordinates)).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ]);
  expect(turned.map(said => said.averaged)).toEqual([1.5, 1.5, 3.5, 3.5]);
  for (const { rank, losses, ends, coordinates } of turned) {
    expect(ends, `rank ${rank}`).toBe(two[0]!.ends);
    expect(losses, `rank ${rank}`).toEqual(two[coordinates[0]!]!.losses.slice(4));
  }
});
