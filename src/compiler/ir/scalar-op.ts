// What is computed of one element: a scalar op by its name and attributes. Operand and result types belong to the node
// that holds it (ir/node.ts). Says nothing about how an op is written in any language: c/scalar/scalar.ts prints it as C.
//
// Operands are register values: floats below f32 are widened exactly, computed in f32 and rounded to the result type once.
import type { BinaryName, ComparisonDirection, UnaryName } from '../../hlo/attributes.ts';
import type { Op } from '../../hlo/program.ts';

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

/** Ops that only the bodies of math functions have (ir/math/). */
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
export function keyOfScalarOp(op: ScalarOp): string {
  switch (op.name) {
    case 'exponential':
      return op.nonPositive ? 'exponential nonpositive' : op.name;
    case 'convert':
      return op.inRange ? 'convert in range' : op.name;
    case 'look_up':
      return `look_up ${op.table.join()}`;
    case 'compare':
      return `compare ${op.direction} ${op.total}`;
    case 'reduce_precision':
      return `reduce_precision ${op.exponentBits} ${op.mantissaBits}`;
    case 'clamp_index':
      return `clamp_index ${op.limit}`;
    case 'advance_counter':
      return `advance_counter ${op.blocks}`;
    default:
      return op.name;
  }
}

/** The operand whose type an op computes in, where it is not the first: a selection's is of booleans. */
export const computedTypeOperand = (op: ScalarOp): number => typeOperands[op.name] ?? 0;
const typeOperands: { readonly [N in ScalarOp['name']]?: number } = { select: 1, clamp: 1 };

/** The elementwise ops of the language whose scalar ops have no attributes. */
const plainNames: { readonly [N in Exclude<PlainName, `bitcast${string}` | 'threefry' | MathName>]: true } = {
  abs: true,
  cbrt: true,
  ceil: true,
  count_leading_zeros: true,
  cosine: true,
  exponential_minus_one: true,
  floor: true,
  log: true,
  log_plus_one: true,
  logistic: true,
  negate: true,
  not: true,
  popcnt: true,
  round_nearest_afz: true,
  round_nearest_even: true,
  rsqrt: true,
  sign: true,
  sine: true,
  sqrt: true,
  tan: true,
  tanh: true,
  'chlo.erf': true,
  add: true,
  and: true,
  atan2: true,
  divide: true,
  maximum: true,
  minimum: true,
  multiply: true,
  or: true,
  power: true,
  remainder: true,
  shift_left: true,
  shift_right_arithmetic: true,
  shift_right_logical: true,
  subtract: true,
  xor: true,
  is_finite: true,
  complex: true,
  real: true,
  imag: true,
  select: true,
  clamp: true,
};

const withAttributes = ['exponential', 'convert', 'compare', 'reduce_precision'] as const;

/** The elementwise ops of the language that are scalar ops. */
export type ScalarOpName = keyof typeof plainNames | (typeof withAttributes)[number];
export const scalarOpNames: readonly ScalarOpName[] = [
  ...(Object.keys(plainNames) as (keyof typeof plainNames)[]),
  ...withAttributes,
];

/** Undefined for ops that are not elementwise. */
export function scalarOpOf(op: Op): ScalarOp | undefined {
  switch (op.name) {
    case 'exponential':
    case 'convert':
      return { name: op.name };
    case 'compare':
      return {
        name: 'compare',
        direction: op.attributes.comparisonDirection,
        total: op.attributes.compareType === 'TOTALORDER',
      };
    case 'reduce_precision':
      return {
        name: 'reduce_precision',
        exponentBits: op.attributes.exponentBits,
        mantissaBits: op.attributes.mantissaBits,
      };
    default:
      return Object.hasOwn(plainNames, op.name) ? { name: op.name as keyof typeof plainNames } : undefined;
  }
}

/** How dear one element is, in additions: what decides between computing again and keeping. */
export function scalarCost(op: Op): number {
  switch (op.name) {
    case 'exponential':
    case 'exponential_minus_one':
    case 'log':
    case 'log_plus_one':
    case 'tanh':
    case 'logistic':
    case 'chlo.erf':
      return 12;
    case 'sine':
    case 'cosine':
    case 'power':
    case 'atan2':
    case 'tan':
    case 'cbrt':
    case 'remainder':
      return 30;
    case 'divide':
    case 'rsqrt':
    case 'sqrt':
      return 4;
    case 'optimization_barrier':
      return 0;
    default:
      return 1;
  }
}
