// The C of the random generators. The bits match the row in the op table.
import type { PreludePiece } from './scalar/prelude-piece.ts';

const inline = 'static inline __attribute__((always_inline)) ';
/** C of the generators. `t_philox_fill` writes words first … first + count - 1 of a stream; `t_philox_word` returns one. */
export const randomPrelude: readonly PreludePiece[] = [
  {
    name: 't_philox_fill',
    also: ['t_philox_word'],
    text: `typedef struct { uint32_t w[4]; } t_words;
// the block at counter + offset; 32-bit arithmetic only, so that a vector holds sixteen blocks
${inline}t_words t_philox_block(uint64_t key, uint64_t low, uint64_t high, uint32_t offset) {
  uint32_t c0 = (uint32_t)low + offset;
  const uint32_t carry0 = c0 < offset;
  uint32_t c1 = (uint32_t)(low >> 32) + carry0;
  const uint32_t carry1 = carry0 & (c1 == 0);
  uint32_t c2 = (uint32_t)high + carry1;
  const uint32_t carry2 = carry1 & (c2 == 0);
  uint32_t c3 = (uint32_t)(high >> 32) + carry2;
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
#pragma GCC unroll 10
  for (int round = 0; round < 10; round++) {
    const uint32_t h0 = (uint32_t)((uint64_t)c0 * 0xd2511f53u >> 32), l0 = c0 * 0xd2511f53u;
    const uint32_t h2 = (uint32_t)((uint64_t)c2 * 0xcd9e8d57u >> 32), l2 = c2 * 0xcd9e8d57u;
    c0 = h2 ^ c1 ^ k0;
    c1 = l2;
    c2 = h0 ^ c3 ^ k1;
    c3 = l0;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return (t_words){{c0, c1, c2, c3}};
}
${inline}uint32_t t_philox_word(uint64_t key, uint64_t low, uint64_t high, uint64_t word) {
  const uint64_t at = low + word / 4;
  return t_philox_block(key, at, high + (at < low), 0).w[word % 4];
}
#ifdef __AVX512F__
// Eight blocks per vector: each word is in the low half of a 64-bit lane, as vpmuludq requires; the high halves are ignored.
// Written in assembly because gcc compiles 32 x 32-bit multiplies to slow 64-bit ones.
typedef uint64_t t_q8 __attribute__((vector_size(64)));
${inline}t_q8 t_multiply_even(t_q8 a, t_q8 b) {
  t_q8 r;
  __asm__("vpmuludq %2, %1, %0" : "=v"(r) : "v"(a), "v"(b));
  return r;
}
static __attribute__((noinline)) int32_t t_philox_vectors(uint64_t key, uint64_t low, uint64_t high, int32_t blocks, uint32_t *out) {
  typedef t_q8 t_unaligned __attribute__((aligned(4), may_alias));
  const t_q8 lanes = {0, 1, 2, 3, 4, 5, 6, 7}, lower = (t_q8){} + 0xffffffffull;
  const t_q8 m0 = (t_q8){} + 0xd2511f53u, m2 = (t_q8){} + 0xcd9e8d57u;
  int32_t b = 0;
  for (; b + 16 <= blocks; b += 16) {
    t_q8 c0[2], c1[2], c2[2], c3[2];
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
      const uint64_t first = low + (uint64_t)(b + 8 * half), up = high + (first < low);
      c0[half] = lanes + first;
      c1[half] = c0[half] >> 32;
      c2[half] = up - (t_q8)(c0[half] < lanes);
      c3[half] = c2[half] >> 32;
    }
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; half++) {
        const t_q8 p0 = t_multiply_even(c0[half], m0), p2 = t_multiply_even(c2[half], m2);
        c0[half] = (p2 >> 32) ^ c1[half] ^ (uint64_t)k0;
        c1[half] = p2;
        c2[half] = (p0 >> 32) ^ c3[half] ^ (uint64_t)k1;
        c3[half] = p0;
      }
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
      const t_q8 x = (c0[half] & lower) | (c1[half] << 32), y = (c2[half] & lower) | (c3[half] << 32);
      t_unaligned *const to = (t_unaligned *)(out + 4 * b + 32 * half);
      to[0] = __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
      to[1] = __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
    }
  }
  return b;
}
#endif
static __attribute__((noinline)) void t_philox_fill(uint64_t key, uint64_t low, uint64_t high, uint64_t first, int64_t count, uint32_t *out) {
#ifdef __AVX512F__
  uint32_t some[64];  // words of the first and last blocks, of which only a part is used
  uint64_t at = low + first / 4, up = high + (at < low);
  const int64_t skip = (int64_t)(first % 4);
  if (skip > 0) {
    const int64_t n = count < 4 - skip ? count : 4 - skip;
    t_philox_vectors(key, at, up, 16, some);
    for (int64_t i = 0; i < n; i++) out[i] = some[skip + i];
    out += n, count -= n, at++, up += at == 0;
  }
  const int32_t blocks = t_philox_vectors(key, at, up, (int32_t)(count / 4), out);
  out += 4 * (int64_t)blocks, count -= 4 * (int64_t)blocks;
  if (count == 0) return;
  low = at + (uint64_t)blocks;
  t_philox_vectors(key, low, up + (low < at), 16, some);
  __builtin_memcpy(out, some, 4 * (uint64_t)count);
#else
  int64_t i = 0;
  for (; i < count && (first + (uint64_t)i) % 4 != 0; i++) out[i] = t_philox_word(key, low, high, first + (uint64_t)i);
  const int32_t blocks = (int32_t)((count - i) / 4);
  const uint64_t base = low + (first + (uint64_t)i) / 4, up = high + (base < low);
  uint32_t *const to = out + i;
#pragma omp simd
  for (int32_t b = 0; b < blocks; b++) {
    const t_words x = t_philox_block(key, base, up, (uint32_t)b);
    to[4 * b] = x.w[0];
    to[4 * b + 1] = x.w[1];
    to[4 * b + 2] = x.w[2];
    to[4 * b + 3] = x.w[3];
  }
  for (i += 4 * (int64_t)blocks; i < count; i++) out[i] = t_philox_word(key, low, high, first + (uint64_t)i);
#endif
}`,
  },
  {
    name: 't_threefry',
    text: `${inline}uint64_t t_threefry(uint64_t key, uint64_t counter) {
  const uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32), ks[3] = {k0, k1, k0 ^ k1 ^ 0x1bd11bdau};
  static const uint8_t rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  uint32_t x0 = (uint32_t)counter + k0, x1 = (uint32_t)(counter >> 32) + k1;
  for (int group = 0; group < 5; group++) {
    for (int r = 0; r < 4; r++) {
      const int by = rotations[4 * (group % 2) + r];
      x0 += x1;
      x1 = (x1 << by | x1 >> (32 - by)) ^ x0;
    }
    x0 += ks[(group + 1) % 3];
    x1 += ks[(group + 2) % 3] + (uint32_t)(group + 1);
  }
  return x0 | (uint64_t)x1 << 32;
}`,
  },
];
