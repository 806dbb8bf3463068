// Multiplies of matrices that are quantized in memory, three ways: the interpreter, which widens them first; their kernel as
// data; and its C. Where all sums are exact, because operands are small integers times powers of two, the three are equal to
// the bit.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, literalOfBytes } from '../hlo/literal.ts';
import { moduleOf, type Value } from '../hlo/program.ts';
import { elementCount, type TensorType, tensorType } from '../hlo/types.ts';
import { compileToC, hostTarget, targetOf } from './index.ts';
import { interpretKernels } from './kernel-interpreter/program.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

interface Case {
  readonly bits: 8 | 4;
  readonly isTable?: boolean;
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

const types = ({ bits, block, scaleType, rows, n, k }: Case): readonly TensorType[] => [
  tensorType('f32', [rows, k]),
  bits === 8 ? tensorType('i8', [n, k]) : tensorType('ui8', [n, k / 2]),
  tensorType(scaleType, [n, k / block]),
];

/** The matrix [n, k] in f32. */
function widened(b: Builder, { bits, isTable, block, n, k }: Case, codes: Value, scales: Value): Value {
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

test('more rows, other layouts and other uses are computed as any program', () => {
  const rows: Case = { bits: 8, block: 32, scaleType: 'f16', rows: 5, n: 8, k: 64 };
  const { quantized } = programs(rows);
  const inputs = inputsOf(rows);
  expectClose(compileForTest(quantized).run(inputs)[0]!, interpret(quantized, inputs)[0]!, 'five rows', 1e-4);
  expect(compileToC(quantized, hostTarget()).kernels.length).toBeGreaterThan(1);
});
