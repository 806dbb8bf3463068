// The C code that measures the limits of a machine, with loops that only multiply-add in registers, or only access memory. One
// step runs each of them several times and keeps the best result, because other processes can only make a loop slower.
import type { CpuTarget } from '../../compiler/index.ts';

/** Independent chains of multiply-adds: enough to hide their latency. */
const chains = 12;
const peakRounds = 20_000;
/** The loop body is unrolled twice, to hide the cost of the loop. */
const perRound = 2;

/** Floating-point operations of one task of `peak_f32_task`. */
export const peakTaskFlops = (target: CpuTarget): number =>
  2 * perRound * peakRounds * chains * (target.vectorBytes / 4);
export const peakTasks = 16;

const chainNumbers = [...Array(chains).keys()];

/** C of `peak_f32_task(results, task, worker)`: multiply-adds of f32 in registers; leaves results[task]. */
export function peakTaskSource(target: CpuTarget): string {
  const step = chainNumbers.map(i => `s${i} = s${i} * x + y;`).join(' ');
  return `typedef float peak_vector __attribute__((vector_size(${target.vectorBytes})));
static void peak_f32_task(void *results, int64_t task, int worker) {
  (void)worker;
  peak_vector x = {0}, y = {0}, ${chainNumbers.map(i => `s${i} = {${i}}`).join(', ')};
  __asm__ volatile("" : "+m"(x), "+m"(y));  // unknown to the compiler; equal chains would become one
  for (int64_t round = 0; round < ${peakRounds}; round++) {
${Array.from({ length: perRound }, () => `    ${step}`).join('\n')}
  }
  ((float *)results)[task] = (${chainNumbers.map(i => `s${i}`).join(' + ')})[0];
}`;
}

/** Four sums in tiles of AMX, each of 16 × 16, and the 32 products that an instruction adds to each of them. */
const tileSource = `static const double peak_bf16_flops = 2.0 * ${peakRounds} * 4 * 16 * 16 * 32;
static void peak_bf16_task(void *results, int64_t task, int worker) {
  (void)worker;
  _Alignas(64) uint8_t setting[64] = {1};
  for (int tile = 0; tile < 8; tile++) setting[16 + 2 * tile] = 64, setting[48 + tile] = 16;
  // Not _tile_loadconfig: gcc's reads 8 bytes for the compiler, which then drops the other stores.
  __asm__ volatile("ldtilecfg %0" ::"m"(setting));
  ${[0, 1, 2, 3, 4, 5, 6, 7].map(tile => `_tile_zero(${tile});`).join(' ')}
  for (int64_t round = 0; round < ${peakRounds}; round++) {
    _tile_dpbf16ps(0, 4, 6); _tile_dpbf16ps(1, 4, 7); _tile_dpbf16ps(2, 5, 6); _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
  ((float *)results)[task] = 0;
}`;

/** The same for products of bf16, summed in f32, if the processor supports them; otherwise `peak_bf16_flops` is 0. */
function bf16Source(target: CpuTarget): string {
  if (target.bf16 === 'tiles') return tileSource;
  const sums = chainNumbers.map(i => `s${i} = peak_zero(${i})`).join(', ');
  const step = chainNumbers.map(i => `s${i} = peak_dot(s${i}, x, y);`).join(' ');
  return `#if defined __AVX512BF16__
enum { peak_bf16_lanes = 32 };
typedef __m512bh peak_pairs;
typedef __m512 peak_sums;
#define peak_zero(i) _mm512_set1_ps(i)
#define peak_dot _mm512_dpbf16_ps
#elif defined __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
#include <arm_neon.h>
enum { peak_bf16_lanes = 8 };
typedef bfloat16x8_t peak_pairs;
typedef float32x4_t peak_sums;
#define peak_zero(i) vdupq_n_f32(i)
#define peak_dot vbfdotq_f32
#else
enum { peak_bf16_lanes = 0 };
#endif
static const double peak_bf16_flops = ${2 * perRound * peakRounds * chains}.0 * peak_bf16_lanes;
static void peak_bf16_task(void *results, int64_t task, int worker) {
  (void)worker;
#if defined peak_dot
  peak_pairs x, y;
  __builtin_memset(&x, 0, sizeof x), __builtin_memset(&y, 0, sizeof y);
  peak_sums ${sums};
  __asm__ volatile("" : "+m"(x), "+m"(y));
  for (int64_t round = 0; round < ${peakRounds}; round++) {
${Array.from({ length: perRound }, () => `    ${step}`).join('\n')}
  }
  const peak_sums sum = ${chainNumbers.map(i => `s${i}`).join(' + ')};
  ((float *)results)[task] = sum[0];
#else
  ((float *)results)[task] = 0;
#endif
}`;
}

/** The results that the step writes, in this order: for one thread, then for all of them. */
export const measured = ['f32', 'bf16', 'read', 'write', 'copy', 'inPlace'] as const;

/** Elements of each of the two arrays: 128 MiB, more than caches hold. */
const elements = 1 << 25;
const chunk = 1 << 17;
/** The number of measurements of each. */
const rounds = 8;

/** A step without arguments and with one result: 2 × 6 rates in units per nanosecond (GFLOP/s, GB/s), as f64. */
export function limitsSource(target: CpuTarget): string {
  const flops = peakTaskFlops(target);
  return `#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include "trenio_rt.h"

${peakTaskSource(target)}
${bf16Source(target)}

typedef struct { float *from, *to; float *results; } arrays;

static void read_task(void *argument, int64_t task, int worker) {
  (void)worker;
  const arrays *a = argument;
  const peak_vector *from = (const peak_vector *)(a->from + task * ${chunk});
  peak_vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  for (int64_t i = 0; i < ${(4 * chunk) / target.vectorBytes}; i += 4) s0 += from[i], s1 += from[i + 1], s2 += from[i + 2], s3 += from[i + 3];
  a->results[task] = (s0 + s1 + s2 + s3)[0];
}
static void copy_task(void *argument, int64_t task, int worker) {
  (void)worker;
  const arrays *a = argument;
  const float *restrict from = a->from + task * ${chunk};
  float *restrict to = a->to + task * ${chunk};
  for (int64_t i = 0; i < ${chunk}; i++) to[i] = 2 * from[i];
}
static void write_task(void *argument, int64_t task, int worker) {
  const arrays *a = argument;
  float *to = a->to + task * ${chunk};
  const float value = (float)(task + worker);
  for (int64_t i = 0; i < ${chunk}; i++) to[i] = value;
}
// Non-temporal stores where available, so that memory that is only written is not read.
static void stream_task(void *argument, int64_t task, int worker) {
#ifdef __AVX512F__
  (void)worker;
  const arrays *a = argument;
  for (int64_t i = task * ${chunk}; i < (task + 1) * ${chunk}; i += 16) _mm512_stream_ps(a->to + i, _mm512_load_ps(a->from + i));
  _mm_sfence();
#elif defined __AVX__
  (void)worker;
  const arrays *a = argument;
  for (int64_t i = task * ${chunk}; i < (task + 1) * ${chunk}; i += 8) _mm256_stream_ps(a->to + i, _mm256_load_ps(a->from + i));
  _mm_sfence();
#else
  copy_task(argument, task, worker);
#endif
}
static void fill_task(void *argument, int64_t task, int worker) {
#ifdef __AVX__
  const arrays *a = argument;
  const __m256 value = _mm256_set1_ps((float)(task + worker));
  for (int64_t i = task * ${chunk}; i < (task + 1) * ${chunk}; i += 8) _mm256_stream_ps(a->to + i, value);
  _mm_sfence();
#else
  write_task(argument, task, worker);
#endif
}
static void in_place_task(void *argument, int64_t task, int worker) {
  (void)worker;
  const arrays *a = argument;
  float *x = a->from + task * ${chunk};
  for (int64_t i = 0; i < ${chunk}; i++) x[i] = 2 - x[i];
}

// Units of work per nanosecond, if that is more than measured before.
static void measure(const trenio_rt *rt, int all, trenio_task fn, void *argument, int64_t tasks, double work, double *best) {
  const int64_t from = rt->now();
  if (all) rt->parallel(rt, fn, argument, tasks);
  else for (int64_t t = 0; t < tasks; t++) fn(argument, t, 0);
  const double rate = work / (double)(rt->now() - from);
  if (rate > *best) *best = rate;
}

int measure_limits(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  double *rates = args[0];
  const int64_t bytes = 4ll * ${elements};
  char *memory = mmap(NULL, (size_t)(2 * bytes + (2 << 20)), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return TRENIO_NO_MEMORY;
  char *const start = (char *)(((uintptr_t)memory + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
#ifdef MADV_HUGEPAGE
  madvise(start, (size_t)(2 * bytes), MADV_HUGEPAGE);
#endif
  memset(start, 0, (size_t)(2 * bytes));
  float results[${elements / chunk} + ${peakTasks} * 1024];
  arrays a = {(float *)start, (float *)(start + bytes), results};
  memset(rates, 0, 2 * ${measured.length} * sizeof *rates);
  // Interleaved, so that a temporary disturbance of one loop is over when it is measured again.
  for (int round = 0; round < 2 * ${rounds}; round++) {
    const int all = round & 1;
    const int64_t workers = all ? rt->workers : 1, tasks = ${peakTasks} * workers;
    double *const out = rates + ${measured.length} * all;
    for (int again = 0; again < 2; again++) {
      measure(rt, all, peak_f32_task, results, tasks, ${flops}.0 * (double)tasks, out);
      if (peak_bf16_flops > 0) measure(rt, all, peak_bf16_task, results, tasks, peak_bf16_flops * (double)tasks, out + 1);
    }
    measure(rt, all, read_task, &a, ${elements / chunk}, (double)bytes, out + 2);
    measure(rt, all, write_task, &a, ${elements / chunk}, (double)bytes, out + 3);
    measure(rt, all, fill_task, &a, ${elements / chunk}, (double)bytes, out + 3);
    measure(rt, all, copy_task, &a, ${elements / chunk}, 2.0 * (double)bytes, out + 4);
    measure(rt, all, stream_task, &a, ${elements / chunk}, 2.0 * (double)bytes, out + 4);
    measure(rt, all, in_place_task, &a, ${elements / chunk}, 2.0 * (double)bytes, out + 5);
    // For copies and in-place updates, half of the bytes are read and half are written.
    for (int side = 2; side < 4; side++)
      for (int both = 4; both < 6; both++)
        if (out[both] / 2 > out[side]) out[side] = out[both] / 2;
  }
  munmap(memory, (size_t)(2 * bytes + (2 << 20)));
  return 0;
}
`;
}
