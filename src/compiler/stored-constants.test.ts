// A constant may lie in memory for an op that reads memory, and be used by kernels too: those must not rely on the memory,
// which is free for others after its last reader.
import { expect, test } from 'vitest';
import { buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { moduleOf } from '../hlo/program.ts';
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
