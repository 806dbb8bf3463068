import { describe, expect, test } from 'vitest';
import { Builder, buildFunc } from './builder.ts';
import { costOfModule } from './cost.ts';
import { attributeNumber, funcKey, moduleKey } from './func-key.ts';
import { interpret } from './interpreter.ts';
import { literal } from './literal.ts';
import { opSamples } from './op-samples.testing.ts';
import { type Func, moduleOf, type Op, type Value } from './program.ts';
import { dynamicDim, type TensorType, tensorType } from './types.ts';
import {
  capturesOf,
  cloneRegion,
  forEachOp,
  isPure,
  nextId,
  reachableOps,
  reducerOf,
  substitute,
  usesOf,
} from './walk.ts';

const f32x2 = tensorType('f32', [2]);

describe('walk', () => {
  test('uses, and reachable ops in execution order', () => {
    const func = buildFunc('main', [f32x2], (b, [x]) => {
      const unused = b.negate(x!);
      const sum = b.add(x!, x!);
      b.multiply(unused, unused);
      return [b.subtract(sum, x!)];
    });
    const [x] = func.body.args;
    expect(
      usesOf(func.body)
        .get(x!)!
        .map(u => `${u.user.name} ${u.operand}`),
    ).toEqual(['negate 0', 'add 0', 'add 1', 'subtract 1']);
    expect(reachableOps(func.body.results).map(op => op.name)).toEqual(['add', 'subtract']);
  });
  test('captures of regions count as inputs', () => {
    const func = buildFunc('main', [tensorType('i1'), f32x2], (b, [p, x]) => {
      const outer = b.negate(x!);
      return b.emit('if', [p!], {}, [b.region([], inner => [inner.add(outer, outer)]), b.region([], () => [x!])]);
    });
    const branch = func.body.ops.at(-1)!;
    expect([...capturesOf(branch)]).toEqual([func.body.ops[0]!.results[0], func.body.args[1]]);
    expect(reachableOps(func.body.results).map(op => op.name)).toEqual(['negate', 'if']);
  });
  test('a chain of 100,000 ops does not overflow the stack', () => {
    const func = buildFunc('main', [f32x2], (b, [x]) => {
      let v = x!;
      for (let i = 0; i < 100_000; i++) v = b.negate(v);
      return [v];
    });
    expect(reachableOps(func.body.results)).toHaveLength(100_000);
  });
  test('clones and substitutions compute the same results', () => {
    for (const { func, inputs, name } of opSamples()) {
      if (name === 'get_tuple_element') continue;
      const copy: Func = { ...func, body: cloneRegion(func.body, new Map(), { next: nextId(func.body) }) };
      expect(funcKey(copy)).toBe(funcKey(func));
      const ids = { next: 1000 };
      const inlined = buildFunc(
        'main',
        inputs.map(x => x.type),
        (b, args) => {
          const { ops, results } = substitute(func.body, args, ids);
          b.ops.push(...ops);
          return results;
        },
      );
      expect(interpret(moduleOf(inlined), inputs)).toEqual(interpret(moduleOf(func), inputs));
    }
  });
  test('reducerOf recognizes regions with a single op', () => {
    const b = new Builder();
    const element = tensorType('f32');
    expect(reducerOf(b.combiner('maximum', 'f32'))).toBe('maximum');
    expect(reducerOf(b.region([element, element], (inner, [x, y]) => [inner.add(y!, x!)]))).toBe('add');
    expect(reducerOf(b.region([element, element], (inner, [x, y]) => [inner.subtract(y!, x!)]))).toBeUndefined();
    expect(reducerOf(b.region([element, element], (inner, [x]) => [inner.add(x!, x!)]))).toBeUndefined();
    expect(reducerOf(b.region([element, element], (_, [x]) => [x!]))).toBeUndefined();
  });
  test('purity considers ops inside control flow', () => {
    const pure = (sideEffect: boolean): boolean => {
      const func = buildFunc('main', [tensorType('i1'), f32x2], (b, [p, x]) => {
        const call = b.region([], inner =>
          inner.emit('custom_call', [x!], {
            callTargetName: 't',
            backendConfig: '',
            resultTypes: [f32x2],
            hasSideEffect: sideEffect,
          }),
        );
        return b.emit('if', [p!], {}, [call, b.region([], () => [x!])]);
      });
      return isPure(func.body.ops[0]!);
    };
    expect([pure(true), pure(false)]).toEqual([false, true]);
  });
});

describe('keys', () => {
  test('different samples have different keys, equal programs have equal keys', () => {
    const keys = opSamples().map(s => funcKey(s.func));
    expect(new Set(keys).size).toBe(keys.length);
    expect(opSamples().map(s => funcKey(s.func))).toEqual(keys);
  });
  test('ids and names do not matter; constants, aliases, replicas and attributes do', () => {
    const build = (value: number, name = 'main', skip = false, aliases: number[] = []): Func =>
      buildFunc(
        name,
        [f32x2],
        (b, [x]) => {
          if (skip) b.region([f32x2], (_, args) => args);
          return [b.add(x!, b.constant(literal('f32', [2], [value, 1])))];
        },
        aliases,
      );
    const key = funcKey(build(1));
    expect(funcKey(build(1, 'other', true))).toBe(key);
    expect(funcKey(build(-0))).not.toBe(funcKey(build(0)));
    expect(funcKey(build(2))).not.toBe(key);
    expect(funcKey(build(1, 'main', false, [0]))).not.toBe(key);
    expect(moduleKey(moduleOf(build(1), { numReplicas: 2 }))).not.toBe(moduleKey(moduleOf(build(1))));
    const meshes = [{ name: 'm', mesh: { axes: [{ name: 'x', size: 1 }], deviceIds: [] } }];
    expect(moduleKey({ ...moduleOf(build(1)), meshes })).not.toBe(moduleKey(moduleOf(build(1))));
  });
  test('declared result types are distinguished: sizes, bounds and scales may not follow from the operands', () => {
    const unknown = tensorType('f32', [dynamicDim]);
    const stated = (type: TensorType): Func => {
      const func = buildFunc('main', [unknown], (b, [x]) => [b.negate(x!)]);
      const [op] = func.body.ops as [Op];
      const copy = { ...op, results: [] as Value[] } as unknown as Op;
      const result = { ...op.results[0]!, type, op: copy };
      (copy.results as Value[]).push(result);
      return { ...func, body: { ...func.body, ops: [copy], results: [result] } };
    };
    const quantization = { expressedType: 'f32', scales: [2], zeroPoints: [0] } as const;
    const types: TensorType[] = [
      unknown,
      tensorType('f32', [4]),
      { ...unknown, bounds: [4] },
      { ...unknown, bounds: [5] },
      { ...unknown, quantization },
      { ...unknown, quantization: { ...quantization, scales: [3] } },
      { ...unknown, encoding: '"row"' },
    ];
    expect(new Set(types.map(t => funcKey(stated(t)))).size).toBe(types.length);
    expect(funcKey(stated(tensorType('f32', [4])))).toBe(funcKey(stated(tensorType('f32', [4]))));
  });
  test('large constants are distinguished', () => {
    const build = (last: number): Func =>
      buildFunc('main', [], b => [b.constant(literal('f32', [1000], [...new Array(999).fill(0), last]))]);
    expect(funcKey(build(1))).not.toBe(funcKey(build(2)));
    expect(funcKey(build(1))).toBe(funcKey(build(1)));
  });
  test('no two names of attributes share a word', () => {
    const names = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(key);
        collect(inner);
      }
    };
    for (const { func } of opSamples()) forEachOp(func.body, op => collect(op.attributes));
    expect(names.size).toBeGreaterThan(50);
    expect(new Set([...names].map(attributeNumber)).size).toBe(names.size);
  });
});

describe('costs', () => {
  test('of a product, with loops counted by their number of iterations', () => {
    const func = buildFunc('main', [tensorType('f32', [4, 8]), tensorType('f32', [8, 8])], (b, [x, w]) => {
      const types = [tensorType('i32'), tensorType('f32', [4, 8])];
      const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 3))]);
      const dims = {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      };
      const body = b.region(types, (inner, [i, v]) => [
        inner.add(i!, inner.fill('i32', [], 1)),
        inner.unary('tanh', inner.dotGeneral(v!, w!, dims)),
      ]);
      return [b.emit('while', [b.fill('i32', [], 0), x!], {}, [cond, body])[1]!];
    });
    const { byOp } = costOfModule(moduleOf(func), { iterations: () => 3 });
    expect(byOp.get('dot_general')).toEqual({
      count: 3,
      flops: 3 * 2 * 4 * 8 * 8,
      transcendentals: 0,
      bytesRead: 3 * 4 * (32 + 64),
      bytesWritten: 3 * 4 * 32,
    });
    expect(byOp.get('tanh')).toMatchObject({ count: 3, transcendentals: 3 * 32 });
    expect(byOp.get('compare')!.count).toBe(4);
  });
  test('every op has one', () => {
    for (const { func, label } of opSamples()) {
      const { total } = costOfModule(moduleOf(func));
      for (const amount of Object.values(total)) expect(amount, label).toBeGreaterThanOrEqual(0);
    }
  });
});
