// Selects the function that computes a scalar op on f32. All other floats in f32 registers (cpu/target/registers.ts) use the same
// function and round its result. Ops without a function are arithmetic, or calls of the C library: cbrt, tan, power, atan2,
// remainder, and all of f64.
import type { ElementType } from '../../../hlo/types.ts';
import { isFloatRegister } from '../registers.ts';
import type { ScalarOp } from '../scalar-op.ts';
import { erf } from './erf.ts';
import { erfTable } from './erf-table.ts';
import { exp, expBelow } from './exp.ts';
import { expm1 } from './expm1.ts';
import { log } from './log.ts';
import { log1p } from './log1p.ts';
import { logistic } from './logistic.ts';
import type { MathFunction } from './math-function.ts';
import { roundAway } from './round-away.ts';
import { rsqrt } from './rsqrt.ts';
import { cos, sin } from './sin-cos.ts';
import { tanh } from './tanh.ts';
import { tanhTable } from './tanh-table.ts';

const functions = {
  exponential: exp,
  exponential_minus_one: expm1,
  log,
  log_plus_one: log1p,
  logistic,
  tanh,
  'chlo.erf': erf,
  sine: sin,
  cosine: cos,
  round_nearest_afz: roundAway,
  rsqrt,
} as const satisfies { readonly [N in ScalarOp['name']]?: MathFunction };

export const mathFunctions: readonly MathFunction[] = [...Object.values(functions), expBelow];

/** Undefined for ops without a function, and for types that no f32 register holds. */
export function mathFunctionOf(op: ScalarOp, type: ElementType): MathFunction | undefined {
  if (!isFloatRegister(type)) return undefined;
  if ('nonPositive' in op && op.nonPositive && type === 'f32') return expBelow;
  return Object.hasOwn(functions, op.name) ? functions[op.name as keyof typeof functions] : undefined;
}

/** A function with a form that takes its polynomial from a table. */
export interface BlockFunction {
  readonly plain: MathFunction;
  readonly table: MathFunction;
}
export const blockFunctions: readonly BlockFunction[] = [
  { plain: erf, table: erfTable },
  { plain: tanh, table: tanhTable },
];

/**
 * Kernels compute these ops for a block of elements at a time (its size is in cpu/target/registers.ts), from tables if vectors
 * are long enough (`hasLookUps` in cpu/target/target.ts), because one element at a time they would not vectorize. Undefined for
 * all others.
 */
export function blockFunctionOf(op: ScalarOp, type: ElementType): BlockFunction | undefined {
  if (type !== 'f32') return undefined;
  const plain = mathFunctionOf(op, type);
  return plain === undefined ? undefined : blockFunctions.find(b => b.plain === plain);
}
