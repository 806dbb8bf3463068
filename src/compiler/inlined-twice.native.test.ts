// A function that is called twice is inlined twice: the loops of the copies must not share values.
import { expect, test } from 'vitest';
import { buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { moduleOf } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { compileForTest } from './testing/compile.testing.ts';

test('a loop in a function that is called twice', () => {
  const type = tensorType('f32', [3]);
  const types = [tensorType('i32'), type];
  const callee = buildFunc('sum_up', [type], (b, [x]) => {
    const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 3))]);
    const body = b.region(types, (inner, [i, v]) => [inner.add(i!, inner.fill('i32', [], 1)), inner.add(v!, x!)]);
    return [b.emit('while', [b.fill('i32', [], 0), x!], {}, [cond, body])[1]!];
  });
  const main = buildFunc('main', [type], (b, [x]) => {
    const call = (v: typeof x) => b.emit1('func.call', [v!], { callee: 'sum_up', resultTypes: [type] });
    const once = call(x);
    return [b.add(call(b.multiply(once, once)), once), once];
  });
  const module = moduleOf(main, { functions: [callee] });
  const input = literal('f32', [3], [1, 2, -3]);
  expect(compileForTest(module).run([input])).toEqual(interpret(module, [input]));
});
