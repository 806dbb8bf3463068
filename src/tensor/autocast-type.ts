// The type of multiplies within `autocast`. Separate from `autocast.ts`, which checks its arguments, because ops need it.
import type { ElementType } from '../hlo/types.ts';

let current: ElementType | undefined;

/** The type of multiplies that are recorded now; undefined outside of `autocast`. */
export const autocastType = (): ElementType | undefined => current;
/** Sets it, and returns the one before. */
export function setAutocastType(type: ElementType | undefined): ElementType | undefined {
  const before = current;
  current = type;
  return before;
}
