import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runWords } from '../run-cli.testing.ts';

const cwd = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const explain = async (name: string, text: string, ...words: string[]): Promise<string> => {
  writeFileSync(join(cwd, name), text);
  const { exitCode, stdout, stderr } = await runWords(['explain', 'comms', name, ...words], { cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
};

const product = (inner: string): string => `sdy.mesh @mesh = <["tp"=2]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %w: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}) -> tensor<8x8xf32> {
  %y = stablehlo.dot_general ${inner}, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}`;

test('a program with shardings: the collectives of a device, by line', async () => {
  const text = product('%x');
  expect(await explain('step.mlir', text)).toMatch(/all_reduce +2 +1 +256 B\ntotal +1 +256 B\n$/);
  const { collectives, replicated } = JSON.parse(await explain('step.mlir', text, '--json')) as Record<
    string,
    object[]
  >;
  expect(collectives).toEqual([{ at: expect.any(String), kind: 'all_reduce', devices: 2, count: 1, bytes: 256 }]);
  expect(replicated).toEqual([]);
});

test('an op that cannot be divided, with the constraint that avoids it', async () => {
  const sorted = `%r = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }) : (tensor<8x16xf32>) -> tensor<8x16xf32>`;
  const whole = product('%r').replace('  %y', `  ${sorted}\n  %y`);
  expect(await explain('step.mlir', whole)).toContain("withShardingConstraint(x, ['tp', null]) before it");
});

test('a program without shardings sends nothing', async () => {
  const text = 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}';
  expect(await explain('none.mlir', text)).toBe('Nothing is sent between ranks.\n');
});

test('a profile: the exposed time of each collective in a step', async () => {
  const kernel = { name: 'k3', kind: 'collective', shape: '64', ops: 'all_reduce', line: '/me/train.ts:5:1', flops: 0 };
  const profile = {
    ...{ format: 'trenio-profile', version: 1, rank: 0, worldSize: 8, host: 'host', pid: 1, script: 'train.ts' },
    ...{ startNs: '0', startMs: 0, durationNs: 4e7, threads: 1, steps: [], workers: [], collectives: [], spans: [] },
    programs: [
      {
        name: 'step',
        // Started by one kernel, awaited by another one.
        kernels: [
          { ...kernel, bytes: 2048, sent: { bytes: 768, devices: 4, times: 1 } },
          { ...kernel, bytes: 1024, sent: { bytes: 0, devices: 4, times: 0 } },
          { ...kernel, line: '', ops: 'recv', bytes: 9, sent: { bytes: 0, devices: 2, times: 1 } },
        ],
      },
    ],
    replicated: ['every rank computes the reverse whole'],
    loop: [
      [0, 2e7],
      [2e7, 2e7],
    ],
    kernels: [
      [0, 1e6, 0, 0],
      [1e7, 2e6, 0, 1],
      [2e7, 1e6, 0, 0],
      [3e7, 4e6, 0, 1],
      [3.5e7, 1e6, 0, 2],
    ],
    dropped: 0,
  };
  const text = await explain('profile.json', JSON.stringify(profile));
  expect(text).toMatch(
    /train.ts:5 +all_reduce +4 +1 +768 B +4.00\nbetween stages +recv +2 +0.5 +0 B +0.50\ntotal[^\n]*\nevery rank computes/,
  );
});
