// all-reduce and all-gather of all ranks of one host through the windows of their shared memory, for any count. Each element is
// combined pairwise in the order of the ranks, (r0 + r1) + (r2 + r3), whichever rank does it: all get the same bits for any
// number of threads, and where each rank's value is a sum over some parts in such a tree, the bits of one rank with all the
// parts. Several hosts: host_collectives.c; other groups: group_collectives.c.
//
// Tensors are taken one after another as if they were one, in chunks that stay in a core's cache. Chunk i goes into slot
// i mod 4 of each window; "arrive" and "await" are the two halves of a barrier.
//
//   two ranks, or little to do: each combines all
//     copy chunk i in, arrive │ await chunk i - 1, combine it straight into the tensors
//   more: rank r combines the r-th shard, in rank 0's window
//     copy chunk i in, arrive │ await the sums of chunk i - 1, copy them out │ await chunk i, combine the shard, arrive
//
// A rank waits for what the others did while it did something else itself. It fills a slot only after all have read what was in
// it: before it fills that of chunk i, all have arrived with chunk i - 2, after reading chunk i - 4, and across
// collectives the same holds, as each ends with waiting for the last step of all.
#include <string.h>
#include "network.h"

enum { kind_reduce = 1, kind_gather = 2, kind_scatter = 3 };
#define SMALL_BYTES 4096 /* up to here every rank combines all by itself */

// Publishes which collective this rank begins; checked after the first step of all.
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

// Of a chunk of `count` elements, those that this rank combines.
typedef struct { int64_t first, count; } shard_range;
static shard_range own_shard(const segment *s, int64_t count) {
  const int ranks = s->header->world_size;
  const int64_t share = (count / ranks + 63) / 64 * 64; // whole cache lines
  const int64_t first = s->rank * share < count ? s->rank * share : count;
  return (shard_range){first, s->rank == ranks - 1 || first + share > count ? count - first : share};
}
// The slots of all windows for that chunk, as what a combination reads.
static sources slots_of(segment *s, uint32_t chunk, int dtype, int op) {
  for (int i = 0; i < s->header->world_size; i++) s->from[i] = window_slot(s->header, i, chunk);
  return (sources){s->from, s->header->world_size, dtype, op, element_bytes[dtype]};
}
// Combines this rank's shard of the chunk, in rank 0's window.
static shard_range combine_shard(const trenio_rt *rt, uint32_t chunk, int64_t count, int dtype, int op) {
  segment *s = runtime_of(rt)->segment;
  const sources x = slots_of(s, chunk, dtype, op);
  const shard_range mine = own_shard(s, count);
  for (int i = 0; i < x.ranks; i++) s->from[i] += mine.first * x.size;
  if (mine.count > 0) combine_in(rt, window_slot(s->header, 0, chunk) + mine.first * x.size, mine.count, &x);
  return mine;
}

// Combines a chunk straight into the tensors. Of two ranks, this one's values are read from the tensors, as they are written there.
typedef struct {
  const char *other;
  int rank, dtype, op;
  int64_t size;
} pair;
static void piece_of_two(const void *argument, char *piece, int64_t at, int64_t count) {
  const pair *p = argument;
  const char *other = p->other + at * p->size;
  combine(piece, p->rank == 0 ? piece : other, p->rank == 0 ? other : piece, count, p->dtype, p->op);
}
static void combine_chunk_out(const trenio_rt *rt, const packed *part, uint32_t chunk, int dtype, int op) {
  segment *s = runtime_of(rt)->segment;
  if (s->header->world_size == 2) {
    const pair p = {window_slot(s->header, 1 - s->rank, chunk), s->rank, dtype, op, part->size};
    each_task(rt, part, piece_of_two, &p);
    return;
  }
  const sources x = slots_of(s, chunk, dtype, op);
  combine_out(rt, part, &x);
}
static int all_reduce_by_all(const trenio_rt *rt, const packed *all, int dtype, int op) {
  runtime *r = runtime_of(rt);
  segment *s = r->segment;
  const int64_t chunk = s->header->chunk_bytes / all->size;
  packed before = *all;
  uint32_t step_before = 0;
  int code = 0;
  for (int64_t done = 0; done == 0 || done < all->count; done += chunk) {
    packed part = *all;
    part.first = done, part.count = all->count - done < chunk ? all->count - done : chunk;
    copy_in(rt, &part, window_slot(s->header, s->rank, r->chunks++));
    const uint32_t step = segment_arrive(r);
    code = segment_await_all(r, done == 0 ? step : step_before);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    if (done > 0) combine_chunk_out(rt, &before, r->chunks - 2, dtype, op);
    before = part, step_before = step;
  }
  code = segment_await_all(r, step_before);
  if (code == 0) combine_chunk_out(rt, &before, r->chunks - 1, dtype, op);
  return code;
}

static int all_reduce_by_shards(const trenio_rt *rt, const packed *all, int dtype, int op) {
  runtime *r = runtime_of(rt);
  segment *s = r->segment;
  const segment_header *h = s->header;
  int64_t bytes = h->chunk_bytes / 2 * h->world_size;
  if (bytes > h->window_bytes / WINDOW_SLOTS) bytes = h->window_bytes / WINDOW_SLOTS;
  const int64_t chunk = bytes / all->size;
  packed before = *all;
  uint32_t combined_before = 0;
  int code = 0;
  for (int64_t done = 0; done < all->count; done += chunk) {
    packed part = *all;
    part.first = done, part.count = all->count - done < chunk ? all->count - done : chunk;
    const uint32_t number = r->chunks++;
    copy_in(rt, &part, window_slot(h, s->rank, number));
    const uint32_t step = segment_arrive(r);
    if (done > 0) {
      code = segment_await_all(r, combined_before);
      if (code == 0) copy_out(rt, &before, window_slot(h, 0, number - 1));
    }
    if (code == 0) code = segment_await_all(r, step);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    combine_shard(rt, number, part.count, dtype, op);
    before = part, combined_before = segment_arrive(r);
  }
  code = segment_await_all(r, combined_before);
  if (code == 0) copy_out(rt, &before, window_slot(h, 0, r->chunks - 1));
  return code;
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

// host_collectives.c
static bool hosts_are_alike(const network *n);
static bool uses_windows_and_hosts(const network *n);
static int collective_of_all(const trenio_rt *rt, int kind, const void *const *in, void *const *out, const int64_t *counts, int32_t tensors, int dtype, int op);
static int all_reduce_over_hosts(const trenio_rt *rt, void *const *data, const int64_t *counts, int64_t count, int dtype, int op);
static int all_gather_over_hosts(const trenio_rt *rt, const char *in, char *out, int64_t bytes);

int collective_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) {
  if (!can_combine(dtype, op) || tensors < 0) return TRENIO_BAD_CALL;
  int64_t count = 0;
  for (int32_t i = 0; i < tensors; i++) {
    if (counts[i] < 0) return TRENIO_BAD_CALL;
    count += counts[i];
  }
  if (rt->world_size == 1) return 0;
  runtime *r = runtime_of(rt);
  if (r->network != NULL) {
    if (hosts_are_alike(r->network)) return all_reduce_over_hosts(rt, data, counts, count, dtype, op);
    return collective_of_all(rt, TRENIO_ALL_REDUCE, NULL, data, counts, tensors, dtype, op);
  }
  const uint32_t lost = atomic_load(&r->segment->header->lost);
  if (lost) return (int)lost;
  const packed all = {(char *const *)data, counts, element_bytes[dtype], 0, count};
  say(r, (description){.kind = kind_reduce, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  const bool each_all = rt->world_size == 2 || count * all.size <= SMALL_BYTES;
  return each_all ? all_reduce_by_all(rt, &all, dtype, op) : all_reduce_by_shards(rt, &all, dtype, op);
}

int collective_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes) {
  if (bytes < 0) return TRENIO_BAD_CALL;
  if (rt->world_size == 1) {
    if (in != out) memmove(out, in, (size_t)bytes);
    return 0;
  }
  runtime *r = runtime_of(rt);
  if (r->network != NULL) {
    if (uses_windows_and_hosts(r->network)) return all_gather_over_hosts(rt, in, out, bytes);
    return collective_of_all(rt, TRENIO_ALL_GATHER, &in, &out, &bytes, 1, 0, 0);
  }
  segment *s = r->segment;
  const segment_header *h = s->header;
  const uint32_t lost = atomic_load(&h->lost);
  if (lost) return (int)lost;
  const int64_t chunk = h->window_bytes / WINDOW_SLOTS;
  say(r, (description){.kind = kind_gather, .count = bytes});
  for (int64_t done = 0; done == 0 || done < bytes; done += chunk) {
    const int64_t n = bytes - done < chunk ? bytes - done : chunk;
    const uint32_t number = r->chunks++;
    copy_bytes(rt, window_slot(h, s->rank, number), (const char *)in + done, n);
    const uint32_t step = segment_arrive(r);
    copy_bytes(rt, (char *)out + s->rank * bytes + done, (const char *)in + done, n);
    int code = segment_await_all(r, step);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    for (int i = 0; i < h->world_size; i++)
      if (i != s->rank) copy_bytes(rt, (char *)out + i * bytes + done, window_slot(h, i, number), n);
  }
  return 0;
}

// The collectives as separate steps, for use outside compiled programs: they are queued in the same stream, so all
// ranks run them in the same order.
int trenio_step_all_reduce(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  const int64_t *what = args[1]; // count, dtype, op
  return rt->all_reduce(rt, args, what, 1, (int)what[1], (int)what[2]);
}
int trenio_step_all_gather(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  const int64_t *what = args[2]; // bytes
  return rt->all_gather(rt, args[0], args[1], what[0]);
}
