// Every collective, compiled, on real ranks in all kinds of groups, compared with the interpreter's grid of processes.
import { afterAll, describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { type Module, moduleOf, type Value } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { type ElementType, tensorType, tokenType } from '../../hlo/types.ts';
import { temporaryCache } from '../engine.testing.ts';
import { expectInterpreted, f32, type Groups, tokens, upTo, vectors } from './collectives.testing.ts';
import { type RankProgram, runOnRanks } from './ranks.testing.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());

const shape = [8, 12];
const types = [
  'f32',
  'i32',
  'f64',
  'bf16',
  'f8E4M3FN',
  'i8',
  'ui32',
  'i1',
  'complex<f32>',
] as const satisfies ElementType[];
const combined: Readonly<Record<(typeof types)[number], readonly ('add' | 'multiply' | 'maximum' | 'and' | 'or')[]>> = {
  f32: ['add', 'maximum'],
  i32: ['add', 'multiply'],
  f64: ['add'],
  bf16: ['add', 'maximum'],
  f8E4M3FN: ['add'],
  i8: ['add', 'maximum'],
  ui32: ['add', 'maximum'],
  i1: ['and', 'or'],
  'complex<f32>': ['add'],
};

/** One program with every collective over these groups. */
function everyCollective(b: Builder, args: readonly Value[], groups: Groups, handed: boolean): Value[] {
  const group = { replicaGroups: groups };
  const size = groups[0]!.length;
  const results: Value[] = [];
  types.forEach((type, i) => {
    const x = args[i]!;
    for (const name of combined[type]) {
      const region = [b.combiner(name, type)];
      results.push(
        b.emit1('all_reduce', [x], group, region),
        b.emit1('reduce_scatter', [x], { ...group, scatterDimension: 0 }, region),
        b.emit1('reduce_scatter', [x], { ...group, scatterDimension: 1 }, region),
      );
    }
    if (!handed && i > 2) return;
    const parts = { ...group, splitCount: size };
    results.push(
      b.emit1('all_gather', [x], { ...group, allGatherDim: 0 }),
      b.emit1('all_gather', [x], { ...group, allGatherDim: 1 }),
      ...b.emit('all_to_all', [x], { ...parts, splitDimension: 0, concatDimension: 0 }),
      ...b.emit('all_to_all', [x], { ...parts, splitDimension: 1, concatDimension: 0 }),
      ...b.emit('all_to_all', [x], { ...parts, splitDimension: 0, concatDimension: 1 }),
      ...b.emit('all_to_all', [x], { ...parts, splitDimension: 1, concatDimension: 1 }),
      ...b.emit('collective_broadcast', [x], group),
    );
  });
  results.push(
    ...b.emit('all_reduce', [args[0]!, b.multiply(args[0]!, args[0]!), args[0]!], group, [b.combiner('add', 'f32')]),
    ...b.emit('collective_reduce', [args[0]!], group, [b.combiner('add', 'f32')]),
  );
  return results;
}

/** Small integers: sums are exact, so the order of additions does not matter. */
const valuesOf = (type: ElementType, process: number): Literal => {
  const numbers = upTo(96).map(i => ((i * 7 + process * 5) % 4) + (i % 3 === process % 3 ? 1 : 0) - 1);
  if (type === 'i1')
    return literal(
      type,
      shape,
      numbers.map(n => Number(n > 0)),
    );
  if (type === 'complex<f32>')
    return literal(
      type,
      shape,
      numbers.flatMap(n => [n, -n]),
    );
  return literal(type, shape, type.startsWith('u') ? numbers.map(n => n + 1) : numbers);
};

function program(
  grid: { readonly numReplicas?: number; readonly numPartitions?: number },
  emit: (b: Builder, args: readonly Value[]) => readonly Value[],
): RankProgram {
  const module: Module = moduleOf(
    buildFunc(
      'main',
      types.map(t => tensorType(t, shape)),
      (b, args) => [...emit(b, args)],
    ),
    grid,
  );
  const processes = (grid.numReplicas ?? 1) * (grid.numPartitions ?? 1);
  return { modules: [module], args: upTo(processes).map(p => types.map(t => valuesOf(t, p))) };
}

const groupings: Readonly<Record<number, readonly (readonly [string, Groups])[]>> = {
  2: [
    ['whole', [[0, 1]]],
    ['in another order', [[1, 0]]],
    ['single', [[0], [1]]],
  ],
  4: [
    ['whole', [[0, 1, 2, 3]]],
    ['in another order', [[2, 0, 3, 1]]],
    [
      'halves',
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [
      'halves in another order',
      [
        [3, 0],
        [1, 2],
      ],
    ],
    ['single', [[0], [1], [2], [3]]],
  ],
};

describe.each([
  [2, 1],
  [4, 1],
  [4, 2],
])('%i ranks on %i hosts', { timeout: 240_000 }, (ranks, hosts) => {
  test('every collective in every kind of group', async () => {
    await expectInterpreted(
      groupings[ranks]!.map(([, groups], i) =>
        program({ numReplicas: ranks }, (b, args) => everyCollective(b, args, groups, i === 1)),
      ),
      ranks,
      cache.path,
      hosts,
    );
  });
});

const tree = (values: readonly number[]): number => {
  let level = values;
  while (level.length > 1)
    level = level.flatMap((x, i) => (i % 2 === 1 ? [] : i + 1 < level.length ? [Math.fround(x + level[i + 1]!)] : [x]));
  return level[0]!;
};

describe.each([1, 2])('4 ranks on %i hosts', { timeout: 240_000 }, hosts => {
  const ring = [0, 1, 2, 3].map(p => [p, (p + 1) % 4] as const);
  const halves = [
    [0, 3],
    [2, 1],
  ];

  test('replicas and partitions: the channel and the attributes determine the groups', async () => {
    const grid = { numReplicas: 2, numPartitions: 2 };
    const values = upTo(4).map(p => upTo(8).map(i => 10 * p + i));
    const sum = (b: Builder) => [b.combiner('add', 'f32')];
    await expectInterpreted(
      [
        vectors(grid, values, (b, x) => [
          b.emit1('all_reduce', [x], { replicaGroups: [[1, 0]] }, sum(b)),
          b.emit1('all_reduce', [x], { replicaGroups: [[0], [1]], channelId: 1 }, sum(b)),
          b.emit1('all_reduce', [x], { replicaGroups: halves, channelId: 2, useGlobalDeviceIds: true }, sum(b)),
          b.emit1('all_gather', [x], {
            replicaGroups: halves,
            channelId: 3,
            useGlobalDeviceIds: true,
            allGatherDim: 0,
          }),
          ...b.emit('all_to_all', [x], {
            replicaGroups: [[1, 0]],
            splitDimension: 0,
            concatDimension: 0,
            splitCount: 2,
          }),
          ...b.emit('all_to_all', [x], {
            replicaGroups: [[0, 1]],
            splitDimension: 0,
            concatDimension: 0,
            splitCount: 2,
            channelId: 4,
          }),
          b.emit1('collective_permute', [x], { sourceTargetPairs: [[1, 0]], channelId: 5 }),
          b.emit1('collective_permute', [x], {
            sourceTargetPairs: [
              [0, 1],
              [1, 0],
            ],
          }),
          ...b.emit('collective_broadcast', [x], { replicaGroups: [[1]], channelId: 6 }),
          ...b.emit('collective_broadcast', [x, b.constant(literal('i32', [1], [1]))], {
            replicaGroups: [[1, 0]],
            hasDynamicRoot: true,
          }),
        ]),
      ],
      4,
      cache.path,
      hosts,
    );
  });

  test('data larger than a message is sent in several', async () => {
    const count = 300_004; // 1.2 MB: two messages of at most 1 MiB
    const values = upTo(4).map(p => Array.from({ length: count }, (_, i) => (i + 31 * p) % 1009));
    await expectInterpreted(
      [
        vectors({ numReplicas: 4 }, values, (b, x) => {
          const sum = [b.combiner('add', 'f32')];
          const all = { replicaGroups: [[2, 0, 3, 1]] };
          return [
            b.emit1('all_reduce', [x], all, sum),
            b.emit1('all_reduce', [x], { replicaGroups: halves }, sum),
            b.emit1('reduce_scatter', [x], { ...all, scatterDimension: 0 }, sum),
            b.emit1('collective_permute', [x], { sourceTargetPairs: ring }),
            ...b.emit('all_to_all', [x], { ...all, splitDimension: 0, concatDimension: 0, splitCount: 4 }),
            ...b.emit('collective_broadcast', [x], { replicaGroups: [[3, 1, 0]] }),
            b.emit1('all_gather', [x], { replicaGroups: halves, allGatherDim: 0 }),
          ];
        }),
      ],
      4,
      cache.path,
      hosts,
      { TRENIO_NUM_THREADS: '2' },
    );
  });

  test('additions are pairwise in the order of the group, for groups of any size', async () => {
    const values = upTo(4).map(p =>
      Array.from({ length: 3000 }, (_, i) => Math.fround(Math.sin(7 * i + p) * 10 ** (i % 7))),
    );
    const groups = [
      [2, 0, 1],
      [3, -1, -1],
    ];
    const whole = [[2, 0, 3, 1]];
    const [results] = await runOnRanks(
      [
        vectors({ numReplicas: 4 }, values, (b, x) => {
          const sum = [b.combiner('add', 'f32')];
          return [
            b.emit1('all_reduce', [x], { replicaGroups: groups }, sum),
            b.emit1('all_reduce', [x], { replicaGroups: whole }, sum),
          ];
        }),
      ],
      4,
      cache.path,
      {},
      hosts,
    );
    const treeOf = (group: readonly number[]): number[] =>
      values[0]!.map((_, i) => tree(group.map(p => values[p]![i]!)));
    for (const rank of upTo(4)) {
      expect([...results![rank]![0]!.data]).toEqual(rank === 3 ? values[3] : treeOf([2, 0, 1]));
      expect([...results![rank]![1]!.data]).toEqual(treeOf([2, 0, 3, 1]));
    }
  });

  test('sent data waits for its receiver, in any order of channels', async () => {
    const values = upTo(4).map(p => upTo(5).map(i => 10 * p + i));
    const transfer = (channelId: number) => ({ channelId, isHostTransfer: false, sourceTargetPairs: ring });
    const receive = (b: Builder, channel: number, token: Value, n = 5): readonly Value[] =>
      b.emit('recv', [token], { ...transfer(channel), resultTypes: [f32(n), tokenType] });
    await expectInterpreted(
      [
        vectors({ numReplicas: 1, numPartitions: 4 }, values, (b, x) => {
          let token = tokens(b);
          for (const channel of [1, 2, 3, 4, 5, 6])
            [token] = b.emit('send', [b.multiply(x, b.like(x, channel)), token], transfer(channel)) as [Value];
          const sum = b.emit1('all_reduce', [x], { replicaGroups: halves, channelId: 9, useGlobalDeviceIds: true }, [
            b.combiner('add', 'f32'),
          ]);
          const results: Value[] = [sum];
          for (const channel of [6, 1, 5, 2, 4, 3]) {
            const [value, next] = receive(b, channel, token) as [Value, Value];
            results.push(value);
            token = next;
          }
          return results;
        }),
      ],
      4,
      cache.path,
      hosts,
    );
  });
});

describe('all_reduce of sizes known at run time', () => {
  const program = (groups: string): RankProgram => ({
    modules: [
      parseModule(`module attributes {mhlo.num_replicas = 4 : i32} {
        func.func @main(%x: tensor<6xf32>, %n: tensor<1xi32>) -> tensor<6xf32> {
          %0 = stablehlo.dynamic_reshape %x, %n : (tensor<6xf32>, tensor<1xi32>) -> tensor<?xf32>
          %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<${groups}> : tensor<${shapeOfGroups(groups)}xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) : (tensor<?xf32>) -> tensor<?xf32>
          %2 = tensor.cast %1 : tensor<?xf32> to tensor<6xf32>
          return %2 : tensor<6xf32>
        }
      }`),
    ],
    args: upTo(4).map(p => [
      literal(
        'f32',
        [6],
        upTo(6).map(i => 10 ** p * (i + 1)),
      ),
      literal('i32', [1], [6]),
    ]),
  });
  const shapeOfGroups = (text: string): string => {
    const groups = JSON.parse(text) as number[][];
    return `${groups.length}x${groups[0]!.length}`;
  };
  test('over all ranks, over groups, and over all ranks in a different order', async () => {
    const results = await runOnRanks(
      ['[[0, 1, 2, 3]]', '[[0, 2], [3, 1]]', '[[3, 1, 0, 2]]'].map(program),
      4,
      cache.path,
    );
    const first = results.map(ranks => ranks.map(([r]) => r!.data[0]));
    expect(first).toEqual([
      [1111, 1111, 1111, 1111],
      [101, 1010, 101, 1010],
      [1111, 1111, 1111, 1111],
    ]);
  });
});
