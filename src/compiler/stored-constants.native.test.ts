// A constant may be stored in memory for an op that reads memory, and also be used by kernels: those must not rely on the memory,
// which is reused after its last reader. The op that reads it may be in a branch, and the constant outside.
import { expect, test } from 'vitest';
import { type Builder, buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { moduleOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { compileForTest } from './testing/compile.testing.ts';

test('the constant index of a case is also the step of a later loop', () => {
  const type = tensorType('f32', [4, 4]);
  const func = buildFunc('main', [type], (b, [x]) => {
    const one = b.fill('i32', [], 1);
    const branch = (value: number) => b.region([], inner => [inner.like(x!, value)]);
    const chosen = b.emit1('case', [one], {}, [branch(3), branch(5)]);
    const sum = b.add(
      b.dotGeneral(x!, chosen, {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      }),
      chosen,
    );
    const types = [tensorType('i32'), type];
    const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 3))]);
    const body = b.region(types, (inner, [i, v]) => [inner.add(i!, one), inner.add(v!, sum)]);
    return [b.emit('while', [b.fill('i32', [], 0), sum], {}, [cond, body])[1]!];
  });
  const module = moduleOf(func);
  const input = literal(
    'f32',
    [4, 4],
    Array.from({ length: 16 }, (_, i) => i / 4),
  );
  expect(compileForTest(module).run([input])).toEqual(interpret(module, [input]));
});

test.each<[string, (b: Builder, x: Value, zero: Value, zeros: Value) => Value]>([
  [
    'the index of a case',
    (b, x, zero) => {
      const branch = (value: number) => b.region([], inner => [inner.add(x, inner.like(x, value))]);
      return b.emit1('case', [zero], {}, [branch(1), branch(2)]);
    },
  ],
  [
    'the operand of a kernel',
    (b, _, __, zeros) => {
      const one = tensorType('i32');
      const isLess = b.region([one, one], (inner, [p, q]) => [inner.compare('LT', p!, q!)]);
      return b.emit1('sort', [zeros], { dimension: 0, isStable: true }, [isLess]);
    },
  ],
  ['its result, under another name', (b, _, __, zeros) => b.emit1('optimization_barrier', [zeros], {})],
])('a branch reads a constant of the program as %s', (_, read) => {
  const func = buildFunc('main', [tensorType('i1'), tensorType('i32', [4])], (b, [choice, x]) => {
    const [zero, zeros] = [b.fill('i32', [], 0), b.fill('i32', [4], 0)];
    const first = b.region([], inner => [read(inner, x!, zero, zeros)]);
    const second = b.region([], () => [x!]);
    return [b.emit1('if', [choice!], {}, [first, second])];
  });
  const module = moduleOf(func);
  for (const choice of [0, 1]) {
    const inputs = [literal('i1', [], [choice]), literal('i32', [4], [1, 2, 3, 4])];
    expect(compileForTest(module).run(inputs)).toEqual(interpret(module, inputs));
  }
});
