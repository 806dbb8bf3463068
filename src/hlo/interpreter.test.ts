import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { type Builder, buildFunc } from './builder.ts';
import { evaluateOp, interpret, interpretReplicas } from './interpreter.ts';
import { literal, scalar, toNumbers } from './literal.ts';
import { moduleOf, type Value } from './program.ts';
import { tensorType } from './types.ts';

const i32 = tensorType('i32');
const f32x2 = tensorType('f32', [2]);
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return isTrenioError(error) ? error.code : String(error);
  }
  return 'nothing thrown';
};

/** n → (steps, 2^steps … ) counted by a loop: while (i < n) { i += 1; x += x }. */
function doubling(b: Builder, n: Value): readonly Value[] {
  const cond = b.region([i32, i32], (inner, [i]) => [inner.compare('LT', i!, n)]);
  const body = b.region([i32, i32], (inner, [i, x]) => [inner.add(i!, inner.fill('i32', [], 1)), inner.add(x!, x!)]);
  return b.emit('while', [b.fill('i32', [], 0), b.fill('i32', [], 1)], {}, [cond, body]);
}

describe('control flow', () => {
  test('while runs until its condition fails, and may capture values', () => {
    const main = buildFunc('main', [i32], (b, [n]) => doubling(b, n!));
    expect(interpret(moduleOf(main), [scalar('i32', 10)]).map(toNumbers)).toEqual([[10], [1024]]);
    expect(interpret(moduleOf(main), [scalar('i32', -1)]).map(toNumbers)).toEqual([[0], [1]]);
  });
  test('an infinite loop reaches the step limit', () => {
    const main = buildFunc('main', [i32], (b, [n]) => doubling(b, n!));
    expect(codeOf(() => interpret(moduleOf(main), [scalar('i32', 100)], { maxLoopSteps: 99 }))).toBe(
      'INTERPRETER_STEP_LIMIT',
    );
  });
  test('nested loops count in the order of the text', () => {
    const main = buildFunc('main', [i32], (b, [n]) => {
      const cond = b.region([i32, i32], (inner, [i]) => [inner.compare('LT', i!, n!)]);
      const body = b.region([i32, i32], (inner, [i, sum]) => {
        const one = inner.fill('i32', [], 1);
        const innerCond = inner.region([i32, i32], (c, [j]) => [c.compare('LE', j!, i!)]);
        const innerBody = inner.region([i32, i32], (c, [j, s]) => [c.add(j!, one), c.add(s!, j!)]);
        const [, total] = inner.emit('while', [inner.fill('i32', [], 0), sum!], {}, [innerCond, innerBody]);
        return [inner.add(i!, one), total!];
      });
      return b.emit('while', [b.fill('i32', [], 0), b.fill('i32', [], 0)], {}, [cond, body]);
    });
    // Σ over i < 4 of Σ over j <= i of j = 0 + 1 + 3 + 6
    expect(interpret(moduleOf(main), [scalar('i32', 4)]).map(toNumbers)).toEqual([[4], [10]]);
  });
  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 3],
    [-1, 3],
  ])('case %i takes branch %i of three; the last one if out of range', (index, expected) => {
    const main = buildFunc('main', [i32], (b, [at]) =>
      b.emit(
        'case',
        [at!],
        {},
        [1, 2, 3].map(v => b.region([], inner => [inner.fill('i32', [], v)])),
      ),
    );
    expect(interpret(moduleOf(main), [scalar('i32', index)]).map(toNumbers)).toEqual([[expected]]);
  });
  test('`if` evaluates only the branch taken', () => {
    const main = buildFunc('main', [tensorType('i1'), i32], (b, [p, n]) =>
      b.emit('if', [p!], {}, [b.region([], inner => [doubling(inner, n!)[1]!]), b.region([], () => [n!])]),
    );
    const limited = { maxLoopSteps: 0 };
    expect(interpret(moduleOf(main), [scalar('i1', false), scalar('i32', 5)], limited).map(toNumbers)).toEqual([[5]]);
    expect(interpret(moduleOf(main), [scalar('i1', true), scalar('i32', 5)]).map(toNumbers)).toEqual([[32]]);
  });
  test('func.call evaluates the callee in a new scope', () => {
    const callee = buildFunc('twice', [f32x2], (b, [x]) => [b.add(x!, x!)]);
    const main = buildFunc('main', [f32x2], (b, [x]) => {
      const call = (v: Value): Value => b.emit('func.call', [v], { callee: 'twice', resultTypes: [f32x2] })[0]!;
      return [call(call(x!)), x!];
    });
    expect(interpret(moduleOf(main, { functions: [callee] }), [literal('f32', [2], [1, 2])]).map(toNumbers)).toEqual([
      [4, 8],
      [1, 2],
    ]);
    expect(codeOf(() => interpret(moduleOf(main), [literal('f32', [2], [1, 2])]))).toBe('INVALID_PROGRAM');
  });
  test('tuples and custom calls', () => {
    const main = buildFunc('main', [f32x2, i32], (b, [x, n]) => {
      const [tuple] = b.emit('tuple', [x!, n!], {});
      const [second] = b.emit('get_tuple_element', [tuple], { index: 1 });
      return b.emit('custom_call', [second], {
        callTargetName: 'negate',
        backendConfig: '',
        resultTypes: [i32],
        hasSideEffect: false,
      });
    });
    const args = [literal('f32', [2], [1, 2]), scalar('i32', 7)];
    const customCalls = {
      negate: (_: unknown, [x]: readonly ReturnType<typeof scalar>[]) => [scalar('i32', -toNumbers(x!)[0]!)],
    };
    expect(interpret(moduleOf(main), args, { customCalls }).map(toNumbers)).toEqual([[-7]]);
    expect(codeOf(() => interpret(moduleOf(main), args))).toBe('UNSUPPORTED');
  });
});

describe('arguments and hooks', () => {
  const main = buildFunc('main', [f32x2, f32x2], (b, [x, y]) => [b.multiply(b.add(x!, y!), y!)]);
  const x = literal('f32', [2], [1, 2]);
  test('arguments are checked', () => {
    expect(codeOf(() => interpret(moduleOf(main), [x]))).toBe('INTERPRETER_ARGUMENTS');
    expect(codeOf(() => interpret(moduleOf(main), [x, literal('f32', [3], [1, 2, 3])]))).toBe('INTERPRETER_ARGUMENTS');
    expect(codeOf(() => interpret(moduleOf(main), [x, literal('f64', [2], [1, 2])]))).toBe('INTERPRETER_ARGUMENTS');
  });
  test('the hook sees every op with its results', () => {
    const seen: string[] = [];
    interpret(moduleOf(main), [x, x], {
      onOp: (op, results) => seen.push(`${op.name} ${toNumbers(results[0]!).join(' ')}`),
    });
    expect(seen).toEqual(['add 2 4', 'multiply 2 8']);
  });
  test('one op alone', () => {
    const add = main.body.ops[0]!;
    expect(evaluateOp(add, [x, x]).map(toNumbers)).toEqual([[2, 4]]);
  });
});

describe('several processes', () => {
  const groups = {
    replicaGroups: [
      [0, 1],
      [2, 3],
    ],
  };
  const inputs = [
    [1, 2, 3, 4],
    [10, 20, 30, 40],
    [0, 0, 0, 1],
    [5, 5, 5, 5],
  ].map(v => [literal('f32', [4], v)]);
  const f32x4 = tensorType('f32', [4]);
  const run = (body: (b: Builder, x: Value) => readonly Value[]): number[][] => {
    const main = buildFunc('main', [f32x4], (b, [x]) => body(b, x!));
    return interpretReplicas(moduleOf(main, { numReplicas: 4 }), inputs).map(r => toNumbers(r[0]!));
  };
  test('all_reduce', () => {
    const out = run((b, x) => b.emit('all_reduce', [x], groups, [b.combiner('add', 'f32')]));
    expect(out).toEqual([
      [11, 22, 33, 44],
      [11, 22, 33, 44],
      [5, 5, 5, 6],
      [5, 5, 5, 6],
    ]);
  });
  test('all_reduce over all processes if no groups are given', () => {
    const out = run((b, x) => b.emit('all_reduce', [x], { replicaGroups: [] }, [b.combiner('maximum', 'f32')]));
    expect(out).toEqual([
      [10, 20, 30, 40],
      [10, 20, 30, 40],
      [10, 20, 30, 40],
      [10, 20, 30, 40],
    ]);
  });
  test('all_gather', () => {
    const out = run((b, x) => b.emit('all_gather', [x], { ...groups, allGatherDim: 0 }));
    expect(out[0]).toEqual([1, 2, 3, 4, 10, 20, 30, 40]);
    expect(out[3]).toEqual([0, 0, 0, 1, 5, 5, 5, 5]);
  });
  test('reduce_scatter', () => {
    const out = run((b, x) =>
      b.emit('reduce_scatter', [x], { ...groups, scatterDimension: 0 }, [b.combiner('add', 'f32')]),
    );
    expect(out).toEqual([
      [11, 22],
      [33, 44],
      [5, 5],
      [5, 6],
    ]);
  });
  test('replica ids, and a collective inside a loop', () => {
    const out = run((b, x) => {
      const id = b.convert(b.emit1('replica_id', [], {}), 'f32');
      const start = b.add(x, b.broadcastInDim(id, [], [4]));
      const types = [i32, f32x4];
      const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 2))]);
      const body = b.region(types, (inner, [i, v]) => [
        inner.add(i!, inner.fill('i32', [], 1)),
        inner.emit1('all_reduce', [v!], groups, [inner.combiner('add', 'f32')]),
      ]);
      return [b.emit('while', [b.fill('i32', [], 0), start], {}, [cond, body])[1]!];
    });
    expect(out[1]).toEqual([24, 46, 68, 90]);
    expect(out[2]).toEqual([20, 20, 20, 22]);
  });
  test('loops of different lengths are allowed without collectives, and an error with them', () => {
    const loop =
      (hasCollective: boolean) =>
      (b: Builder, x: Value): readonly Value[] => {
        const n = b.convert(b.emit1('replica_id', [], {}), 'i32');
        const types = [i32, f32x4];
        const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, n)]);
        const body = b.region(types, (inner, [i, v]) => [
          inner.add(i!, inner.fill('i32', [], 1)),
          hasCollective ? inner.emit1('all_reduce', [v!], groups, [inner.combiner('add', 'f32')]) : inner.add(v!, v!),
        ]);
        return [b.emit('while', [b.fill('i32', [], 0), x], {}, [cond, body])[1]!];
      };
    expect(run(loop(false))).toEqual([
      [1, 2, 3, 4],
      [20, 40, 60, 80],
      [0, 0, 0, 4],
      [40, 40, 40, 40],
    ]);
    expect(codeOf(() => run(loop(true)))).toBe('DEADLOCK');
  });
  test('a single process can only communicate if it is given a link to the others', () => {
    const main = buildFunc('main', [f32x4], (b, [x]) => b.emit('all_reduce', [x!], groups, [b.combiner('add', 'f32')]));
    const module = moduleOf(main, { numReplicas: 4 });
    expect(codeOf(() => interpret(module, inputs[0]!))).toBe('COLLECTIVE_MISMATCH');
    const peers = { process: 3, allGather: (members: readonly number[]) => members.map(m => inputs[m]!) };
    expect(interpret(module, inputs[3]!, { peers }).map(toNumbers)).toEqual([[5, 5, 5, 6]]);
  });
});
