// Which reductions the runtime combines by itself, in its numbers.
import type { Region } from '../../hlo/program.ts';
import { reducerOf } from '../../hlo/reducer.ts';
import type { ElementType } from '../../hlo/types.ts';
import { dataTypeOf, reductionOf, reductions } from '../target/runtime-abi.ts';

/** Unsigned integers wrap around as signed ones do; they compare otherwise. */
const signed: { readonly [T in ElementType]?: ElementType } = { ui32: 'i32', ui64: 'i64' };

/** The numbers of native/trenio_rt.h for a reduction; undefined where the runtime cannot combine that. */
export function nativeReduction(region: Region, type: ElementType): { dtype: number; how: number } | undefined {
  const name = reducerOf(region);
  const dtype = dataTypeOf(signed[type] ?? type);
  const how = reductionOf(name);
  if (dtype === undefined || how === undefined || (type in signed && how > reductions.multiply)) return undefined;
  return { dtype, how };
}
