// all-reduce and all-gather through the shared windows, for any count. Determinism first: every element is combined
// in the order of the ranks, by one rank, so all ranks get the same bits whatever the number of threads.
//
//   all-reduce of one chunk (half a window):
//     each rank copies its chunk into its window          │ barrier
//     rank r combines the r-th shard of all windows       │ barrier      (in rank 0's window)
//     each rank copies the combined chunk out of rank 0's window
//
// The next chunk uses the other half: nobody can be two chunks ahead, as each chunk has a barrier.
#include <string.h>
#include "shared.h"

enum { kind_reduce = 1, kind_gather = 2 };
#define SMALL_BYTES 4096     /* up to here every rank combines all by itself: one barrier instead of two */
#define BLOCK_BYTES 16384    /* of a shard at a time, so that the accumulator stays in L1 */
#define COPY_BYTES 131072    /* a task of a copy */

static const int element_bytes[] = {4, 8, 4, 8};

#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define INT_MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
#define INT_MINIMUM(a, b) ((a) < (b) ? (a) : (b))
// IEEE 754-2019: a NaN stays one, and -0 < +0.
#define FLOAT_MAXIMUM(a, b) ((a) > (b) ? (a) : (a) < (b) ? (b) : (a) == (b) ? (__builtin_signbit(a) ? (b) : (a)) : (a) + (b))
#define FLOAT_MINIMUM(a, b) ((a) < (b) ? (a) : (a) > (b) ? (b) : (a) == (b) ? (__builtin_signbit(a) ? (a) : (b)) : (a) + (b))
#define LOOP(T, F) \
  { \
    T *restrict x = to; \
    const T *restrict y = from; \
    for (int64_t i = 0; i < count; i++) x[i] = (T)F(x[i], y[i]); \
    return; \
  }
#define OPS(D, T, U, MAX, MIN) \
  case D * 4 + 0: LOOP(U, ADD) \
  case D * 4 + 1: LOOP(U, MULTIPLY) \
  case D * 4 + 2: LOOP(T, MAX) \
  case D * 4 + 3: LOOP(T, MIN)

// to[i] = op(to[i], from[i]). Integers wrap around, hence the unsigned types.
static void combine(void *to, const void *from, int64_t count, int dtype, int op) {
  switch (dtype * 4 + op) {
    OPS(0, float, float, FLOAT_MAXIMUM, FLOAT_MINIMUM)
    OPS(1, double, double, FLOAT_MAXIMUM, FLOAT_MINIMUM)
    OPS(2, int32_t, uint32_t, INT_MAXIMUM, INT_MINIMUM)
    OPS(3, int64_t, uint64_t, INT_MAXIMUM, INT_MINIMUM)
  }
}

typedef struct {
  char *to;
  const char *from;
  int64_t bytes;
} copy;
static void copy_task(void *argument, int64_t task, int number) {
  (void)number;
  const copy *c = argument;
  int64_t at = task * COPY_BYTES, left = c->bytes - at;
  memcpy(c->to + at, c->from + at, (size_t)(left < COPY_BYTES ? left : COPY_BYTES));
}
static void copy_bytes(const trenio_rt *rt, char *to, const char *from, int64_t bytes) {
  copy c = {to, from, bytes};
  rt->parallel(rt, copy_task, &c, (bytes + COPY_BYTES - 1) / COPY_BYTES);
}

typedef struct {
  const segment_header *header;
  uint32_t half;
  int64_t first, count; // the shard, in elements
  int dtype, op;
} shard;
static void combine_task(void *argument, int64_t task, int number) {
  (void)number;
  const shard *s = argument;
  int64_t size = element_bytes[s->dtype], block = BLOCK_BYTES / size;
  int64_t at = s->first + task * block, left = s->first + s->count - at;
  char *to = window_half(s->header, 0, s->half) + at * size;
  for (int i = 1; i < s->header->world_size; i++)
    combine(to, window_half(s->header, i, s->half) + at * size, left < block ? left : block, s->dtype, s->op);
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

int collective_all_reduce(const trenio_rt *rt, void *data, int64_t count, int dtype, int op) {
  if (dtype < 0 || dtype > 3 || op < 0 || op > 3 || count < 0) return TRENIO_BAD_CALL;
  if (rt->world_size == 1) return 0;
  runtime *r = runtime_of(rt);
  segment *s = r->segment;
  segment_header *h = s->header;
  int64_t size = element_bytes[dtype], chunk = h->window_bytes / 2 / size;
  say(r, (description){.kind = kind_reduce, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  for (int64_t done = 0; done == 0 || done < count; done += chunk) {
    int64_t n = count - done < chunk ? count - done : chunk;
    uint32_t half = r->phase++;
    char *here = (char *)data + done * size;
    copy_bytes(rt, window_half(h, s->rank, half), here, n * size);
    int code = segment_barrier(s);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    if (n * size <= SMALL_BYTES) {
      memcpy(here, window_half(h, 0, half), (size_t)(n * size));
      for (int i = 1; i < h->world_size; i++) combine(here, window_half(h, i, half), n, dtype, op);
      continue;
    }
    int64_t share = (n / h->world_size + 63) / 64 * 64; // whole cache lines
    int64_t first = s->rank * share, mine = s->rank == h->world_size - 1 ? n - first : share;
    if (first + mine > n) mine = n - first;
    if (mine > 0) {
      shard part = {h, half, first, mine, dtype, op};
      int64_t block = BLOCK_BYTES / size;
      rt->parallel(rt, combine_task, &part, (mine + block - 1) / block);
    }
    code = segment_barrier(s);
    if (code != 0) return code;
    copy_bytes(rt, here, window_half(h, 0, half), n * size);
  }
  return 0;
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
  return collective_all_reduce(rt, args[0], what[0], (int)what[1], (int)what[2]);
}
int trenio_step_all_gather(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  const int64_t *what = args[2]; // bytes
  return collective_all_gather(rt, args[0], args[1], what[0]);
}
