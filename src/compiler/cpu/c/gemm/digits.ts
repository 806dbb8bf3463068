// Rows of f32 as whole numbers, for products with the bytes of quantized weights. Each block of 32 elements gets a common power
// of two, so that its largest element has 22 bits and a sign; a number is written as three signed digits of 8 bits:
//
//   x = scale · (d0 + 2⁸ d1 + 2¹⁶ d2)       Σ w · x = scale · Σ over digits of 2⁸ⁱ · Σ w · dᵢ
//
// Sums of bytes times digits are exact in i32. An element is rounded by at most 2⁻²³ of the largest of its block: about as much
// as f32 rounds a sum in which that one is a term.

import { interleavedBlock } from '../../../ir/multiply.ts';
import { bytesOfBlock } from '../../ir/multiply-tiling.ts';

export const digitCount = 3;
/** The words of a block: for each four elements, their digits, d0 first, and a fact. */
export const digitWord = (four: number, digit: number): number => 4 * four + digit;
/** The facts: the term of each digit, then the scale. */
export const factWord = (fact: number): number => 4 * fact + digitCount;
export const scaleFact = digitCount;

/**
 * `gemm_digits` writes the blocks of a row of A. Codes are multiplied as unsigned bytes, code + offset, which the terms of digits
 * correct: -offset · Σ digit. Returns 0, and nothing that is valid, if an element is not finite.
 */
export const digitsFunction = `static __attribute__((noinline)) int gemm_digits(int64_t depth, const float *restrict a, int64_t step, int32_t offset, char *restrict digits) {
  _Alignas(64) static const uint8_t order[64] = {${byteOrder()}};
  for (int64_t k = 0; k < depth; k += ${interleavedBlock}, digits += ${bytesOfBlock}) {
    float gathered[${interleavedBlock}];
    const float *x = a + k;
    if (step != 1) {
      for (int i = 0; i < ${interleavedBlock}; i++) gathered[i] = a[(k + i) * step];
      x = gathered;
    }
    const gemm_f32x16 x0 = GEMM_LOAD(gemm_f32x16, x), x1 = GEMM_LOAD(gemm_f32x16, x + 16);
    // Absolute values are in the order of their bits.
    const gemm_u32x16 most16 = ${larger('x16', '(gemm_u32x16)x0 & 0x7fffffff', '(gemm_u32x16)x1 & 0x7fffffff')};
    const gemm_u32x8 most8 = ${larger('x8', half('x8', 'most16', 0), half('x8', 'most16', 1))};
    const gemm_u32x4 most4 = ${larger('x4', half('x4', 'most8', 0), half('x4', 'most8', 1))};
    const uint32_t most01 = most4[0] > most4[1] ? most4[0] : most4[1], most23 = most4[2] > most4[3] ? most4[2] : most4[3];
    const uint32_t most = most01 > most23 ? most01 : most23;
    if (most >= 0x7f800000) return 0;
    // All elements are below 2^exponent. With a smaller one than -96, the scale would be subnormal.
    const int32_t exponent = (int32_t)(most >> 23) - 126 < -96 ? -96 : (int32_t)(most >> 23) - 126;
    const float up = gemm_float_of((uint32_t)(149 - exponent) << 23); // 2^(22 - exponent)
    gemm_u32x16 n0, n1;
    __asm__("vcvtps2dq %1, %0" : "=v"(n0) : "v"(x0 * up));
    __asm__("vcvtps2dq %1, %0" : "=v"(n1) : "v"(x1 * up));
    // A digit in each byte; then bytes in order.
    gemm_u32x16 d0 = (n0 + 0x808080) ^ 0x808080, d1 = (n1 + 0x808080) ^ 0x808080;
    __asm__("vpshufb %1, %0, %0" : "+v"(d0) : "m"(order));
    __asm__("vpshufb %1, %0, %0" : "+v"(d1) : "m"(order));
    GEMM_STORE(gemm_u32x16, digits, d0);
    GEMM_STORE(gemm_u32x16, digits + 64, d1);
    const gemm_u32x16 ones = (gemm_u32x16){0} + 0x01010101;
    gemm_u32x16 sum16 = {0};
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum16) : "v"(ones), "v"(d0));
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum16) : "v"(ones), "v"(d1));
    const gemm_u32x8 sum8 = ${half('x8', 'sum16', 0)} + ${half('x8', 'sum16', 1)};
    const gemm_u32x4 sum4 = ${half('x4', 'sum8', 0)} + ${half('x4', 'sum8', 1)};
    const gemm_u32x4 terms = sum4 * (uint32_t)-offset;
    uint32_t *const words = (uint32_t *)digits;
${[...Array(digitCount).keys()].map(digit => `    words[${factWord(digit)}] = terms[${digit}];`).join('\n')}
    words[${factWord(scaleFact)}] = (uint32_t)(exponent + 105) << 23; // 2^(exponent - 22)
  }
  return 1;
}`;

/** The larger of the lanes of two vectors of unsigned numbers. */
function larger(lanes: string, left: string, right: string): string {
  return `({ gemm_u32${lanes} larger; __asm__("vpmaxud %2, %1, %0" : "=v"(larger) : "v"(${left}), "v"(${right})); larger; })`;
}

/** The lower or upper lanes of a vector, `lanes` of them. */
function half(lanes: 'x8' | 'x4', vector: string, upper: 0 | 1): string {
  return `GEMM_LOAD(gemm_u32${lanes}, (const char *)&${vector} + ${upper * { x8: 32, x4: 16 }[lanes]})`;
}

/** Within 16 bytes of four numbers, the four d0, then the four d1 … */
function byteOrder(): string {
  return Array.from({ length: 64 }, (_, i) => (i % 4) * 4 + Math.floor((i % 16) / 4)).join(', ');
}

/** A statement: to each lane of `sum` the products of its four unsigned bytes of `codes` with four digits are added. */
export const addDigitProducts = (sum: string, codes: string, digits: string): string =>
  `__asm__("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(${sum}) : "v"(${codes}), "m"(*(${digits})));`;
