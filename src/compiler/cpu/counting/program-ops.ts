// The size of a program, to estimate how long compiling and running it takes.
import type { KernelInfo } from './kernel-info.ts';

/** The ops of rounding and random numbers: passes add these; they are never recorded. */
const onBits: ReadonlySet<string> = new Set([
  'and',
  'bitcast_convert',
  'or',
  'rng_bit_generator',
  'shift_left',
  'shift_right_arithmetic',
  'shift_right_logical',
  'xor',
]);

/** The ops that the kernels of a program compute, without those on bits; those of loops count once. */
export function programOps(program: {
  readonly kernels: readonly KernelInfo[];
  readonly calls: readonly number[];
}): number {
  const { kernels, calls } = program;
  const counts = kernels.map(({ ops }) => ops.filter(({ name }) => !onBits.has(name)).length);
  return calls.reduce((sum, kernel) => sum + counts[kernel]!, 0);
}
