import { describe, expect, test } from 'vitest';
import type { Builder } from '../hlo/builder.ts';
import { funcKey } from '../hlo/func-key.ts';
import { buildFunc, type Func, interpret, moduleOf, type Value } from '../hlo/index.ts';
import { bytesOf, literalOfBytes } from '../hlo/literal.ts';
import { tensorTypeOf } from '../hlo/program.ts';
import { sampleLiteral } from '../hlo/sample-literal.testing.ts';
import { tensorType } from '../hlo/types.ts';
import { verify } from '../hlo/verifier.ts';
import { joinArguments } from './join-arguments.ts';

type Build = (b: Builder, args: readonly Value[]) => readonly Value[];
const funcOf = (shapes: readonly (readonly number[])[], build: Build): Func =>
  buildFunc(
    'main',
    shapes.map(shape => tensorType('f32', [...shape])),
    build,
  );
const rows = (count: number, shape: readonly number[] = [1, 3]): (readonly number[])[] =>
  Array.from({ length: count }, () => shape);

/** The joined function, checked: it computes the same bits. */
function joinedAndChecked(func: Func): Func | undefined {
  const joined = joinArguments(func, () => true);
  if (joined === undefined) return undefined;
  verify(moduleOf(joined.func));
  const inputs = func.body.args.map((arg, i) => sampleLiteral('f32', tensorTypeOf(arg).shape, i + 1));
  const joinedInputs = joined.args.map((arg, i) => {
    const parts = arg.kind === 'one' ? [arg.argument] : arg.kind === 'stacked' ? arg.arguments : [];
    const bytes = Buffer.concat(parts.map(part => bytesOf(inputs[part]!)));
    return literalOfBytes(tensorTypeOf(joined.func.body.args[i]!), new Uint8Array(bytes));
  });
  const [wanted, got] = [interpret(moduleOf(func), inputs), interpret(moduleOf(joined.func), joinedInputs)];
  expect(got.map(value => [...value.data])).toEqual(wanted.map(value => [...value.data]));
  return joined.func;
}
const typesOf = ({ body }: Func): readonly string[] => body.args.map(arg => `${tensorTypeOf(arg).shape}`);

describe('arguments that are concatenated become one', () => {
  test('of one size, as rows of different sizes, and along an inner dim whose outer dims are 1', () => {
    const joinAlong =
      (dim: number): Build =>
      (b, args) => [b.negate(b.concatenate(args, dim))];
    expect(typesOf(joinedAndChecked(funcOf(rows(8), joinAlong(0)))!)).toEqual(['8,3']);
    expect(typesOf(joinedAndChecked(funcOf([...rows(8), [4, 3]], joinAlong(0)))!)).toEqual(['12,3']);
    expect(typesOf(joinedAndChecked(funcOf(rows(9), joinAlong(1)))!)).toEqual(['1,27']);
    expect(joinedAndChecked(funcOf(rows(9, [2, 3]), joinAlong(1)))).toBeUndefined();
    expect(joinedAndChecked(funcOf(rows(7), joinAlong(0)))).toBeUndefined();
    expect(joinedAndChecked(funcOf(rows(8, [200, 200]), joinAlong(0)))).toBeUndefined();
  });

  test('as stack records them: each with a dim of size 1', () => {
    const func = funcOf(rows(8, [3]), (b, args) => [
      b.concatenate(
        args.map((arg, i) => (i % 2 === 0 ? b.reshape(arg, [1, 3]) : b.broadcastInDim(arg, [1], [1, 3]))),
        0,
      ),
    ]);
    const joined = joinedAndChecked(func)!;
    expect([typesOf(joined), joined.body.ops.length]).toEqual([['8,3'], 0]);
    const spread = funcOf(rows(8, [1]), (b, args) => [
      b.concatenate(
        args.map(arg => b.broadcastInDim(arg, [0], [3])),
        0,
      ),
    ]);
    expect(joinedAndChecked(spread)).toBeUndefined();
  });

  test('whichever of them are the same, and whatever else they are used for', () => {
    /** Two batches of some of the arguments, one of which, `used`, is also used alone. */
    const batches = (first: readonly number[], second: readonly number[], used: number): Func =>
      funcOf(rows(12), (b, args) => {
        const of = (list: readonly number[]): Value =>
          b.concatenate(
            list.map(i => args[i]!),
            0,
          );
        return [b.subtract(of(first), of(second)), b.negate(args[used]!)];
      });
    const keys = [
      batches([0, 1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], 0),
      batches([0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 0, 1, 2, 3], 9),
      batches([5, 5, 5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5, 5, 5], 5),
    ].map(func => funcKey(joinedAndChecked(func)!));
    expect(new Set(keys).size).toBe(1);
  });

  test('but only where all are arguments that may be copied', () => {
    const func = funcOf(rows(9), (b, args) => [b.concatenate([b.negate(args[0]!), ...args.slice(1)], 0)]);
    expect(joinedAndChecked(func)).toBeUndefined();
    const plain = funcOf(rows(9), (b, args) => [b.concatenate(args, 0)]);
    expect(joinArguments(plain, (_, i) => i !== 3)).toBeUndefined();
  });
});
