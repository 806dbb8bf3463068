import { expect, test } from 'vitest';
import { buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { literal } from '../../hlo/literal.ts';
import { type Func, moduleOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { runPasses } from './index.ts';

const type = tensorType('f32', [3]);

test('values of different functions are never taken for one, though their ids are equal', () => {
  const plus = (name: string, value: number): Func =>
    buildFunc(name, [type], (b, [x]) => {
      const one = b.constant(literal('f32', [], [value]));
      return [b.add(x!, b.broadcastInDim(b.reshape(one, [1]), [0], [3]))];
    });
  const main = buildFunc('main', [type], (b, [x]) =>
    ['f', 'g'].map(callee => b.emit('func.call', [x!], { callee, resultTypes: [type] })[0]!),
  );
  const module = moduleOf(main, { functions: [plus('f', 1), plus('g', 2)] });
  const x = literal('f32', [3], [10, 20, 30]);
  expect(interpret(runPasses(module), [x])).toEqual(interpret(module, [x]));
});
