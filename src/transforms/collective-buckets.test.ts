// Buckets of all-reduces: how tensors are divided, where each bucket is placed, which ops it must not be moved across, and that
// the sums over several processes are bit-identical.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpretReplicas } from '../hlo/interpreter.ts';
import type { Literal } from '../hlo/literal.ts';
import { type Module, mainOf, moduleOf, type Op, type OpOf, type Value } from '../hlo/program.ts';
import { sampleLiteral } from '../hlo/sample-literal.testing.ts';
import { tensorType } from '../hlo/types.ts';
import { verify } from '../hlo/verifier.ts';
import { bucketAllReduces } from './collective-buckets.ts';
import { opsOf } from './passes.testing.ts';

const size = 4;
const bytes = 4 * size;
const f32 = tensorType('f32', [size]);
const everyone = [[0, 1]];
const isCollective = (op: Op): boolean => /^(all_|collective_|reduce_scatter)/.test(op.name);

/** A program of two replicas with `count` arguments. */
const program = (count: number, body: (b: Builder, args: readonly Value[]) => readonly Value[]): Module =>
  moduleOf(
    buildFunc(
      'main',
      Array.from({ length: count }, () => f32),
      body,
    ),
    { numReplicas: 2 },
  );
const allReduce = (
  b: Builder,
  values: readonly Value[],
  replicaGroups: readonly (readonly number[])[] = everyone,
): readonly Value[] => b.emit('all_reduce', values, { replicaGroups }, [b.combiner('add', 'f32')]);

/** Both replicas compute the same results with buckets as without. */
function bucketed(module: Module, bucketBytes: number): Module {
  const after = bucketAllReduces(module, bucketBytes, isCollective);
  verify(after);
  const inputs = [1, 2].map(replica =>
    mainOf(module).body.args.map((_, i) => sampleLiteral('f32', [size], 10 * replica + i)),
  );
  const data = (of: readonly (readonly Literal[])[]): unknown => of.map(results => results.map(x => x.data));
  expect(data(interpretReplicas(after, inputs))).toEqual(data(interpretReplicas(module, inputs)));
  return after;
}
const reductionsOf = (module: Module): OpOf<'all_reduce'>[] =>
  mainOf(module).body.ops.filter(op => op.name === 'all_reduce');

/** A backward pass: each gradient is computed from the previous one, and all are reduced at the end. */
const backward = (count: number): Module =>
  program(1, (b, [x]) => {
    const gradients: Value[] = [];
    for (let i = 0; i < count; i++) gradients.push(b.unary('tanh', gradients.at(-1) ?? x!));
    return allReduce(b, gradients);
  });

describe('buckets', () => {
  test('a bucket ends when it is full, and is placed after its last tensor', () => {
    const after = bucketed(backward(5), 2 * bytes);
    expect(reductionsOf(after).map(op => op.operands.length)).toEqual([2, 2, 1]);
    expect(opsOf(after)).toEqual(['tanh', 'tanh', 'all_reduce', 'tanh', 'tanh', 'all_reduce', 'tanh', 'all_reduce']);
  });
  test('tensors are grouped in the order in which they are computed, not in operand order', () => {
    const module = program(1, (b, [x]) => {
      const first = b.unary('tanh', x!);
      const second = b.unary('tanh', first);
      return allReduce(b, [second, first]);
    });
    expect(opsOf(bucketed(module, bytes))).toEqual(['tanh', 'all_reduce', 'tanh', 'all_reduce']);
  });
  test('a bucket of unlimited size is one op after the last tensor', () => {
    expect(opsOf(bucketed(backward(3), 100 * bytes))).toEqual(['tanh', 'tanh', 'tanh', 'all_reduce']);
  });
  test('a module without all-reduces is the same object', () => {
    const module = program(1, (b, [x]) => [b.negate(x!)]);
    expect(bucketAllReduces(module, bytes, isCollective)).toBe(module);
  });
});

describe('an all-reduce is moved to its last operand', () => {
  test('together with the ops that only move its operand', () => {
    const module = program(2, (b, [x, y]) => {
      const gradient = b.negate(x!);
      const other = b.unary('tanh', y!);
      const [sum] = allReduce(b, [b.reshape(b.reshape(gradient, [2, 2]), [4])]);
      return [b.add(sum!, other)];
    });
    expect(opsOf(bucketed(module, bytes))).toEqual(['negate', 'reshape', 'reshape', 'all_reduce', 'tanh', 'add']);
  });
  test('but not across an earlier collective', () => {
    const module = program(2, (b, [x, y]) => {
      const early = b.negate(x!);
      const swapped = b.emit1('collective_permute', [y!], {
        sourceTargetPairs: [
          [0, 1],
          [1, 0],
        ],
        channelId: 1,
      });
      const late = b.negate(swapped);
      return [...allReduce(b, [early]), late];
    });
    expect(opsOf(bucketed(module, bytes))).toEqual(['negate', 'collective_permute', 'all_reduce', 'negate']);
  });
  test('nor across a collective in a loop', () => {
    const module = program(2, (b, [x, y]) => {
      const early = b.negate(x!);
      const i32 = tensorType('i32', []);
      const condition = b.region([i32, f32], (c, [i]) => [c.compare('LT', i!, c.fill('i32', [], 2))]);
      const body = b.region([i32, f32], (c, [i, v]) => [c.add(i!, c.fill('i32', [], 1)), ...allReduce(c, [v!])]);
      const [, looped] = b.emit('while', [b.fill('i32', [], 0), y!], {}, [condition, body]);
      return [...allReduce(b, [early]), b.negate(looped!)];
    });
    expect(opsOf(bucketed(module, bytes)).slice(-3)).toEqual(['while', 'all_reduce', 'negate']);
  });
  test('nor across a collective of another group', () => {
    const alone = [[0], [1]];
    const module = program(2, (b, [x, y]) => {
      const early = b.negate(x!);
      const late = b.unary('tanh', y!);
      const [first] = allReduce(b, [late], alone);
      return [first!, ...allReduce(b, [early])];
    });
    const groups = reductionsOf(bucketed(module, bytes)).map(op => op.attributes.replicaGroups);
    expect(groups).toEqual([alone, everyone]);
  });
});
