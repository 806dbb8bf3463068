// Functions that take a block of elements, and rows whose last stage runs together with the next row: compared with the
// interpreter, for all lengths and all positions in a kernel.
import { describe, expect, test } from 'vitest';
import { Builder } from '../../../../hlo/builder.ts';
import { interpret } from '../../../../hlo/interpreter.ts';
import { type Literal, literal } from '../../../../hlo/literal.ts';
import { moduleOf, type Value } from '../../../../hlo/program.ts';
import { elementCount, tensorType } from '../../../../hlo/types.ts';
import { expectClose } from '../../../testing/closeness.testing.ts';
import { compileForTest } from '../../../testing/compile.testing.ts';
import { type CpuTarget, hostTarget, targetOf } from '../../target/target.ts';

type Shape = readonly number[];
/** A program over arguments of f32, run compiled and by the interpreter. */
function run(
  shapes: readonly Shape[],
  data: readonly (readonly number[])[],
  make: (b: Builder, args: Value[]) => Value[],
  target: CpuTarget = hostTarget(),
): { readonly got: readonly Literal[]; readonly expected: readonly Literal[]; readonly source: string } {
  const b = new Builder();
  const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
  const results = make(b, args);
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
  const inputs = shapes.map((shape, i) => literal('f32', shape, data[i]!));
  const compiled = compileForTest(module, target);
  const got = compiled.run(inputs);
  expect(compiled.run(inputs, { backwards: true })).toEqual(got);
  return { got, expected: interpret(module, inputs), source: compiled.program.units.map(u => u.source).join('\n') };
}
const numbers = (shape: Shape, scale = 4): number[] =>
  Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 7.13 + i * i) * scale);

const gelu = (b: Builder, x: Value): Value =>
  b.multiply(x, b.add(b.unary('chlo.erf', b.multiply(x, b.like(x, Math.SQRT1_2))), b.like(x, 1)));

describe('functions of a block of elements', () => {
  test('of any length', () => {
    const shapes = [[1], [15], [16], [17], [63], [250], [3, 1000], [70_001], [2, 131_072], [5, 16, 3]];
    const { got, expected, source } = run(
      shapes,
      shapes.map(s => numbers(s)),
      (b, args) => args.map((x, i) => (i % 2 === 0 ? gelu(b, x) : b.unary('tanh', b.add(gelu(b, x), x)))),
    );
    expected.forEach((e, i) => {
      expectClose(got[i]!, e, `length ${shapes[i]}`, 1e-6);
    });
    expect(source).toContain('t_erf_16(');
    expect(source).toContain('t_tanh_16(');
  });

  test('in sequence, with predicated loads, and on two-byte floats', () => {
    const shapes = [[8, 100], [8, 100], [40_000]];
    const { got, expected } = run(
      shapes,
      shapes.map(s => numbers(s)),
      (b, [x, y, z]) => {
        const erf = b.unary('chlo.erf', x!);
        const twice = b.unary('tanh', b.multiply(b.add(erf, y!), x!));
        const narrow = b.convert(gelu(b, b.convert(z!, 'bf16')), 'f32');
        return [b.select(b.compare('LT', twice, y!), b.add(twice, erf), b.multiply(twice, y!)), narrow];
      },
    );
    expectClose(got[0]!, expected[0]!, 'one after another', 1e-6);
    expectClose(got[1]!, expected[1]!, 'bf16', 4e-2);
  });

  test('are bit-identical in every kernel', () => {
    // alone, with row sums, with column sums, with a total sum, and one per row
    const x = numbers([60, 1040]);
    const shapes = Array.from({ length: 5 }, () => [60, 1040]);
    const { got, expected } = run(
      shapes,
      shapes.map(() => x),
      (b, args) => {
        const [alone, rows, columns, all] = args.map(v => b.unary('tanh', v)) as [Value, Value, Value, Value];
        const one = b.unary('tanh', b.reshape(b.slice(args[4]!, [0, 7], [60, 8], [1, 1]), [60]));
        return [alone, rows, columns, all, one, b.sum(rows, [1]), b.sum(columns, [0]), b.sum(all, [0, 1])];
      },
    );
    expected.forEach((e, i) => {
      expectClose(got[i]!, e, `result ${i}`, 1e-4);
    });
    for (const same of got.slice(1, 4)) expect(same.data).toEqual(got[0]!.data);
    expect([...got[4]!.data]).toEqual(Array.from({ length: 60 }, (_, i) => got[0]!.data[i * 1040 + 7]));
  });

  test('of NaN, infinities and subnormal numbers', () => {
    const x = [Number.NaN, Infinity, -Infinity, 0, -0, 1e-45, -1e-45, 1e-38, 3.9, 3.95, -100, 9.1, 3e38];
    const { got, expected } = run([[13]], [x], (b, [v]) => [b.unary('chlo.erf', v!), b.unary('tanh', v!)]);
    for (const i of [0, 1]) {
      expectClose(got[i]!, expected[i]!, 'special', 1e-7);
      expect([...got[i]!.data].map(v => Object.is(v, -0))).toEqual([...expected[i]!.data].map(v => Object.is(v, -0)));
    }
  });

  test.each(['avx2', 'generic'] as const)('on vectors of %s', isa => {
    const shapes = [[70], [40_000], [50, 600]];
    const { got, expected } = run(
      shapes,
      shapes.map(s => numbers(s)),
      (b, args) => [...args.map(x => gelu(b, x)), softmax(b, args[2]!)],
      targetOf(isa),
    );
    expected.forEach((e, i) => {
      expectClose(got[i]!, e, `result ${i}`, 1e-6);
    });
  });
});

function softmax(b: Builder, x: Value): Value {
  const [rows, width] = (x.type.kind === 'tensor' ? x.type.shape : []) as [number, number];
  const over = (v: Value): Value => b.broadcastInDim(v, [0], [rows, width]);
  const e = b.unary('exponential', b.subtract(x, over(b.reduce('maximum', x, b.fill('f32', [], -Infinity), [1]))));
  return b.divide(e, over(b.sum(e, [1])));
}

describe('softmax', () => {
  const shapes = [
    [1, 64],
    [3, 128],
    [50, 100],
    [7, 33],
    [400, 513],
    [90, 1024],
    [20, 5000],
  ];
  test('of rows of any length, a row together with the previous one', () => {
    const { got, expected, source } = run(
      shapes,
      shapes.map(s => numbers(s, 20)),
      (b, args) => args.map(x => softmax(b, x)),
    );
    expected.forEach((e, i) => {
      expectClose(got[i]!, e, `${shapes[i]}`, 1e-6);
    });
    expect(source).toContain('int64_t before = ');
  });

  test('of rows with NaN, infinities, masks and subnormal results', () => {
    const rows = [
      [Number.NaN, 1, 2],
      [Infinity, 1, 2],
      [-Infinity, 1, 2],
      [-1e9, 1, -3e38],
      [-95, 0.5, -102],
      [-Infinity, -Infinity, -Infinity],
      [-0, 0, -104],
    ];
    const x = rows.flatMap(row => Array.from({ length: 64 }, (_, i) => row[i % 3]!));
    const { got, expected } = run([[7, 64]], [x], (b, [v]) => [softmax(b, v!)]);
    got[0]!.data.forEach((v, i) => {
      const e = expected[0]!.data[i] as number;
      if (Number.isNaN(e)) expect(v).toBeNaN();
      else expect(Math.abs((v as number) - e)).toBeLessThanOrEqual(Math.abs(e) * 2e-6 + 2 ** -148);
    });
  });

  test('in the memory of its argument', () => {
    const b = new Builder();
    const x = b.argument(tensorType('f32', [64, 256]), 0);
    const body = { args: [x], ops: b.ops, results: [softmax(b, x)] };
    const inputs = [literal('f32', [64, 256], numbers([64, 256], 9))];
    const [got] = compileForTest(moduleOf({ name: 'main', body, aliases: [0] })).run(inputs);
    const [apart] = compileForTest(moduleOf({ name: 'main', body, aliases: [undefined] })).run(inputs);
    expect(got!.data).toEqual(apart!.data);
  });

  test('an exponential with a known negative argument is bit-identical to the general one', () => {
    const x = [...numbers([4000], 10.3), 0, -0, 10.19, 10.2, 9.327, 1e20, Infinity, Number.NaN];
    const { got } = run(
      [[4008], [4008]],
      [x, x.map(v => -Math.fround(Math.fround(v) * Math.fround(v)))],
      (b, [v, w]) => [b.unary('exponential', b.negate(b.multiply(v!, v!))), b.unary('exponential', w!)],
    );
    expect(got[0]!.data).toEqual(got[1]!.data);
  });
});
