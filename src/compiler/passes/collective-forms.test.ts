// Collectives that the runtime does not support, before and after their decomposition, run by the interpreter in several
// processes.
import { expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { mainOf, moduleOf, type Value } from '../../hlo/program.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { runPasses } from './index.ts';

/** The collectives of the program after the passes, which must compute what it did before. */
function collectivesOf(
  elementType: ElementType,
  grid: { readonly numReplicas: number; readonly numPartitions?: number },
  emit: (b: Builder, x: Value) => readonly Value[],
): string[] {
  const type = tensorType(elementType, [4, 6]);
  const module = moduleOf(
    buildFunc('main', [type], (b, [x]) => [...emit(b, x!)]),
    grid,
  );
  const lowered = runPasses(module);
  const processes = grid.numReplicas * (grid.numPartitions ?? 1);
  const args = Array.from({ length: processes }, (_, p): Literal[] => [
    literal(
      elementType,
      type.shape,
      Array.from({ length: 24 }, (_, i) => (elementType === 'i1' ? (p + i) % 2 : 9 * p + i)),
    ),
  ]);
  expect(interpretReplicas(lowered, args)).toEqual(interpretReplicas(module, args));
  const names: string[] = [];
  forEachOp(mainOf(lowered).body, op => {
    if (/all_|reduce_scatter|collective/.test(op.name)) names.push(op.name);
  });
  return names;
}

const pairs = [
  [0, 2],
  [1, 3],
] as const;
const group = { replicaGroups: pairs };

test('collectives that the runtime supports are unchanged', () => {
  const names = collectivesOf('f32', { numReplicas: 4 }, (b, x) => [
    b.emit1('all_reduce', [x], group, [b.combiner('add', 'f32')]),
    b.emit1('reduce_scatter', [x], { ...group, scatterDimension: 1 }, [b.combiner('maximum', 'f32')]),
  ]);
  expect(names).toEqual(['all_reduce', 'reduce_scatter']);
});

test.each([
  ['i1', 'and'],
  ['i8', 'add'],
  ['ui32', 'maximum'],
] as const)('%s with %s is folded where its group has been gathered', (type, name) => {
  const names = collectivesOf(type, { numReplicas: 4 }, (b, x) => [
    b.emit1('all_reduce', [x], group, [b.combiner(name, type)]),
    b.emit1('reduce_scatter', [x], { ...group, scatterDimension: 1 }, [b.combiner(name, type)]),
  ]);
  expect(new Set(names)).toEqual(new Set(['all_gather']));
});

test('a custom region, over replicas and partitions', () => {
  const scalar = tensorType('f32', []);
  const names = collectivesOf('f32', { numReplicas: 2, numPartitions: 2 }, (b, x) => {
    const region = b.region([scalar, scalar], (inner, [p, q]) => [inner.maximum(inner.negate(p!), q!)]);
    return [b.emit1('all_reduce', [x], { replicaGroups: [[0, 1]] }, [region])];
  });
  expect(names).toEqual(['all_gather']);
});

test('collective_reduce, to the first of a group and to roots that the program computes', () => {
  const names = collectivesOf('f32', { numReplicas: 4 }, (b, x) => [
    ...b.emit('collective_reduce', [x], group, [b.combiner('add', 'f32')]),
    ...b.emit('collective_reduce', [x, b.constant(literal('i32', [1], [1]))], { ...group, hasDynamicRoot: true }, [
      b.combiner('add', 'f32'),
    ]),
  ]);
  expect(new Set(names)).toEqual(new Set(['all_reduce']));
});

test('of a single process nothing is left', () => {
  const alone = { replicaGroups: [[0]] };
  const names = collectivesOf('f32', { numReplicas: 1 }, (b, x) => [
    ...b.emit('all_to_all', [x], { ...alone, splitDimension: 1, concatDimension: 0, splitCount: 1 }),
    b.emit1('collective_permute', [x], { sourceTargetPairs: [[0, 0]] }),
    b.emit1('collective_permute', [x], { sourceTargetPairs: [] }),
    ...b.emit('collective_broadcast', [x], alone),
  ]);
  expect(names).toEqual([]);
});
