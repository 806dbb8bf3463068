// C code in every dynamic program: size arithmetic with overflow checks, failures with a reason, and memory.
//
// Memory: blocks are consecutive in the arena, each with a header that has its length and the number of values that
// use it. Allocation is first fit and merges free neighbors on the way. Nothing has to be
// freed when the step ends, even after an error: the next step starts with an empty arena.
import type { PreludePiece } from '../c/scalar/prelude-piece.ts';

export const dynamicPrelude = `static int t_fail(int64_t *report, int64_t why, int64_t op, int64_t dim, int64_t first, int64_t second) {
  report[0] = why, report[1] = op, report[2] = dim, report[3] = first, report[4] = second;
  return 0;
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

/** Multiplies of matrices whose sizes are not known, for one element type: see ops/dot.ts. */
export function multiplyPrelude(type: 'float' | 'double', vectorBytes: number, registers: number): PreludePiece {
  const lanes = vectorBytes / (type === 'float' ? 4 : 8);
  const rows = registers >= 32 ? 12 : 6;
  return {
    name: `t_multiply_${type}`,
    text: `typedef ${type} t_v_${type} __attribute__((vector_size(${vectorBytes}), aligned(${type === 'float' ? 4 : 8}), may_alias));
typedef struct {
  const ${type} *a, *b;
  ${type} *c, *packed;
  int64_t batches, m, n, k, a_batch, a_row, a_term, b_batch, b_term, b_column, panels, strips;
} t_multiply_${type}_args;
enum { t_rows_${type} = ${rows}, t_columns_${type} = ${2 * lanes}, t_depth_${type} = 256, t_group_${type} = 8 };
// packs one panel of columns of b, by k, with zeros beyond its end
static void t_pack_${type}(void *arg, int64_t task, int worker) {
  const t_multiply_${type}_args *const s = arg;
  enum { W = t_columns_${type} };
  const int64_t batch = task / s->panels, j0 = task % s->panels * W, w = s->n - j0 < W ? s->n - j0 : W;
  const ${type} *const from = s->b + batch * s->b_batch + j0 * s->b_column;
  ${type} *const to = s->packed + task * s->k * W;
  const int64_t bt = s->b_term, bc = s->b_column;
  for (int64_t t = 0; t < s->k; t++) {
    if (w == W && bc == 1)
      for (int j = 0; j < W; j++) to[t * W + j] = from[t * bt + j];
    else
      for (int j = 0; j < W; j++) to[t * W + j] = j < w ? from[t * bt + j * bc] : 0;
  }
}
static inline __attribute__((always_inline)) void t_tile_${type}(int64_t terms, const ${type} *restrict a, const ${type} *restrict b, ${type} *restrict c, int64_t n, int64_t rows, int64_t w, int first) {
  enum { R = t_rows_${type}, L = ${lanes}, W = t_columns_${type} };
  t_v_${type} sum[R][2];
#pragma GCC unroll ${rows}
  for (int i = 0; i < R; i++) sum[i][0] = sum[i][1] = (t_v_${type}){};
  for (int64_t t = 0; t < terms; t++) {
    const t_v_${type} b0 = *(const t_v_${type} *)(b + t * W), b1 = *(const t_v_${type} *)(b + t * W + L);
#pragma GCC unroll ${rows}
    for (int i = 0; i < R; i++) {
      const ${type} x = a[t * R + i];
      sum[i][0] += x * b0;
      sum[i][1] += x * b1;
    }
  }
  if (rows == R && w == W) {
#pragma GCC unroll ${rows}
    for (int i = 0; i < R; i++) {
      t_v_${type} *const to = (t_v_${type} *)(c + i * n);
      t_v_${type} *const more = (t_v_${type} *)(c + i * n + L);
      if (!first) sum[i][0] += *to, sum[i][1] += *more;
      *to = sum[i][0];
      *more = sum[i][1];
    }
    return;
  }
  ${type} part[R][W];
  __builtin_memcpy(part, sum, sizeof part);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < w; j++) c[i * n + j] = first ? part[i][j] : c[i * n + j] + part[i][j];
}
// multiplies a strip of rows by a group of panels
static void t_strip_${type}(void *arg, int64_t task, int worker) {
  const t_multiply_${type}_args *const s = arg;
  enum { R = t_rows_${type}, W = t_columns_${type}, D = t_depth_${type}, G = t_group_${type} };
  const int64_t groups = (s->panels - 1) / G + 1, group = task % groups, strip = task / groups % s->strips, batch = task / groups / s->strips;
  const int64_t i0 = strip * (4 * R), last = i0 + 4 * R < s->m ? i0 + 4 * R : s->m;
  const int64_t p1 = (group + 1) * G < s->panels ? (group + 1) * G : s->panels;
  _Alignas(64) ${type} a[4][R * D];
  for (int64_t t0 = 0; t0 < s->k; t0 += D) {
    const int64_t terms = s->k - t0 < D ? s->k - t0 : D;
    for (int64_t i = i0, q = 0; i < last; i += R, q++) {
      const int64_t rows = last - i < R ? last - i : R;
      const ${type} *const from = s->a + batch * s->a_batch + i * s->a_row + t0 * s->a_term;
      for (int64_t t = 0; t < terms; t++)
        for (int64_t r = 0; r < R; r++) a[q][t * R + r] = r < rows ? from[r * s->a_row + t * s->a_term] : 0;
    }
    for (int64_t p = group * G; p < p1; p++) {
      const ${type} *const b = s->packed + (batch * s->panels + p) * s->k * W + t0 * W;
      const int64_t w = s->n - p * W < W ? s->n - p * W : W;
      for (int64_t i = i0, q = 0; i < last; i += R, q++)
        t_tile_${type}(terms, a[q], b, s->c + (batch * s->m + i) * s->n + p * W, s->n, last - i < R ? last - i : R, w, t0 == 0);
    }
  }
}
static void t_multiply_${type}(const trenio_rt *rt, t_multiply_${type}_args s) {
  s.panels = (s.n - 1) / t_columns_${type} + 1;
  s.strips = (s.m - 1) / (4 * t_rows_${type}) + 1;
  rt->parallel(rt, t_pack_${type}, &s, s.batches * s.panels);
  rt->parallel(rt, t_strip_${type}, &s, s.batches * s.strips * ((s.panels - 1) / t_group_${type} + 1));
}`,
  };
}
