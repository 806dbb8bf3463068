// The computation on one element: a scalar op, by name and attributes. Operand and result types belong to the node that holds it
// (ir/node.ts). How an op is written in a language is defined elsewhere: cpu/c/scalar/scalar.ts prints it as C.
//
// Operands are register values: floats below f32 are widened exactly, computed in f32 and rounded to the result type once.
import type { BinaryName, ComparisonDirection, UnaryName } from '../../hlo/attributes.ts';
import { dispatch, forAll, isIn, type PerOp } from '../../hlo/per-op.ts';
import type { Op, OpOf } from '../../hlo/program.ts';

/** Ops without attributes. `complex`, `real` and `imag` go between complex numbers and their parts. */
type PlainName =
  | Exclude<UnaryName, 'exponential'>
  | BinaryName
  | 'is_finite'
  | 'complex'
  | 'real'
  | 'imag'
  | 'select'
  | 'clamp'
  /** The same bits as a value of the result type, which is as wide. */
  | 'bitcast'
  /** Piece `operand 1` of the bits of operand 0, counted from the low end; the result type is narrower. */
  | 'bitcast_piece'
  /** The bits of all operands joined, operand 0 lowest; the result type is wider. */
  | 'bitcast_join'
  /** Random bits: of a key, a counter and the number of the block; types under 8 bytes also take which word of the block. */
  | 'threefry'
  | MathName;

/** Ops that only occur in the bodies of math functions (ir/math/). */
type MathName =
  /** operand 0 · operand 1 + operand 2, rounded once. */
  | 'fma'
  /** The same, but rounded twice on targets without the instruction. */
  | 'multiply_add'
  /** The magnitude of operand 0 with the sign of operand 1. */
  | 'copy_sign';

export type ScalarOp =
  | { readonly name: PlainName }
  /**
   * To the result type: floats saturate to integers, integers wrap. `inRange`: where a float is outside the integer type, or
   * NaN, the result may be any integer, and nothing depends on it.
   */
  | { readonly name: 'convert'; readonly inRange?: true }
  /** The entry at operand 0 modulo the length, which is a power of two. */
  | { readonly name: 'look_up'; readonly table: readonly number[] }
  /** `nonPositive`: the operand is known to be 0 or less, or NaN. */
  | { readonly name: 'exponential'; readonly nonPositive?: true }
  | { readonly name: 'compare'; readonly direction: ComparisonDirection; readonly total: boolean }
  | { readonly name: 'reduce_precision'; readonly exponentBits: number; readonly mantissaBits: number }
  /** An integer of any type, clamped to [0, limit], as i64. */
  | { readonly name: 'clamp_index'; readonly limit: number }
  /** Word `operand 0` of a random state (key, low and perhaps high half of the counter) that is `blocks` further on. */
  | { readonly name: 'advance_counter'; readonly blocks: number };

/** Equal for equal ops. */
export const keyOfScalarOp = (op: ScalarOp): string =>
  Object.hasOwn(keys, op.name) ? (keys[op.name as keyof typeof keys] as (op: ScalarOp) => string)(op) : op.name;
/** The type checker requires an entry for each op with attributes. */
const keys: { readonly [N in Exclude<ScalarOp['name'], PlainName>]: (op: Extract<ScalarOp, { name: N }>) => string } = {
  exponential: op => (op.nonPositive ? 'exponential nonpositive' : op.name),
  convert: op => (op.inRange ? 'convert in range' : op.name),
  look_up: op => `look_up ${op.table.join()}`,
  compare: op => `compare ${op.direction} ${op.total}`,
  reduce_precision: op => `reduce_precision ${op.exponentBits} ${op.mantissaBits}`,
  clamp_index: op => `clamp_index ${op.limit}`,
  advance_counter: op => `advance_counter ${op.blocks}`,
};

/** The operand whose type an op computes in, if it is not the first, which is the predicate in a selection. */
export const computedTypeOperand = (op: ScalarOp): number => typeOperands[op.name] ?? 0;
const typeOperands: { readonly [N in ScalarOp['name']]?: number } = { select: 1, clamp: 1 };

/** The elementwise ops of the language whose scalar ops have no attributes. */
type PlainOpName = Exclude<PlainName, `bitcast${string}` | 'threefry' | MathName>;
/** The elementwise ops of the language that are scalar ops. */
export type ScalarOpName = PlainOpName | 'exponential' | 'convert' | 'compare' | 'reduce_precision';

/** The cost of an element, in additions, which decides between recomputing and storing it. */
const costs: { readonly [N in ScalarOpName]: number } = {
  abs: 1,
  cbrt: 30,
  ceil: 1,
  count_leading_zeros: 1,
  cosine: 30,
  exponential_minus_one: 12,
  floor: 1,
  log: 12,
  log_plus_one: 12,
  logistic: 12,
  negate: 1,
  not: 1,
  popcnt: 1,
  round_nearest_afz: 1,
  round_nearest_even: 1,
  rsqrt: 4,
  sign: 1,
  sine: 30,
  sqrt: 4,
  tan: 30,
  tanh: 12,
  'chlo.erf': 12,
  add: 1,
  and: 1,
  atan2: 30,
  divide: 4,
  maximum: 1,
  minimum: 1,
  multiply: 1,
  or: 1,
  power: 30,
  remainder: 30,
  shift_left: 1,
  shift_right_arithmetic: 1,
  shift_right_logical: 1,
  subtract: 1,
  xor: 1,
  is_finite: 1,
  complex: 1,
  real: 1,
  imag: 1,
  select: 1,
  clamp: 1,
  exponential: 12,
  convert: 1,
  compare: 1,
  reduce_precision: 1,
};
export const scalarOpNames = Object.keys(costs) as readonly ScalarOpName[];

const plain = ({ name }: OpOf<PlainOpName>): ScalarOp => ({ name }) as ScalarOp;
const scalarOps: PerOp<ScalarOpName, ScalarOp> = {
  ...forAll(scalarOpNames as readonly PlainOpName[], plain),
  exponential: ({ name }) => ({ name }),
  convert: ({ name }) => ({ name }),
  compare: ({ name, attributes: { comparisonDirection: direction, compareType } }) => ({
    name,
    direction,
    total: compareType === 'TOTALORDER',
  }),
  reduce_precision: ({ name, attributes: { exponentBits, mantissaBits } }) => ({ name, exponentBits, mantissaBits }),
};

export const isScalarOp = (op: Op): op is Op<ScalarOpName> => isIn(scalarOps, op);
export const scalarOpOf = (op: Op<ScalarOpName>): ScalarOp => dispatch(scalarOps, op);

/** Ops that move elements cost about as much as an addition; an op that only orders others costs nothing. */
export const scalarCost = (op: Op): number =>
  isIn(costs, op) ? costs[op.name] : isIn(orders, op) ? orders[op.name] : 1;
const orders: { readonly [N in 'optimization_barrier']: number } = { optimization_barrier: 0 };
