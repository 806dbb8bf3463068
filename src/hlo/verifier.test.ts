import { describe, expect, test } from 'vitest';
import { buildFunc } from './builder.ts';
import { opSamples } from './op-samples.testing.ts';
import { type Func, moduleOf, type Op } from './program.ts';
import { tensorType } from './types.ts';
import { verify, verifyFunc } from './verifier.ts';

const f32x2 = tensorType('f32', [2]);
const plain = (): Func => buildFunc('main', [f32x2, f32x2], (b, [x, y]) => [b.multiply(b.add(x!, y!), y!)]);
const withOps = (func: Func, ops: readonly Op[]): Func => ({ ...func, body: { ...func.body, ops } });

test.each(opSamples().map(s => [s.label, s] as const))('accepts %s', (_, { func }) => {
  verifyFunc(func);
});

describe('refuses', () => {
  test('a use before the definition', () => {
    const func = plain();
    expect(() => verifyFunc(withOps(func, func.body.ops.toReversed()))).toThrowErrorMatchingInlineSnapshot(`
      [TrenioError [INVALID_PROGRAM]: @main is not a valid program: multiply: operand 0, %2, is not defined before it is used
        fix: build programs with the Builder, and check the output of passes with verify()]
    `);
  });
  test('invalid numbers of processes', () => {
    for (const numPartitions of [0, -7, 1.5, Number.NaN, 2 ** 53])
      expect(() => verify({ ...moduleOf(plain()), numPartitions })).toThrow('not a valid number of processes');
    expect(() => verify({ ...moduleOf(plain()), numReplicas: 2 ** 30, numPartitions: 2 ** 30 })).toThrow(
      'not a valid number of processes',
    );
  });
  test('a result that is not defined', () => {
    const func = plain();
    expect(() => verifyFunc(withOps(func, func.body.ops.slice(0, 1)))).toThrow(
      'returns %3, which is not defined there',
    );
  });
  test('a value of an inner region used outside of it', () => {
    const func = buildFunc('main', [tensorType('f32', [2, 2])], (b, [x]) => {
      const region = b.combiner('add', 'f32');
      const inner = region.results[0]!;
      b.emit('reduce', [x!, b.fill('f32', [], 0)], { dimensions: [0] }, [region]);
      return [b.negate(inner)];
    });
    expect(() => verifyFunc(func)).toThrow('is not defined before it is used');
  });
  test('recorded types that differ from the inferred ones', () => {
    const func = plain();
    const [add, multiply] = func.body.ops as [Op, Op];
    const wrong = { ...add, results: [] as unknown[] } as unknown as Op;
    (wrong.results as unknown[]).push({ ...add.results[0], type: tensorType('f32', [3]), op: wrong });
    expect(() => verifyFunc(withOps(func, [wrong, multiply]))).toThrow(
      'its results are (tensor<3xf32>), expected (tensor<2xf32>)',
    );
  });
  test('invalid operands, with the constraint of the specification', () => {
    const func = plain();
    const [add, multiply] = func.body.ops as [Op, Op];
    const args = [func.body.args[0]!, { ...func.body.args[1]!, type: tensorType('f32', [3]) }];
    const wrong = { ...func, body: { ...func.body, args, ops: [{ ...add, operands: args } as Op, multiply] } };
    expect(() => verifyFunc(wrong)).toThrow('add_c1');
  });
  test('invalid aliases', () => {
    const func = plain();
    expect(() => verifyFunc({ ...func, aliases: [0, 0] })).toThrow('is aliased to two arguments');
    expect(() => verifyFunc({ ...func, aliases: [1, undefined] })).toThrow('aliased to result 1 of 1');
    expect(() => verifyFunc({ ...func, aliases: [] })).toThrow('0 aliases for 2 arguments');
  });
  test('calls with wrong types, and recursive calls', () => {
    const caller = (name: string, callee: string): Func =>
      buildFunc(name, [f32x2], (b, [x]) => b.emit('func.call', [x!], { callee, resultTypes: [f32x2] }));
    expect(() => verify(moduleOf(caller('main', 'f')))).toThrow('no function @f');
    const other = buildFunc('f', [tensorType('f32', [3])], (_, [x]) => [x!]);
    expect(() => verify(moduleOf(caller('main', 'f'), { functions: [other] }))).toThrow(
      '@f takes (tensor<3xf32>), got (tensor<2xf32>)',
    );
    expect(() => verify(moduleOf(caller('main', 'f'), { functions: [caller('f', 'g'), caller('g', 'f')] }))).toThrow(
      '@f → @g → @f',
    );
    expect(() => verify(moduleOf(caller('main', 'f'), { functions: [caller('f', 'g'), caller('f', 'g')] }))).toThrow(
      'two functions have this name',
    );
  });
  test('groups with processes that the module does not have', () => {
    const func = buildFunc('main', [f32x2], (b, [x]) =>
      b.emit('all_reduce', [x!], { replicaGroups: [[0, 1, 2]] }, [b.combiner('add', 'f32')]),
    );
    verify(moduleOf(func, { numReplicas: 3 }));
    // A module of one process does not specify how many processes will run it.
    verify(moduleOf(func));
    expect(() => verify(moduleOf(func, { numReplicas: 2 }))).toThrow('its groups name process 2, the module has 2');
  });
});
