// Conversions between data types, for `x.to(dtype)` and the casts.
import type { ElementType } from '../hlo/types.ts';
import { record } from './record.ts';
import type { Traced } from './traced.ts';

/** Converts the tensor to a data type; returns the tensor itself if it has that type already. Nonzero numbers become true. */
export function converted<T extends Traced>(x: T, type: ElementType): T {
  if (type === x.type.elementType) return x;
  return record('to', [x], (b, [value]) =>
    type === 'i1' ? b.compare('NE', value!, b.like(value!, 0)) : b.convert(value!, type),
  ) as T;
}
