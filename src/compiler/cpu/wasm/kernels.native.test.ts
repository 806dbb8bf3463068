// Kernels as WebAssembly have the bits of their C: each form of a kernel, functions of many arguments, multiplies of many shapes,
// random programs.
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import type { UnaryName } from '../../../hlo/attributes.ts';
import { Builder } from '../../../hlo/builder.ts';
import { type Literal, literal, toNumbers } from '../../../hlo/literal.ts';
import { moduleOf, type Value } from '../../../hlo/program.ts';
import { type ElementType, elementCount, tensorType } from '../../../hlo/types.ts';
import { hostTarget, targetOf } from '../../index.ts';
import { compileForTest } from '../../testing/compile.testing.ts';
import { interpretKernels } from '../in-process/prepare.ts';
import type { Kernel } from '../ir/kernel.ts';
import type { CpuTarget } from '../target/target.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

type Shape = readonly number[];
interface Program {
  readonly args: readonly { readonly type: ElementType; readonly shape: Shape }[];
  make(b: Builder, args: readonly Value[]): readonly Value[];
}
/** All programs as one module, because the C compiler is slow to start. */
function check(
  programs: readonly Program[],
  target: CpuTarget = hostTarget(),
  values = (i: number, k: number) => Math.sin(i * 7.13 + k) + 0.3,
): readonly Kernel['kind'][] {
  const b = new Builder();
  const args: Value[] = [];
  const inputs: Literal[] = [];
  const results: Value[] = [];
  const labels: string[] = [];
  programs.forEach((program, p) => {
    const own = program.args.map(({ type, shape }) => {
      const k = inputs.length;
      const count = elementCount(shape);
      inputs.push(
        literal(
          type,
          shape,
          Array.from({ length: count }, (_, i) => values(i, k)),
        ),
      );
      const arg = b.argument(tensorType(type, shape), args.length);
      args.push(arg);
      return arg;
    });
    for (const r of program.make(b, own)) {
      results.push(r);
      labels.push(`result ${results.length - 1}, of program ${p}`);
    }
  });
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
  const compiled = compileForTest(module, target).run(inputs);
  const kinds: Kernel['kind'][] = [];
  const kernels = interpretKernels(module, target, inputs, { onKernel: kind => kinds.push(kind) });
  compiled.forEach((expected, r) => {
    const [all, found] = [toNumbers(expected), toNumbers(kernels[r]!)];
    const at = all.findIndex((x, i) => !Object.is(x, found[i]));
    if (at >= 0)
      expect.fail(`${labels[r]}: element ${at} of ${all.length}: ${inspect(found[at])}, not ${inspect(all[at])}`);
  });
  return kinds;
}
const f32 = (...shape: number[]): Program['args'][number] => ({ type: 'f32', shape });
const shapeOf = (v: Value): Shape => (v.type.kind === 'tensor' ? v.type.shape : []);
const along = (b: Builder, v: Value, dims: readonly number[], x: Value): Value =>
  b.broadcastInDim(v, dims, [...shapeOf(x)]);
const dims = (
  contractingA: number,
  contractingB: number,
  batch: readonly number[] = [],
): Parameters<Builder['dotGeneral']>[2] => ({
  lhsBatchingDimensions: [...batch],
  rhsBatchingDimensions: [...batch],
  lhsContractingDimensions: [contractingA],
  rhsContractingDimensions: [contractingB],
});

test('rows in stages, sums of rows, of columns, of few long rows, in pieces', () => {
  const sum =
    (over: readonly number[]): Program['make'] =>
    (b, [x]) => [b.sum(x!, over)];
  const kinds = check([
    {
      args: [f32(64, 203)],
      make(b, [x]) {
        const most = b.reduce('maximum', x!, b.fill('f32', [], -Infinity), [1]);
        const e = b.unary('exponential', b.subtract(x!, along(b, most, [0], x!)));
        return [b.divide(e, along(b, b.sum(e, [1]), [0], x!)), most];
      },
    },
    ...[3, 4, 8, 9, 16, 21, 31, 300, 5003].map(size => ({ args: [f32(20, size)], make: sum([1]) })),
    { args: [f32(100_003)], make: sum([0]) },
    { args: [{ type: 'bf16' as const, shape: [20, 5003] }], make: (b, [x]) => [b.sum(b.convert(x!, 'f32'), [1])] },
    { args: [f32(20_000, 7)], make: sum([0]) },
    { args: [f32(4096, 43)], make: sum([0]) },
    { args: [f32(5, 300, 24)], make: sum([1]) },
    { args: [f32(40, 20, 100)], make: sum([0, 2]) },
    { args: [f32(3, 120_001)], make: sum([1]) },
    {
      args: [f32(2048, 128), f32(2048, 128)],
      make(b, [x, dy]) {
        const centered = b.subtract(x!, along(b, b.sum(x!, [1]), [0], x!));
        const y = b.multiply(b.multiply(dy!, dy!), along(b, b.sum(b.multiply(centered, dy!), [1]), [0], x!));
        return [y, b.sum(dy!, [0]), b.sum(b.multiply(centered, b.add(dy!, dy!)), [0])];
      },
    },
    {
      args: [f32(30, 50), f32(70, 50)],
      make: (b, [x, y]) => [b.concatenate([b.unary('tanh', x!), b.unary('exponential', y!)], 0)],
    },
    { args: [f32(33, 65)], make: (b, [x]) => [b.unary('exponential', b.transpose(x!, [1, 0]))] },
  ]);
  expect(new Set(kinds)).toEqual(new Set(['rows', 'columns', 'split']));
});

const functions: readonly UnaryName[] = [
  ...(['exponential', 'exponential_minus_one', 'log', 'log_plus_one', 'logistic', 'tanh', 'chlo.erf'] as const),
  ...(['sine', 'cosine', 'round_nearest_afz', 'round_nearest_even', 'rsqrt', 'sqrt', 'sign', 'floor', 'abs'] as const),
];
test.each([
  ['f32', hostTarget()],
  ['bf16', hostTarget()],
  ['f16', hostTarget()],
  ['f32', targetOf('avx2')],
  ['f32', targetOf('generic')],
] as const)('functions of %s', (type, target) => {
  const count = 4003;
  // all magnitudes, of both signs
  const values = (i: number): number => (i % 2 === 0 ? 1 : -1) * 2 ** (-60 + 120 * ((i * 0.618034) % 1));
  const make: Program['make'] = (b, [x]) => [
    ...functions.map(name => b.unary(name, x!)),
    b.unary('exponential', b.unary('negate', b.unary('abs', x!))),
    b.multiply(x!, b.add(b.unary('chlo.erf', b.multiply(x!, x!)), b.unary('tanh', b.unary('sine', x!)))),
  ];
  check([{ args: [{ type, shape: [count] }], make }], target, values);
});

test('long sums are accurate', () => {
  const b = new Builder();
  const shapes = [[100_000], [20, 5003], [20_000, 7]] as const;
  const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
  const results = args.map((x, i) => b.sum(x, [i === 1 ? 1 : 0]));
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
  const inputs = shapes.map(shape => literal('f32', shape, new Array<number>(elementCount(shape)).fill(0.1)));
  interpretKernels(module, hostTarget(), inputs).forEach((sums, i) => {
    const exact = Math.fround(0.1) * [100_000, 5003, 20_000][i]!;
    const unit = 2 ** (Math.floor(Math.log2(exact)) - 23);
    for (const sum of toNumbers(sums)) expect(Math.abs(sum - exact) / unit).toBeLessThan(6);
  });
});

test.runIf(hostTarget().isa === 'avx512')('sums have the same bits with vectors of 32 and of 64 bytes', () => {
  const b = new Builder();
  const args = [7, 8, 15, 16, 31, 40, 600].map((size, i) => b.argument(tensorType('f32', [50, size]), i));
  const results = args.map(x => b.sum(x, [1]));
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
  const inputs = args.map(x =>
    literal(
      'f32',
      shapeOf(x),
      Array.from({ length: elementCount(shapeOf(x)) }, (_, i) => Math.sin(i * 7.13)),
    ),
  );
  const [wide, narrow] = [targetOf('avx512'), targetOf('avx2')].map(target =>
    compileForTest(module, target).run(inputs),
  );
  expect(narrow!.map(r => r.data)).toEqual(wide!.map(r => r.data));
});

describe('multiplies', () => {
  const sizes = [
    [1, 1, 1],
    [3, 5, 7],
    [17, 33, 65],
    [96, 64, 96],
    [64, 1000, 100],
    [200, 30, 2100],
  ] as const;
  test.each([hostTarget(), targetOf('avx2')])('of f32, in any orientation, %o', target => {
    check(
      [
        ...sizes.flatMap(([m, n, k]): Program[] => [
          { args: [f32(m, k), f32(k, n)], make: (b, [x, y]) => [b.dotGeneral(x!, y!, dims(1, 0))] },
          { args: [f32(m, k), f32(n, k)], make: (b, [x, y]) => [b.dotGeneral(x!, y!, dims(1, 1))] },
          { args: [f32(k, m), f32(k, n)], make: (b, [x, y]) => [b.dotGeneral(x!, y!, dims(0, 0))] },
        ]),
        // few rows
        ...[1, 2, 4].map(
          (m): Program => ({
            args: [f32(m, 501), f32(40, 501)],
            make: (b, [x, y]) => [b.dotGeneral(x!, y!, dims(1, 1))],
          }),
        ),
        { args: [f32(6, 20, 30), f32(6, 30, 40)], make: (b, [x, y]) => [b.dotGeneral(x!, y!, dims(2, 1, [0]))] },
      ],
      target,
    );
  });
  test('and what joins them', () => {
    check([
      {
        args: [f32(96, 64), f32(64, 100), f32(100)],
        make(b, [x, w, bias]) {
          const y = b.add(b.dotGeneral(x!, w!, dims(1, 0)), along(b, bias!, [1], b.fill('f32', [96, 100], 0)));
          const most = b.reduce('maximum', y, b.fill('f32', [], -Infinity), [1]);
          const z = b.subtract(y, along(b, most, [0], y));
          return [b.unary('chlo.erf', y), z, b.dotGeneral(z, x!, dims(0, 0))];
        },
      },
      {
        args: [
          { type: 'f64', shape: [20, 31] },
          { type: 'f64', shape: [31, 40] },
        ],
        make: (b, [x, y]) => [b.dotGeneral(x!, y!, dims(1, 0))],
      },
    ]);
  });
});
