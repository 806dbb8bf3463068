// The C that all multiplies of a translation unit share: vector types, and a few macros for differences
// between compilers. It uses only GCC and Clang vector extensions, no intrinsics.

import { elementBytes } from '../../gemm/problem.ts';
import type { CpuTarget } from '../../target/target.ts';
import { scalarType, vectorSizes, vectorType } from './gemm-types.ts';
import { splitSource } from './task-split.ts';
import { tilePrelude } from './tile-kernel.ts';

/** Emitted once in a translation unit, after `trenio_rt.h` and before the first multiply. */
export function gemmPrelude(target: CpuTarget): string {
  const lines = [
    '// ---- Shared by the matrix multiplies ----',
    '#include <stdint.h>',
    '',
    '// gemm_f32x8 is a vector of 8 floats in a register; gemm_f32x8_u is one in memory at any address.',
  ];
  for (const elementType of ['f32', 'f64'] as const) {
    const scalar = scalarType(elementType);
    const bytes = elementBytes(elementType);
    for (const lanes of vectorSizes(elementType, target)) {
      const type = vectorType(elementType, lanes);
      const size = lanes * bytes;
      lines.push(
        `typedef ${scalar} ${type} __attribute__((vector_size(${size})));`,
        `typedef ${scalar} ${type}_u __attribute__((vector_size(${size}), aligned(${bytes}), may_alias));`,
        `typedef int${bytes * 8}_t ${type}_mask __attribute__((vector_size(${size})));`,
      );
    }
  }
  for (const lanes of vectorSizes('f32', target)) {
    for (const bits of [16, 32]) {
      const type = `gemm_u${bits}x${lanes}`;
      const size = `vector_size(${(lanes * bits) / 8})`;
      lines.push(
        `typedef uint${bits}_t ${type} __attribute__((${size}));`,
        `typedef uint${bits}_t ${type}_u __attribute__((${size}, aligned(2), may_alias));`,
      );
    }
  }
  lines.push(
    '// Two bf16 values that are consecutive along k.',
    'typedef uint32_t gemm_pair __attribute__((aligned(2), may_alias));',
    'typedef uint64_t gemm_u64_u __attribute__((aligned(2), may_alias));',
    'static inline float gemm_float_of(uint32_t bits) { float x; __builtin_memcpy(&x, &bits, 4); return x; }',
    'static inline uint32_t gemm_bits_of(float x) { uint32_t bits; __builtin_memcpy(&bits, &x, 4); return bits; }',
  );
  if (target.bf16 === 'tiles') lines.push(tilePrelude);
  lines.push(
    '// A function in which multiplies and adds are contracted to fused multiply-adds; the pragma begins its body. Elsewhere they are not.',
    '#ifdef __clang__',
    '#define GEMM_CONTRACTED',
    '#define GEMM_CONTRACT _Pragma("clang fp contract(fast)")',
    '#else',
    '#define GEMM_CONTRACTED __attribute__((optimize("fp-contract=fast")))',
    '#define GEMM_CONTRACT',
    '#endif',
    '// One multiply-add; contraction is up to the compiler, which decides otherwise in some loops over scalars.',
    ...(target.fma
      ? ['#define GEMM_FUSED_f32 __builtin_fmaf', '#define GEMM_FUSED_f64 __builtin_fma']
      : ['#define GEMM_FUSED_f32(a, b, c) ((a) * (b) + (c))', '#define GEMM_FUSED_f64 GEMM_FUSED_f32']),
    '#define GEMM_LOAD(type, p) ((type)*(const type##_u *)(p))',
    '#define GEMM_STORE(type, p, v) (*(type##_u *)(p) = (v))',
    '// The scalar in every lane. Subtracting +0 keeps every value, -0 too, and compiles to a broadcast load.',
    '#define GEMM_SPLAT(type, x) ((x) - (type){0})',
    '// Adds the products of two pairs in each lane. One instruction; the names of its builtin differ among compilers.',
    '#define GEMM_DOT_BF16(sum, a, b) __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b))',
    '// 16 sums as bf16, rounded to nearest even; subnormal ones become zero.',
    '#define GEMM_STORE_BF16(p, sum) do { gemm_u16x16 near; \\',
    '  __asm__("vcvtneps2bf16 %1, %0" : "=v"(near) : "v"(sum)); GEMM_STORE(gemm_u16x16, p, near); } while (0)',
    '#if defined(__clang__) || __GNUC__ >= 12',
    '#define GEMM_SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)',
    '#else',
    '#define GEMM_SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type##_mask){__VA_ARGS__})',
    '#endif',
    '',
    splitSource,
    '',
  );
  return lines.join('\n');
}
