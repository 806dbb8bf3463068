// Random sequences of collectives over random groups, on real ranks, compared with the interpreter.
import { afterAll, describe, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import type { Value } from '../../hlo/program.ts';
import { temporaryCache } from '../engine.testing.ts';
import { expectInterpreted, upTo, vectors } from './collectives.testing.ts';
import type { RankProgram } from './ranks.testing.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());

describe('random programs', { timeout: 240_000 }, () => {
  /** xorshift: the same programs for the same seed. */
  const numbers = (seed: number) => {
    let state = seed;
    return (below: number): number => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    };
  };
  /** A sequence of collectives on vectors of 24 numbers, over random groups. */
  function randomProgram(seed: number): RankProgram {
    const random = numbers(seed * 2654435761 + 1);
    const values = upTo(4).map(p => upTo(24).map(i => ((seed + 5 * i + 11 * p) % 7) - 3));
    const shuffled = (): number[] => {
      const left = upTo(4);
      return upTo(4).map(() => left.splice(random(left.length), 1)[0]!);
    };
    return vectors({ numReplicas: 4 }, values, (b, x) => {
      const seen = [x];
      for (let i = 0; i < 10; i++) {
        const v = seen[seen.length - 1 - random(Math.min(2, seen.length))]!;
        const ids = shuffled();
        const size = [1, 2, 4][random(3)]!;
        const group = { replicaGroups: upTo(4 / size).map(k => ids.slice(k * size, (k + 1) * size)) };
        const region = () => [b.combiner(random(2) === 0 ? 'maximum' : 'minimum', 'f32')];
        const whole = (part: Value): Value =>
          size === 1
            ? part
            : b.concatenate(
                upTo(size).map(() => part),
                0,
              );
        const emit = (): Value => {
          switch (random(7)) {
            case 0:
              return b.emit1('all_reduce', [v], group, region());
            case 1:
              return whole(b.emit1('reduce_scatter', [v], { ...group, scatterDimension: 0 }, region()));
            case 2:
              return b.slice(b.emit1('all_gather', [v], { ...group, allGatherDim: 0 }), [24 * (size - 1)], [24 * size]);
            case 3:
              return b.emit('all_to_all', [v], {
                ...group,
                splitDimension: 0,
                concatDimension: 0,
                splitCount: size,
              })[0]!;
            case 4:
              return b.emit('collective_broadcast', [v], { replicaGroups: [ids.slice(0, 1 + random(4))] })[0]!;
            case 5:
              return b.emit('collective_reduce', [v], group, region())[0]!;
            default: {
              const to = shuffled();
              const pairs = ids.map((from, k) => [from, to[k]!] as const).slice(0, 1 + random(4));
              return b.emit1('collective_permute', [v], { sourceTargetPairs: pairs });
            }
          }
        };
        seen.push(emit());
      }
      return seen.slice(1);
    });
  }
  test.each([1, 2, 4])('match the interpreter, on %i hosts', async hosts => {
    await expectInterpreted(
      upTo(budget(8)).map(i => randomProgram(campaignSeed * 100 + i)),
      4,
      cache.path,
      hosts,
    );
  });
});
