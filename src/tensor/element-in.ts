// Numbers that are written into tensors, as elements of their type.
import { type ElementType, isInteger } from '../hlo/types.ts';
import { wrongArgument } from './check-arguments.ts';
import { dtypeName } from './types/dtype.ts';
import { iinfo } from './types/type-info.ts';

/**
 * A number as an element of a data type, as in PyTorch: rounded towards zero for integers, true unless it is 0 for booleans.
 * @throws {WRONG_ARGUMENT} for a number that an integer type cannot hold; unsigned types hold negative integers, which wrap
 */
export function elementIn(
  call: string,
  argument: string,
  type: ElementType,
  value: number | bigint | boolean,
): number | bigint | boolean {
  if (type === 'i1') return Number.isNaN(value) || Boolean(value);
  if (!isInteger(type) || typeof value === 'boolean') return value;
  const { min, max } = iinfo(type);
  const whole = typeof value === 'bigint' ? value : Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  const least = min === 0n ? (isWhole ? -max : 0n) : min;
  if (whole === undefined || whole < least || whole > max)
    throw wrongArgument({ call, argument }, value, `a number that ${dtypeName(type)} holds, from ${min} to ${max}`);
  return typeof value === 'bigint' ? value : Math.trunc(value) + 0;
}
