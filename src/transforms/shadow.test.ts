// The f64 shadow of a program: the pairs that are compared, and the four numbers of each comparison.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../hlo/literal.ts';
import { type Module, moduleOf, type Value } from '../hlo/program.ts';
import { sampleLiteral } from '../hlo/sample-literal.testing.ts';
import { type ElementType, type TensorType, tensorType } from '../hlo/types.ts';
import { verify } from '../hlo/verifier.ts';
import { shadowed } from './shadow.ts';

interface Comparison {
  readonly op: string;
  readonly from: readonly number[];
  /** Σ(y − y′)², Σ y′², max |y − y′|, the number of y that are not finite where y′ is. */
  readonly numbers: readonly number[];
}

function compared(module: Module, inputs: readonly Literal[]): Comparison[] {
  const { module: both, compared: ops } = shadowed(module);
  verify(both);
  const results = interpret(both, inputs).map(toNumbers);
  expect(results).toHaveLength(ops.length);
  return ops.map(({ op, from }, i) => ({ op: op.name, from, numbers: results[i]! }));
}
const program = (
  types: readonly TensorType[],
  body: (b: Builder, args: readonly Value[]) => readonly Value[],
): Module => moduleOf(buildFunc('main', types, body));

/** The expected numbers, from the results of a program and of the same program in f64. */
function difference(actual: readonly number[], exact: readonly number[]): readonly number[] {
  const errors = actual.map((y, i) => y - exact[i]!);
  const square = (list: readonly number[]): number => list.reduce((sum, x) => sum + x * x, 0);
  return [square(errors), square(exact), Math.max(...errors.map(Math.abs)), 0];
}

describe('the numbers of each op match the program in f64', () => {
  const layer = (type: ElementType): Module =>
    program([tensorType(type, [4, 6]), tensorType(type, [6, 5])], (b, [x, w]) => {
      const dims = {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      };
      const y = b.unary('tanh', b.dotGeneral(x!, w!, dims));
      return [y, b.sum(b.transpose(y, [1, 0]), [0])];
    });
  test.each(['f32', 'bf16', 'f16'] as const)('%s', type => {
    const inputs = [sampleLiteral(type, [4, 6], 1), sampleLiteral(type, [6, 5], 2)];
    const wide = inputs.map(x => literal('f64', x.type.shape, toNumbers(x)));
    const [actual, exact] = [interpret(layer(type), inputs), interpret(layer('f64'), wide)];
    const rows = compared(layer(type), inputs);
    expect(rows.map(({ op, from }) => [op, from])).toEqual([
      ['dot_general', []],
      ['tanh', [0]],
      // found through the transpose, which does not round
      ['reduce', [1]],
    ]);
    for (const [row, result] of [
      [1, 0],
      [2, 1],
    ] as const) {
      const expected = difference(toNumbers(actual[result]!), toNumbers(exact[result]!));
      rows[row]!.numbers.forEach((x, i) => {
        expect(x).toBeCloseTo(expected[i]!, 12);
      });
    }
    expect(rows[1]!.numbers[2]).toBeGreaterThan(0);
  });
});

test('cancellation: the subtraction shows what the sum lost', () => {
  const module = program([tensorType('f32', [1])], (b, [x]) => {
    const far = b.fill('f32', [1], 1e8);
    return [b.subtract(b.add(x!, far), far)];
  });
  const [sum, rest] = compared(module, [literal('f32', [1], [3])]);
  // the distance from 1e8 to the next f32 is 8
  expect(sum!.numbers).toEqual([9, 100_000_003 ** 2, 3, 0]);
  expect(rest!.numbers).toEqual([9, 9, 3, 0]);
});

test('overflows are counted, not included in the differences', () => {
  const module = program([tensorType('f16', [3])], (b, [x]) => [b.multiply(x!, x!)]);
  const [square] = compared(module, [literal('f16', [3], [2, 300, -1000])]);
  expect(square!.numbers).toEqual([0, 16, 0, 2]);
});

test('integers and comparisons come from the program, so both take the same branch', () => {
  const module = program([tensorType('f32', [2])], (b, [x]) => {
    const far = b.fill('f32', [2], 1e8);
    const rounded = b.subtract(b.add(x!, far), far);
    const isZero = b.compare('EQ', rounded, b.fill('f32', [2], 0));
    return [b.select(isZero, b.fill('f32', [2], 10), b.fill('f32', [2], 20))];
  });
  const rows = compared(module, [literal('f32', [2], [3, 5])]);
  // in f64 none would be zero, and both would be 20
  expect(rows.at(-1)).toMatchObject({ op: 'select', numbers: [0, 100 + 400, 0, 0] });
});

test('a rounding is compared with its unrounded input; ops without an f64 form restart the shadow', () => {
  const module = program([tensorType('f32', [1])], (b, [x]) => {
    const low = b.convert(b.convert(x!, 'bf16'), 'f32');
    const bits = b.emit1('bitcast_convert', [low], { type: tensorType('ui32', [1]) });
    return [b.emit1('bitcast_convert', [bits], { type: tensorType('f32', [1]) })];
  });
  const rows = compared(module, [literal('f32', [1], [1 + 2 ** -9])]);
  expect(rows.map(r => [r.op, r.numbers[2]])).toEqual([
    ['convert', 2 ** -9],
    ['convert', 2 ** -9],
    ['bitcast_convert', 0],
  ]);
});

test('loops: the shadow takes the same number of iterations', () => {
  const module = program([tensorType('f32', [])], (b, [x]) => {
    const [i32, f32] = [tensorType('i32', []), tensorType('f32', [])];
    const condition = b.region([i32, f32], (c, [i]) => [c.compare('LT', i!, c.fill('i32', [], 10))]);
    const body = b.region([i32, f32], (c, [i, y]) => [
      c.add(i!, c.fill('i32', [], 1)),
      c.multiply(y!, c.fill('f32', [], 1.1)),
    ]);
    return b.emit('while', [b.fill('i32', [], 0), x!], {}, [condition, body]).slice(1);
  });
  const rows = compared(module, [literal('f32', [], [1])]);
  const loop = rows.find(row => row.op === 'while')!;
  const exact = Math.fround(1.1) ** 10;
  let y = 1;
  for (let i = 0; i < 10; i++) y = Math.fround(y * Math.fround(1.1));
  expect(loop.numbers[2]).toBeCloseTo(Math.abs(y - exact), 12);
  expect(loop.numbers[1]).toBeCloseTo(exact ** 2, 9);
});
