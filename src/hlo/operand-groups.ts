// Divides the operands of variadic ops into groups by role. The row of the op checks the counts.
import { elementAt } from '../base/element-at.ts';

/** `reduce` and `reduce_window` take inputs…, then one initial value for each input. */
export function reductionOperands<T>(operands: readonly T[]): readonly { readonly input: T; readonly init: T }[] {
  const n = operands.length / 2;
  return operands.slice(0, n).map((input, i) => ({ input, init: elementAt(operands, n + i) }));
}

/** `scatter` takes inputs…, the indices, then one update for each input. */
export function scatterOperands<T>(operands: readonly T[]): {
  readonly indices: T;
  readonly pairs: readonly { readonly input: T; readonly updates: T }[];
} {
  const n = (operands.length - 1) / 2;
  const pairs = operands.slice(0, n).map((input, i) => ({ input, updates: elementAt(operands, n + 1 + i) }));
  return { indices: elementAt(operands, n), pairs };
}
