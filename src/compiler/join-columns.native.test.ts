// Column sums that are computed along with the rows of another kernel, as in the backward pass of a normalization: one kernel,
// with the bits of separate kernels.
import { describe, expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { type Module, moduleOf, type Value } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { compileToC, hostTarget } from './index.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

type Make = (b: Builder, x: Value, dy: Value) => Value[];

const inputOf = (shape: readonly number[], seed: number): Literal =>
  literal(
    'f32',
    shape,
    Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 0.37 + seed) + 1.5),
  );

function moduleWith(shape: readonly number[], make: Make, donated = false): Module {
  const b = new Builder();
  const args = [b.argument(tensorType('f32', shape), 0), b.argument(tensorType('f32', shape), 1)];
  const results = make(b, args[0]!, args[1]!);
  const aliases = [donated ? 0 : undefined, undefined];
  return moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases });
}
const kernelsOf = (module: Module): number => compileToC(module, hostTarget()).kernels.length;

/** Runs a program and, apart, each of its results alone: the bits must be equal, and close to the interpreter's. */
function check(shape: readonly number[], make: Make, donated = false): void {
  const inputs = [inputOf(shape, 1), inputOf(shape, 2)];
  const module = moduleWith(shape, make, donated);
  const program = compileForTest(module);
  const together = program.run(inputs);
  const backwards = program.run(inputs, { backwards: true });
  const expected = interpret(module, inputs);
  together.forEach((result, i) => {
    const [alone] = compileForTest(moduleWith(shape, (...args) => [make(...args)[i]!])).run(inputs);
    expect(result.data, `result ${i}, alone`).toEqual(alone!.data);
    expect(backwards[i]!.data, `result ${i}, last task first`).toEqual(result.data);
    expectClose(result, expected[i]!, `result ${i}`, 2e-5);
  });
}

/** Rows computed with sums over rows, and two column sums: of the input, and of values computed from the sums over rows. */
const normalized: Make = (b, x, dy) => {
  const shape = x.type.kind === 'tensor' ? (x.type.shape as number[]) : [];
  const last = shape.length - 1;
  const rows = shape.map((_, d) => d).slice(0, -1);
  const over = (v: Value): Value => b.broadcastInDim(v, rows, shape);
  const centered = b.subtract(x, over(b.sum(x, [last])));
  const y = b.multiply(b.multiply(dy, dy), over(b.sum(b.multiply(centered, dy), [last])));
  return [y, b.sum(dy, rows), b.sum(b.multiply(centered, b.add(dy, dy)), rows)];
};

describe('column sums along with rows', () => {
  test('of a matrix', () => {
    expect(kernelsOf(moduleWith([2048, 128], normalized))).toBe(1);
    check([2048, 128], normalized);
  });
  test('of rows in two dims, and a last chunk that is shorter', () => {
    expect(kernelsOf(moduleWith([21, 131, 100], normalized))).toBe(1);
    check([21, 131, 100], normalized);
  });
  test('the rows are not written over an operand that is added up after them', () => {
    check([2048, 128], normalized, true);
  });
  test('a few rows are not held back by it', () => {
    expect(kernelsOf(moduleWith([64, 128], normalized))).toBeGreaterThan(1);
  });
  test('no cycle: rows that need the sums, sums that need values computed from the rows', () => {
    check([2048, 128], (b, x, dy) => {
      const over = (v: Value, dim: number): Value => b.broadcastInDim(v, [dim], [2048, 128]);
      const columns = over(b.sum(x, [0]), 1);
      const y = b.divide(b.multiply(x, columns), over(b.sum(b.multiply(dy, columns), [1]), 0));
      const table = b.unary('tanh', b.sum(y, [1]));
      const reversed = b.emit1('reverse', [table], { dimensions: [0] });
      return [y, b.sum(b.multiply(over(reversed, 0), dy), [0])];
    });
  });
});
