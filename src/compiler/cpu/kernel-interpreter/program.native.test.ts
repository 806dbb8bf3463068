// Kernels run from their data: the results of the C that is printed from the same data, and of the reference interpreter, for
// each form that a kernel may have. Random programs, which are small, are in random-programs.campaign.test.ts.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { UnaryName } from '../../../hlo/attributes.ts';
import { Builder } from '../../../hlo/builder.ts';
import { interpret } from '../../../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../../../hlo/literal.ts';
import { moduleOf, type Value } from '../../../hlo/program.ts';
import { elementCount, tensorType } from '../../../hlo/types.ts';
import { hostTarget, targetOf } from '../../index.ts';
import { expectClose } from '../../testing/closeness.testing.ts';
import { compileForTest } from '../../testing/compile.testing.ts';
import type { Kernel } from '../ir/kernel.ts';
import { interpretKernels } from './program.ts';

type Shape = readonly number[];
/** Both signs of f32 numbers of all magnitudes, those where functions change their form, and special values. */
function interestingNumbers(count: number): number[] {
  const edges = [
    0,
    2 ** -149,
    2 ** -126,
    0.25,
    0.5,
    0.625,
    0.927734375,
    1,
    1.5,
    2.5,
    3.93,
    4,
    9.03,
    20,
    87,
    88.72284,
    89,
    104,
    2 ** 23,
    2 ** 30,
    3.4028235e38,
    Infinity,
  ];
  const numbers = edges.flatMap(e => [e, Math.fround(e * (1 + 2 ** -23)), Math.fround(e * (1 - 2 ** -23))]);
  // half of the magnitudes are from 2^-40 to 2^20
  for (let i = 0; numbers.length < count / 2; i++) {
    const t = (i * 0.6180339887498949) % 1;
    numbers.push(Math.fround(2 ** (i % 2 === 0 ? -40 + 60 * t : -149 + 276 * t)));
  }
  return [...numbers, ...numbers.map(x => -x), NaN];
}

interface Ran {
  readonly compiled: readonly Literal[];
  readonly kernels: readonly Literal[];
  readonly kinds: readonly Kernel['kind'][];
}

/** Runs a program over arguments of f32 three ways: all results must be close, and kernels must have these forms. */
function check(shapes: readonly Shape[], make: (b: Builder, args: readonly Value[]) => Value[]): Ran {
  const b = new Builder();
  const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
  const results = make(b, args);
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
  const inputs = shapes.map((shape, k) =>
    literal(
      'f32',
      shape,
      Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 7.13 + k) + 1.5),
    ),
  );
  const kinds: Kernel['kind'][] = [];
  const kernels = interpretKernels(module, hostTarget(), inputs, { onKernel: kind => kinds.push(kind) });
  const compiled = compileForTest(module).run(inputs);
  interpret(module, inputs).forEach((expected, i) => {
    expectClose(kernels[i]!, expected, `result ${i}, kernels`, 1e-4);
    expectClose(compiled[i]!, expected, `result ${i}, compiled`, 1e-4);
  });
  return { compiled, kernels, kinds };
}
const rowsOf = (v: Value): Shape => (v.type.kind === 'tensor' ? v.type.shape : []);
const over = (b: Builder, v: Value, x: Value): Value => b.broadcastInDim(v, [0], [...rowsOf(x)]);

const matrices = {
  lhsBatchingDimensions: [],
  rhsBatchingDimensions: [],
  lhsContractingDimensions: [1],
  rhsContractingDimensions: [0],
};

describe('kernels run from their data', () => {
  test('rows in stages, the last together with the next row', () => {
    const { kinds } = check([[64, 200]], (b, [x]) => {
      const e = b.unary(
        'exponential',
        b.subtract(x!, over(b, b.reduce('maximum', x!, b.fill('f32', [], -Infinity), [1]), x!)),
      );
      return [b.divide(e, over(b, b.sum(e, [1]), x!))];
    });
    expect(kinds).toEqual(['rows']);
  });

  test('long sums in pieces, accurate and bit-identical to the C code', () => {
    const b = new Builder();
    const cases = (
      [
        ['f32', [100_000], [0]],
        ['f32', [20, 5003], [1]],
        ['bf16', [20, 5003], [1]],
        ['f32', [20_000, 7], [0]],
        ['f32', [40, 20, 100], [0, 2]],
        ['f32', [900, 20, 4], [0, 2]],
      ] as const
    ).map(([type, shape, dims], i) => {
      const x = b.argument(tensorType(type, shape), i);
      const input = literal(type, shape, new Array<number>(elementCount(shape)).fill(0.1));
      const sum = b.sum(type === 'f32' ? x : b.convert(x, 'f32'), dims);
      return { x, input, sum, elements: dims.reduce<number>((n, d) => n * shape[d]!, 1) };
    });
    const args = cases.map(c => c.x);
    const body = { args, ops: b.ops, results: cases.map(c => c.sum) };
    const module = moduleOf({ name: 'main', body, aliases: args.map(() => undefined) });
    const inputs = cases.map(c => c.input);
    const program = compileForTest(module);
    const compiled = program.run(inputs);
    expect(program.run(inputs, { backwards: true })).toEqual(compiled);
    expect(interpretKernels(module, hostTarget(), inputs).map(r => r.data)).toEqual(compiled.map(r => r.data));
    cases.forEach(({ input, elements }, i) => {
      const exact = toNumbers(input)[0]! * elements;
      const unit = 2 ** (Math.floor(Math.log2(exact)) - 23);
      for (const sum of toNumbers(compiled[i]!)) expect(Math.abs(sum - exact) / unit, `sum ${i}`).toBeLessThan(6);
    });
  });

  describe('elementwise functions are bit-identical to the C code', () => {
    const functions: readonly UnaryName[] = [
      ...(['exponential', 'exponential_minus_one', 'log', 'log_plus_one', 'logistic', 'tanh', 'chlo.erf'] as const),
      ...(['sine', 'cosine', 'round_nearest_afz', 'rsqrt', 'sqrt'] as const),
    ];
    const numbers = interestingNumbers(4000);
    test.each([
      ['f32', hostTarget()],
      ['bf16', hostTarget()],
      ['f16', hostTarget()],
      ['f32', targetOf('generic')],
    ] as const)('%s on %o', (type, target) => {
      const b = new Builder();
      const x = b.argument(tensorType(type, [numbers.length]), 0);
      const results = functions.map(name => b.unary(name, x));
      // e^x of an operand that is known to be 0 or less, and a chain in one kernel
      results.push(b.unary('exponential', b.unary('negate', b.unary('abs', x))));
      results.push(b.multiply(x, b.add(b.unary('chlo.erf', b.multiply(x, x)), b.unary('tanh', b.unary('sine', x)))));
      const body = { args: [x], ops: b.ops, results };
      const module = moduleOf({ name: 'main', body, aliases: [undefined] });
      const inputs = [literal(type, [numbers.length], numbers)];
      const compiled = compileForTest(module, target).run(inputs).map(toNumbers);
      const kernels = interpretKernels(module, target, inputs).map(toNumbers);
      const given = toNumbers(inputs[0]!);
      compiled.forEach((values, r) => {
        const name = functions[r] ?? `result ${r}`;
        for (let i = 0; i < values.length; i++)
          if (!Object.is(values[i], kernels[r]![i]))
            expect.fail(`${name}(${inspect(given[i])}): ${inspect(values[i])}, not ${inspect(kernels[r]![i])}`);
      });
    });
  });

  test('sums of rows are bit-identical to the C code: partial results side by side, folded in one tree', () => {
    const { compiled, kernels, kinds } = check(
      [
        [50, 300],
        [50, 1000],
      ],
      (b, [x, y]) => [b.sum(x!, [1]), b.sum(y!, [1])],
    );
    expect(kinds).toEqual(['rows', 'rows']);
    expect(kernels.map(k => k.data)).toEqual(compiled.map(c => c.data));
  });

  test.each([3, 8, 9, 16, 21, 31])('sums of rows of %i elements are bit-identical to the C code', size => {
    const { compiled, kernels, kinds } = check([[200, size]], (b, [x]) => [b.sum(x!, [1])]);
    expect(kinds).toEqual(['rows']);
    expect(kernels.map(k => k.data)).toEqual(compiled.map(c => c.data));
  });

  test('sums of few long rows are bit-identical to the C code', () => {
    const { compiled, kernels, kinds } = check(
      [
        [3, 120_001],
        [100, 2501],
      ],
      (b, [x, y]) => [b.sum(x!, [1]), b.sum(y!, [0, 1])],
    );
    expect(kinds).toEqual(['split', 'split']);
    expect(kernels.map(k => k.data)).toEqual(compiled.map(c => c.data));
  });

  test('sums of columns in chunks are bit-identical to the C code', () => {
    const { compiled, kernels, kinds } = check(
      [
        [4096, 40],
        [5, 300, 24],
      ],
      (b, [x, y]) => [b.sum(x!, [0]), b.sum(y!, [1])],
    );
    expect(kinds).toEqual(['columns', 'columns']);
    expect(kernels.map(k => k.data)).toEqual(compiled.map(c => c.data));
  });

  test('rows, and sums of columns over the same rows, are bit-identical to the C code', () => {
    const { compiled, kernels, kinds } = check(
      [
        [2048, 128],
        [2048, 128],
      ],
      (b, [x, dy]) => {
        const centered = b.subtract(x!, over(b, b.sum(x!, [1]), x!));
        const y = b.multiply(b.multiply(dy!, dy!), over(b, b.sum(b.multiply(centered, dy!), [1]), x!));
        return [y, b.sum(dy!, [0]), b.sum(b.multiply(centered, b.add(dy!, dy!)), [0])];
      },
    );
    expect(kinds).toEqual(['columns']);
    expect(kernels.map(k => k.data)).toEqual(compiled.map(c => c.data));
  });

  test('few long rows in chunks, and rows cut along themselves', () => {
    const { kinds } = check([[3, 120_000], [200_000]], (b, [x, y]) => [
      b.sum(b.multiply(x!, x!), [1]),
      b.unary('tanh', b.multiply(y!, y!)),
    ]);
    expect([...kinds].sort()).toEqual(['rows', 'split']);
  });

  test.runIf(hostTarget().isa === 'avx512')('sums have the same bits with vectors of 32 and of 64 bytes', () => {
    const shapes = [...[7, 8, 15, 16, 31, 40, 600].map(size => [50, size]), [100_000]];
    const b = new Builder();
    const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
    const results = args.map((x, i) => b.sum(x, [shapes[i]!.length - 1]));
    const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
    const inputs = shapes.map(shape =>
      literal(
        'f32',
        shape,
        Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 7.13) + 0.3),
      ),
    );
    const [wide, narrow] = [targetOf('avx512'), targetOf('avx2')].map(target =>
      compileForTest(module, target).run(inputs),
    );
    expect(narrow!.map(r => r.data)).toEqual(wide!.map(r => r.data));
  });

  test('multiplies, and what joins them', () => {
    const { kinds } = check([[96, 64], [64, 96], [96]], (b, [x, w, bias]) => {
      const product = b.dotGeneral(x!, w!, matrices);
      const y = b.unary('chlo.erf', b.add(product, b.broadcastInDim(bias!, [1], [96, 96])));
      return [y, b.dotGeneral(y, x!, matrices)];
    });
    expect(kinds).toContain('epilogue');
    expect(kinds).toContain('multiply');
  });
});
