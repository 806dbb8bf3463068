// The gradient API: the emitted ops, conventions at corners, and all errors.
import { describe, expect, test } from 'vitest';
import type { TrenioError } from '../base/errors.ts';
import { Builder, buildFunc } from '../hlo/builder.ts';
import { interpret, interpretReplicas } from '../hlo/interpreter.ts';
import { type Literal, literal, scalar, toNumbers } from '../hlo/literal.ts';
import { type Func, moduleOf, type Value } from '../hlo/program.ts';
import { type ElementType, tensorType } from '../hlo/types.ts';
import { grad, gradients } from './gradient.ts';

const f64 = (...shape: number[]) => tensorType('f64', shape);
const vector = (...values: number[]): Literal => literal('f64', [values.length], values);

/** The gradient of the sum of f's result with respect to all arguments. */
function gradientsAt(args: readonly Literal[], f: (b: Builder, args: readonly Value[]) => Value): number[][] {
  const func = buildFunc(
    'f',
    args.map(arg => arg.type),
    (b, values) => [b.sum(f(b, values))],
  );
  const [, ...found] = interpret(
    moduleOf(
      grad(
        func,
        args.map((_, i) => i),
      ),
    ),
    args,
  );
  return found.map(toNumbers);
}

describe('emitted ops', () => {
  const names = (b: Builder, from: number): string[] => b.ops.slice(from).map(op => op.name);

  test('no ops for values that do not depend on the differentiated ones', () => {
    const b = new Builder();
    const [x, frozen, w] = [f64(2, 3), f64(3, 4), f64(4, 5)].map((type, i) => b.argument(type, i));
    const dims = {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [0],
    };
    const output = b.sum(b.dotGeneral(b.unary('tanh', b.dotGeneral(x!, frozen!, dims)), w!, dims));
    const from = b.ops.length;
    gradients(b, output, [w!]);
    expect(names(b, from)).toEqual(['constant', 'broadcast_in_dim', 'dot_general']);
  });

  test('one multiply without a transpose for each weight layout', () => {
    for (const [weight, contracted] of [
      [f64(4, 5), 0],
      [f64(5, 4), 1],
    ] as const) {
      const b = new Builder();
      const [x, w] = [f64(2, 3, 4), weight].map((type, i) => b.argument(type, i));
      const dims = {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [2],
        rhsContractingDimensions: [contracted],
      };
      const output = b.sum(b.dotGeneral(x!, w!, dims));
      const from = b.ops.length;
      gradients(b, output, [x!, w!]);
      expect(names(b, from)).toEqual(['constant', 'broadcast_in_dim', 'dot_general', 'dot_general']);
    }
  });

  test('zeros for arguments that do not reach the output', () => {
    const b = new Builder();
    const [x, y] = [b.argument(f64(2), 0), b.argument(f64(3), 1)];
    const [dx, dy] = gradients(b, b.sum(b.unary('floor', x)), [x, y]);
    expect([dx!.type, dy!.type]).toEqual([x.type, y.type]);
    const func: Func = {
      name: 'f',
      body: { args: [x, y], ops: b.ops, results: [dx!, dy!] },
      aliases: [undefined, undefined],
    };
    expect(interpret(moduleOf(func), [vector(1, 2), vector(1, 2, 3)]).map(toNumbers)).toEqual([
      [0, 0],
      [0, 0, 0],
    ]);
  });

  test('gradient ops carry the location of the forward op, and the location of the builder is restored', () => {
    const b = new Builder();
    const x = b.argument(f64(), 0);
    b.location = { file: 'model.ts', line: 3, column: 7 };
    const y = b.unary('tanh', x);
    b.location = { file: 'train.ts', line: 9, column: 1 };
    const from = b.ops.length;
    gradients(b, y, [x]);
    expect(b.location.file).toBe('train.ts');
    expect(b.ops.slice(from + 1).map(op => op.location?.line)).toEqual(b.ops.slice(from + 1).map(() => 3));
  });

  test('the gradient with respect to an intermediate value, and to its inputs', () => {
    const b = new Builder();
    const x = b.argument(f64(), 0);
    const y = b.multiply(x, x);
    const z = b.add(b.multiply(y, y), x);
    const found = gradients(b, z, [y, x, y]);
    const func: Func = { name: 'f', body: { args: [x], ops: b.ops, results: found }, aliases: [undefined] };
    expect(interpret(moduleOf(func), [scalar('f64', 3)]).map(toNumbers)).toEqual([[18], [109], [18]]);
  });

  test('a seed weights the elements of the output', () => {
    const b = new Builder();
    const [x, seed] = [b.argument(f64(2), 0), b.argument(f64(2), 1)];
    const [dx] = gradients(b, b.multiply(x, x), [x], { seed });
    const func: Func = {
      name: 'f',
      body: { args: [x, seed], ops: b.ops, results: [dx!] },
      aliases: [undefined, undefined],
    };
    expect(interpret(moduleOf(func), [vector(1, 2), vector(10, 100)]).map(toNumbers)).toEqual([[20, 400]]);
  });

  test('a stopped value is a constant, and so are its copies', () => {
    const build = (inBranch: boolean): number[] => {
      const b = new Builder();
      const x = b.argument(f64(), 0);
      const stopped = new Set<Value>();
      const detached = (inner: Builder): Value => {
        const [copy] = inner.emit('optimization_barrier', [x], {});
        stopped.add(copy!);
        return inner.multiply(x, copy!);
      };
      const always = b.compare('EQ', x, x);
      const [y] = inBranch
        ? b.emit('if', [always], {}, [b.region([], inner => [detached(inner)]), b.region([], () => [x])])
        : [detached(b)];
      const found = gradients(b, y!, [x], { stopGradients: stopped });
      const func: Func = { name: 'f', body: { args: [x], ops: b.ops, results: found }, aliases: [undefined] };
      return toNumbers(interpret(moduleOf(func), [scalar('f64', 3)])[0]!);
    };
    expect([build(false), build(true)]).toEqual([[3], [3]]);
  });

  test('work is linear in the number of ops', () => {
    const opsFor = (length: number): number => {
      const b = new Builder();
      const x = b.argument(f64(), 0);
      let y: Value = x;
      for (let i = 0; i < length; i++) y = b.add(b.unary('sine', y), x);
      const from = b.ops.length;
      gradients(b, y, [x]);
      return b.ops.length - from;
    };
    expect(opsFor(2000) - opsFor(1000)).toBe(opsFor(1000) - opsFor(0));
  });
});

describe('corners', () => {
  test('a tie of maximum or minimum splits the gradient equally', () => {
    for (const name of ['maximum', 'minimum'] as const) {
      expect(gradientsAt([vector(1), vector(1)], (b, [x, y]) => b.binary(name, x!, y!))).toEqual([[0.5], [0.5]]);
    }
  });
  test('the largest elements of a reduction share the gradient', () => {
    const max = (b: Builder, x: Value): Value =>
      b.reduce('maximum', x, b.fill('f64', [], Number.NEGATIVE_INFINITY), [0]);
    expect(gradientsAt([vector(2, 1, 2, 0)], (b, [x]) => max(b, x!))).toEqual([[0.5, 0, 0.5, 0]]);
  });
  test('the first of the largest elements of a window takes the whole gradient, dilated or not', () => {
    for (const dilation of [1, 2]) {
      const window = {
        windowDimensions: [3],
        windowStrides: [1],
        padding: [[0, 0]] as const,
        baseDilations: [1],
        windowDilations: [dilation],
      };
      const pooled = gradientsAt([vector(7, 7, 7, 7, 7, 7)], (b, [x]) =>
        b.emit1('reduce_window', [x!, b.fill('f64', [], Number.NEGATIVE_INFINITY)], window, [
          b.combiner('maximum', 'f64'),
        ]),
      );
      expect(pooled).toEqual([dilation === 1 ? [1, 1, 1, 1, 0, 0] : [1, 1, 0, 0, 0, 0]]);
    }
  });
  test('clamp passes the gradient at its bounds, abs has slope 0 at zero', () => {
    const clamp = (b: Builder, x: Value): Value =>
      b.emit1('clamp', [b.fill('f64', [], 0), x, b.fill('f64', [], 1)], {});
    expect(gradientsAt([vector(-1, 0, 0.5, 1, 2)], (b, [x]) => clamp(b, x!))).toEqual([[0, 1, 1, 1, 0]]);
    expect(gradientsAt([vector(-2, 0, 2)], (b, [x]) => b.unary('abs', x!))).toEqual([[-1, 0, 1]]);
  });
  test('the gradient of a power at zero is not NaN', () => {
    const power = (exponents: number[]): number[][] =>
      gradientsAt([vector(...exponents.map(() => 0)), vector(...exponents)], (b, [x, y]) => b.binary('power', x!, y!));
    expect(power([0, 1, 2, 3.5])).toEqual([
      [0, 1, 0, 0],
      [0, 0, 0, 0],
    ]);
  });
  test('an infinity in the branch not taken does not affect the gradient', () => {
    const relu = gradientsAt([vector(-1, 2)], (b, [x]) => b.multiply(b.maximum(x!, b.like(x!, 0)), b.like(x!, 1e308)));
    expect(relu).toEqual([[0, 1e308]]);
  });
});

describe('element types', () => {
  test('indices of a type too small to be out of bounds', () => {
    const dims = {
      offsetDims: [],
      collapsedSliceDims: [0],
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: [0],
      indexVectorDim: 1,
    };
    const func = buildFunc('f', [f64(300), tensorType('ui8', [3])], (b, [x, at]) => [
      b.sum(b.gather(x!, at!, dims, [1])),
    ]);
    const args = [literal('f64', [300], new Float64Array(300)), literal('ui8', [3], [0, 255, 255])];
    const found = toNumbers(interpret(moduleOf(grad(func, [0])), args)[1]!);
    expect([found[0], found[255], found.reduce((x, y) => x + y)]).toEqual([1, 2, 3]);
  });
  const product = (from: ElementType, accumulator: ElementType): Func =>
    buildFunc('f', [tensorType(from, [2, 2]), tensorType(from, [2, 2])], (b, [x, w]) => {
      const attributes = {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
        precision: ['DEFAULT', 'DEFAULT'] as const,
        elementType: accumulator,
      };
      return [b.sum(b.emit1('dot_general', [x!, w!], attributes))];
    });
  test.each(['bf16', 'f16'] as const)(
    'a product of %s that accumulates in f32 has gradients of the same type',
    type => {
      const args = [literal(type, [2, 2], [1, 2, 3, 4]), literal(type, [2, 2], [5, 6, 7, 8])];
      const [, dx, dw] = interpret(moduleOf(grad(product(type, 'f32'), [0, 1])), args);
      expect([dx!.type.elementType, toNumbers(dx!), dw!.type.elementType, toNumbers(dw!)]).toEqual([
        type,
        [11, 15, 11, 15],
        type,
        [4, 4, 6, 6],
      ]);
    },
  );
  test('reducers that compute in a wider type', () => {
    for (const name of ['add', 'maximum', 'multiply'] as const) {
      const func = buildFunc('f', [tensorType('bf16', [3])], (b, [x]) => {
        const init = b.fill('bf16', [], name === 'add' ? 0 : name === 'multiply' ? 1 : Number.NEGATIVE_INFINITY);
        return [b.emit1('reduce', [x!, init], { dimensions: [0] }, [b.combiner(name, 'f32')])];
      });
      const [, dx] = interpret(moduleOf(grad(func, [0])), [literal('bf16', [3], [2, 3, 4])]);
      const want = { add: [1, 1, 1], maximum: [0, 0, 1], multiply: [12, 8, 6] }[name];
      expect([dx!.type.elementType, toNumbers(dx!)]).toEqual(['bf16', want]);
    }
  });
});

describe('collectives over two replicas', () => {
  const replicaGroups = [[0, 1]];
  const alone = (func: Func) => moduleOf(func, { numReplicas: 2 });
  const run = (func: Func, args: readonly Literal[]): number[][] =>
    interpretReplicas(
      alone(grad(func, [0])),
      args.map(arg => [arg]),
    ).map(([, dx]) => toNumbers(dx!));

  test('all_reduce sums the cotangents', () => {
    const func = buildFunc('f', [f64(2)], (b, [x]) => {
      const sum = b.emit1('all_reduce', [x!], { replicaGroups }, [b.combiner('add', 'f64')]);
      return [b.sum(b.multiply(sum, sum))];
    });
    // Both replicas have the output Σ(x₀ + x₁)²; their sum has the slope 2 · 2(x₀ + x₁).
    expect(run(func, [vector(1, 2), vector(3, 4)])).toEqual([
      [16, 24],
      [16, 24],
    ]);
  });
  test('all_gather and reduce_scatter send each part back', () => {
    const gather = buildFunc('f', [f64(2)], (b, [x]) => {
      const all = b.emit1('all_gather', [x!], { replicaGroups, allGatherDim: 0 });
      return [b.sum(b.multiply(all, b.constant(vector(1, 2, 3, 4))))];
    });
    expect(run(gather, [vector(1, 2), vector(3, 4)])).toEqual([
      [2, 4],
      [6, 8],
    ]);
    const scatter = buildFunc('f', [f64(4)], (b, [x]) => {
      const part = b.emit1('reduce_scatter', [x!], { replicaGroups, scatterDimension: 0 }, [b.combiner('add', 'f64')]);
      return [b.sum(b.multiply(part, part))];
    });
    // The parts are (6, 8) on replica 0 and (10, 12) on replica 1.
    expect(run(scatter, [vector(1, 2, 3, 4), vector(5, 6, 7, 8)])).toEqual([
      [12, 16, 20, 24],
      [12, 16, 20, 24],
    ]);
  });
});

test('a custom call uses the rule passed for it', () => {
  const func = buildFunc('f', [f64()], (b, [x]) =>
    b.emit('custom_call', [x!], {
      callTargetName: 'double',
      backendConfig: '',
      resultTypes: [f64()],
      hasSideEffect: false,
    }),
  );
  const customGradients = new Map([
    [
      'double',
      ({ builder, cotangents: [g] }: { builder: Builder; cotangents: readonly (Value | undefined)[] }) => [
        builder.add(g!, g!),
      ],
    ],
  ]);
  const gradient = grad(func, [0], { customGradients });
  const customCalls = { double: (_: unknown, [x]: readonly Literal[]) => [scalar('f64', 2 * toNumbers(x!)[0]!)] };
  expect(interpret(moduleOf(gradient), [scalar('f64', 3)], { customCalls }).map(toNumbers)).toEqual([[6], [2]]);
});

describe('refusals', () => {
  const at = { file: 'model.ts', line: 12, column: 5 };
  const messageOf = (make: (b: Builder, x: Value) => Value): string => {
    const b = new Builder();
    const x = b.argument(f64(3), 0);
    b.location = at;
    try {
      const y = make(b, x);
      gradients(b, y.type.kind === 'tensor' && y.type.shape.length > 0 ? b.sum(y) : y, [x]);
    } catch (error) {
      return (error as TrenioError).message;
    }
    return 'no error';
  };
  const region = (b: Builder, type: ElementType) => b.combiner('power', tensorType(type).elementType);

  test.each<[string, (b: Builder, x: Value) => Value]>([
    [
      'while',
      (b, x) => {
        const cond = b.region([f64(3)], inner => [inner.fill('i1', [], false)]);
        return b.emit('while', [x], {}, [cond, b.region([f64(3)], (_, [y]) => [y!])])[0]!;
      },
    ],
    ['bitcast_convert', (b, x) => b.emit1('bitcast_convert', [x], { type: tensorType('f64', [3]) })],
    [
      'custom_call',
      (b, x) =>
        b.emit1('custom_call', [x], {
          callTargetName: 'mystery',
          backendConfig: '',
          resultTypes: [f64(3)],
          hasSideEffect: false,
        }),
    ],
    [
      'func.call without the called function',
      (b, x) => b.emit1('func.call', [x], { callee: 'far_away', resultTypes: [f64(3)] }),
    ],
    [
      'a reduction by power',
      (b, x) => b.emit1('reduce', [x, b.fill('f64', [], 1)], { dimensions: [0] }, [region(b, 'f64')]),
    ],
    ['an output that is not a float', (b, x) => b.sum(b.convert(x, 'i32'))],
  ])('%s', (_, make) => {
    expect(messageOf(make)).toMatchSnapshot();
  });

  test('an output that is not a scalar, a variable that is not a float, an argument that does not exist', () => {
    const b = new Builder();
    const [x, n] = [b.argument(f64(3), 0), b.argument(tensorType('i32'), 1)];
    expect(() => gradients(b, b.negate(x), [x])).toThrowErrorMatchingSnapshot();
    expect(() => gradients(b, b.sum(x), [n])).toThrowErrorMatchingSnapshot();
    const func = buildFunc('loss', [f64(3)], (inner, [y]) => [inner.sum(y!)]);
    expect(() => grad(func, [1])).toThrowErrorMatchingSnapshot();
  });

  test('a loop over integers that the gradient does not pass through is allowed', () => {
    expect(
      messageOf((b, x) => {
        const type = tensorType('i32');
        const cond = b.region([type], (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 3))]);
        const body = b.region([type], (inner, [i]) => [inner.add(i!, inner.fill('i32', [], 1))]);
        const [count] = b.emit('while', [b.fill('i32', [], 0)], {}, [cond, body]);
        return b.multiply(x, b.broadcastInDim(b.convert(count!, 'f64'), [], [3]));
      }),
    ).toBe('no error');
  });
});
