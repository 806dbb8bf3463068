// custom_call @trenio.random_bits(state, sizes): the bits of rng_bit_generator with Philox, for sizes known at run time.
import type { Literal } from '../literal.ts';
import { type OpOf, tensorTypeOf } from '../program.ts';
import { philoxBits } from './random.ts';

export const randomBitsTarget = 'trenio.random_bits';

export const isRandomBits = (op: OpOf<'custom_call'>): boolean => op.attributes.callTargetName === randomBitsTarget;

/** Undefined for another custom_call. */
export function evaluateRandomBits(op: OpOf<'custom_call'>, operands: readonly Literal[]): Literal[] | undefined {
  if (!isRandomBits(op)) return undefined;
  const [state, sizes] = operands;
  const type = { ...tensorTypeOf(op.results[0]!), shape: Array.from(sizes!.data, Number) };
  return [philoxBits(state!.data as BigUint64Array, type)];
}
