// The reasons of recompiles name what differs.
import { expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { splat } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { explainDifference, type ProgramSummary } from './explain.ts';

const program = (body: (b: Builder, x: Value) => Value): ProgramSummary => ({
  func: buildFunc('main', [tensorType('f32', [4])], (b, [x]) => [body(b, x!)]),
  labels: [undefined],
  loops: [],
});
const number = (type: ElementType, value: number) => program(b => b.constant(splat(tensorType(type), value)));

test.each([
  [
    'types',
    number('i32', 0),
    number('f32', 0),
    'the number 0 ([] f32) at an unknown line was the number 0 ([] i32) at an unknown line',
  ],
  [
    'signs',
    number('f32', 0),
    number('f32', -0),
    'the number -0 at an unknown line was the number 0 at an unknown line; pass a number that changes as tensor(x) to avoid it',
  ],
  ['calls', program((b, x) => b.negate(x)), program((b, x) => b.negate(b.sum(b.negate(x)))), 'reduce [] f32'],
  [
    'a call instead of another',
    program((b, x) => b.sum(x)),
    program((b, x) => b.negate(x)),
    'negate [4] f32 at an unknown line was reduce [] f32',
  ],
  [
    'attributes',
    program((b, x) => b.emit1('reverse', [x], { dimensions: [0] })),
    program((b, x) => b.emit1('reverse', [x], { dimensions: [] })),
    'was reverse [4] f32 ([4] f32) with {"dimensions":[0]}',
  ],
] as const)('%s', (_, before, now, reason) => {
  expect(explainDifference(before, now)).toContain(reason);
});
