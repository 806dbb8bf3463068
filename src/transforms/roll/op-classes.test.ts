// Copies of an op have one class, whatever came before them; ops with effects are alone in theirs.
import { expect, test } from 'vitest';
import { buildFunc } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import { classesOf } from './op-classes.ts';

const row = tensorType('f32', [3]);

test('ops with the same name, types and regions are of one class, and attributes are variants of it', () => {
  const { body } = buildFunc('main', [row], (b, [x]) => {
    const sums = [0, 1].map(() => b.add(b.sum(x!), b.sum(b.multiply(x!, x!))));
    const parts = [0, 1, 0].map(start => b.slice(x!, [start], [start + 1]));
    return [...sums, ...parts, b.reduce('maximum', x!, b.fill('f32', [], 0), [0])];
  });
  const { classes, variants } = classesOf(body.ops);
  const byName = (name: string, of: Int32Array): number[] => [...of.filter((_, i) => body.ops[i]!.name === name)];
  const [sum, , , , maximum] = byName('reduce', classes);
  expect(byName('reduce', classes)).toEqual([sum, sum, sum, sum, maximum]);
  expect(maximum).not.toBe(sum);
  expect(new Set(byName('slice', classes)).size).toBe(1);
  const [first, second, third] = byName('slice', variants);
  expect([second === first, third === first]).toEqual([false, true]);
});
test('ops with effects', () => {
  const { body } = buildFunc('main', [], b => {
    const [low, high, shape] = [b.fill('f32', [], 0), b.fill('f32', [], 1), b.constant(literal('i64', [1], [3]))];
    return [0, 1].map(() => b.emit1('rng', [low, high, shape], { rngDistribution: 'UNIFORM', type: row }));
  });
  expect(new Set(classesOf(body.ops).classes.slice(-2)).size).toBe(2);
});
