// The elements of a tensor filled with one value, in the form that backends take.
import { bytesOf, splat } from '../../hlo/literal.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { Content } from '../../runtime/execution/executable.ts';

export const filled = (type: TensorType, value: number | bigint | boolean): Content =>
  isZero(type, value) ? { kind: 'zeros' } : bytesOf(splat(type, value));
/** Whether every bit is 0. This is false for −0, and for the one type that has no zero. */
const isZero = ({ elementType }: TensorType, value: number | bigint | boolean): boolean =>
  elementType !== 'f8E8M0FNU' && (Object.is(value, 0) || value === 0n || value === false);
