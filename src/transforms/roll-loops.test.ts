// Repeated ops become loops that compute the same bits, and have the same ops for any number of iterations.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { literal } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';
import { type TensorType, tensorType } from '../hlo/types.ts';
import { findRepeats } from './roll/find-repeats.ts';
import { classesOf } from './roll/op-classes.ts';
import { rollLoops } from './roll-loops.ts';
import { rolledAndChecked, skeletonOf } from './rolled.testing.ts';

const row = tensorType('f32', [3]);
const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);
/** 0, 1, … turns − 1 */
const range = (turns: number): number[] => Array.from({ length: turns }, (_, i) => i);
const at = (b: Builder, x: Value, i: number): Value => b.reshape(b.slice(x, [i, 0], [i + 1, 3]), [3]);
const stack = (b: Builder, xs: readonly Value[]): Value =>
  b.concatenate(
    xs.map(x => b.reshape(x, [1, 3])),
    0,
  );

interface Case {
  readonly args: (turns: number) => readonly TensorType[];
  readonly body: (b: Builder, args: readonly Value[], turns: number) => readonly Value[];
  /** The iterations of each loop. */
  readonly loops: (turns: number) => readonly number[];
}
const cases: Readonly<Record<string, Case>> = {
  'a carried value, a fixed one, and a list of arguments': {
    args: turns => [row, row, ...range(turns).map(() => row)],
    body: (b, [h0, w, ...xs]) => [xs.reduce((h, x) => b.add(b.multiply(h!, w!), x), h0!)!],
    loops: turns => [turns],
  },
  'two values that change places, and one of two iterations before': {
    args: () => [row, row],
    body: (b, [x, y], turns) => {
      let [h, c] = [x!, y!];
      for (const _ of range(turns)) [h, c] = [b.subtract(b.multiply(h, c), y!), h];
      return [h, c];
    },
    // The first iteration has two arguments where later ones have values of earlier iterations.
    loops: turns => [turns - 1],
  },
  'results that are stacked, and read again in the other order': {
    args: () => [row],
    body: (b, [x], turns) => {
      const hs: Value[] = [];
      for (const _ of range(turns)) hs.push(b.unary('tanh', b.add(hs.at(-1) ?? x!, x!)));
      const back = hs.toReversed().reduce((sum, h) => b.unary('sine', b.subtract(h, sum)), x!);
      return [stack(b, hs), stack(b, hs.toReversed()), b.concatenate(hs, 0), back, hs[3]!];
    },
    loops: turns => [turns, turns, turns, turns],
  },
  'slices and pads that move': {
    args: turns => [f32(turns, 3)],
    body: (b, [x], turns) => {
      const zero = b.fill('f32', [], 0);
      let [sum, back] = [b.fill('f32', [3], 0), b.fill('f32', [turns, 3], 1)];
      for (const i of range(turns)) {
        const slice = at(b, x!, turns - 1 - i);
        sum = b.multiply(b.add(sum, slice), slice);
        back = b.add(back, b.pad(b.reshape(slice, [1, 3]), zero, [i, 0], [turns - 1 - i, 0]));
      }
      return [sum, back];
    },
    loops: turns => [turns],
  },
  'numbers that differ': {
    args: () => [row],
    body: (b, [x], turns) => {
      const scaled = range(turns).map(i => b.multiply(x!, b.constant(literal('f32', [3], [0.9 ** i, i, 1]))));
      return [scaled.reduce((sum, y) => b.unary('cosine', b.add(sum, y)))];
    },
    loops: turns => [turns, turns - 1],
  },
  'a first iteration that differs': {
    args: turns => range(turns).map(() => row),
    body: (b, xs) => {
      let sum: Value | undefined;
      for (const x of xs) {
        const y = b.unary('exponential', b.unary('tanh', x));
        sum = sum === undefined ? y : b.add(sum, y);
      }
      return [sum!];
    },
    loops: turns => [turns - 1],
  },
  'regions that capture values': {
    args: turns => range(turns).map(() => row),
    body: (b, xs) => {
      let sum: Value = b.fill('f32', [3], 0);
      for (const x of xs) {
        const before = sum;
        const isMore = b.compare('GT', b.sum(x), b.fill('f32', [], 0));
        const branch = (of: Value) => b.region([], inner => [inner.add(before, of)]);
        [sum] = b.emit('if', [isMore], {}, [branch(x), branch(before)]) as unknown as [Value];
      }
      return [sum];
    },
    loops: turns => [turns],
  },
};

describe.each(Object.entries(cases))('%s', (_, { args, body, loops }) => {
  const [short, long] = [12, 17].map(turns => {
    const func = buildFunc('main', args(turns), (b, values) => body(b, values, turns));
    return { turns, rolled: rolledAndChecked(func)! };
  }) as [
    { turns: number; rolled: ReturnType<typeof rolledAndChecked> },
    { turns: number; rolled: ReturnType<typeof rolledAndChecked> },
  ];

  test.each([short, long])('as many iterations as were recorded, and the same bits', ({ turns, rolled }) => {
    expect(rolled!.loops.map(loop => loop.count)).toEqual(loops(turns));
  });
  test('the same ops for another number of iterations', () => {
    expect(skeletonOf(long.rolled!.func)).toBe(skeletonOf(short.rolled!.func));
  });
});

const chain = (turns: number, next: (b: Builder, x: Value) => Value) =>
  buildFunc('main', [row], (b, [x]) => [range(turns).reduce(y => next(b, y), x!)]);
const mayStack = (): boolean => true;

test('rows of a stacked result for results that were separate', () => {
  const func = buildFunc('main', [row], (b, [x]) =>
    range(10).reduce<Value[]>(xs => [...xs, b.add(xs.at(-1) ?? x!, x!)], []),
  );
  const { results, func: after } = rolledAndChecked(func)!;
  expect(after.body.results.length).toBe(1);
  expect(results).toEqual(range(10).map(index => ({ result: 0, row: index })));
});
test('results that reuse the memory of an argument, and arguments that may not be copied, stay', () => {
  const sums = buildFunc('main', [row, ...range(10).map(() => row)], (b, [h, ...xs]) => [
    xs.reduce((sum, x) => b.multiply(b.add(sum!, x), x), h)!,
  ]);
  const reused = { ...sums, aliases: [0, ...range(10).map(() => undefined)] };
  expect(rolledAndChecked(reused)!.func.aliases).toEqual([0, undefined]);
  expect(rollLoops(sums, { mayStack: () => false, fewestOps: 1 })).toBeUndefined();
});
test('small programs, few iterations and ops with effects stay unrolled', () => {
  const add = (b: Builder, x: Value) => b.add(x, x);
  expect(rollLoops(chain(100, add), { mayStack })).toBeUndefined();
  expect(rollLoops(chain(7, add), { mayStack, fewestOps: 1 })).toBeUndefined();
  const drawn = buildFunc('main', [], b => {
    const [low, high, shape] = [b.fill('f32', [], 0), b.fill('f32', [], 1), b.constant(literal('i64', [1], [3]))];
    return range(20).map(() => b.emit1('rng', [low, high, shape], { rngDistribution: 'UNIFORM', type: row }));
  });
  expect(findRepeats(classesOf(drawn.body.ops).classes)).toEqual([]);
});
test('the search takes time linear in the number of ops', () => {
  const ops = chain(20_000, (b, x) => b.unary('tanh', b.add(x, b.unary('sine', x)))).body.ops;
  expect(findRepeats(classesOf(ops).classes)).toEqual([{ start: 0, period: 3, count: 20_000 }]);
});
