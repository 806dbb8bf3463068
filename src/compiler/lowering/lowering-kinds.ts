// The lowering kind of each op: how its elements are computed, or which kernel runs it. The type checker requires an entry for
// every op of the language.
import type { OpName } from '../../hlo/attributes.ts';
import { dispatch, isIn, type PerOp } from '../../hlo/per-op.ts';
import { type Op, shapeOf, type Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import { splatOf } from './constants.ts';

export type LoweringKind =
  | 'element' //    one element is computed from elements of the operands: fuses
  | 'view' //       one element is an element of the operand: costs nothing
  | 'source' //     one element is known from its index
  | 'constant' //   one element is data: the same for all, or in a table in memory
  | 'reduce' //     fuses with its operands and its users
  | 'multiply' //   a matrix multiply, which may have an epilogue
  | 'kernel' //     a separate kernel, over operands in memory
  | 'operator' //   calls a custom operator
  | 'collective' //   a call of the runtime in which processes meet: keeps its order, and runs whether or not its results are used
  | 'control' //    runs the steps of its regions
  | 'call' //       inlined before scheduling
  | 'decomposed' // in simpler ops before scheduling
  | 'inlined' //    decomposed if its region allows it, else a separate kernel
  | 'resolved' //   removed before scheduling: an alias of its operands, or no value at all
  | { readonly unsupported: string }; // for this reason; the interpreter runs it

const checks = 'checks compare values outside of the step: run the program on the interpreter, or split them off';
const host = 'a step has no channel to the host: pass inputs as arguments and outputs as results';
/** Why transfers with the host cannot be compiled. */
export const hostTransfers = host;
const testing = 'it drives the interpreter of a test suite';

/** The answer for each op; documentation prints it, and errors quote its reasons. */
export const loweringKinds = {
  abs: 'element',
  cbrt: 'element',
  ceil: 'element',
  count_leading_zeros: 'element',
  cosine: 'element',
  exponential: 'element',
  exponential_minus_one: 'element',
  floor: 'element',
  log: 'element',
  log_plus_one: 'element',
  logistic: 'element',
  negate: 'element',
  not: 'element',
  popcnt: 'element',
  round_nearest_afz: 'element',
  round_nearest_even: 'element',
  rsqrt: 'element',
  sign: 'element',
  sine: 'element',
  sqrt: 'element',
  tan: 'element',
  tanh: 'element',
  'chlo.erf': 'element',
  add: 'element',
  and: 'element',
  atan2: 'element',
  divide: 'element',
  maximum: 'element',
  minimum: 'element',
  multiply: 'element',
  or: 'element',
  power: 'element',
  remainder: 'element',
  shift_left: 'element',
  shift_right_arithmetic: 'element',
  shift_right_logical: 'element',
  subtract: 'element',
  xor: 'element',
  is_finite: 'element',
  compare: 'element',
  select: 'element',
  clamp: 'element',
  convert: 'element',
  bitcast_convert: 'element',
  reduce_precision: 'element',
  optimization_barrier: 'element',
  constant: 'constant',
  iota: 'source',
  rng_bit_generator: 'element',
  partition_id: 'kernel',
  replica_id: 'kernel',
  reshape: 'view',
  broadcast_in_dim: 'view',
  transpose: 'view',
  reverse: 'view',
  slice: 'view',
  concatenate: 'element',
  pad: 'element',
  dynamic_slice: 'element',
  dynamic_update_slice: 'element',
  gather: 'element',
  scatter: 'kernel',
  sort: 'kernel',
  reduce: 'reduce',
  reduce_window: 'kernel',
  select_and_scatter: 'kernel',
  dot_general: 'multiply',
  convolution: 'kernel',
  while: 'control',
  if: 'control',
  case: 'control',
  'func.call': 'call',
  custom_call: 'operator',
  tuple: 'resolved',
  get_tuple_element: 'resolved',
  all_reduce: 'collective',
  all_gather: 'collective',
  reduce_scatter: 'collective',
  batch_norm_training: 'decomposed',
  batch_norm_inference: 'decomposed',
  batch_norm_grad: 'decomposed',
  dynamic_broadcast_in_dim: 'decomposed',
  dynamic_conv: 'decomposed',
  dynamic_gather: 'decomposed',
  dynamic_iota: 'decomposed',
  dynamic_pad: 'decomposed',
  dynamic_reshape: 'decomposed',
  real_dynamic_slice: 'decomposed',
  map: 'inlined',
  broadcast: 'decomposed',
  dot: 'decomposed',
  einsum: 'decomposed',
  unary_einsum: 'decomposed',
  torch_index_select: 'decomposed',
  composite: 'decomposed',
  'chlo.constant_like': 'decomposed',
  'chlo.constant': 'decomposed',
  'chlo.top_k': 'decomposed',
  'chlo.scan': 'decomposed',
  'chlo.ragged_dot': 'decomposed',
  cholesky: 'decomposed',
  triangular_solve: 'decomposed',
  'chlo.acos': 'decomposed',
  'chlo.acosh': 'decomposed',
  'chlo.asin': 'decomposed',
  'chlo.asinh': 'decomposed',
  'chlo.atan': 'decomposed',
  'chlo.atanh': 'decomposed',
  'chlo.bessel_i1e': 'decomposed',
  'chlo.conj': 'decomposed',
  'chlo.cosh': 'decomposed',
  'chlo.digamma': 'decomposed',
  'chlo.erf_inv': 'decomposed',
  'chlo.erfc': 'decomposed',
  'chlo.is_inf': 'decomposed',
  'chlo.is_neg_inf': 'decomposed',
  'chlo.is_pos_inf': 'decomposed',
  'chlo.lgamma': 'decomposed',
  'chlo.sinh': 'decomposed',
  'chlo.square': 'decomposed',
  'chlo.tan': 'decomposed',
  'chlo._asin_acos_kernel': 'decomposed',
  'chlo.mulhi': 'decomposed',
  'chlo.next_after': 'decomposed',
  'chlo.polygamma': 'decomposed',
  'chlo.zeta': 'decomposed',
  'chlo.broadcast_add': 'decomposed',
  'chlo.broadcast_and': 'decomposed',
  'chlo.broadcast_atan2': 'decomposed',
  'chlo.broadcast_complex': 'decomposed',
  'chlo.broadcast_divide': 'decomposed',
  'chlo.broadcast_maximum': 'decomposed',
  'chlo.broadcast_minimum': 'decomposed',
  'chlo.broadcast_multiply': 'decomposed',
  'chlo.broadcast_next_after': 'decomposed',
  'chlo.broadcast_or': 'decomposed',
  'chlo.broadcast_polygamma': 'decomposed',
  'chlo.broadcast_power': 'decomposed',
  'chlo.broadcast_remainder': 'decomposed',
  'chlo.broadcast_shift_left': 'decomposed',
  'chlo.broadcast_shift_right_arithmetic': 'decomposed',
  'chlo.broadcast_shift_right_logical': 'decomposed',
  'chlo.broadcast_subtract': 'decomposed',
  'chlo.broadcast_xor': 'decomposed',
  'chlo.broadcast_zeta': 'decomposed',
  'chlo.broadcast_compare': 'decomposed',
  'chlo.broadcast_select': 'decomposed',
  fft: 'kernel',
  complex: 'element',
  real: 'element',
  imag: 'element',
  get_dimension_size: 'resolved',
  set_dimension_size: { unsupported: 'the size of its result is known only when it runs' },
  'tensor.cast': 'resolved',
  uniform_quantize: 'decomposed',
  uniform_dequantize: 'decomposed',
  rng: 'decomposed',
  all_to_all: 'collective',
  collective_permute: 'collective',
  collective_broadcast: 'collective',
  collective_reduce: 'decomposed',
  'cross-replica-sum': 'decomposed',
  after_all: 'resolved',
  create_token: 'resolved',
  send: 'collective',
  recv: 'collective',
  infeed: { unsupported: host },
  outfeed: { unsupported: host },
  async_start: 'resolved',
  async_done: 'resolved',
  'check.expect_eq': { unsupported: checks },
  'check.expect_eq_const': { unsupported: checks },
  'check.expect_almost_eq': { unsupported: checks },
  'check.expect_almost_eq_const': { unsupported: checks },
  'check.expect_close': { unsupported: checks },
  'check.expect_serialized_eq': { unsupported: checks },
  'check.eq': { unsupported: checks },
  'interpreter.run_parallel': { unsupported: testing },
  'interpreter.probe': { unsupported: testing },
  'interpreter.print': { unsupported: testing },
  'sdy.sharding_constraint': 'resolved',
  'sdy.reshard': 'resolved',
  'sdy.sharding_group': 'resolved',
  'sdy.manual_computation': { unsupported: 'its body is a program of each device: compile that' },
  unregistered: { unsupported: 'nothing is known of it' },
} as const satisfies { readonly [N in OpName]: LoweringKind };

export function loweringKindOf(op: Op): LoweringKind {
  return isJoin(op) || isSliceUpdate(op) ? 'kernel' : loweringKinds[op.name];
}

/** A kernel that reads a concatenation of fewer parts tests for each index which part it is in. */
const fewestParts = 8;
const smallestPart = 64;
/** So many smaller parts are stored as well: each costs a comparison for every index, and text to compile. */
const manySmallParts = 64;

/** True for concatenations with enough parts, or parts of enough elements on average, to be materialized instead of fused. */
export const isManyParts = (parts: number, elements: number): boolean =>
  parts >= (elements >= smallestPart ? fewestParts : manySmallParts);

/**
 * A concatenation of many tensors that are adjacent in memory. It is stored as one tensor: kernels that compute its parts write
 * them there (memory/), and those that read it have one loop over all of them.
 */
export const isJoin = (op: Op): boolean => isIn(joins, op) && dispatch(joins, op);
const joins: PerOp<'concatenate', boolean> = {
  concatenate(op) {
    const { dimension } = op.attributes;
    const shape = shapeOf(op.results[0]);
    const parts = op.operands.length;
    const isOutermost = shape.slice(0, dimension).every(n => n === 1);
    return isOutermost && isManyParts(parts, elementCount(shape) / parts) && !op.operands.some(isFree);
  },
};

/** The minimum number of elements of a tensor that is updated in place, and their minimum ratio to those of the update. */
const smallestUpdated = 1024;
const fewestUpdates = 4;

/**
 * A small part of a large tensor is written, as when the iterations of a loop fill a stack. The kernel writes only that part,
 * in place if nothing reads the tensor afterwards.
 */
export const isSliceUpdate = (op: Op): boolean => isIn(sliceUpdates, op) && dispatch(sliceUpdates, op);
const sliceUpdates: PerOp<'dynamic_update_slice', boolean> = {
  dynamic_update_slice(op) {
    const [x, update] = op.operands;
    const [all, part] = [elementCount(shapeOf(x)), elementCount(shapeOf(update))];
    return part > 0 && all >= Math.max(smallestUpdated, fewestUpdates * part) && !isFree(x) && !isFree(update);
  },
};

type NameOf<K extends LoweringKind> = { [N in OpName]: (typeof loweringKinds)[N] extends K ? N : never }[OpName];
/** The ops of a lowering kind. */
export type LoweredAs<K extends LoweringKind> = Op<NameOf<K>>;

export function isLoweredAs<const K extends LoweringKind>(op: Op, kind: K): op is LoweredAs<K> {
  return loweringKindOf(op) === kind;
}
/** Ops in which processes synchronize: they keep their order, and run even if their results are not used. */
export const isCollective = (op: Op): op is LoweredAs<'collective'> => isLoweredAs(op, 'collective');

/** A constant whose elements differ: it is stored in the program's read-only memory. */
export const isTable = (op: Op): boolean => isLoweredAs(op, 'constant') && splatOf(op) === undefined;

/** True for values that are never worth storing: any kernel can compute their elements at no cost. */
export function isFree({ op }: Value): boolean {
  if (op === undefined) return false;
  // Not loweringKindOf, which depends on whether operands are free: a chain of updates would be walked twice at each of its ops.
  const kind: LoweringKind = loweringKinds[op.name];
  return kind === 'source' || (kind === 'constant' && !isTable(op));
}
