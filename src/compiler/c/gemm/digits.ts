// Few rows of f32 as whole numbers, for products with the bytes of quantized weights. Each block of 32 elements gets a common
// power of two, so that its largest element has 30 bits and a sign; a number is written as four signed digits of 8 bits:
//
//   x = scale · (d0 + 2⁸ d1 + 2¹⁶ d2 + 2²⁴ d3)       Σ w · x = scale · Σ over digits of 2⁸ⁱ · Σ w · dᵢ
//
// Sums of bytes times digits are exact in i32. An element keeps all its bits if it is not smaller than the largest of its block
// by more than 2⁷; of others, less is lost than 2⁻²⁹ of the largest: far less than rounding the sum to f32 loses.

import { interleavedBlock } from '../../ir/multiply.ts';

/** The digits of four elements are 16 bytes, four of d0 first. */
export const digitBytes = 4 * interleavedBlock;

/** For each block: the terms of its higher and lower digits, two i32; its scale, an f32; 4 bytes that are not used. */
export const blockFacts = 4;

/**
 * `gemm_digits` writes the digits of a row of A, and the facts of its blocks. Codes are multiplied as unsigned bytes,
 * code + offset, which the terms correct: -offset · Σ number. Returns 0, and nothing that is valid, if an element is not finite.
 */
export const digitsFunction = `static __attribute__((noinline)) int gemm_digits(int64_t depth, const float *restrict a, int64_t step, int32_t offset, char *restrict digits, int32_t *restrict facts) {
  _Alignas(64) static const uint8_t order[64] = {${byteOrder()}};
  for (int64_t k = 0; k < depth; k += ${interleavedBlock}, digits += ${digitBytes}, facts += ${blockFacts}) {
    _Alignas(64) float x[${interleavedBlock}];
    if (step == 1) __builtin_memcpy(x, a + k, sizeof x);
    else for (int i = 0; i < ${interleavedBlock}; i++) x[i] = a[(k + i) * step];
    int32_t largest = 0;
    for (int i = 0; i < ${interleavedBlock}; i++) {
      const int32_t bits = (int32_t)(gemm_bits_of(x[i]) & 0x7fffffff);
      largest = bits > largest ? bits : largest;
    }
    if (largest >= 0x7f800000) return 0;
    // All elements are below 2^exponent. With a smaller one than -96, the scale would be subnormal.
    const int32_t exponent = (largest >> 23) - 126 < -96 ? -96 : (largest >> 23) - 126;
    const float up = gemm_float_of((uint32_t)(157 - exponent) << 23); // 2^(30 - exponent)
    int32_t high = 0, low = 0;
    _Alignas(64) uint32_t numbers[${interleavedBlock}];
    for (int i = 0; i < ${interleavedBlock}; i++) {
      const int32_t number = (int32_t)(x[i] * up);
      const int32_t lower = ((number + 0x8080) & 0xffff) - 0x8080; // d0 + 2^8 d1
      low += lower;
      high += (number - lower) >> 16;
      numbers[i] = ((uint32_t)number + 0x808080) ^ 0x808080; // a digit in each byte
    }
    for (int i = 0; i < ${interleavedBlock}; i += 16) {
      gemm_u32x16 bytes = GEMM_LOAD(gemm_u32x16, numbers + i);
      __asm__("vpshufb %1, %0, %0" : "+v"(bytes) : "m"(order));
      GEMM_STORE(gemm_u32x16, digits + 4 * i, bytes);
    }
    const float scale = gemm_float_of((uint32_t)(exponent + 97) << 23);
    facts[0] = -offset * high;
    facts[1] = -offset * low;
    __builtin_memcpy(facts + 2, &scale, 4);
  }
  return 1;
}`;

/** Within 16 bytes of four numbers, the four d0, then the four d1 … */
function byteOrder(): string {
  return Array.from({ length: 64 }, (_, i) => (i % 4) * 4 + Math.floor((i % 16) / 4)).join(', ');
}

/** A statement: to each lane of `sum` the products of its four unsigned bytes of `codes` with four digits are added. */
export const addDigitProducts = (sum: string, codes: string, digits: string): string =>
  `__asm__("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(${sum}) : "v"(${codes}), "m"(*(${digits})));`;
