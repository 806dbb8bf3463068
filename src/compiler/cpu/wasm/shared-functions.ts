// The functions that the code of a kernel may call: those that the kernels of a module share.
import type { ElementType } from '../../../hlo/types.ts';
import type { MathFunction } from '../../ir/math/math-function.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import type { CpuTarget } from '../target/target.ts';
import type { Callee, Expr, FunctionBuilder } from './encoder.ts';

export interface SharedFunctions {
  readonly target: CpuTarget;
  /** A function by a name for what it does, added when it is first used. */
  function(key: string, make: () => FunctionBuilder): Callee;
  /** The entry of a table of f32 at a position. */
  lookUp(table: readonly number[], at: Expr): Expr;
  /** The f16 with these bits, and the bits of the nearest f16, ties to even. */
  fromHalf(bits: Expr): Expr;
  toHalf(x: Expr): Expr;
  /** The f32 that is stored as these bits, of a type of few bits; and the reverse. */
  decoded(type: ElementType, bits: Expr): Expr;
  encoded(type: ElementType, x: Expr): Expr;
  /** A float in a variable, rounded to a type. */
  rounded(type: ElementType, x: Expr): Expr;
  /** The same for a vector of bf16 or f32. */
  roundedVector(type: ElementType, x: Expr): Expr;
  /** A math function of an f32, or of each lane of a vector. */
  math(f: MathFunction, x: Expr): Expr;
  /** Any scalar op, as JavaScript computes it. */
  foreign(
    op: ScalarOp,
    types: readonly ElementType[],
    to: ElementType,
    args: readonly Expr[],
    place: 'node' | 'region',
  ): Expr;
  /** Word `word` of the stream of a key from a counter on (numerics/philox.ts). */
  randomWord(key: Expr, low: Expr, high: Expr, word: Expr): Expr;
}
