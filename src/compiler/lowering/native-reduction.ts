// The reductions that the runtime supports.
import type { Region } from '../../hlo/program.ts';
import { reducerOf } from '../../hlo/reducer.ts';
import type { ElementType } from '../../hlo/types.ts';
import { type Combination, isCombinedType, isReduction } from '../ir/collective.ts';

/** Unsigned integers wrap around like signed ones, but compare differently. */
const signed: { readonly [T in ElementType]?: ElementType } = { ui32: 'i32', ui64: 'i64' };

/** Undefined where the runtime cannot combine that. */
export function nativeReduction(region: Region, type: ElementType): Combination | undefined {
  const reduction = reducerOf(region);
  const combined = signed[type] ?? type;
  if (!isCombinedType(combined) || reduction === undefined || !isReduction(reduction)) return undefined;
  if (type in signed && reduction !== 'add' && reduction !== 'multiply') return undefined;
  return { type: combined, reduction };
}
