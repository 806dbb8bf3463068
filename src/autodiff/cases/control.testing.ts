// Random cases of control flow, calls, tuples, and collectives over one replica (over several: collectives.test.ts).
import { buildFunc } from '../../hlo/builder.ts';
import { shardingOf } from '../../hlo/sharding/sharding.ts';
import { tensorType } from '../../hlo/types.ts';
import type { MakeCase } from './elementwise.testing.ts';

const branch: MakeCase = r => {
  const shape = r.shape(0, 2, 3);
  return {
    args: [r.booleans([]), r.tensor(shape), r.tensor(shape)],
    build: (b, [p, x, y]) => {
      const outside = b.multiply(x!, y!);
      const branches = [
        b.region([], inner => [inner.multiply(outside, x!), inner.unary('sine', y!)]),
        b.region([], inner => [outside, inner.like(x!, 3)]),
      ];
      return b.emit('if', [p!], {}, branches);
    },
  };
};

const choice: MakeCase = r => {
  const shape = r.shape(0, 2, 3);
  return {
    args: [r.integers([], -1, 3), r.booleans([]), r.tensor(shape), r.tensor(shape)],
    build: (b, [at, p, x, y]) =>
      b.emit('case', [at!], {}, [
        b.region([], inner => [inner.multiply(x!, y!)]),
        // An if inside a branch uses values from two levels up.
        b.region([], inner => {
          const square = inner.multiply(x!, x!);
          const onTrue = inner.region([], deep => [deep.multiply(square, y!)]);
          return inner.emit('if', [p!], {}, [onTrue, inner.region([], () => [y!])]);
        }),
        b.region([], () => [x!]),
      ]),
  };
};

const call: MakeCase = r => {
  const type = tensorType('f64', r.shape(0, 2, 3));
  const inner = buildFunc('inner', [type, type], (b, [x, y]) => [b.multiply(x!, b.unary('sine', y!)), x!]);
  const outer = buildFunc('outer', [type], (b, [x]) =>
    b.emit('func.call', [x!, b.multiply(x!, x!)], { callee: 'inner', resultTypes: [type, type] }),
  );
  return {
    args: [r.tensor(type.shape)],
    functions: [outer, inner],
    build: (b, [x]) => [
      ...b.emit('func.call', [x!], { callee: 'outer', resultTypes: [type, type] }),
      ...b.emit('func.call', [x!, x!], { callee: 'inner', resultTypes: [type, type] }),
    ],
  };
};

const tuple: MakeCase = r => ({
  args: [r.tensor(r.shape()), r.tensor(r.shape())],
  build: (b, [x, y]) => {
    const [pair] = b.emit('tuple', [b.multiply(x!, x!), y!], {});
    return r.permutation(2).map(index => b.emit1('get_tuple_element', [pair], { index }));
  },
});

const alone = { replicaGroups: [[0]] };

const manual: MakeCase = r => {
  const mesh = { axes: [{ name: 'data', size: 1 }] };
  const type = tensorType('f64', r.shape(0, 2, 3));
  const whole = shardingOf(
    mesh,
    type.shape.map(() => []),
  );
  const attributes = { inShardings: [whole, whole], outShardings: [whole], manualAxes: ['data'], resultTypes: [type] };
  return {
    args: [r.tensor(type.shape), r.tensor(type.shape)],
    build: (b, args) =>
      b.emit('sdy.manual_computation', args, attributes, [
        b.region([type, type], (inner, [x, y]) => [inner.multiply(x!, inner.unary('sine', inner.multiply(x!, y!)))]),
      ]),
  };
};

export const controlCases = {
  if: branch,
  case: choice,
  'func.call': call,
  tuple,
  get_tuple_element: tuple,
  all_reduce: r => ({
    args: [r.tensor(r.shape()), r.tensor(r.shape())],
    build: (b, values) => b.emit('all_reduce', values, alone, [b.combiner('add', 'f64')]),
  }),
  all_gather: r => ({
    args: [r.tensor([3, 2])],
    build: (b, values) => b.emit('all_gather', values, { ...alone, allGatherDim: r.int(0, 1) }),
  }),
  reduce_scatter: r => ({
    args: [r.tensor([3, 2])],
    build: (b, values) =>
      b.emit('reduce_scatter', values, { ...alone, scatterDimension: r.int(0, 1) }, [b.combiner('add', 'f64')]),
  }),
  all_to_all: r => ({
    args: [r.tensor([3, 2])],
    build: (b, values) =>
      b.emit('all_to_all', values, { ...alone, splitDimension: 0, concatDimension: r.int(0, 1), splitCount: 1 }),
  }),
  collective_permute: r => ({
    args: [r.tensor(r.shape())],
    build: (b, values) => b.emit('collective_permute', values, { sourceTargetPairs: r.pick([[], [[0, 0]]]) }),
  }),
  'sdy.manual_computation': manual,
} satisfies Record<string, MakeCase>;
