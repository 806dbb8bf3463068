// custom_call @trenio.random_bits(state, sizes): the bits of rng_bit_generator with Philox, for sizes known at run time.
import { TrenioError } from '../../base/errors.ts';
import { type Literal, requireMemory } from '../literal.ts';
import { type OpOf, tensorTypeOf } from '../program.ts';
import { formatType } from '../types.ts';
import { philoxBits } from './random.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const require: Checker = checkerOf('custom_call');

export const randomBitsTarget = 'trenio.random_bits';

export const isRandomBits = (op: OpOf<'custom_call'>): boolean => op.attributes.callTargetName === randomBitsTarget;

/** The types of its operands and its result; nothing for another custom_call. */
export function verifyRandomBits(op: OpOf<'custom_call'>): void {
  if (!isRandomBits(op)) return;
  const [state, sizes] = op.operands.map(({ type }) => type);
  const [result] = op.results.map(({ type }) => type);
  require(op.operands.length === 2 && op.results.length === 1, 'trenio_random_bits', () =>
    `@${randomBitsTarget} takes a state and sizes, and returns bits`);
  const isState = state?.kind === 'tensor' && state.elementType === 'ui64' && [2, 3].includes(state.shape[0] ?? 0);
  require(isState && state.shape.length === 1, 'trenio_random_bits', () =>
    `the state must be tensor<2 or 3xui64>, got ${formatType(state!)}`);
  const rank = result?.kind === 'tensor' && result.elementType === 'ui32' ? result.shape.length : -1;
  require(rank >= 0, 'trenio_random_bits', () => `the result must be of ui32, got ${formatType(result!)}`);
  const hasSizes = sizes?.kind === 'tensor' && sizes.elementType === 'i64' && sizes.shape.join() === String(rank);
  require(hasSizes, 'trenio_random_bits', () => `the sizes must be tensor<${rank}xi64>, got ${formatType(sizes!)}`);
}

/** Undefined for another custom_call. @throws {SIZES_DO_NOT_FIT} for a size below 0 */
export function evaluateRandomBits(op: OpOf<'custom_call'>, operands: readonly Literal[]): Literal[] | undefined {
  if (!isRandomBits(op)) return undefined;
  const [state, sizes] = operands;
  const type = { ...tensorTypeOf(op.results[0]!), shape: Array.from(sizes!.data, Number) };
  const negative = type.shape.find(size => size < 0);
  if (negative !== undefined)
    throw new TrenioError(
      'SIZES_DO_NOT_FIT',
      { op: op.name, detail: `invalid size ${negative}` },
      { location: op.location },
    );
  requireMemory(type);
  return [philoxBits(state!.data as BigUint64Array, type)];
}
