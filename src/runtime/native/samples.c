// Drawing the initial values of tensors: src/numerics/samples.ts in C, with the same bits for any number of threads. So it
// computes in double, in the order written there, is compiled without contraction, and takes logarithms as V8 does
// (FreeBSD's e_log.c, whose notice is below).
#include <math.h>
#include <string.h>
#include "runtime.h"

#define CHUNK 1024          // numbers at a time: their intermediate values stay in the first cache
#define TASK (64 * CHUNK)   // numbers of one task

enum { samples_uniform = 0, samples_normal = 1 };
// What src/runtime/execution/samples.ts writes, in this layout.
typedef struct {
  uint32_t key[2], counter[4];
  int64_t count;
  int32_t kind, type;       // type: TRENIO_F32 or TRENIO_BF16
  double a, b, from, to;    // low and high, or mean and std and the quantiles between which it lies
  int64_t zero_first, zero_count; // these numbers are zero instead
} samples;

typedef struct {
  const samples *what;
  char *out;
} samples_call;

// Words of Philox4x32-10 (see src/numerics/philox.ts) of the CHUNK / 4 blocks from `first` on.
static void philox_chunk(const samples *s, uint64_t first, uint32_t *words) {
  enum { BLOCKS = CHUNK / 4 };
  const uint64_t low = s->counter[0] | (uint64_t)s->counter[1] << 32, high = s->counter[2] | (uint64_t)s->counter[3] << 32;
  uint32_t w[4][BLOCKS];
#pragma omp simd
  for (int i = 0; i < BLOCKS; i++) {
    const uint64_t at = low + first + (uint64_t)i, above = high + (at < low);
    uint32_t c0 = (uint32_t)at, c1 = (uint32_t)(at >> 32), c2 = (uint32_t)above, c3 = (uint32_t)(above >> 32);
    uint32_t k0 = s->key[0], k1 = s->key[1];
    for (int round = 0; round < 10; round++) {
      const uint64_t p = (uint64_t)c0 * 0xd2511f53u, q = (uint64_t)c2 * 0xcd9e8d57u;
      c0 = (uint32_t)(q >> 32) ^ c1 ^ k0;
      c1 = (uint32_t)q;
      c2 = (uint32_t)(p >> 32) ^ c3 ^ k1;
      c3 = (uint32_t)p;
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
    w[0][i] = c0, w[1][i] = c1, w[2][i] = c2, w[3][i] = c3;
  }
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < 4; j++) words[4 * i + j] = w[j][i];
}

// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
// Developed at SunSoft, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
// ====================================================
// log x for x in [2^-1022, 1/2): the cases that remain of e_log.c, without branches.
static inline double logarithm(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  const uint32_t hx = (uint32_t)(bits >> 32) & 0xfffff, i = (hx + 0x95f64) & 0x100000;
  const double dk = (double)((int32_t)(bits >> 52) - 1023 + (int32_t)(i >> 20));
  bits = (uint64_t)(hx | (i ^ 0x3ff00000)) << 32 | (uint32_t)bits;
  double m;
  memcpy(&m, &bits, 8);
  const double f = m - 1.0, ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10;
  const double small = f * f * (0.5 - 0.33333333333333333 * f);
  const double s = f / (2.0 + f), z = s * s, w = z * z;
  const double t1 = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double t2 = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double r = t2 + t1, half = 0.5 * f * f;
  const double far = dk * ln2_hi - ((half - (s * (half + r) + dk * ln2_lo)) - f);
  const double near = dk * ln2_hi - ((s * (f - r) - dk * ln2_lo) - f);
  const double tiny = dk * ln2_hi - ((small - dk * ln2_lo) - f);
  const int32_t side = ((int32_t)hx - 0x6147a) | (0x6b851 - (int32_t)hx);
  const double usual = side > 0 ? far : near;
  return (0xfffff & (2 + hx)) < 3 ? tiny : usual;
}

// The quantile of the standard normal distribution: src/numerics/normal.ts, whose last branch (probabilities beneath
// e^-25) no 24 bits reach.
static inline double center(double q) {
  const double r = 0.180625 - q * q;
  const double above = ((((((r * 2509.0809287301227 + 33430.57558358813) * r + 67265.7709270087) * r + 45921.95393154987) * r + 13731.69376550946) * r + 1971.5909503065513) * r + 133.14166789178438) * r + 3.3871328727963665;
  const double below = ((((((r * 5226.495278852854 + 28729.085735721943) * r + 39307.89580009271) * r + 21213.794301586597) * r + 5394.196021424751) * r + 687.1870074920579) * r + 42.31333070160091) * r + 1;
  return (q * above) / below;
}
static inline double tail(double p) {
  const double q = p - 0.5, r = __builtin_sqrt(-logarithm(q < 0 ? p : 1 - p)) - 1.6;
  const double above = ((((((r * 0.0007745450142783414 + 0.022723844989269184) * r + 0.2417807251774506) * r + 1.2704582524523684) * r + 3.6478483247632045) * r + 5.769497221460691) * r + 4.630337846156546) * r + 1.4234371107496835;
  const double below = ((((((r * 1.0507500716444169e-9 + 0.0005475938084995345) * r + 0.015198666563616457) * r + 0.14810397642748008) * r + 0.6897673349851) * r + 1.6763848301838038) * r + 2.053191626637759) * r + 1;
  const double x = above / below;
  return q < 0 ? -x : x;
}

static void samples_task(void *argument, int64_t task, int worker) {
  (void)worker;
  const samples_call *call = argument;
  const samples *s = call->what;
  const double a = s->a, b = s->b, from = s->from, width = s->to - s->from, range = s->b - s->a;
  uint32_t words[CHUNK];
  double p[CHUNK + 8], x[CHUNK + 8];
  int32_t tails[CHUNK];
  float rounded[CHUNK];
  const int64_t end = (task + 1) * TASK < s->count ? (task + 1) * TASK : s->count;
  for (int64_t start = task * TASK; start < end; start += CHUNK) {
    const int n = end - start < CHUNK ? (int)(end - start) : CHUNK;
    philox_chunk(s, (uint64_t)start / 4, words);
    if (s->kind == samples_uniform) {
#pragma omp simd
      for (int i = 0; i < CHUNK; i++) rounded[i] = (float)(a + range * (((double)(int32_t)(words[i] >> 8) + 0.5) / 16777216.0));
    } else {
#pragma omp simd
      for (int i = 0; i < CHUNK; i++) {
        p[i] = from + width * (((double)(int32_t)(words[i] >> 8) + 0.5) / 16777216.0);
        x[i] = center(p[i] - 0.5);
      }
      // One number in seven lies outside: those are collected, so that neither formula is computed for nothing.
      int outside = 0;
      for (int i = 0; i < CHUNK; i++) {
        tails[outside] = i;
        outside += fabs(p[i] - 0.5) > 0.425;
      }
      for (int i = 0; i < outside; i++) p[i] = p[tails[i]]; // tails[i] ≥ i: what is overwritten has been read
#pragma omp simd
      for (int i = 0; i < outside; i++) p[i] = tail(p[i]);
      for (int i = 0; i < outside; i++) x[tails[i]] = p[i];
#pragma omp simd
      for (int i = 0; i < CHUNK; i++) rounded[i] = (float)(a + b * x[i]);
    }
    if (s->type == TRENIO_F32) memcpy(call->out + start * 4, rounded, (size_t)n * 4);
    else {
      uint16_t *out = (uint16_t *)call->out + start;
#pragma omp simd
      for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &rounded[i], 4);
        out[i] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
      }
    }
  }
}

// As a step: args[0] is a `samples` record, args[1] the memory for the numbers.
int trenio_step_samples(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  samples_call call = {args[0], args[1]};
  rt->parallel(rt, samples_task, &call, (call.what->count + TASK - 1) / TASK);
  const int64_t size = call.what->type == TRENIO_F32 ? 4 : 2;
  memset(call.out + call.what->zero_first * size, 0, (size_t)(call.what->zero_count * size));
  return 0;
}
