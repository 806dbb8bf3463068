// Random cases of CHLO. Arguments stay away from poles and from the ends of domains.
import type { ChloBroadcastName, ChloUnaryName } from '../../hlo/attributes.ts';
import { buildFunc } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import type { MakeCase } from './elementwise.testing.ts';

const unary =
  (name: ChloUnaryName, low = -2, high = 2): MakeCase =>
  r => ({ args: [r.tensor(r.shape(), low, high)], build: (b, [x]) => [b.emit1(name, [x!], {})] });

/** Two arguments that broadcast to one shape, some along given dims. */
const broadcast =
  (name: ChloBroadcastName, low = -2, high = 2): MakeCase =>
  r => {
    const shape = r.shape(1, 3, 3);
    const right = r.tensor(shape, low, high);
    if (r.chance(0.4)) {
      const dims = r.subset(shape.map((_, d) => d));
      const left = r.tensor(
        dims.map(d => shape[d]!),
        low,
        high,
      );
      return {
        args: [left, right],
        build: (b, args) => [b.emit1(name, args, { broadcastDimensions: dims })],
      };
    }
    const smaller = shape.slice(r.int(0, shape.length)).map(size => (r.chance(0.3) ? 1 : size));
    return { args: [r.tensor(smaller, low, high), right], build: (b, args) => [b.emit1(name, args, {})] };
  };

const polygamma =
  (name: 'chlo.polygamma' | 'chlo.broadcast_polygamma'): MakeCase =>
  r => {
    const shape = r.shape(0, 2, 3);
    const orders = literal(
      'f64',
      shape,
      r.times(r.tensor(shape).data.length, () => r.int(0, 2)),
    );
    return { args: [orders, r.tensor(shape, 0.8, 3)], constant: [0], build: (b, args) => [b.emit1(name, args, {})] };
  };
const zeta =
  (name: 'chlo.zeta' | 'chlo.broadcast_zeta'): MakeCase =>
  r => {
    const shape = r.shape(0, 2, 3);
    const args = [r.tensor(shape, 1.5, 4), r.tensor(shape, 0.8, 3)];
    return { args, constant: [0], build: (b, values) => [b.emit1(name, values, {})] };
  };
const nextAfter =
  (name: 'chlo.next_after' | 'chlo.broadcast_next_after'): MakeCase =>
  r => {
    const shape = r.shape();
    return { args: [r.tensor(shape), r.tensor(shape)], build: (b, args) => [b.emit1(name, args, {})] };
  };

const scan: MakeCase = r => {
  const shape = r.shape(1, 3, 3);
  const dimension = r.int(0, shape.length - 1);
  const [whole, slice] = [tensorType('f64', shape), tensorType('f64', shape.toSpliced(dimension, 1))];
  const isReverse = r.chance(0.5);
  return {
    args: [r.tensor(shape), r.tensor(shape), r.tensor(slice.shape)],
    build: (b, [x, y, init]) => {
      const count = b.fill('i32', [], 0);
      const body = b.region([slice, slice, slice, tensorType('i32')], (inner, [p, q, carry, n]) => {
        const sum = inner.add(inner.multiply(p!, carry!), q!);
        return [inner.unary('sine', sum), p!, sum, inner.add(n!, inner.fill('i32', [], 1))];
      });
      const resultTypes = [whole, whole, slice, tensorType('i32')];
      return b.emit('chlo.scan', [x!, y!, init!, count], { dimension, isReverse, inputs: 2, resultTypes }, [body]);
    },
  };
};

const raggedDot: MakeCase = r => {
  const sizes = literal('i32', [3], [r.int(0, 2), r.int(0, 2), r.int(0, 2)]);
  const plain = { lhsBatchingDimensions: [], rhsBatchingDimensions: [], precision: [] };
  if (r.chance(0.5))
    return {
      args: [r.tensor([6, 2]), r.tensor([3, 2, 2])],
      build: (b, [x, y]) => [
        b.emit1('chlo.ragged_dot', [x!, y!, b.constant(sizes)], {
          ...plain,
          lhsContractingDimensions: [1],
          rhsContractingDimensions: [1],
          lhsRaggedDimensions: [0],
          rhsGroupDimensions: [0],
        }),
      ],
    };
  return {
    args: [r.tensor([2, 6]), r.tensor([6, 3])],
    build: (b, [x, y]) => [
      b.emit1('chlo.ragged_dot', [x!, y!, b.constant(sizes)], {
        ...plain,
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
        lhsRaggedDimensions: [1],
        rhsGroupDimensions: [],
      }),
    ],
  };
};

const composite: MakeCase = r => {
  const type = tensorType('f64', r.shape(0, 2, 3));
  const body = buildFunc('product', [type, type], (b, [x, y]) => [b.multiply(x!, b.unary('sine', y!)), x!]);
  return {
    args: [r.tensor(type.shape), r.tensor(type.shape)],
    functions: [body],
    build: (b, args) =>
      b.emit('composite', args, {
        name: 'test.product',
        compositeAttributes: '{}',
        decomposition: 'product',
        version: 0,
        resultTypes: [type, type],
      }),
  };
};

export const chloCases = {
  'chlo.acos': unary('chlo.acos', -0.9, 0.9),
  'chlo.acosh': unary('chlo.acosh', 1.2, 3),
  'chlo.asin': unary('chlo.asin', -0.9, 0.9),
  'chlo.asinh': unary('chlo.asinh'),
  'chlo.atan': unary('chlo.atan'),
  'chlo.atanh': unary('chlo.atanh', -0.9, 0.9),
  'chlo.bessel_i1e': r =>
    unary('chlo.bessel_i1e', ...(r.chance(0.5) ? ([0.1, 7.9] as const) : ([-20, -8.1] as const)))(r),
  'chlo.conj': unary('chlo.conj'),
  'chlo.cosh': unary('chlo.cosh'),
  'chlo.digamma': unary('chlo.digamma', 0.8, 3),
  'chlo.erf_inv': unary('chlo.erf_inv', -0.9, 0.9),
  'chlo.erfc': unary('chlo.erfc'),
  'chlo.lgamma': unary('chlo.lgamma', 0.8, 3),
  'chlo.sinh': unary('chlo.sinh'),
  'chlo.square': unary('chlo.square'),
  'chlo.tan': unary('chlo.tan', -1, 1),
  'chlo.polygamma': polygamma('chlo.polygamma'),
  'chlo.zeta': zeta('chlo.zeta'),
  'chlo.next_after': nextAfter('chlo.next_after'),
  'chlo.broadcast_add': broadcast('chlo.broadcast_add'),
  'chlo.broadcast_atan2': broadcast('chlo.broadcast_atan2', 0.5, 2),
  'chlo.broadcast_divide': broadcast('chlo.broadcast_divide', 0.5, 2),
  'chlo.broadcast_maximum': broadcast('chlo.broadcast_maximum'),
  'chlo.broadcast_minimum': broadcast('chlo.broadcast_minimum'),
  'chlo.broadcast_multiply': broadcast('chlo.broadcast_multiply'),
  'chlo.broadcast_next_after': nextAfter('chlo.broadcast_next_after'),
  'chlo.broadcast_polygamma': polygamma('chlo.broadcast_polygamma'),
  'chlo.broadcast_power': broadcast('chlo.broadcast_power', 0.5, 2),
  'chlo.broadcast_remainder': broadcast('chlo.broadcast_remainder', 0.5, 2),
  'chlo.broadcast_subtract': broadcast('chlo.broadcast_subtract'),
  'chlo.broadcast_zeta': zeta('chlo.broadcast_zeta'),
  'chlo.broadcast_select': r => ({
    args: [r.booleans([2, 1]), r.tensor([3]), r.tensor([2, 3])],
    build: (b, args) => [b.emit1('chlo.broadcast_select', args, {})],
  }),
  'chlo.top_k': r => ({
    args: [r.tensor(r.shape(1, 3, 4))],
    build: (b, [x]) => b.emit('chlo.top_k', [x!], { k: 1 }),
  }),
  'chlo.scan': scan,
  'chlo.ragged_dot': raggedDot,
  composite,
} satisfies Record<string, MakeCase>;
