// all-reduce and all-gather through the shared windows, for any count. Determinism first: each element is combined pairwise
// in the order of the ranks, (r0 + r1) + (r2 + r3), by whichever rank: all get the same bits whatever the number of threads,
// and where each rank's value is a sum over some parts in such a tree, the bits of one rank with all the parts.
//
//   all-reduce of one chunk (half a window) of the tensors, one after another as if they were one:
//     each rank copies its chunk into its window                │ barrier
//     rank r combines the r-th shard of all windows             │ barrier      (in rank 0's window)
//     each rank copies the combined chunk out of rank 0's window
//   With two ranks, or little to do, every rank combines all of the chunk itself, straight into its tensors: that is one
//   barrier instead of two and no more memory traffic.
//
// The next chunk uses the other half: nobody can be two chunks ahead, as each chunk has a barrier.
#include <string.h>
#include "shared.h"

enum { kind_reduce = 1, kind_gather = 2 };
enum { dtypes = 6 };
#define SMALL_BYTES 4096     /* up to here every rank combines all by itself */
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

// Sums are what gradients are exchanged for: only theirs are loops of vectors, which take the C compiler long.
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

// Tensors one after another, of which a part is looked at: elements [first, first + count) of all of them.
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

typedef struct {
  packed part;
  const segment_header *header;
  uint32_t half;
  int64_t first, count; // the shard, in elements of the part
  int dtype, op, rank;
} exchange;

// The elements [at, at + count) of ranks [first, first + ranks) combined, in `result`; no more than a block of them.
static void combine_ranks(const exchange *x, char *result, int64_t at, int64_t count, int first, int ranks) {
  const int64_t size = x->part.size;
  const char *window = window_half(x->header, first, x->half) + at * size;
  if (ranks == 1) {
    if (result != window) memcpy(result, window, (size_t)(count * size));
    return;
  }
  int left = 1; // the largest power of two below: pairs, pairs of pairs …
  while (2 * left < ranks) left *= 2;
  const char *right_window = window_half(x->header, first + left, x->half) + at * size;
  if (left > 1) {
    combine_ranks(x, result, at, count, first, left);
    window = result;
  }
  if (ranks - left == 1) {
    combine(result, window, right_window, count, x->dtype, x->op);
    return;
  }
  char rest[BLOCK_BYTES] __attribute__((aligned(64)));
  combine_ranks(x, rest, at, count, first + left, ranks - left);
  combine(result, window, rest, count, x->dtype, x->op);
}
static void combine_blocks(const exchange *x, char *result, int64_t at, int64_t count) {
  const int64_t block = BLOCK_BYTES / x->part.size;
  for (int64_t done = 0; done < count; done += block)
    combine_ranks(x, result + done * x->part.size, at + done, count - done < block ? count - done : block, 0, x->header->world_size);
}

static void copy_in(const void *argument, char *piece, int64_t at, int64_t count) {
  const exchange *x = argument;
  memcpy(window_half(x->header, x->rank, x->half) + at * x->part.size, piece, (size_t)(count * x->part.size));
}
static void copy_out(const void *argument, char *piece, int64_t at, int64_t count) {
  const exchange *x = argument;
  memcpy(piece, window_half(x->header, 0, x->half) + at * x->part.size, (size_t)(count * x->part.size));
}
static void combine_out(const void *argument, char *piece, int64_t at, int64_t count) {
  combine_blocks(argument, piece, at, count);
}

// Tasks of a loop over the part, or over the shard of it.
typedef struct {
  const exchange *x;
  piece_visitor visit;
} piece_loop;
static void piece_task(void *argument, int64_t task, int number) {
  (void)number;
  const piece_loop *l = argument;
  const packed *part = &l->x->part;
  const int64_t step = TASK_BYTES / part->size, at = task * step, left = part->count - at;
  each_piece(part, at, left < step ? left : step, l->visit, l->x);
}
static void each_task(const trenio_rt *rt, const exchange *x, piece_visitor visit) {
  piece_loop l = {x, visit};
  const int64_t step = TASK_BYTES / x->part.size;
  rt->parallel(rt, piece_task, &l, (x->part.count + step - 1) / step);
}
static void shard_task(void *argument, int64_t task, int number) {
  (void)number;
  const exchange *x = argument;
  const int64_t step = TASK_BYTES / x->part.size, at = x->first + task * step, left = x->first + x->count - at;
  combine_blocks(x, window_half(x->header, 0, x->half) + at * x->part.size, at, left < step ? left : step);
}

// Says what this rank is about to do, and after the first barrier checks that the others said the same.
static void say(runtime *r, description d) {
  d.number = ++r->collectives;
  r->segment->header->ranks[r->segment->rank].says[d.number & 1] = d;
}
static int all_say_the_same(runtime *r) {
  const segment_header *h = r->segment->header;
  uint32_t which = r->collectives & 1;
  const description *mine = &h->ranks[r->segment->rank].says[which];
  for (int i = 0; i < h->world_size; i++)
    if (memcmp(mine, &h->ranks[i].says[which], sizeof *mine) != 0) return TRENIO_DIVERGED;
  return 0;
}

int collective_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) {
  if (!can_combine(dtype, op) || tensors < 0) return TRENIO_BAD_CALL;
  int64_t count = 0;
  for (int32_t i = 0; i < tensors; i++) {
    if (counts[i] < 0) return TRENIO_BAD_CALL;
    count += counts[i];
  }
  if (rt->world_size == 1) return 0;
  runtime *r = runtime_of(rt);
  segment *s = r->segment;
  segment_header *h = s->header;
  const int64_t size = element_bytes[dtype], chunk = h->window_bytes / 2 / size;
  say(r, (description){.kind = kind_reduce, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  for (int64_t done = 0; done == 0 || done < count; done += chunk) {
    const int64_t n = count - done < chunk ? count - done : chunk;
    exchange x = {
        .part = {(char *const *)data, counts, size, done, n},
        .header = h,
        .half = r->phase++,
        .dtype = dtype,
        .op = op,
        .rank = s->rank,
    };
    each_task(rt, &x, copy_in);
    int code = segment_barrier(s);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    if (h->world_size == 2 || n * size <= SMALL_BYTES) {
      each_task(rt, &x, combine_out);
      continue;
    }
    const int64_t share = (n / h->world_size + 63) / 64 * 64; // whole cache lines
    x.first = s->rank * share;
    x.count = s->rank == h->world_size - 1 || x.first + share > n ? n - x.first : share;
    if (x.count > 0) rt->parallel(rt, shard_task, &x, (x.count * size + TASK_BYTES - 1) / TASK_BYTES);
    code = segment_barrier(s);
    if (code != 0) return code;
    each_task(rt, &x, copy_out);
  }
  return 0;
}

typedef struct {
  char *to;
  const char *from;
  int64_t bytes;
} copy;
static void copy_task(void *argument, int64_t task, int number) {
  (void)number;
  const copy *c = argument;
  int64_t at = task * TASK_BYTES, left = c->bytes - at;
  memcpy(c->to + at, c->from + at, (size_t)(left < TASK_BYTES ? left : TASK_BYTES));
}
static void copy_bytes(const trenio_rt *rt, char *to, const char *from, int64_t bytes) {
  copy c = {to, from, bytes};
  rt->parallel(rt, copy_task, &c, (bytes + TASK_BYTES - 1) / TASK_BYTES);
}

int collective_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes) {
  if (bytes < 0) return TRENIO_BAD_CALL;
  if (rt->world_size == 1) {
    if (in != out) memmove(out, in, (size_t)bytes);
    return 0;
  }
  runtime *r = runtime_of(rt);
  segment *s = r->segment;
  segment_header *h = s->header;
  int64_t chunk = h->window_bytes / 2;
  say(r, (description){.kind = kind_gather, .count = bytes});
  for (int64_t done = 0; done == 0 || done < bytes; done += chunk) {
    int64_t n = bytes - done < chunk ? bytes - done : chunk;
    uint32_t half = r->phase++;
    copy_bytes(rt, window_half(h, s->rank, half), (const char *)in + done, n);
    int code = segment_barrier(s);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    for (int i = 0; i < h->world_size; i++) copy_bytes(rt, (char *)out + i * bytes + done, window_half(h, i, half), n);
  }
  return 0;
}

// The collectives as steps of their own, for use outside compiled programs: they queue up in the same stream, so all
// ranks meet them in the same order.
int trenio_step_all_reduce(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  const int64_t *what = args[1]; // count, dtype, op
  return collective_all_reduce(rt, args, what, 1, (int)what[1], (int)what[2]);
}
int trenio_step_all_gather(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  const int64_t *what = args[2]; // bytes
  return collective_all_gather(rt, args[0], args[1], what[0]);
}
