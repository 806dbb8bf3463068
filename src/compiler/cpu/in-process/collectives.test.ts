// Collectives run from their data, in several processes, against the reference interpreter: groups, routes, layouts of parts and
// workspaces are all in the plan.
import { expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../../hlo/builder.ts';
import { interpretReplicas } from '../../../hlo/interpreter.ts';
import { type Literal, literal } from '../../../hlo/literal.ts';
import { moduleOf, type Value } from '../../../hlo/program.ts';
import { tensorType, tokenType } from '../../../hlo/types.ts';
import { targetOf } from '../../index.ts';
import { interpretProcesses } from './prepare.ts';

const type = tensorType('f32', [4, 6]);
interface Grid {
  readonly numReplicas: number;
  readonly numPartitions?: number;
}

function expectSame(grid: Grid, emit: (b: Builder, x: Value) => readonly Value[]): void {
  const main = buildFunc('main', [type], (b, [x]) => [...emit(b, x!)]);
  const module = moduleOf(main, grid);
  const args = Array.from({ length: grid.numReplicas * (grid.numPartitions ?? 1) }, (_, p): Literal[] => [
    literal(
      'f32',
      type.shape,
      Array.from({ length: 24 }, (_, i) => 100 * p + i),
    ),
  ]);
  expect(interpretProcesses(module, targetOf('generic'), args)).toEqual(interpretReplicas(module, args));
}

const pairs = {
  replicaGroups: [
    [2, 0],
    [1, 3],
  ],
} as const; // prettier-ignore

test('reductions and gathers, of all processes and within groups, along any dim', () => {
  for (const group of [{ replicaGroups: [[0, 1, 2, 3]] }, pairs])
    expectSame({ numReplicas: 4 }, (b, x) => {
      const add = [b.combiner('add', 'f32')];
      return [
        ...b.emit('all_reduce', [x, b.multiply(x, x), x], group, add),
        b.emit1('all_reduce', [x], group, [b.combiner('maximum', 'f32')]),
        b.emit1('all_gather', [x], { ...group, allGatherDim: 0 }),
        b.emit1('all_gather', [x], { ...group, allGatherDim: 1 }),
        b.emit1('reduce_scatter', [x], { ...group, scatterDimension: 0 }, add),
      ];
    });
  expectSame({ numReplicas: 4 }, (b, x) => [
    b.emit1('reduce_scatter', [x], { ...pairs, scatterDimension: 1 }, [b.combiner('add', 'f32')]),
  ]);
});

test('parts that are swapped', () => {
  for (const splitDimension of [0, 1])
    for (const concatDimension of [0, 1])
      expectSame({ numReplicas: 4 }, (b, x) =>
        b.emit('all_to_all', [x], { ...pairs, splitDimension, concatDimension, splitCount: 2 }),
      );
});

test('broadcasts, to processes without a group and from roots that the program computes', () => {
  expectSame({ numReplicas: 4 }, (b, x) => [
    ...b.emit('collective_broadcast', [x], { replicaGroups: [[3, 1]] }),
    ...b.emit('collective_broadcast', [x, b.constant(literal('i32', [1], [1]))], { ...pairs, hasDynamicRoot: true }),
  ]);
});

test('permutations and transfers; ids of processes', () => {
  expectSame({ numReplicas: 2, numPartitions: 2 }, (b, x) => [
    b.emit1('replica_id', [], {}),
    b.emit1('partition_id', [], {}),
    b.emit1('collective_permute', [x], { sourceTargetPairs: [[0, 1]] }),
  ]);
  const channel = { channelId: 1, isHostTransfer: false } as const;
  const sourceTargetPairs = [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const; // prettier-ignore
  expectSame({ numReplicas: 1, numPartitions: 3 }, (b, x) => {
    const token = b.emit('create_token', [], {})[0]!;
    const [sent] = b.emit('send', [x, token], { ...channel, sourceTargetPairs });
    const [received] = b.emit('recv', [sent!], { ...channel, sourceTargetPairs, resultTypes: [type, tokenType] });
    return [
      b.emit1('collective_permute', [received!], {
        channelId: 1,
        sourceTargetPairs: [
          [0, 2],
          [2, 1],
        ],
      }),
    ]; // prettier-ignore
  });
});
