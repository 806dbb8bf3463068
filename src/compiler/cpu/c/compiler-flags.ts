// How emitted programs are compiled. Not -ffast-math: it breaks NaN, infinities and subnormals and, with gcc, flushes subnormals
// in the whole process. The multiply of one op is never contracted with the add of another into a fused multiply-add either:
// this could happen only if both are in one kernel, so the bits would depend on fusion. Functions that need multiply-adds use
// them explicitly: multiply_add in the functions of ir/math/, GEMM_CONTRACTED in the multiplies.
import type { CpuTarget } from '../target/target.ts';

/** For every unit; vector code comes from `#pragma omp simd`. */
export function compilerFlags(target: CpuTarget): readonly string[] {
  return [
    '-std=gnu11',
    '-O2',
    ...target.cflags,
    '-fPIC',
    '-fvisibility=hidden',
    '-ffunction-sections',
    // The tables of a unit would be in one section: the linker would keep each function that has one, and need what it calls.
    '-fno-jump-tables',
    '-fopenmp-simd',
    '-fno-math-errno',
    '-fno-trapping-math',
    '-ffp-contract=off',
    '-fno-strict-aliasing',
    '-Wno-psabi',
    '-Wno-unused-function',
    '-w',
  ];
}
/** For linking the units, after their objects. */
export const linkerFlags: readonly string[] = ['-shared', '-lm'];
