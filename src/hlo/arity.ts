// The number of operands, results and regions of each op. The types of ops follow from this table, and `inferTypes`
// (op-table.ts) checks the number of operands and regions before anything else.
import {
  binaryNames,
  chloBinaryNames,
  chloBroadcastNames,
  chloUnaryNames,
  type OpName,
  unaryNames,
} from './attributes.ts';

/**
 * A tuple of `T`, or of `Only` if given. `2+` means two or more, `some` one or more,
 * `many` any number: ops of one name may differ.
 */
interface Tuples<T, Only = T> {
  readonly 0: readonly [];
  readonly 1: readonly [Only];
  readonly 2: readonly [T, T];
  readonly 3: readonly [T, T, T];
  readonly 4: readonly [T, T, T, T];
  readonly 5: readonly [T, T, T, T, T];
  readonly '2+': readonly [T, T, ...T[]];
  readonly some: readonly [T, ...T[]];
  readonly many: readonly T[];
}
export type Count = keyof Tuples<unknown>;
/** Ops without a third number have no regions. */
type Arity = readonly [operands: Count, results: Count, regions?: Count];

const all = <const N extends string, const A extends Arity>(names: readonly N[], arity: A): { readonly [K in N]: A } =>
  Object.fromEntries(names.map(name => [name, arity])) as { readonly [K in N]: A };

export const arities = {
  ...all(unaryNames, [1, 1]),
  ...all(binaryNames, [2, 1]),
  ...all(chloUnaryNames, [1, 1]),
  ...all(chloBinaryNames, [2, 1]),
  ...all(chloBroadcastNames, [2, 1]),
  // elementwise, special
  is_finite: [1, 1],
  compare: [2, 1],
  select: [3, 1],
  clamp: [3, 1],
  convert: [1, 1],
  bitcast_convert: [1, 1],
  reduce_precision: [1, 1],
  optimization_barrier: ['many', 'many'],
  // sources
  constant: [0, 1],
  iota: [0, 1],
  rng_bit_generator: [1, 2],
  partition_id: [0, 1],
  replica_id: [0, 1],
  // moving elements
  reshape: [1, 1],
  broadcast_in_dim: [1, 1],
  transpose: [1, 1],
  reverse: [1, 1],
  slice: [1, 1],
  concatenate: ['some', 1],
  pad: [2, 1],
  dynamic_slice: ['some', 1],
  dynamic_update_slice: ['2+', 1],
  gather: [2, 1],
  scatter: ['some', 'some', 1],
  sort: ['some', 'some', 1],
  // reductions and windows
  reduce: ['some', 'some', 1],
  reduce_window: ['some', 'some', 1],
  select_and_scatter: [3, 1, 2],
  // contractions
  dot_general: [2, 1],
  convolution: [2, 1],
  // linear algebra
  cholesky: [1, 1],
  triangular_solve: [2, 1],
  fft: [1, 1],
  // complex numbers
  complex: [2, 1],
  real: [1, 1],
  imag: [1, 1],
  // normalization
  batch_norm_training: [3, 3],
  batch_norm_inference: [5, 1],
  batch_norm_grad: [5, 3],
  // sizes known when the program runs
  get_dimension_size: [1, 1],
  set_dimension_size: [2, 1],
  dynamic_broadcast_in_dim: [2, 1],
  dynamic_conv: [3, 1],
  dynamic_gather: [3, 1],
  dynamic_iota: [1, 1],
  dynamic_pad: [5, 1],
  dynamic_reshape: [2, 1],
  real_dynamic_slice: [4, 1],
  'tensor.cast': [1, 1],
  // quantized numbers
  uniform_quantize: [1, 1],
  uniform_dequantize: [1, 1],
  // elementwise, with a region
  map: ['some', 1, 1],
  rng: [3, 1],
  // older ops that newer ones replaced
  broadcast: [1, 1],
  dot: [2, 1],
  einsum: [2, 1],
  unary_einsum: [1, 1],
  torch_index_select: [2, 1],
  // control
  while: ['many', 'many', 2],
  if: [1, 'many', 2],
  case: [1, 'many', 'some'],
  'func.call': ['many', 'many'],
  custom_call: ['many', 'many', 'many'],
  composite: ['many', 'many', 'many'],
  tuple: ['many', 1],
  get_tuple_element: [1, 1],
  // collectives
  all_reduce: ['some', 'some', 1],
  all_gather: ['some', 'some'],
  reduce_scatter: [1, 1, 1],
  all_to_all: ['some', 'some'],
  collective_permute: [1, 1],
  collective_broadcast: ['many', 'many'],
  collective_reduce: ['some', 'some', 1],
  'cross-replica-sum': [1, 1],
  // between the program and the host
  after_all: ['many', 1],
  create_token: [0, 1],
  send: ['many', 1],
  recv: [1, 'many'],
  infeed: [1, 'many'],
  outfeed: ['many', 1],
  async_start: ['many', 1, 1],
  async_done: [1, 'many'],
  // CHLO beyond elementwise ops
  'chlo.constant': [0, 1],
  'chlo.constant_like': [1, 1],
  'chlo.broadcast_compare': [2, 1],
  'chlo.broadcast_select': [3, 1],
  'chlo.top_k': [1, 2],
  'chlo.scan': ['many', 'many', 1],
  'chlo.ragged_dot': [3, 1],
  // checks of the StableHLO test suite
  'check.expect_eq': [2, 0],
  'check.expect_eq_const': [1, 0],
  'check.expect_almost_eq': [2, 0],
  'check.expect_almost_eq_const': [1, 0],
  'check.expect_close': [2, 0],
  'check.expect_serialized_eq': [1, 0],
  'check.eq': [2, 1],
  // the reference interpreter's own ops
  'interpreter.run_parallel': ['many', 'many'],
  'interpreter.probe': [1, 1],
  'interpreter.print': [1, 0],
  // Shardy
  'sdy.sharding_constraint': [1, 1],
  'sdy.reshard': [1, 1],
  'sdy.sharding_group': [1, 0],
  'sdy.manual_computation': ['many', 'many', 1],
  unregistered: ['many', 'many', 'many'],
} as const satisfies { readonly [N in OpName]: Arity };

type Arities = typeof arities;
/** A `T` for each operand of an op. */
export type PerOperand<N extends OpName, T> = Tuples<T>[Arities[N][0]];
/** The regions of an op. */
export type PerRegion<N extends OpName, T> = Arities[N] extends readonly [Count, Count, infer R extends Count]
  ? Tuples<T>[R]
  : readonly [];
/** A `T` for each result of an op; `Only` if it has one result. */
export type PerResult<N extends OpName, T, Only = T> = Tuples<T, Only>[Arities[N][1]];
