// C code in every dynamic program: size arithmetic with overflow checks, failures with a reason, and memory.
//
// Memory: blocks are consecutive in the arena, each with a header that has its length and the number of values that
// use it. Allocation is first fit and merges free neighbors on the way. Nothing has to be
// freed when the step ends, even after an error: the next step starts with an empty arena.
import { stepErrors } from '../target/runtime-abi.ts';

export const dynamicPrelude = `static int t_fail(int64_t *report, int64_t why, int64_t op, int64_t dim, int64_t first, int64_t second) {
  report[0] = why, report[1] = op, report[2] = dim, report[3] = first, report[4] = second;
  return ${stepErrors.REPORTED};
}
#define T_CHECK(ok, why, op, dim, first, second) if (!(ok)) return t_fail(report, why, op, dim, first, second)

static int64_t t_mul(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}
static int64_t t_add(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}
static int64_t t_clamp(int64_t x, int64_t most) { return x < 0 ? 0 : x > most ? most : x; }
// number of windows
static int64_t t_windows(int64_t size, int64_t window, int64_t stride, int64_t low, int64_t high, int64_t dilation, int64_t window_dilation) {
  const int64_t dilated = size == 0 ? 0 : t_add(t_mul(size - 1, dilation), 1);
  const int64_t padded = t_add(t_add(low, dilated), high), spread = window == 0 ? 0 : t_add(t_mul(window - 1, window_dilation), 1);
  return padded <= 0 || spread > padded ? 0 : (padded - spread) / stride + 1;
}

typedef struct {
  int64_t bytes, uses;
  char rest[48];
} t_block;
typedef struct {
  const trenio_rt *rt;
  char *arena;
  int64_t end, have, limit, *grown;
} t_heap;
static t_block *t_allocate(t_heap *h, int64_t wanted) {
  if (wanted > h->limit) return 0;
  const int64_t bytes = (wanted + 127) / 64 * 64;
  int64_t at = 0;
  while (at < h->end) {
    t_block *const b = (t_block *)(h->arena + at);
    if (b->uses == 0) {
      while (at + b->bytes < h->end && ((t_block *)(h->arena + at + b->bytes))->uses == 0)
        b->bytes += ((t_block *)(h->arena + at + b->bytes))->bytes;
      if (at + b->bytes == h->end) {
        h->end = at;
        break;
      }
      if (b->bytes >= bytes) {
        if (b->bytes > bytes) *(t_block *)((char *)b + bytes) = (t_block){.bytes = b->bytes - bytes};
        b->bytes = bytes;
        b->uses = 1;
        return b;
      }
    }
    at += b->bytes;
  }
  const int64_t end = h->end + bytes;
  if (end > h->limit) return 0;
  if (end > h->have) {
    if (h->rt->arena(h->rt, end) != h->arena) return 0;
    *h->grown = h->have = end;
  }
  t_block *const b = (t_block *)(h->arena + h->end);
  *b = (t_block){.bytes = bytes, .uses = 1};
  h->end = end;
  return b;
}
static t_block *t_retain(t_block *b) {
  if (b) b->uses++;
  return b;
}
static void t_release(t_block *b) {
  if (b) b->uses--;
}

typedef struct {
  char *to;
  const char *from;
  int64_t bytes;
} t_copy_args;
static void t_copy_task(void *arg, int64_t task, int worker) {
  const t_copy_args *const c = arg;
  const int64_t at = task << 18, rest = c->bytes - at;
  __builtin_memcpy(c->to + at, c->from + at, (uint64_t)(rest < 1 << 18 ? rest : 1 << 18));
}
static void t_copy(const trenio_rt *rt, void *to, const void *from, int64_t bytes) {
  t_copy_args c = {to, from, bytes};
  if (bytes > 0 && to != from) rt->parallel(rt, t_copy_task, &c, ((bytes - 1) >> 18) + 1);
}
`;
