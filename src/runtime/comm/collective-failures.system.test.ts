// Collectives that cannot complete: each rank reports what it waits for.
import { afterAll, describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { tokenType } from '../../hlo/types.ts';
import { temporaryCache } from '../engine.testing.ts';
import { f32, tokens, vectors } from './collectives.testing.ts';
import { type RankProgram, startRanks } from './ranks.testing.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());

describe('deadlocks', () => {
  const grid = { numReplicas: 1, numPartitions: 2 };
  const x = [literal('f32', [2], [1, 2])];
  const programs = (...emits: readonly ((b: Builder, x: Value) => readonly Value[])[]): RankProgram[] => [
    {
      modules: emits.map(emit =>
        moduleOf(
          buildFunc('main', [f32(2)], (b, [value]) => [...emit(b, value!)]),
          grid,
        ),
      ),
      args: [x, x],
    },
  ];
  const said = async (work: readonly RankProgram[]): Promise<unknown[]> =>
    (await startRanks(work, 2, cache.path)).map(({ stdout }) => JSON.parse(stdout));

  test('a message that is never sent: the error names the waiting ranks', async () => {
    const [first] = await said(
      programs(
        (b, _) => {
          const route = { channelId: 7, isHostTransfer: false, sourceTargetPairs: [[1, 0]] as const };
          return [b.emit('recv', [tokens(b)], { ...route, resultTypes: [f32(2), tokenType] })[0]!];
        },
        (b, value) => [b.add(value, value)],
      ),
    );
    expect(first).toMatchObject({
      code: 'DEADLOCK',
      message: expect.stringContaining(
        'rank 0 waits at recv of channel 7 for rank 1; rank 1 waits at a collective of all ranks for rank 0',
      ),
    });
  });

  test('two collectives in different orders', async () => {
    const group = (channelId: number) => ({ replicaGroups: [[1, 0]], channelId, useGlobalDeviceIds: true });
    const sum = (b: Builder, v: Value, channel: number) =>
      b.emit1('all_reduce', [v], group(channel), [b.combiner('add', 'f32')]);
    const both = await said(
      programs(
        (b, value) => [sum(b, value, 1), sum(b, b.add(value, value), 2)],
        (b, value) => [sum(b, value, 2), sum(b, b.add(value, value), 1)],
      ),
    );
    for (const outcome of both)
      expect(outcome).toMatchObject({
        code: 'DEADLOCK',
        message: expect.stringMatching(
          /rank (\d) is in all_reduce of channel (\d) and waits for rank \d, which is in all_reduce of channel \d/,
        ),
      });
  });
});

describe('a peer that does not arrive', () => {
  const shift = vectors(
    { numReplicas: 2 },
    [
      [1, 2],
      [3, 4],
    ],
    (b, x) => [
      b.emit1('collective_permute', [x], {
        sourceTargetPairs: [
          [0, 1],
          [1, 0],
        ],
      }),
    ],
  );
  test('has ended: the collective of the other rank fails, too', async () => {
    const end = `if (rank === 1) process.kill(process.pid, 'SIGKILL');`;
    const [first] = await startRanks([shift], 2, cache.path, {}, end);
    expect(JSON.parse(first!.stdout)).toMatchObject({ code: 'PEER_LOST' });
  });
  test('is stopped: the other rank reports it, and continues when it is resumed', async () => {
    const stop = `
      const { spawn } = await import('node:child_process');
      if (rank === 1) {
        spawn('sh', ['-c', 'sleep 5; kill -CONT ' + process.pid], { detached: true, stdio: 'ignore' }).unref();
        process.kill(process.pid, 'SIGSTOP');
      }`;
    const [first, second] = await startRanks([shift], 2, cache.path, {}, stop);
    expect(first!.stderr).toMatch(
      /^trenio: warn: rank 0 has waited \d+ s for rank 1 \(process \d+, stopped; kill -CONT \d+ continues it\); here: rank 0\n/,
    );
    expect(second!.status).toBe(0);
  });
});
