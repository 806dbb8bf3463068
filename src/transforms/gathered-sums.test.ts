// Sums of many small tensors as one op: which sums are combined, which are not, and that the results do not change.
import { describe, expect, test } from 'vitest';
import type { DotDimensionNumbers } from '../hlo/attributes.ts';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { literal } from '../hlo/literal.ts';
import { type Module, mainOf, moduleOf, type Op, shapeOf, type Value } from '../hlo/program.ts';
import { type TensorType, tensorType } from '../hlo/types.ts';
import { gatherSums } from './gathered-sums.ts';
import { expectSame, opsOf, withMain } from './passes.testing.ts';
import { Rewriter } from './rewriter.ts';

const build = (types: readonly TensorType[], body: (b: Builder, args: readonly Value[]) => readonly Value[]): Module =>
  moduleOf(buildFunc('main', types, body));

function gathered(module: Module, tolerance = 0): Module {
  const all = withMain(module, gatherSums(mainOf(module)));
  expectSame(module, all, tolerance);
  // after removing dead ops
  return withMain(module, new Rewriter(all, mainOf(all), []).run(mainOf(all)));
}
const count = (module: Module, name: Op['name']): number => opsOf(module).filter(n => n === name).length;

/** A value padded with zeros along dim 0 to `size` elements. */
function padded(b: Builder, value: Value, start: number, size: number, fill = 0): Value {
  const rest = shapeOf(value)
    .map(() => 0)
    .slice(1);
  const high = size - start - shapeOf(value)[0]!;
  return b.emit1('pad', [value, b.fill('f32', [], fill)], {
    edgePaddingLow: [start, ...rest],
    edgePaddingHigh: [high, ...rest],
    interiorPadding: [0, ...rest],
  });
}
const total = (b: Builder, terms: readonly Value[]): Value => terms.reduce((sum, term) => b.add(sum, term));

describe('a sum of padded parts of one tensor', () => {
  const parts = [tensorType('f32', [2, 3]), tensorType('f32', [3, 3]), tensorType('f32', [1, 3])];
  const sumOf = (...starts: readonly number[]): Module =>
    build(parts, (b, args) => [
      total(
        b,
        args.map((v, i) => padded(b, v, starts[i]!, 8)),
      ),
    ]);

  test('becomes one concatenation, in the order of their positions', () => {
    const after = gathered(sumOf(3, 0, 5));
    // -0 + 0 is 0, as in the sum
    expect([count(after, 'add'), count(after, 'concatenate')]).toEqual([1, 1]);
    const joined = mainOf(after).body.ops.find(op => op.name === 'concatenate')!;
    const { args } = mainOf(after).body;
    // two rows of zeros are added at the end
    expect(joined.operands.slice(0, 3)).toEqual([args[1], args[0], args[2]]);
    expect(joined.operands.map(v => shapeOf(v)[0])).toEqual([3, 2, 1, 2]);
  });
  test('with a gap: zeros are inserted', () => {
    const joined = mainOf(gathered(sumOf(0, 4, 7))).body.ops.find(op => op.name === 'concatenate')!;
    expect(joined.operands.map(v => shapeOf(v)[0])).toEqual([2, 2, 3, 1]);
  });
  test('with overlapping parts is kept', () => {
    const after = gathered(sumOf(0, 1, 5), 1e-6);
    expect([count(after, 'add'), count(after, 'concatenate')]).toEqual([2, 1]);
  });
  test('zeros have the sign that the sum gives them', () => {
    const module = sumOf(0, 2, 5);
    const negative = parts.map(t => literal('f32', t.shape, new Array<number>(3 * t.shape[0]!).fill(-0)));
    expectSame(module, withMain(module, gatherSums(mainOf(module))), 0, negative);
  });
  test('is kept if another value is added to a part first, a pad has another use, or the padding is not zero', () => {
    const unchanged = (body: (b: Builder, x: Value, y: Value) => readonly Value[]): void => {
      const module = build([parts[0]!, parts[0]!], (b, [x, y]) => body(b, x!, y!));
      expect(gatherSums(mainOf(module))).toBe(mainOf(module));
    };
    unchanged((b, x, y) => [b.add(b.negate(padded(b, x, 0, 4)), padded(b, y, 2, 4))]);
    unchanged((b, x, y) => {
      const first = padded(b, x, 0, 4);
      return [b.add(first, padded(b, y, 2, 4)), first];
    });
    unchanged((b, x, y) => [b.add(padded(b, x, 0, 4, 1), padded(b, y, 2, 4, 1))]);
  });
  test('other terms of the sum are kept', () => {
    const module = build([...parts, tensorType('f32', [8, 3])], (b, [x, y, z, w]) => [
      total(b, [padded(b, x!, 0, 8), w!, padded(b, y!, 2, 8), padded(b, z!, 5, 8)]),
    ]);
    const after = gathered(module, 1e-6);
    expect([count(after, 'add'), count(after, 'concatenate'), count(after, 'pad')]).toEqual([2, 1, 0]);
  });
});

describe('products and sums over the parts of a concatenation', () => {
  const dims: DotDimensionNumbers = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [0],
    rhsContractingDimensions: [0],
  };
  /** The gradients of a recurrence of n steps: with respect to its inputs, weight and bias. */
  const recurrence = (steps: number): Module => {
    const types = Array.from({ length: 2 * steps }, () => tensorType('f32', [2, 5]));
    return build(types, (b, args) => {
      const [inputs, deltas] = [args.slice(0, steps), args.slice(steps)];
      return [
        total(
          b,
          deltas.map((d, t) => padded(b, d, 2 * t, 2 * steps)),
        ),
        total(
          b,
          inputs.map((x, t) => b.dotGeneral(x, deltas[t]!, dims)),
        ),
        total(
          b,
          deltas.map(d => b.sum(d, [0])),
        ),
      ];
    });
  };
  test('become one product and one sum', () => {
    const after = gathered(recurrence(6), 1e-5);
    expect([count(after, 'dot_general'), count(after, 'reduce'), count(after, 'add')]).toEqual([1, 1, 1]);
  });
  test('are kept if there are only a few', () => {
    const after = gathered(recurrence(3), 1e-6);
    expect([count(after, 'dot_general'), count(after, 'reduce'), count(after, 'add')]).toEqual([3, 3, 5]);
  });
  test('keep their order without such a concatenation, as in sums over micro-batches', () => {
    const types = Array.from({ length: 12 }, () => tensorType('f32', [2, 5]));
    const module = build(types, (b, args) => [
      total(
        b,
        args.slice(0, 6).map((x, t) => b.dotGeneral(x, args[6 + t]!, dims)),
      ),
    ]);
    expect(gatherSums(mainOf(module))).toBe(mainOf(module));
  });
});
