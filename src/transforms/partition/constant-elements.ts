// Constants whose elements are equal.
import { bytesOf, type Literal, toNumbers } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import { constantLiteral } from '../../hlo/walk.ts';

export function isSplat(literal: Literal): boolean {
  const count = elementCount(literal.type.shape);
  const bytes = bytesOf(literal);
  const width = bytes.length / Math.max(count, 1);
  return count > 0 && bytes.every((byte, i) => byte === bytes[i % width]);
}

/** Whether all elements of a value are known to be this number: a constant, or one that is repeated. */
export function isFilledWith(value: Value, number: number): boolean {
  const { op } = value;
  if (op?.name === 'broadcast_in_dim') return isFilledWith(op.operands[0], number);
  const literal = constantLiteral(value);
  return literal !== undefined && toNumbers(literal).every(element => element === number);
}
