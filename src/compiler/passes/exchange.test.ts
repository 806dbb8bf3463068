// Collectives before and after they are said in all_gather, run by the interpreter in several processes.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { mainOf, moduleOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { runPasses } from './index.ts';

const type = tensorType('f32', [4, 6]);

function check(
  grid: { readonly numReplicas: number; readonly numPartitions?: number },
  emit: (b: Builder, x: Value) => readonly Value[],
): void {
  const module = moduleOf(
    buildFunc('main', [type], (b, [x]) => emit(b, x!)),
    grid,
  );
  const lowered = runPasses(module);
  const names = new Set<string>();
  forEachOp(mainOf(lowered).body, op => names.add(op.name));
  expect([...names].filter(n => /all_reduce|reduce_scatter|all_to_all|collective/.test(n))).toEqual([]);
  const processes = grid.numReplicas * (grid.numPartitions ?? 1);
  const args = Array.from({ length: processes }, (_, p): Literal[] => [
    literal(
      'f32',
      type.shape,
      Array.from({ length: 24 }, (_, i) => 100 * p + i),
    ),
  ]);
  expect(interpretReplicas(lowered, args)).toEqual(interpretReplicas(module, args));
}

const pairs = [
  [0, 2],
  [1, 3],
] as const;

describe('among some of the processes', () => {
  test('all_reduce', () =>
    check({ numReplicas: 4 }, (b, x) =>
      b.emit('all_reduce', [x], { replicaGroups: pairs }, [b.combiner('add', 'f32')]),
    ));
  test('all_reduce of the replicas, with partitions', () =>
    check({ numReplicas: 2, numPartitions: 2 }, (b, x) =>
      b.emit('all_reduce', [x], { replicaGroups: [] }, [b.combiner('maximum', 'f32')]),
    ));
  test('all_gather', () =>
    check({ numReplicas: 4 }, (b, x) => b.emit('all_gather', [x], { replicaGroups: pairs, allGatherDim: 1 })));
  test('reduce_scatter', () =>
    check({ numReplicas: 4 }, (b, x) =>
      b.emit('reduce_scatter', [x], { replicaGroups: pairs, scatterDimension: 1 }, [b.combiner('add', 'f32')]),
    ));
});

describe('handing parts around', () => {
  test('all_to_all', () =>
    check({ numReplicas: 4 }, (b, x) =>
      b.emit('all_to_all', [x], { replicaGroups: pairs, splitDimension: 1, concatDimension: 0, splitCount: 2 }),
    ));
  test('collective_permute', () =>
    check({ numReplicas: 3 }, (b, x) =>
      b.emit('collective_permute', [x], {
        sourceTargetPairs: [
          [0, 1],
          [1, 2],
        ],
      }),
    ));
  test('collective_permute of partitions', () =>
    check({ numReplicas: 2, numPartitions: 2 }, (b, x) =>
      b.emit('collective_permute', [x], { sourceTargetPairs: [[1, 0]], channelId: 1 }),
    ));
  test('collective_broadcast', () =>
    check({ numReplicas: 4 }, (b, x) => b.emit('collective_broadcast', [x], { replicaGroups: [[2, 1]] })));
  test('collective_broadcast from roots that the program computes', () =>
    check({ numReplicas: 4 }, (b, x) =>
      b.emit('collective_broadcast', [x, b.constant(literal('i32', [1], [1]))], {
        replicaGroups: [[0, 3]],
        hasDynamicRoot: true,
      }),
    ));
  test('collective_reduce to roots that the program computes', () =>
    check({ numReplicas: 4 }, (b, x) =>
      b.emit(
        'collective_reduce',
        [x, b.constant(literal('i32', [1], [1]))],
        { replicaGroups: pairs, hasDynamicRoot: true },
        [b.combiner('add', 'f32')],
      ),
    ));
  test('collective_reduce', () =>
    check({ numReplicas: 4 }, (b, x) =>
      b.emit('collective_reduce', [x], { replicaGroups: pairs }, [b.combiner('add', 'f32')]),
    ));
});
