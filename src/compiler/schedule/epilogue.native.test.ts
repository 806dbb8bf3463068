// Multiplies with epilogues: what computes with a product joins the multiply's kernel, and gives the interpreter's
// numbers whatever joined.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Builder, buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { type Module, moduleOf, shapeOf, type Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import { compileToC, hostTarget, targetOf } from '../index.ts';
import { expectClose } from '../testing/closeness.testing.ts';
import { compileForTest } from '../testing/compile.testing.ts';

const numbers = (shape: readonly number[], seed: number): Literal =>
  literal(
    'f32',
    shape,
    Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 1.7 + seed)),
  );
/** Random bits' state is what programs with dropout take. */
const state = (): Literal => literal('ui64', [2], [7n, 11n]);

function check(module: Module, inputs: readonly Literal[], tolerance = 2e-5): void {
  const expected = interpret(module, inputs);
  const compiled = compileForTest(module);
  for (const backwards of [false, true]) {
    compiled.run(inputs, { backwards }).forEach((result, i) => {
      expectClose(result, expected[i]!, `result ${i}`, tolerance);
    });
  }
}
const kernelsOf = (module: Module): string[] => compileToC(module, hostTarget()).kernels.map(k => k.kind);

const gelu = (b: Builder, x: Value): Value =>
  b.multiply(
    b.multiply(x, b.like(x, 0.5)),
    b.add(b.unary('chlo.erf', b.multiply(x, b.like(x, Math.SQRT1_2))), b.like(x, 1)),
  );
const linear = (b: Builder, x: Value, w: Value, bias: Value): Value => {
  const rank = shapeOf(x).length;
  const product = b.dotGeneral(x, w, {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [rank - 1],
    rhsContractingDimensions: [1],
  });
  const shape = shapeOf(product);
  return b.add(product, b.broadcastInDim(bias, [shape.length - 1], shape));
};
const types = (...shapes: readonly (readonly number[])[]) => shapes.map(shape => tensorType('f32', shape));

/** softmax(x / 8) over the last dim. */
function softmax(b: Builder, scores: Value): Value {
  const shape = shapeOf(scores);
  const kept = shape.map((_, d) => d).slice(0, -1);
  const x = b.multiply(scores, b.like(scores, 0.125));
  const max = b.reduce('maximum', x, b.fill('f32', [], Number.NEGATIVE_INFINITY), [shape.length - 1]);
  const e = b.unary('exponential', b.subtract(x, b.broadcastInDim(max, kept, shape)));
  return b.divide(e, b.broadcastInDim(b.sum(e, [shape.length - 1]), kept, shape));
}

describe('a multiply with an epilogue', () => {
  test.each([
    [64, 48, 100],
    [33, 97, 65],
    [7, 31, 5],
    [130, 3072, 48],
  ])('linear, bias, GELU and residual of %i × %i × %i', (m, k, n) => {
    const func = buildFunc('main', types([m, k], [n, k], [n], [m, n]), (b, [x, w, bias, residual]) => [
      b.add(gelu(b, linear(b, x!, w!, bias!)), residual!),
    ]);
    const module = moduleOf(func);
    check(module, [numbers([m, k], 1), numbers([n, k], 2), numbers([n], 3), numbers([m, n], 4)], 1e-4);
  });

  test('is one kernel', () => {
    const func = buildFunc('main', types([64, 64], [96, 64], [96], [64, 96]), (b, [x, w, bias, residual]) => [
      b.add(gelu(b, linear(b, x!, w!, bias!)), residual!),
    ]);
    expect(kernelsOf(moduleOf(func))).toEqual(['multiply']);
  });

  test('softmax of attention scores is part of their multiply', () => {
    const shape = [2, 3, 32, 48];
    const func = buildFunc('main', types([2, 3, 32, 16], [2, 3, 48, 16]), (b, [q, k]) => [
      softmax(
        b,
        b.dotGeneral(q!, k!, {
          lhsBatchingDimensions: [0, 1],
          rhsBatchingDimensions: [0, 1],
          lhsContractingDimensions: [3],
          rhsContractingDimensions: [3],
        }),
      ),
    ]);
    expect(shapeOf(func.body.results[0]!)).toEqual(shape);
    expect(kernelsOf(moduleOf(func))).toEqual(['multiply']);
    check(moduleOf(func), [numbers([2, 3, 32, 16], 1), numbers([2, 3, 48, 16], 2)]);
  });

  test.each(['bf16', 'f16'] as const)('%s operands: sums in f32 through bias and GELU, rounded once', type => {
    const func = buildFunc('main', [...types([40, 96], [64, 96], [64])], (b, [x, w, bias]) => {
      const product = b.emit1('dot_general', [b.convert(x!, type), b.convert(w!, type)], {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [1],
        precision: ['DEFAULT', 'DEFAULT'],
        elementType: 'f32',
      });
      const y = b.add(product, b.broadcastInDim(bias!, [1], [40, 64]));
      return [b.convert(gelu(b, y), type), b.convert(product, type)];
    });
    expect(kernelsOf(moduleOf(func)).filter(kind => kind === 'multiply')).toHaveLength(1);
    check(
      moduleOf(func),
      [numbers([40, 96], 1), numbers([64, 96], 2), numbers([64], 3)],
      type === 'bf16' ? 1e-2 : 2e-3,
    );
  });

  test('the dropout bits of an element do not depend on how rows are split', () => {
    const func = buildFunc(
      'main',
      [tensorType('ui64', [2]), ...types([40, 24], [200, 24], [200])],
      (b, [s, x, w, bias]) => {
        const y = linear(b, x!, w!, bias!);
        const bits = b.emit('rng_bit_generator', [s!], {
          rngAlgorithm: 'PHILOX',
          type: tensorType('ui32', [40, 200]),
        })[1]!;
        const keep = b.compare('LT', bits, b.fill('ui32', [40, 200], 3_000_000_000));
        return [b.select(keep, b.multiply(y, b.like(y, 1.25)), b.like(y, 0))];
      },
    );
    check(moduleOf(func), [state(), numbers([40, 24], 1), numbers([200, 24], 2), numbers([200], 3)]);
  });

  test('an operand of the multiply is not overwritten while it runs', () => {
    // x W + x could be written over x, were x not read by the multiply
    const func = buildFunc('main', types([48, 48], [48, 48]), (b, [a, w]) => {
      const x = b.unary('tanh', a!);
      const product = b.dotGeneral(x, w!, {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      });
      return [b.unary('tanh', b.add(product, x))];
    });
    check(moduleOf(func), [numbers([48, 48], 1), numbers([48, 48], 2)]);
  });

  test('a transposed product keeps its operands alive until it is made', () => {
    // what would lie where the operand lay is made between the operand and the multiply
    const func = buildFunc('main', types([6, 4], [6, 16], [16, 4], [6, 16]), (b, [x, y, w, z]) => {
      const operand = b.unary('tanh', y!);
      const dims = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
      const other = b.dotGeneral(operand, w!, {
        ...dims,
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      });
      const busy = b.unary('tanh', b.multiply(z!, b.broadcastInDim(b.sum(b.unary('tanh', other), [1]), [0], [6, 16])));
      const grad = b.dotGeneral(b.add(x!, b.slice(busy, [0, 0], [6, 4])), operand, {
        ...dims,
        lhsContractingDimensions: [0],
        rhsContractingDimensions: [0],
      });
      const turned = b.transpose(grad, [1, 0]);
      return [b.subtract(w!, b.multiply(turned, b.like(turned, 0.1)))];
    });
    const program = compileToC(moduleOf(func), hostTarget());
    expect(program.kernels.length).toBeGreaterThan(2);
    check(moduleOf(func), [numbers([6, 4], 1), numbers([6, 16], 2), numbers([16, 4], 3), numbers([6, 16], 4)]);
  });

  test('a product that is also a result, or read elsewhere, is kept', () => {
    const func = buildFunc('main', types([20, 30], [40, 30], [40]), (b, [x, w, bias]) => {
      const y = linear(b, x!, w!, bias!);
      const g = gelu(b, y);
      return [y, g, b.sum(g, [0])];
    });
    check(moduleOf(func), [numbers([20, 30], 1), numbers([40, 30], 2), numbers([40], 3)]);
  });
});

describe('random programs of multiplies', () => {
  const step = fc.record({ kind: fc.nat(9), a: fc.nat(100), b: fc.nat(100) });
  const size = fc.constantFrom(1, 3, 8, 17, 48, 65);
  const program = fc.record({ m: size, k: size, n: size, steps: fc.array(step, { minLength: 3, maxLength: 14 }) });

  const build = (
    b: Builder,
    m: number,
    k: number,
    n: number,
    steps: readonly { kind: number; a: number; b: number }[],
  ) => {
    const inputs: Literal[] = [];
    const args: Value[] = [];
    const argument = (shape: readonly number[]): Value => {
      const value = b.argument(tensorType('f32', shape), args.length);
      inputs.push(numbers(shape, args.length));
      args.push(value);
      return value;
    };
    const [x, w] = [argument([m, k]), argument([n, k])];
    const row = argument([n]);
    const pool = [argument([m, n])];
    for (const s of steps) {
      const y = pool[s.a % pool.length]!;
      const z = pool[s.b % pool.length]!;
      const product = (transpose: boolean): Value =>
        b.dotGeneral(transpose ? w : x, transpose ? x : w, {
          lhsBatchingDimensions: [],
          rhsBatchingDimensions: [],
          lhsContractingDimensions: [1],
          rhsContractingDimensions: [1],
        });
      switch (s.kind) {
        case 0:
        case 1:
          pool.push(b.add(product(false), b.broadcastInDim(row, [1], [m, n])));
          break;
        case 2:
          pool.push(b.unary('tanh', b.transpose(product(true), [1, 0])));
          break;
        case 3:
          pool.push(softmax(b, product(false)));
          break;
        case 4:
          pool.push(b.add(y, z));
          break;
        case 5:
          pool.push(gelu(b, y));
          break;
        case 6:
          pool.push(softmax(b, y));
          break;
        case 7: {
          // a second multiply over what came out of the first: y yᵀ y
          const square = b.dotGeneral(y, z, {
            lhsBatchingDimensions: [],
            rhsBatchingDimensions: [],
            lhsContractingDimensions: [1],
            rhsContractingDimensions: [1],
          });
          const back = b.dotGeneral(square, y, {
            lhsBatchingDimensions: [],
            rhsBatchingDimensions: [],
            lhsContractingDimensions: [1],
            rhsContractingDimensions: [0],
          });
          pool.push(b.unary('tanh', b.multiply(back, b.like(back, 0.05))));
          break;
        }
        case 8:
          pool.push(b.multiply(y, b.broadcastInDim(b.sum(z, [1]), [0], [m, n])));
          break;
        default:
          pool.push(b.subtract(y, b.broadcastInDim(b.unary('tanh', b.sum(z, [0])), [1], [m, n])));
      }
    }
    const last = pool.slice(-3).map(v => b.unary('tanh', v));
    return { args, inputs, results: last };
  };

  test.each([1, 2, 3])('group %i', seed => {
    for (const { m, k, n, steps } of fc.sample(program, { seed, numRuns: 8 })) {
      const b = new Builder();
      const { args, inputs, results } = build(b, m, k, n, steps);
      const func = { name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) };
      check(moduleOf(func), inputs, 1e-3);
    }
  });
});

test('the C of every target has the epilogue', () => {
  const func = buildFunc('main', types([64, 64], [96, 64], [96]), (b, [x, w, bias]) => [
    gelu(b, linear(b, x!, w!, bias!)),
  ]);
  for (const isa of ['amx', 'avx512', 'avx2', 'neon', 'generic'] as const) {
    const { kernels } = compileToC(moduleOf(func), targetOf(isa));
    expect(kernels.map(k => k.ops.length > 3)).toEqual([true]);
  }
});
