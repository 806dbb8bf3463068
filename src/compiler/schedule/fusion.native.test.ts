// Random programs of fusable ops, compiled and interpreted: whatever is fused, recomputed or stored, the values must be
// the same, bit by bit if there are no transcendental functions or sums. Twelve programs per run of gcc.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Builder } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { moduleOf, shapeOf, type Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import { compileToC, hostTarget } from '../index.ts';
import { expectClose } from '../testing/closeness.testing.ts';
import { compileForTest } from '../testing/compile.testing.ts';

const shapes = [[6, 4, 10], [24, 10], [6, 40], [10, 24], [4, 6, 10], [6, 4, 1], [240], [6, 4], [10], []] as const;
const step = fc.record({ kind: fc.nat(15), a: fc.nat(1000), b: fc.nat(1000), c: fc.nat(1000) });
type Step = { readonly kind: number; readonly a: number; readonly b: number; readonly c: number };
const program = fc.record({
  steps: fc.array(step, { minLength: 6, maxLength: 40 }),
  results: fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }),
});

class RandomProgram {
  readonly args: Value[] = [];
  readonly inputs: Literal[] = [];
  readonly b: Builder;
  /** Only ops with exactly one correct result. */
  readonly #exact: boolean;

  constructor(b: Builder, exact = false) {
    this.b = b;
    this.#exact = exact;
  }

  build(steps: readonly Step[], results: readonly number[], first: number): Value[] {
    const pool: Value[] = shapes.map((shape, i) => this.#arg(shape, first + i));
    for (const s of steps) {
      const made = (this.#exact && this.#applyExact(s, pool)) || this.#apply(s, pool);
      if (made) pool.push(made);
    }
    return results.map(r => pool[pool.length - 1 - (r % Math.min(pool.length, 12))]!);
  }
  #arg(shape: readonly number[], seed: number): Value {
    const values = Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 7.13 + seed) * 1.5);
    this.inputs.push(literal('f32', shape, values));
    const v = this.b.argument(tensorType('f32', shape), this.args.length);
    this.args.push(v);
    return v;
  }

  /** Replacements for steps that are not exact: mainly sums of products. */
  #applyExact(step: Step, pool: readonly Value[]): Value | undefined {
    const { b } = this;
    const { x, y, z } = operandsOf(step, pool);
    switch (step.kind) {
      case 3:
        return b.unary('sqrt', b.unary('abs', x));
      case 6:
        return b.divide(x, y);
      case 7:
        return b.add(b.multiply(x, y), z);
      case 9:
        return b.subtract(z, b.multiply(x, y));
      default:
        return undefined;
    }
  }
  #apply(step: Step, pool: readonly Value[]): Value | undefined {
    const { b } = this;
    const { kind, c } = step;
    const { x, y } = operandsOf(step, pool);
    const shape = shapeOf(x);
    const rank = shape.length;
    const dim = rank === 0 ? 0 : c % rank;
    switch (kind) {
      case 0:
        return b.add(x, y);
      case 1:
        return b.multiply(x, y);
      case 2:
        return b.subtract(x, y);
      case 3:
        return b.unary('tanh', x);
      case 4:
        return b.select(b.compare('GT', x, y), y, b.negate(x));
      case 5:
        return b.maximum(x, b.like(y, 0.25));
      case 6:
        return b.unary('exponential', b.minimum(x, b.like(x, 1)));
      case 7:
        return rank === 0 ? undefined : b.unary('tanh', b.sum(x, [dim]));
      case 8:
        return rank === 0 ? undefined : b.reduce('maximum', x, b.fill('f32', [], -9), [dim]);
      case 9: {
        // normalize along the last dim: a reduction that is fused with its user
        if (rank === 0) return undefined;
        const kept = shape.map((_, d) => d).slice(0, -1);
        return b.subtract(
          x,
          b.broadcastInDim(b.multiply(b.sum(x, [rank - 1]), b.fill('f32', shape.slice(0, -1), 0.1)), kept, shape),
        );
      }
      case 10:
        return rank < 2
          ? undefined
          : b.transpose(
              x,
              shape.map((_, d) => d).sort((p, q) => ((p + c) % rank) - ((q + c) % rank)),
            );
      case 11: {
        const same = shapes.filter(s => elementCount(s) === elementCount(shape));
        return same.length === 0 ? undefined : b.reshape(x, same[c % same.length]!);
      }
      case 12: {
        // broadcast over an additional dim
        const target = shapes[c % shapes.length]!;
        const dims = shape.map((size, d) =>
          target[d + target.length - rank] === size ? d + target.length - rank : -1,
        );
        return dims.includes(-1) ? undefined : b.broadcastInDim(x, dims, target);
      }
      case 13:
        return rank === 0
          ? undefined
          : b.concatenate(
              [
                b.slice(
                  x,
                  shape.map(() => 0),
                  shape.map((s, d) => (d === dim ? Math.ceil(s / 2) : s)),
                ),
                b.slice(
                  y,
                  shape.map((s, d) => (d === dim ? Math.ceil(s / 2) : 0)),
                  [...shape],
                ),
              ],
              dim,
            );
      case 14:
        return rank === 0
          ? undefined
          : b.slice(
              b.pad(
                x,
                b.fill('f32', [], 0.5),
                shape.map(() => 1),
                shape.map(() => 1),
              ),
              shape.map((_, d) => (d === dim ? 2 : 0)),
              shape.map((s, d) => s + (d === dim ? 2 : 0)),
            );
      default:
        return b.emit1('reverse', [x], { dimensions: rank === 0 ? [] : [dim] });
    }
  }
}

/** A value of the pool, and two with its shape. */
function operandsOf({ a, b, c }: Step, pool: readonly Value[]): { readonly x: Value; y: Value; z: Value } {
  const x = pool[a % pool.length]!;
  const alike = pool.filter(v => shapeOf(v).join() === shapeOf(x).join());
  return { x, y: alike[b % alike.length]!, z: alike[c % alike.length]! };
}

describe.each([
  ['random programs', false],
  ['random programs of exact ops', true],
])('%s', (_, exact) => {
  const samples = fc.sample(program, { seed: 20_260, numRuns: 36 });
  for (let group = 0; group < 3; group++) {
    test(`group ${group}`, () => {
      const b = new Builder();
      const random = new RandomProgram(b, exact);
      const results = samples.slice(12 * group, 12 * group + 12).flatMap((s, i) => random.build(s.steps, s.results, i));
      const module = moduleOf({
        name: 'main',
        body: { args: random.args, ops: b.ops, results },
        aliases: random.args.map(() => undefined),
      });
      const compiled = compileForTest(module);
      const got = compiled.run(random.inputs);
      interpret(module, random.inputs).forEach((expected, i) => {
        if (exact) expect(got[i]!.data, `result ${i}`).toEqual(expected.data);
        else expectClose(got[i]!, expected, `result ${i}`, 1e-4);
      });
      compiled.run(random.inputs, { backwards: true }).forEach((again, i) => {
        expect(again.data).toEqual(got[i]!.data);
      });
    });
  }
});

describe('every op rounds by itself', () => {
  const shape = [64, 96];
  const type = tensorType('f32', shape);
  const inputs = [1, 2, 3].map(seed =>
    literal(
      'f32',
      shape,
      Array.from({ length: 64 * 96 }, (_, i) => Math.sin(i * 7.13 * seed) * 1.5),
    ),
  );
  /** How a value read by another op is treated: fused with it, stored, or stored separately. */
  const uses = {
    'in one kernel': () => [],
    'with the first a result': (_, y) => [y],
    'behind a barrier that is a result': (b, y) => {
      const [kept] = b.emit('optimization_barrier', [y], {});
      return [kept!];
    },
  } satisfies Record<string, (b: Builder, y: Value) => Value[]>;
  type Use = keyof typeof uses;

  type First = (b: Builder, x: Value, w: Value) => Value;
  type Then = (b: Builder, y: Value, c: Value) => Value;

  function run(
    use: Use,
    first: First,
    then: Then,
  ): { readonly got: Literal['data']; readonly expected: Literal['data'] } {
    const b = new Builder();
    const args = [0, 1, 2].map(i => b.argument(type, i));
    const [x, w, c] = args as [Value, Value, Value];
    const y = first(b, x, w);
    const kept: Value[] = uses[use](b, y);
    const results = [then(b, kept[0] ?? y, c), ...kept];
    const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
    return { got: compileForTest(module).run(inputs)[0]!.data, expected: interpret(module, inputs)[0]!.data };
  }
  const multiply: First = (b, x, w) => b.multiply(x, w);
  const affine: Then = (b, y, c) => b.add(b.multiply(y, c), c);
  const add: Then = (b, y, c) => b.add(y, c);
  const dot: First = (b, x, w) =>
    b.dotGeneral(x, w, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [1],
    });

  test.each(Object.keys(uses) as Use[])('a sum of products, %s', use => {
    const { got, expected } = run(use, multiply, add);
    expect(got).toEqual(expected);
    const [x, w, c] = inputs.map(({ data }) => data as Float32Array) as [Float32Array, Float32Array, Float32Array];
    const fused = x.map((v, i) => v * w[i]! + c[i]!);
    expect(fused.filter((v, i) => v !== expected[i]).length).toBeGreaterThan(100);
  });

  // Reductions have their own summation order, so these are compared with each other.
  test.each([
    ['what joins a multiply', dot, (b, y, c) => affine(b, y, b.slice(c, [0, 0], [64, 64]))],
    ['sums of products along rows', multiply, (b, y, c) => b.sum(b.add(y, c), [1])],
    ['sums of products along columns', multiply, (b, y, c) => b.sum(b.add(y, c), [0])],
    ['sums of squares', multiply, (b, y) => b.sum(b.multiply(y, y), [1])],
  ] satisfies [string, First, Then][])('%s', (_, first, then) => {
    const [expected, ...others] = (Object.keys(uses) as Use[]).map(use => run(use, first, then).got);
    for (const other of others) expect(other).toEqual(expected);
  });
});

describe('donated arguments', () => {
  const f = tensorType('f32', [64]);
  const input = (seed: number): Literal =>
    literal(
      'f32',
      [64],
      Array.from({ length: 64 }, (_, i) => Math.cos(i * seed)),
    );

  test('are updated in place only when no one still reads them', () => {
    const b = new Builder();
    const [x, y, z] = [b.argument(f, 0), b.argument(f, 1), b.argument(f, 2)];
    const reversed = b.emit1('reverse', [x], { dimensions: [0] });
    // x ← y, y ← x (swapped); z ← z · reversed x; and x is read again
    const results = [y, x, b.multiply(z, reversed), b.add(reversed, b.unary('exponential', x))];
    const module = moduleOf({ name: 'main', body: { args: [x, y, z], ops: b.ops, results }, aliases: [0, 1, 2] });
    const inputs = [input(1), input(2), input(3)];
    const got = compileForTest(module).run(inputs);
    interpret(module, inputs).forEach((expected, i) => {
      expectClose(got[i]!, expected, `result ${i}`);
    });
  });

  test('are not overwritten directly by a result that is computed from reordered elements', () => {
    const b = new Builder();
    const [x, y] = [b.argument(f, 0), b.argument(f, 1)];
    const flipped = b.add(b.emit1('reverse', [x], { dimensions: [0] }), y);
    const module = moduleOf({
      name: 'main',
      body: { args: [x, y], ops: b.ops, results: [flipped, b.add(x, flipped)] },
      aliases: [0, 1],
    });
    const inputs = [input(1), input(2)];
    const got = compileForTest(module).run(inputs);
    interpret(module, inputs).forEach((expected, i) => {
      expectClose(got[i]!, expected, `result ${i}`);
    });
  });
});

test('softmax and layer normalization are one kernel each', () => {
  const b = new Builder();
  const x = b.argument(tensorType('f32', [32, 64]), 0);
  const over = (v: Value): Value => b.broadcastInDim(v, [0], [32, 64]);
  const e = b.unary('exponential', b.subtract(x, over(b.reduce('maximum', x, b.fill('f32', [], -Infinity), [1]))));
  const softmax = b.divide(e, over(b.sum(e, [1])));
  const mean = (v: Value): Value => b.divide(b.sum(v, [1]), b.fill('f32', [32], 64));
  const y = b.argument(tensorType('f32', [32, 64]), 1);
  const centered = b.subtract(y, over(mean(y)));
  const norm = b.multiply(centered, over(b.unary('rsqrt', mean(b.multiply(centered, centered)))));
  const module = moduleOf({
    name: 'main',
    body: { args: [x, y], ops: b.ops, results: [softmax, norm] },
    aliases: [undefined, undefined],
  });
  const { kernels, arenaBytes } = compileToC(module, hostTarget());
  expect(kernels.map(k => k.kind)).toEqual(['fused', 'fused']);
  expect(arenaBytes).toBe(0);
});
