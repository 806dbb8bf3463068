// Multiplies of matrices that are quantized in memory, three ways: the interpreter, which widens them first; their kernel as
// data; and its C. Where all sums are exact, because operands are small integers times powers of two, the three are equal to
// the bit.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, literalOfBytes, toNumbers } from '../hlo/literal.ts';
import { moduleOf, type Value } from '../hlo/program.ts';
import { elementCount, type TensorType, tensorType } from '../hlo/types.ts';
import { interpretKernels } from './cpu/in-process/prepare.ts';
import { compileToC, hostTarget, targetOf } from './index.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

interface Case {
  readonly bits: 8 | 4;
  readonly isTable?: boolean;
  /** 16 rows take turns in memory, by words of four bytes. */
  readonly isInterleaved?: boolean;
  readonly block: number;
  readonly scaleType: 'f16' | 'f32';
  readonly rows: number;
  readonly n: number;
  readonly k: number;
  /** The matrix is the left operand. */
  readonly isLeft?: boolean;
}

let seed = 1;
const random = (): number => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31;
  return seed / 2 ** 31;
};
const table = Array.from({ length: 16 }, (_, i) => Math.fround(Math.sin(3 * i)));

const types = ({ bits, block, scaleType, rows, n, k, isInterleaved }: Case): readonly TensorType[] => {
  const width = bits === 8 ? k : k / 2;
  return [
    tensorType('f32', [rows, k]),
    tensorType(bits === 8 ? 'i8' : 'ui8', isInterleaved ? [n / 16, width / 4, 16, 4] : [n, width]),
    tensorType(scaleType, isInterleaved ? [n / 16, k / block, 16] : [n, k / block]),
  ];
};

/** The matrix [n, k] in f32. */
function widened(b: Builder, one: Case, codes: Value, scales: Value): Value {
  const { bits, isTable, block, n, k } = one;
  if (one.isInterleaved) return widenedInterleaved(b, one, codes, scales);
  const blocks = (n * k) / block;
  let values = codes;
  if (bits === 4) {
    const bytes = b.reshape(values, [(n * k) / 32, 16]);
    const type = tensorType(isTable ? 'ui4' : 'i4', [(n * k) / 32, 16, 2]);
    values = b.transpose(b.emit1('bitcast_convert', [bytes], { type }), [0, 2, 1]);
  }
  values = b.reshape(values, [blocks, block]);
  if (isTable) {
    const entries = b.constant(literal('f32', [16], table));
    const dimensions = { collapsedSliceDims: [0], startIndexMap: [0], indexVectorDim: 2 };
    const none = { offsetDims: [], operandBatchingDims: [], startIndicesBatchingDims: [] };
    values = b.gather(entries, b.convert(values, 'i32'), { ...none, ...dimensions }, [1]);
  } else values = b.convert(values, 'f32');
  const scale = b.broadcastInDim(b.convert(b.reshape(scales, [blocks]), 'f32'), [0], [blocks, block]);
  return b.reshape(b.binary('multiply', values, scale), [n, k]);
}

function widenedInterleaved(b: Builder, { bits, block, n, k }: Case, codes: Value, scales: Value): Value {
  let values: Value;
  if (bits === 8) values = b.transpose(codes, [0, 2, 1, 3]);
  else {
    const halves = b.emit1('bitcast_convert', [codes], { type: tensorType('i4', [n / 16, k / 8, 16, 4, 2]) });
    values = b.transpose(halves, [0, 2, 1, 4, 3]);
  }
  values = b.convert(b.reshape(values, [n, k / block, block]), 'f32');
  const scale = b.convert(b.reshape(b.transpose(scales, [0, 2, 1]), [n, k / block]), 'f32');
  return b.reshape(b.binary('multiply', values, b.broadcastInDim(scale, [0, 1], [n, k / block, block])), [n, k]);
}

const contract = (b: Builder, left: Value, right: Value): Value =>
  b.dotGeneral(left, right, {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [1],
  });

function programs(one: Case) {
  const product = (b: Builder, x: Value, w: Value): Value => (one.isLeft ? contract(b, w, x) : contract(b, x, w));
  const [x, codes, scales] = types(one) as [TensorType, TensorType, TensorType];
  const quantized = moduleOf(
    buildFunc('main', [x, codes, scales], (b, [v, c, s]) => [product(b, v!, widened(b, one, c!, s!))]),
  );
  const widen = moduleOf(buildFunc('main', [codes, scales], (b, [c, s]) => [widened(b, one, c!, s!)]));
  const plain = moduleOf(
    buildFunc('main', [x, tensorType('f32', [one.n, one.k])], (b, [v, w]) => [product(b, v!, w!)]),
  );
  return { quantized, widen, plain };
}

/** The multiply of the widened matrix. */
function wideProduct(one: Case, [x, codes, scales]: readonly [Literal, Literal, Literal]): Literal {
  const { widen, plain } = programs(one);
  return interpret(plain, [x, interpret(widen, [codes, scales])[0]!])[0]!;
}

function inputsOf(one: Case, isExact = false): readonly [Literal, Literal, Literal] {
  const [x, codes, scales] = types(one) as [TensorType, TensorType, TensorType];
  const numbers = (type: TensorType, of: () => number): Literal =>
    literal(type.elementType, type.shape, Array.from({ length: elementCount(type.shape) }, of));
  const bytes = Uint8Array.from({ length: elementCount(codes.shape) }, () => Math.floor(256 * random()));
  return [
    numbers(x, () => (isExact ? Math.floor(9 * random()) - 4 : Math.fround(2 * random() - 1))),
    literalOfBytes(codes, bytes),
    numbers(scales, () => (isExact ? 2 ** -Math.floor(4 * random()) : 0.01 + random())),
  ];
}

const fixed: readonly Case[] = [
  { bits: 8, block: 32, scaleType: 'f16', rows: 1, n: 9, k: 96 },
  { bits: 8, block: 64, scaleType: 'f32', rows: 1, n: 6, k: 64 },
  { bits: 8, block: 48, scaleType: 'f32', rows: 3, n: 4, k: 48 },
  { bits: 4, block: 32, scaleType: 'f16', rows: 1, n: 13, k: 32 * 18 },
  { bits: 4, block: 64, scaleType: 'f32', rows: 4, n: 5, k: 128, isTable: true },
  { bits: 4, block: 32, scaleType: 'f16', rows: 2, n: 8, k: 64, isLeft: true },
  { bits: 8, block: 32, scaleType: 'f16', rows: 1, n: 48, k: 96, isInterleaved: true },
  { bits: 4, block: 32, scaleType: 'f16', rows: 1, n: 32, k: 32 * 18, isInterleaved: true },
  { bits: 4, block: 32, scaleType: 'f16', rows: 4, n: 16, k: 64, isInterleaved: true },
  { bits: 8, block: 32, scaleType: 'f32', rows: 3, n: 64, k: 32, isLeft: true, isInterleaved: true },
  { bits: 8, block: 32, scaleType: 'f16', rows: 7, n: 80, k: 96, isInterleaved: true },
  { bits: 4, block: 32, scaleType: 'f16', rows: 40, n: 144, k: 32 * 70, isInterleaved: true },
  { bits: 8, block: 32, scaleType: 'f16', rows: 9, n: 32, k: 64, isLeft: true, isInterleaved: true },
];
const drawn = Array.from({ length: 6 }, (): Case => {
  const bits = random() < 0.5 ? 8 : 4;
  const block = 32 * (1 + Math.floor(3 * random()));
  return {
    bits,
    block,
    isTable: bits === 4 && random() < 0.5,
    scaleType: random() < 0.5 ? 'f16' : 'f32',
    rows: 1 + Math.floor(4 * random()),
    n: 1 + Math.floor(40 * random()),
    k: block * (1 + Math.floor(20 * random())),
    isLeft: random() < 0.3,
  };
});

describe.each([
  ['this machine', hostTarget()],
  ['AVX-512 alone', targetOf('avx512')],
  ['AVX2', targetOf('avx2')],
  ['generic', targetOf('generic')],
])('%s', (name, target) => {
  test.each(name === 'this machine' ? [...fixed, ...drawn] : fixed)('%j', one => {
    const { quantized } = programs(one);
    const inputs = inputsOf(one);
    const expected = interpret(quantized, inputs);
    const compiled = compileForTest(quantized, target);
    expect(compiled.program.kernels).toHaveLength(1);
    const results = compiled.run(inputs);
    expectClose(results[0]!, expected[0]!, 'compiled', 1e-5 * one.k);
    expectClose(interpretKernels(quantized, target, inputs)[0]!, expected[0]!, 'kernels', 1e-5 * one.k);
    expectClose(results[0]!, wideProduct(one, inputs), 'the widened matrix', 1e-6 * one.k);
    if (!one.isTable) {
      const exact = inputsOf(one, true);
      expect(compiled.run(exact)).toEqual(interpret(quantized, exact));
    }
    expect(compiled.run(inputs, { backwards: true })).toEqual(results);
  });
});

describe('interleaved rows times digits', () => {
  const cases = fixed.filter(one => one.isInterleaved);
  test.each([
    ['large', (value: number) => value * 1e35],
    ['small', (value: number) => value * 1e-30],
    ['subnormal', (value: number) => value * 1e-40],
    ['zero', () => 0],
    ['far smaller than the largest of their block', (value: number, i: number) => (i % 32 === 0 ? 1000 : value)],
  ])('numbers that are %s: each is rounded by 2⁻²³ of the largest of its block', (_, change) => {
    for (const one of cases) {
      const { n, k, rows, isLeft } = one;
      const { quantized, widen } = programs(one);
      const [x, codes, scales] = inputsOf(one);
      const numbers = toNumbers(x).map((value, i) => Math.fround(change(value, i)));
      const got = toNumbers(compileForTest(quantized).run([literal('f32', x.type.shape, numbers), codes, scales])[0]!);
      const weights = toNumbers(interpret(widen, [codes, scales])[0]!);
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < n; j++) {
          const products = weights.slice(j * k, (j + 1) * k).map((w, p) => w * numbers[i * k + p]!);
          const [sum, size] = [products.reduce((a, b) => a + b), products.reduce((a, b) => a + Math.abs(b), 0)];
          // Scales are not subnormal.
          const largest = (p: number): number =>
            Math.max(2 ** -96, ...numbers.slice(i * k + p - (p % 32), i * k + p - (p % 32) + 32).map(Math.abs));
          const rounding = products.reduce((total, _, p) => total + largest(p) * Math.abs(weights[j * k + p]!), 0);
          const error = Math.abs(got[isLeft ? j * rows + i : i * n + j]! - sum);
          expect(error).toBeLessThanOrEqual(2 ** -23 * rounding + 3e-7 * size);
        }
    }
  });
  test.each([Infinity, -Infinity, NaN])('%d among them', special => {
    for (const one of cases) {
      const { quantized } = programs(one);
      const [x, ...weights] = inputsOf(one, true);
      const numbers = [...toNumbers(x)];
      numbers[numbers.length - 7] = special;
      const inputs = [literal('f32', x.type.shape, numbers), ...weights];
      expect(compileForTest(quantized).run(inputs)).toEqual(interpret(quantized, inputs));
    }
  });
});

describe.each([
  ['this machine', hostTarget()],
  ['AVX2', targetOf('avx2')],
])('interleaved rows, %s', (_, target) => {
  test.each([8, 4] as const)('of %d bits: a row has the same bits among any others', bits => {
    const one: Case = { bits, block: 32, scaleType: 'f16', rows: 67, n: 48, k: 32 * 9, isInterleaved: true };
    const [x, ...weights] = inputsOf(one);
    const numbers = [...toNumbers(x)];
    // One row has no digits.
    numbers[40 * one.k + 3] = Number.POSITIVE_INFINITY;
    const of = (first: number, rows: number): readonly number[] => {
      const type = tensorType('f32', [rows, one.k]);
      const input = literal(type.elementType, type.shape, numbers.slice(first * one.k, (first + rows) * one.k));
      return toNumbers(compileForTest(programs({ ...one, rows }).quantized, target).run([input, ...weights])[0]!);
    };
    const all = of(0, one.rows);
    for (const [first, rows] of [
      [0, 1],
      [40, 1],
      [41, 1],
      [3, 2],
      [38, 5],
      [50, 13],
    ] as const)
      expect(of(first, rows)).toEqual(all.slice(first * one.n, (first + rows) * one.n));
  });
});

test('more rows, other layouts and other uses are computed as any program', () => {
  const rows: Case = { bits: 8, block: 32, scaleType: 'f16', rows: 5, n: 8, k: 64 };
  const { quantized } = programs(rows);
  const inputs = inputsOf(rows);
  expectClose(compileForTest(quantized).run(inputs)[0]!, interpret(quantized, inputs)[0]!, 'five rows', 1e-4);
  expect(compileToC(quantized, hostTarget()).kernels.length).toBeGreaterThan(1);
});
