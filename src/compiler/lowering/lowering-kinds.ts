// What the scheduler must know of each op: how its elements can be had. The compiler's answer for every op of the
// language; the type checker asks for each name.
import type { OpName } from '../../hlo/attributes.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { splatOf } from './evaluator.ts';

export type Treatment =
  | 'element' //   one element is computed from elements of the operands: fuses
  | 'view' //      one element is an element of the operand: costs nothing
  | 'source' //    one element is known from its index
  | 'reduce' //    fuses with what it reduces and what uses it
  | 'kernel' //    a kernel of its own, over operands in memory
  | 'control' //   runs the steps of its regions
  | 'call' //      inlined before scheduling
  | 'derived' //   said in simpler ops before scheduling
  | 'resolved' //  gone before scheduling: another name of its operands, or nothing at all
  | { readonly unsupported: string }; // for this reason; the interpreter runs it

const checks = 'checks compare values outside of the step: run the program on the interpreter, or split them off';
const host = 'a step has no channel to the host: pass what comes in as arguments and what goes out as results';
/** Why transfers with the host cannot be compiled. */
export const hostTransfers = host;
const testing = 'it drives the interpreter of a test suite';

/** The answer for each op; documentation prints it, and errors quote its reasons. */
export const treatments: { readonly [N in OpName]: Treatment } = {
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
  constant: 'source',
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
  dot_general: 'kernel',
  convolution: 'kernel',
  while: 'control',
  if: 'control',
  case: 'control',
  'func.call': 'call',
  custom_call: 'kernel',
  tuple: 'resolved',
  get_tuple_element: 'resolved',
  all_reduce: 'kernel',
  all_gather: 'kernel',
  reduce_scatter: 'kernel',
  batch_norm_training: 'derived',
  batch_norm_inference: 'derived',
  batch_norm_grad: 'derived',
  dynamic_broadcast_in_dim: 'derived',
  dynamic_conv: 'derived',
  dynamic_gather: 'derived',
  dynamic_iota: 'derived',
  dynamic_pad: 'derived',
  dynamic_reshape: 'derived',
  real_dynamic_slice: 'derived',
  map: 'kernel',
  broadcast: 'derived',
  dot: 'derived',
  einsum: 'derived',
  unary_einsum: 'derived',
  torch_index_select: 'derived',
  composite: 'derived',
  'chlo.constant_like': 'derived',
  'chlo.constant': 'derived',
  'chlo.top_k': 'derived',
  'chlo.scan': 'derived',
  'chlo.ragged_dot': 'derived',
  cholesky: 'derived',
  triangular_solve: 'derived',
  'chlo.acos': 'derived',
  'chlo.acosh': 'derived',
  'chlo.asin': 'derived',
  'chlo.asinh': 'derived',
  'chlo.atan': 'derived',
  'chlo.atanh': 'derived',
  'chlo.bessel_i1e': 'derived',
  'chlo.conj': 'derived',
  'chlo.cosh': 'derived',
  'chlo.digamma': 'derived',
  'chlo.erf_inv': 'derived',
  'chlo.erfc': 'derived',
  'chlo.is_inf': 'derived',
  'chlo.is_neg_inf': 'derived',
  'chlo.is_pos_inf': 'derived',
  'chlo.lgamma': 'derived',
  'chlo.sinh': 'derived',
  'chlo.square': 'derived',
  'chlo.tan': 'derived',
  'chlo._asin_acos_kernel': 'derived',
  'chlo.mulhi': 'derived',
  'chlo.next_after': 'derived',
  'chlo.polygamma': 'derived',
  'chlo.zeta': 'derived',
  'chlo.broadcast_add': 'derived',
  'chlo.broadcast_and': 'derived',
  'chlo.broadcast_atan2': 'derived',
  'chlo.broadcast_complex': 'derived',
  'chlo.broadcast_divide': 'derived',
  'chlo.broadcast_maximum': 'derived',
  'chlo.broadcast_minimum': 'derived',
  'chlo.broadcast_multiply': 'derived',
  'chlo.broadcast_next_after': 'derived',
  'chlo.broadcast_or': 'derived',
  'chlo.broadcast_polygamma': 'derived',
  'chlo.broadcast_power': 'derived',
  'chlo.broadcast_remainder': 'derived',
  'chlo.broadcast_shift_left': 'derived',
  'chlo.broadcast_shift_right_arithmetic': 'derived',
  'chlo.broadcast_shift_right_logical': 'derived',
  'chlo.broadcast_subtract': 'derived',
  'chlo.broadcast_xor': 'derived',
  'chlo.broadcast_zeta': 'derived',
  'chlo.broadcast_compare': 'derived',
  'chlo.broadcast_select': 'derived',
  fft: 'kernel',
  complex: 'element',
  real: 'element',
  imag: 'element',
  get_dimension_size: 'resolved',
  set_dimension_size: { unsupported: 'the size of its result is known only when it runs' },
  'tensor.cast': 'resolved',
  uniform_quantize: 'derived',
  uniform_dequantize: 'derived',
  rng: 'derived',
  all_to_all: 'kernel',
  collective_permute: 'kernel',
  collective_broadcast: 'kernel',
  collective_reduce: 'derived',
  'cross-replica-sum': 'derived',
  after_all: 'resolved',
  create_token: 'resolved',
  send: 'kernel',
  recv: 'kernel',
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
  'sdy.manual_computation': { unsupported: 'its body is a program of each device: compile that' },
  unregistered: { unsupported: 'nothing is known of it' },
};

export function treatmentOf(op: Op): Treatment {
  return treatments[op.name];
}

/** Ops in which a rank meets others: they keep their order, and run whoever wants their results. */
export const isExchange = (op: Op): boolean =>
  op.name === 'all_reduce' ||
  op.name === 'all_gather' ||
  op.name === 'reduce_scatter' ||
  op.name === 'all_to_all' ||
  op.name === 'collective_permute' ||
  op.name === 'collective_broadcast' ||
  op.name === 'send' ||
  op.name === 'recv';

/** A constant whose elements differ: it lies in the program's read-only memory. */
export const isTable = (op: Op): boolean => op.name === 'constant' && splatOf(op) === undefined;

/** True for values that are never worth memory: any kernel makes their elements for nothing. */
export function isFree(value: Value): boolean {
  return value.op !== undefined && treatmentOf(value.op) === 'source' && !isTable(value.op);
}
