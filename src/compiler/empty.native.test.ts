// Tensors without elements: values computed from them are still defined.
import { expect, test } from 'vitest';
import type { BinaryName } from '../hlo/attributes.ts';
import { buildFunc } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { moduleOf, type Value } from '../hlo/program.ts';
import { type ElementType, tensorType } from '../hlo/types.ts';
import { compileForTest } from './testing/compile.testing.ts';

test('reductions of zero elements return their initial value', () => {
  const cases: readonly (readonly [ElementType, BinaryName, number, readonly number[], readonly number[]])[] = [
    ['i1', 'and', 1, [4, 3, 0], [2]],
    ['f32', 'add', 0, [4, 3, 0], [2]],
    ['i32', 'maximum', -7, [0, 4], [0]],
    ['i1', 'and', 1, [4, 0, 3], [1, 2]],
    ['bf16', 'minimum', 5, [2, 0], [1]],
    ['f64', 'multiply', 1, [0], [0]],
  ];
  const types = cases.map(([type, , , shape]) => tensorType(type, shape));
  const func = buildFunc('main', types, (b, args) =>
    cases.map(([type, name, init, , dims], i): Value => b.reduce(name, args[i]!, b.fill(type, [], init), dims)),
  );
  const module = moduleOf(func);
  const inputs = types.map(({ elementType, shape }) => literal(elementType, shape, []));
  expect(compileForTest(module).run(inputs)).toEqual(interpret(module, inputs));
});

test('a slice of every other element that is empty at its end', () => {
  const type = tensorType('f32', [3, 3]);
  const main = buildFunc('main', [type], (b, [x]) => [b.slice(b.slice(x!, [0, 0], [3, 3], [2, 2]), [2, 0], [2, 2])]);
  const module = moduleOf(main);
  const input = literal('f32', [3, 3], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(compileForTest(module).run([input])).toEqual(interpret(module, [input]));
});
