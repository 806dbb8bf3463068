// A program for all sizes has the results of the programs for each size, in the reference interpreter.
import { expect, test } from 'vitest';
import { structureOf } from '../../hlo/func-key.ts';
import {
  type Builder,
  buildFunc,
  type Func,
  interpret,
  moduleOf,
  parseModule,
  shapeOf,
  tensorType,
  type Value,
  verify,
} from '../../hlo/index.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { symbolicProgram } from './symbolic-program.ts';

type Body = (b: Builder, args: readonly Value[], n: number) => readonly Value[];
const bodies: { readonly [name: string]: Body } = {
  'a softmax': (b, [x], n) => {
    const max = b.broadcastInDim(b.reduce('maximum', x!, b.fill('f32', [], -Infinity), [1]), [0], [n, 4]);
    const e = b.unary('exponential', b.subtract(x!, max));
    return [b.divide(e, b.broadcastInDim(b.sum(e, [1]), [0], [n, 4]))];
  },
  'a mean, reshaped': (b, [x], n) => [b.divide(b.sum(b.reshape(x!, [4 * n])), b.fill('f32', [], 4 * n))],
  'a slice and a pad': (b, [x], n) => [b.pad(b.slice(x!, [1, 0], [n, 2]), b.fill('f32', [], 1), [n, 0], [2, 0])],
  positions: (b, [x], n) => [b.add(x!, b.iota(tensorType('f32', [n, 4]), 0))],
  'rows of another unknown size': (b, [x], n) => [
    x!,
    b.reshape(b.iota(tensorType('f32', [n, 2 * n]), 1), [2 * n, n]),
    b.reshape(b.iota(tensorType('f32', [n, 2 * n]), 1), [n, 1, 2 * n]),
  ],
  'dims of size 1': (b, [x], n) => [b.transpose(b.reshape(x!, [1, n, 1, 4]), [3, 0, 1, 2])],
  'a gather of rows': (b, [x], n) => [
    b.gather(
      x!,
      b.constant(literal('i64', [1], [1])),
      {
        offsetDims: [0, 1],
        collapsedSliceDims: [],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 0,
      } as never,
      [n - 1, 1],
    ),
  ],
  'a loop': (b, [x], n) => {
    const zero = b.constant(literal('i32', [], [0]));
    const [i, s] = [tensorType('i32'), tensorType('f32', [4])];
    const init = b.sum(x!, [0]);
    const cond = b.region([i, s], (c, [at]) => [c.compare('LT', at!, c.constant(literal('i32', [], [n])))]);
    const body = b.region([i, s], (c, [at, sum]) => [
      c.add(at!, c.constant(literal('i32', [], [1]))),
      c.add(sum!, c.reshape(c.emit1('dynamic_slice', [x!, at!, zero], { sliceSizes: [1, 4] }), [4])),
    ]);
    return [b.emit('while', [zero, init], {}, [cond, body])[1]!];
  },
  'a slice whose start is an operand': (b, [x], n) => {
    const at = (i: number): Value => b.constant(literal('i32', [], [i]));
    const column = b.emit1('dynamic_slice', [x!, at(5), at(2)], { sliceSizes: [n, 1] });
    const clamped = b.emit1('dynamic_slice', [x!, at(3), at(-1)], { sliceSizes: [n - 1, 2] });
    return [column, clamped];
  },
  'random bits': (b, [x], n) => {
    const state = b.constant(literal('ui64', [2], [7, 3]));
    return [x!, b.emit('rng_bit_generator', [state], { rngAlgorithm: 'PHILOX', type: tensorType('ui32', [n, 3]) })[1]];
  },
};
const programOf = (body: Body, n: number): Func =>
  buildFunc('main', [tensorType('f32', [n, 4])], (b, args) => body(b, args, n));
const input = (n: number): Literal =>
  literal(
    'f32',
    [n, 4],
    Array.from({ length: 4 * n }, (_, i) => Math.fround(Math.sin(i))),
  );

test.each(Object.entries(bodies))('%s', (_, body) => {
  const program = symbolicProgram([3, 5].map(n => programOf(body, n)));
  const module = moduleOf(program.func);
  verify(module);
  for (const n of [2, 3, 8, 13]) {
    const one = programOf(body, n);
    const more = program.bind(structureOf(one));
    expect(more).toBeDefined();
    expect(interpret(module, [input(n), ...more!])).toEqual(interpret(moduleOf(one), [input(n)]));
  }
});

test('sizes that were always equal are one symbol, and a program in which they are not is another', () => {
  const of = (n: number, m: number): Func =>
    buildFunc('main', [tensorType('f32', [n, 2]), tensorType('f32', [2, m])], (b, [x, y]) => [
      b.dotGeneral(x!, y!, {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      }),
    ]);
  const square = symbolicProgram([of(3, 3), of(4, 4)]);
  expect(square.bind(structureOf(of(9, 9)))?.[0]?.data).toEqual(BigInt64Array.of(9n));
  expect(square.bind(structureOf(of(9, 8)))).toBeUndefined();
  const any = symbolicProgram([of(3, 3), of(4, 4), of(9, 8)]);
  expect(any.bind(structureOf(of(1, 7)))?.[0]?.data).toEqual(BigInt64Array.of(1n, 7n));
  expect(any.func.body.args.map(shapeOf)).toEqual([[-1, 2], [2, -1], [2]]);
});

test('a reshape between sizes that all change moves elements', () => {
  const of = (n: number, m: number, k: number, l: number): Func =>
    buildFunc('main', [tensorType('f32', [n, m])], (b, [x]) => [b.reshape(x!, [k, l])]);
  const program = symbolicProgram([of(4, 4, 8, 2), of(6, 2, 3, 4)]);
  const one = of(4, 3, 2, 6);
  const x = literal('f32', [4, 3], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const more = program.bind(structureOf(one))!;
  expect(interpret(moduleOf(program.func), [x, ...more])[0]).toEqual(literal('f32', [2, 6], [...x.data].map(Number)));
});

test('an op that cannot take its numbers as operands is named', () => {
  const of = (n: number): Func =>
    buildFunc('main', [tensorType('f32', [8])], (b, [x]) => [
      b.emit1('reduce_precision', [x!], { exponentBits: n, mantissaBits: 4 }),
    ]);
  expect(() => symbolicProgram([of(4), of(5)])).toThrow('reduce_precision');
});

test('random bits of sizes known at run time refuse other operands, and sizes below 0', () => {
  const program = symbolicProgram([3, 5].map(n => programOf(bodies['random bits']!, n)));
  const [sizes] = program.bind(structureOf(programOf(bodies['random bits']!, 4)))!;
  expect(sizes!.data).toEqual(BigInt64Array.of(4n));
  expect(() => interpret(moduleOf(program.func), [input(4), literal('i64', [1], [-1])])).toThrow('size');
  const text = (
    state: string,
    shape: string,
  ): string => `func.func @main(%s: tensor<${state}>, %n: tensor<${shape}>) -> tensor<?xui32> {
    %0 = stablehlo.custom_call @trenio.random_bits(%s, %n) : (tensor<${state}>, tensor<${shape}>) -> tensor<?xui32>
    return %0 : tensor<?xui32>
  }`;
  verify(parseModule(text('2xui64', '1xi64')));
  for (const [state, shape] of [
    ['2xf32', '1xi64'],
    ['4xui64', '1xi64'],
    ['2xui64', '2xi64'],
    ['2xui64', '1xf32'],
  ] as const)
    expect(() => verify(parseModule(text(state, shape)))).toThrow('must be');
});
