// How emitted programs are compiled. Not -ffast-math: it would let NaN, infinities and subnormals go wrong and, with gcc,
// flush subnormals in the whole process.
import type { Target } from './target.ts';

/** For every unit; vector code comes from `#pragma omp simd`. */
export function compilerFlags(target: Target): readonly string[] {
  return [
    '-std=gnu11',
    '-O2',
    ...target.cflags,
    '-fPIC',
    '-fvisibility=hidden',
    '-fopenmp-simd',
    '-fno-math-errno',
    '-fno-trapping-math',
    '-ffp-contract=fast',
    '-fno-strict-aliasing',
    '-Wno-psabi',
    '-Wno-unused-function',
    '-w',
  ];
}
/** For linking the units, after their objects. */
export const linkerFlags: readonly string[] = ['-shared', '-lm'];
