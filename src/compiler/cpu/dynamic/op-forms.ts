// For the compiler for unknown sizes: the forms that the result of each op can take, and how the op reads its operands.
// The type checker requires an entry for each op that is not decomposed everywhere. Each form has a table of the ops that have
// it: atoms.ts, elements.ts, emit.ts.
import type { OpName } from '../../../hlo/attributes.ts';
import { isRandomBits } from '../../../hlo/ops/random-bits-call.ts';
import { forAll } from '../../../hlo/per-op.ts';
import type { Op } from '../../../hlo/program.ts';
import { type ScalarOpName, scalarOpNames } from '../../ir/scalar-op.ts';
import type { LoweredAs } from '../../lowering/lowering-kinds.ts';

export interface OpForm {
  /** A small result can be atoms: constants and locals of the step function. */
  readonly atoms?: true;
  /**
   * Elements can be computed where they are used: by arithmetic, from one element of the operand, from the index alone, or, in
   * a kernel that goes row by row, from a row of the operand.
   */
  readonly fused?: 'element' | 'view' | 'source' | 'reduce';
  /** The op can write its results to memory, or share memory. */
  readonly stored?: true;
  /** How an operand is read, if not as a whole from memory. */
  reads?(operand: number, op: Op): OperandRead | undefined;
}
/**
 * `atoms`: by the step function, all elements: sizes, starts, scalars. `elements`: by the op's kernel, each element once.
 * `sizes`: its elements are not read.
 */
export type OperandRead = 'atoms' | 'elements' | 'sizes';

const element = { atoms: true, fused: 'element' } as const;
const view = { atoms: true, fused: 'view' } as const;
const id = { atoms: true } as const;
const stored = { stored: true } as const;
/** The op is rejected if its sizes are unknown. */
const refused = {} as const;

const fromOperand = (first: number) => (operand: number) => (operand >= first ? ('atoms' as const) : undefined);
const always = (read: OperandRead) => () => read;
/** Inputs, then an initial value for each. */
const isInit = (operand: number, op: Op): boolean => operand >= op.operands.length / 2;
const padded = {
  stored: true,
  reads: (operand: number) => (operand === 0 ? 'elements' : 'atoms'),
} as const satisfies OpForm;

type Decomposed = LoweredAs<'decomposed' | 'call'>['name'];

const opForms = {
  ...forAll<ScalarOpName, typeof element>(scalarOpNames, element),
  bitcast_convert: { fused: 'element' },
  constant: { atoms: true, fused: 'source', stored: true },
  iota: { atoms: true, fused: 'source' },
  dynamic_iota: { fused: 'source', reads: always('atoms') },
  replica_id: id,
  partition_id: id,
  get_dimension_size: { atoms: true, reads: always('sizes') },
  set_dimension_size: { fused: 'view', reads: fromOperand(1) },
  broadcast_in_dim: view,
  dynamic_broadcast_in_dim: { fused: 'view', reads: fromOperand(1) },
  transpose: view,
  reverse: { fused: 'view' },
  slice: view,
  real_dynamic_slice: { fused: 'view', reads: fromOperand(1) },
  dynamic_slice: { fused: 'view', reads: fromOperand(1) },
  reshape: { atoms: true, fused: 'view', stored: true },
  dynamic_reshape: { stored: true, reads: fromOperand(1) },
  'tensor.cast': stored,
  optimization_barrier: stored,
  concatenate: { atoms: true, stored: true, reads: always('elements') },
  pad: padded,
  dynamic_pad: padded,
  gather: { fused: 'element' },
  dynamic_gather: { fused: 'element', reads: fromOperand(2) },
  dynamic_update_slice: {
    stored: true,
    reads: operand => (operand === 0 ? undefined : operand === 1 ? 'elements' : 'atoms'),
  },
  scatter: stored,
  reduce: { stored: true, fused: 'reduce', reads: (operand, op) => (isInit(operand, op) ? 'atoms' : 'elements') },
  reduce_window: { stored: true, reads: (operand, op) => (isInit(operand, op) ? 'atoms' : undefined) },
  select_and_scatter: { stored: true, reads: fromOperand(2) },
  sort: stored,
  dot_general: stored,
  convolution: stored,
  dynamic_conv: { stored: true, reads: fromOperand(2) },
  rng_bit_generator: stored,
  all_reduce: stored,
  while: { stored: true, reads: (operand, op) => (isScalarType(op, operand) ? 'atoms' : undefined) },
  if: { stored: true, reads: always('atoms') },
  case: { stored: true, reads: always('atoms') },
  custom_call: {
    stored: true,
    reads: (operand, op) => (operand === 0 && isRandomBits(op as Op<'custom_call'>) ? undefined : 'atoms'),
  },
  map: refused,
  fft: refused,
  all_gather: refused,
  reduce_scatter: refused,
  all_to_all: refused,
  collective_permute: refused,
  collective_broadcast: refused,
  send: refused,
  recv: refused,
  infeed: refused,
  outfeed: refused,
  tuple: refused,
  get_tuple_element: refused,
  after_all: refused,
  create_token: refused,
  async_start: refused,
  async_done: refused,
  'check.expect_eq': refused,
  'check.expect_eq_const': refused,
  'check.expect_almost_eq': refused,
  'check.expect_almost_eq_const': refused,
  'check.expect_close': refused,
  'check.expect_serialized_eq': refused,
  'check.eq': refused,
  'interpreter.run_parallel': refused,
  'interpreter.probe': refused,
  'interpreter.print': refused,
  'sdy.sharding_constraint': refused,
  'sdy.reshard': refused,
  'sdy.sharding_group': refused,
  'sdy.manual_computation': refused,
  unregistered: refused,
} as const satisfies { readonly [N in Exclude<OpName, Decomposed>]: OpForm } & { readonly [N in Decomposed]?: OpForm };

type Forms = typeof opForms;
/** The ops that have a form. */
export type NameWith<F extends 'atoms' | 'fused' | 'stored'> = {
  [N in keyof Forms]: Forms[N] extends { readonly [K in F]: unknown } ? N : never;
}[keyof Forms];

/** Ops that are decomposed even for unknown sizes have no form. */
export const formOf = (op: Op): OpForm => (opForms as { readonly [N in OpName]?: OpForm })[op.name] ?? refused;

export const readOf = (op: Op, operand: number): OperandRead | undefined => formOf(op).reads?.(operand, op);

function isScalarType(op: Op, operand: number): boolean {
  const type = op.operands[operand]?.type;
  return type?.kind === 'tensor' && type.shape.length === 0;
}
