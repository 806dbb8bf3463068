// What the scheduler must know of each op: how its elements can be had. The compiler's answer for every op of the
// language; the type checker asks for each name.
import type { OpName } from '../../hlo/attributes.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { splatOf } from '../kernels/evaluator.ts';

export type Treatment =
  | 'element' //   one element is computed from elements of the operands: fuses
  | 'view' //      one element is an element of the operand: costs nothing
  | 'source' //    one element is known from its index
  | 'reduce' //    fuses with what it reduces and what uses it
  | 'kernel' //    a kernel of its own, over operands in memory
  | 'control' //   runs the steps of its regions
  | 'call' //      inlined before scheduling
  | 'unsupported';

const treatments: { readonly [N in OpName]: Treatment } = {
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
  custom_call: 'unsupported',
  tuple: 'unsupported',
  get_tuple_element: 'unsupported',
  all_reduce: 'kernel',
  all_gather: 'kernel',
  reduce_scatter: 'kernel',
};

export function treatmentOf(op: Op): Treatment {
  return treatments[op.name];
}

/** A constant whose elements differ: it lies in the program's read-only memory. */
export const isTable = (op: Op): boolean => op.name === 'constant' && splatOf(op) === undefined;

/** True for values that are never worth memory: any kernel makes their elements for nothing. */
export function isFree(value: Value): boolean {
  return value.op !== undefined && treatmentOf(value.op) === 'source' && !isTable(value.op);
}
