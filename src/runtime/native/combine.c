// Element-wise combination of what several ranks have, pairwise in the order of the ranks, (r0 + r1) + (r2 + r3), and tensors
// that are treated as one. The operands are found by one address for each rank: in windows, or in messages.
#include <string.h>
#include "runtime.h"

enum { dtypes = 6 };
#define BLOCK_BYTES 4096     /* combined at a time: all ranks' and the partial sums of the tree stay in L1 */
#define TASK_BYTES 131072

static const int element_bytes[dtypes] = {4, 8, 4, 8, 2, 2};

static inline float of_bf16(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float x;
  memcpy(&x, &wide, 4);
  return x;
}
// To the nearest, halves to even; a NaN stays one.
static inline uint16_t to_bf16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (uint16_t)(x != x ? bits >> 16 | 0x40 : rounded);
}
#define SAME(x) (x)
#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define INT_MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
#define INT_MINIMUM(a, b) ((a) < (b) ? (a) : (b))
// IEEE 754-2019: a NaN stays one, and -0 < +0.
#define FLOAT_MAXIMUM(a, b) ((a) > (b) ? (a) : (a) < (b) ? (b) : (a) == (b) ? (__builtin_signbit(a) ? (b) : (a)) : (a) + (b))
#define FLOAT_MINIMUM(a, b) ((a) < (b) ? (a) : (a) > (b) ? (b) : (a) == (b) ? (__builtin_signbit(a) ? (a) : (b)) : (a) + (b))
#define LOOP(T, W, IN, OUT, F, HOW) \
  { \
    T *to = result; \
    const T *x = left, *y = right; \
    HOW for (int64_t i = 0; i < count; i++) { \
      const W a = (W)IN(x[i]), b = (W)IN(y[i]); \
      to[i] = (T)OUT((W)F(a, b)); \
    } \
    return; \
  }
#ifdef __FLT16_MAX__
__extension__ typedef _Float16 half;
#define of_f16 SAME
#define to_f16 SAME
#else
// A compiler that does not know the type (clang 14 on x86). The exponent moves by a multiplication that is exact.
typedef uint16_t half;
static inline float of_f16(uint16_t h) {
  uint32_t bits = (uint32_t)(h & 0x7fff) << 13;
  float x;
  memcpy(&x, &bits, 4);
  x *= 0x1p112f;
  memcpy(&bits, &x, 4);
  bits |= (uint32_t)(h & 0x8000) << 16 | ((h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0);
  memcpy(&x, &bits, 4);
  return x;
}
// To the nearest, halves to even. Below the smallest normal number an addition of a half leaves the rounded bits at the end.
static inline uint16_t to_f16(float x) {
  uint32_t bits, tiny;
  memcpy(&bits, &x, 4);
  const uint32_t a = bits & 0x7fffffff, normal = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;
  const float shifted = __builtin_fabsf(x) + 0.5f;
  memcpy(&tiny, &shifted, 4);
  const uint32_t finite = a < 0x38800000 ? tiny - 0x3f000000 : normal;
  const uint32_t near = a < 0x477ff000 ? finite : 0x7c00;
  return (uint16_t)((bits >> 16 & 0x8000) | (a > 0x7f800000 ? 0x7e00 | (a >> 13 & 0x3ff) : near));
}
#endif

// Only sums, as of gradients, are loops of vectors: those take long to compile.
#define VECTORS _Pragma("omp simd")
#define SCALARS
// T is stored, U adds and multiplies, W compares.
#define OPS(D, T, U, W, IN, OUT, MAX, MIN) \
  case D * 4 + TRENIO_ADD: LOOP(T, U, IN, OUT, ADD, VECTORS) \
  case D * 4 + TRENIO_MULTIPLY: LOOP(T, U, IN, OUT, MULTIPLY, SCALARS) \
  case D * 4 + TRENIO_MAXIMUM: LOOP(T, W, IN, OUT, MAX, SCALARS) \
  case D * 4 + TRENIO_MINIMUM: LOOP(T, W, IN, OUT, MIN, SCALARS)

// result[i] = op(left[i], right[i]); result may be left or right. Integers wrap around, hence the unsigned types. Small
// floats are combined in f32 and rounded each time, as a compiled program adds them.
static void combine(void *result, const void *left, const void *right, int64_t count, int dtype, int op) {
  switch (dtype * 4 + op) {
    OPS(TRENIO_F32, float, float, float, SAME, SAME, FLOAT_MAXIMUM, FLOAT_MINIMUM)
    OPS(TRENIO_F64, double, double, double, SAME, SAME, FLOAT_MAXIMUM, FLOAT_MINIMUM)
    OPS(TRENIO_I32, int32_t, uint32_t, int32_t, SAME, SAME, INT_MAXIMUM, INT_MINIMUM)
    OPS(TRENIO_I64, int64_t, uint64_t, int64_t, SAME, SAME, INT_MAXIMUM, INT_MINIMUM)
    OPS(TRENIO_BF16, uint16_t, float, float, of_bf16, to_bf16, FLOAT_MAXIMUM, FLOAT_MINIMUM)
    OPS(TRENIO_F16, half, float, float, of_f16, to_f16, FLOAT_MAXIMUM, FLOAT_MINIMUM)
  }
}
static bool can_combine(int dtype, int op) {
  return dtype >= 0 && dtype < dtypes && op >= 0 && op < 4;
}

// A part of several concatenated tensors: elements [first, first + count) of all of them.
typedef struct {
  char *const *data;
  const int64_t *counts;
  int64_t size; // of an element
  int64_t first, count;
} packed;
typedef void (*piece_visitor)(const void *argument, char *piece, int64_t at, int64_t count);
// Visits what elements [from, from + count) of the part consist of; `at` counts from the part's first element.
static void each_piece(const packed *p, int64_t from, int64_t count, piece_visitor visit, const void *argument) {
  int64_t skip = p->first + from, tensor = 0, done = 0;
  while (done < count) {
    while (skip >= p->counts[tensor]) skip -= p->counts[tensor++];
    int64_t n = p->counts[tensor] - skip;
    if (n > count - done) n = count - done;
    visit(argument, p->data[tensor] + skip * p->size, from + done, n);
    done += n, skip += n;
  }
}

// The operands of a combination: for each rank the address of its elements, those of the part or of a shard of it.
typedef struct {
  const char *const *from;
  int ranks, dtype, op;
  int64_t size; // of an element
} sources;

// The elements [at, at + count) of ranks [first, first + ranks) combined, in `result`; no more than a block of them.
static void combine_ranks(const sources *x, char *result, int64_t at, int64_t count, int first, int ranks) {
  const int64_t size = x->size;
  const char *left_side = x->from[first] + at * size;
  if (ranks == 1) {
    if (result != left_side) memcpy(result, left_side, (size_t)(count * size));
    return;
  }
  int left = 1; // the largest power of two below: pairs, pairs of pairs …
  while (2 * left < ranks) left *= 2;
  const char *right_side = x->from[first + left] + at * size;
  if (left > 1) {
    combine_ranks(x, result, at, count, first, left);
    left_side = result;
  }
  if (ranks - left == 1) {
    combine(result, left_side, right_side, count, x->dtype, x->op);
    return;
  }
  char rest[BLOCK_BYTES] __attribute__((aligned(64)));
  combine_ranks(x, rest, at, count, first + left, ranks - left);
  combine(result, left_side, rest, count, x->dtype, x->op);
}
static void combine_blocks(const sources *x, char *result, int64_t at, int64_t count) {
  const int64_t block = BLOCK_BYTES / x->size;
  for (int64_t done = 0; done < count; done += block)
    combine_ranks(x, result + done * x->size, at + done, count - done < block ? count - done : block, 0, x->ranks);
}

// Tasks of a loop over a part.
typedef struct {
  const packed *part;
  piece_visitor visit;
  const void *argument;
} piece_loop;
static void piece_task(void *argument, int64_t task, int number) {
  (void)number;
  const piece_loop *l = argument;
  const int64_t step = TASK_BYTES / l->part->size, at = task * step, left = l->part->count - at;
  each_piece(l->part, at, left < step ? left : step, l->visit, l->argument);
}
static void each_task(const trenio_rt *rt, const packed *part, piece_visitor visit, const void *argument) {
  piece_loop l = {part, visit, argument};
  const int64_t step = TASK_BYTES / part->size;
  if (part->count <= step) {
    if (part->count > 0) each_piece(part, 0, part->count, visit, argument);
    return;
  }
  rt->parallel(rt, piece_task, &l, (part->count + step - 1) / step);
}

// Copies a part between its tensors and separate memory, and combines it from sources.
typedef struct {
  char *memory;
  int64_t size;
} beside;
static void piece_in(const void *argument, char *piece, int64_t at, int64_t count) {
  const beside *b = argument;
  memcpy(b->memory + at * b->size, piece, (size_t)(count * b->size));
}
static void piece_out(const void *argument, char *piece, int64_t at, int64_t count) {
  const beside *b = argument;
  memcpy(piece, b->memory + at * b->size, (size_t)(count * b->size));
}
static void copy_in(const trenio_rt *rt, const packed *part, char *memory) {
  const beside b = {memory, part->size};
  each_task(rt, part, piece_in, &b);
}
static void copy_out(const trenio_rt *rt, const packed *part, const char *memory) {
  const beside b = {(char *)(uintptr_t)memory, part->size};
  each_task(rt, part, piece_out, &b);
}
static void piece_combined(const void *argument, char *piece, int64_t at, int64_t count) { combine_blocks(argument, piece, at, count); }
static void combine_out(const trenio_rt *rt, const packed *part, const sources *x) { each_task(rt, part, piece_combined, x); }

// Elements [0, count) of the sources combined in `result`, by all threads.
static void combine_in(const trenio_rt *rt, char *result, int64_t count, const sources *x) {
  char *const data[] = {result};
  const packed all = {data, &count, x->size, 0, count};
  each_task(rt, &all, piece_combined, x);
}
