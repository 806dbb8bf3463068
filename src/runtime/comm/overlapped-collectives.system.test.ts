// Collectives that overlap with the step: random programs on real ranks, compared with the interpreter's processes and with
// the kernel interpreter, which moves data when they are awaited; and a rank that ends while a bucket is in flight.
import { afterAll, describe, expect, test } from 'vitest';
import { interpretProcesses } from '../../compiler/cpu/in-process/prepare.ts';
import { cpuMachine } from '../../compiler/cpu/kernels/cpu-machine.ts';
import { targetOf } from '../../compiler/cpu/target/target.ts';
import { planProgram } from '../../compiler/program/plan-program.ts';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { bytesOf, type Literal, literal } from '../../hlo/literal.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { temporaryCache } from '../engine.testing.ts';
import { type RankProgram, runOnRanks, startRanks } from './ranks.testing.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
/** xorshift: the same programs every time. */
function numbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 2654435761;
  return below => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const width = 8;
const types = ['f32', 'f64', 'i32', 'bf16'] as const satisfies ElementType[];

/**
 * Layers with one multiply each, whose results are "gradients" of random sizes and types; these are all-reduced at the end, as by an
 * optimizer, and used in a different order. Values are small integers, so that sums are exact.
 */
function trainingStep(seed: number, ranks: number): RankProgram {
  const random = numbers(seed);
  const rows = 2500 + random(500);
  const layers = 4 + random(4);
  const mainType = tensorType('f32', [rows, width]);
  const main = buildFunc('main', [mainType, tensorType('f32', [width, width])], (b, [x, w]) => {
    const bounded = (v: Value): Value => b.maximum(b.minimum(v, b.like(v, 4)), b.like(v, -4));
    let v = x!;
    const gradients: { readonly value: Value; readonly type: ElementType }[] = [];
    for (let i = 0; i < layers; i++) {
      const product = {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      };
      v = bounded(b.dotGeneral(v, w!, product));
      const count = Math.max(1, Math.floor(rows / (1 + random(3))));
      const type = types[random(4)]!;
      const part = b.slice(v, [0, 0], [count, width]);
      gradients.push({ value: b.convert(b.add(part, b.like(part, i % 3)), type), type });
      // A collective that all ranks wait for.
      if (random(3) === 0) v = bounded(sumOf(b, [v], ranks)[0]!);
    }
    const sums: Value[] = [];
    for (const type of types) {
      const mine = gradients.flatMap((g, i) => (g.type === type ? [i] : []));
      mine.sort(() => random(3) - 1);
      if (mine.length === 0) continue;
      const reduced = sumOf(
        b,
        mine.map(i => gradients[i]!.value),
        ranks,
      );
      mine.forEach((i, k) => {
        sums[i] = reduced[k]!;
      });
    }
    const whole = b.slice(v, [0, 0], [rows - (rows % ranks), width]);
    const group = { replicaGroups: [upTo(ranks)] };
    const shard = b.emit1('reduce_scatter', [whole], { ...group, scatterDimension: 0 }, [b.combiner('add', 'f32')]);
    const gathered = b.emit1('all_gather', [b.add(shard, shard)], { ...group, allGatherDim: 0 });
    const updates = sums.map((sum, i) => b.add(sum, b.multiply(gradients[i]!.value, b.like(sum, 2))));
    return [v, gathered, ...updates.toReversed()];
  });
  const valuesOf = (process: number): Literal[] => [
    literal(
      'f32',
      [rows, width],
      upTo(rows * width).map(i => ((i * 7 + process * 5) % 5) - 2),
    ),
    literal(
      'f32',
      [width, width],
      upTo(width * width).map(i => ((i * 3 + process) % 3) - 1),
    ),
  ];
  return { modules: [moduleOf(main, { numReplicas: ranks })], args: upTo(ranks).map(valuesOf) };
}
function sumOf(b: Builder, values: readonly Value[], ranks: number): readonly Value[] {
  const { type } = values[0]!;
  const element = type.kind === 'tensor' ? type.elementType : 'f32';
  return b.emit('all_reduce', values, { replicaGroups: [upTo(ranks)] }, [b.combiner('add', element)]);
}

function expectSame(got: readonly (readonly Literal[])[], wanted: readonly (readonly unknown[])[], what: string): void {
  wanted.forEach((values, rank) => {
    values.forEach((value, i) => {
      const [found, right] = [bytesOf(got[rank]![i]!), bytesOf(value as Literal)];
      const wrong = right.findIndex((byte, at) => byte !== found[at]);
      expect([found.length, wrong], `${what}, rank ${rank}, result ${i}`).toEqual([right.length, -1]);
    });
  });
}

/** Bucket sizes: each tensor alone, some combined, all of a type combined. */
const bucketSizes = [1, 100_000, 26_214_400];
const seeds = upTo(3);

test('all-reduces start before the backward pass ends', () => {
  const { modules } = trainingStep(0, 2);
  const { steps } = planProgram(modules[0]!, cpuMachine({ ...targetOf('generic'), bucketBytes: 1 }), new Map()).schedule
    .main;
  const isStart = (step: (typeof steps)[number]): boolean => step.kind === 'kernel' && step.part?.does === 'start';
  const isMultiply = (step: (typeof steps)[number]): boolean => step.kind !== 'control' && step.dot !== undefined;
  expect(steps.findIndex(isStart)).toBeLessThan(steps.findLastIndex(isMultiply));
});

test('the kernel interpreter, which moves data when they are awaited, gives the results of the program', () => {
  let started = 0;
  for (const seed of seeds) {
    const { modules, args } = trainingStep(seed, 2);
    const target = { ...targetOf('generic'), bucketBytes: bucketSizes[seed]! };
    const { schedule } = planProgram(modules[0]!, cpuMachine(target), new Map());
    started += schedule.main.steps.filter(s => s.kind === 'kernel' && s.part?.does === 'start').length;
    expectSame(interpretProcesses(modules[0]!, target, args), interpretReplicas(modules[0]!, args), `seed ${seed}`);
  }
  expect(started).toBeGreaterThan(5);
});

describe.each([
  [2, 1],
  [2, 2],
  [4, 2],
])('%i ranks on %i hosts', { timeout: 240_000 }, (ranks, hosts) => {
  const programs = seeds.map(seed => trainingStep(seed, ranks));
  const expected = programs.map(({ modules, args }) => interpretReplicas(modules[0]!, args));

  test.each(bucketSizes.slice(0, 2))('buckets of %i bytes', async bucketBytes => {
    const variables = { TRENIO_BUCKET_BYTES: `${bucketBytes}`, TRENIO_NUM_THREADS: bucketBytes === 1 ? '2' : '1' };
    const got = await runOnRanks(programs, ranks, cache.path, variables, hosts);
    expected.forEach((values, p) => {
      expectSame(got[p]!, values, `program ${p}`);
    });
  });
});

describe('a rank that ends while a bucket is in flight', () => {
  test.each([1, 2])('is named, on %i hosts', async hosts => {
    // Rank 1 never reaches the collectives of rank 0: it ends after rank 0 has started them.
    const step = trainingStep(1, 2);
    const outcomes = await startRanks(
      [step],
      2,
      cache.path,
      { TRENIO_BUCKET_BYTES: '1' },
      `if (rank === 1) { setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300); await new Promise(() => {}); }`,
      hosts,
    );
    expect(outcomes[1]!.status).not.toBe(0);
    expect(JSON.parse(outcomes[0]!.stdout.trim().split('\n')[0]!)).toMatchObject({
      code: 'PEER_LOST',
      message: expect.stringMatching(/rank 1/),
    });
  });
});
