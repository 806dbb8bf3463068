// all-reduce and all-gather of all ranks through the windows of a transport that shares memory, for any count. Determinism
// first: each element is combined pairwise in the order of the ranks, (r0 + r1) + (r2 + r3), by whichever rank: all get the
// same bits whatever the number of threads, and where each rank's value is a sum over some parts in such a tree, the bits of
// one rank with all the parts. Other groups, and other transports: group_collectives.c.
//
// Over several hosts with the same power of two of ranks each, the shard that rank r combines is that of its host, and it is
// all-reduced with the r-th ranks of the other hosts (host_reduce.c) before it is copied out: a host's ranks are then a
// subtree of the tree of all, so the bits are the same. Hosts with other numbers of ranks exchange as a group of all.
//
//   all-reduce of one chunk (half a window) of the tensors, one after another as if they were one:
//     each rank copies its chunk into its window                │ barrier
//     rank r combines the r-th shard of all windows             │ barrier      (in rank 0's window)
//     each rank copies the combined chunk out of rank 0's window
//   With two ranks, or little to do, every rank combines all of the chunk itself, straight into its tensors: that is one
//   barrier instead of two and no more memory traffic.
//
// The next chunk uses the other half: no rank can be two chunks ahead, as each chunk has a barrier.
#include <string.h>
#include "network.h"

enum { kind_reduce = 1, kind_gather = 2 };
#define SMALL_BYTES 4096     /* up to here every rank combines all by itself */

// Publishes what this rank is about to do; after the first barrier, checks that all ranks do the same.
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

// The i-th ranks of all hosts, of which this rank's are `locals`.
static bool hosts_are_alike(const network *n) {
  return n->world_size % n->locals == 0 && n->first_local % n->locals == 0 && (n->locals & (n->locals - 1)) == 0 && n->locals == n->alike;
}
static int collective_of_all(const trenio_rt *rt, int kind, const void *const *in, void *const *out, const int64_t *counts, int32_t tensors, int dtype, int op) {
  const network *n = runtime_of(rt)->network;
  const trenio_collective all = {.kind = kind, .group = n->everyone, .members = rt->world_size, .source = -1, .target = -1, .dtype = dtype, .op = op, .tensors = tensors, .counts = counts};
  return collective_in_group(rt, &all, in, out);
}
// Starts the all-reduce of a part with the ranks of other hosts that have this rank's number there.
static reduction *start_with_hosts(network *n, const packed *part, int dtype, int op) {
  const message about = {.kind = TRENIO_ALL_REDUCE, .how = (uint32_t)(dtype << 8 | op), .members = (uint32_t)n->hosts, .group = 1};
  return reduction_start(n, &about, n->counterparts, n->hosts, n->first_local / n->locals, part, dtype, op);
}

// The all-reduce over several hosts. One chunk is between hosts while the next is combined within them.
typedef struct {
  reduction *between;
  packed part, shard; // of the tensors; of this rank in the window
  char *piece;
  int64_t piece_count;
  char *combined; // where the whole chunk will be
  bool is_small;
} host_chunk;
static int finish_host_chunk(const trenio_rt *rt, host_chunk *c) {
  int code = reduction_await(c->between);
  if (code == 0 && !c->is_small) code = segment_barrier(runtime_of(rt));
  if (code == 0) copy_out(rt, &c->part, c->combined);
  return code;
}
static int all_reduce_over_hosts(const trenio_rt *rt, void *const *data, const int64_t *counts, int64_t count, int dtype, int op) {
  runtime *r = runtime_of(rt);
  network *n = r->network;
  segment *s = r->segment;
  const int64_t size = element_bytes[dtype];
  if (n->locals == 1) {
    const packed all = {(char *const *)data, counts, size, 0, count};
    reduction *x = start_with_hosts(n, &all, dtype, op);
    return x == NULL ? TRENIO_NO_MEMORY : reduction_await(x);
  }
  segment_header *h = s->header;
  const int64_t chunk = h->window_bytes / 2 / size;
  say(r, (description){.kind = kind_reduce, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  host_chunk chunks[2];
  int64_t started = 0, finished = 0; // chunks
  int code = 0;
  char *small = pool_own_scratch(rt, SMALL_BYTES);
  for (int64_t done = 0; code == 0 && (done == 0 || done < count); done += chunk) {
    host_chunk *c = &chunks[started & 1];
    const int64_t m = count - done < chunk ? count - done : chunk;
    const uint32_t half = r->phase++;
    *c = (host_chunk){.part = {(char *const *)data, counts, size, done, m}, .is_small = m * size <= SMALL_BYTES, .combined = window_half(h, 0, half)};
    for (int i = 0; i < h->world_size; i++) s->from[i] = window_half(h, i, half);
    const sources x = {s->from, h->world_size, dtype, op, size};
    copy_in(rt, &c->part, window_half(h, s->rank, half));
    code = segment_barrier(r);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) break;
    if (c->is_small) {
      c->combined = c->piece = small, c->piece_count = m;
      combine_in(rt, small, m, &x);
    } else {
      const int64_t share = (m / h->world_size + 63) / 64 * 64, first = s->rank * share; // whole cache lines
      const int64_t mine = s->rank == h->world_size - 1 || first + share > m ? m - first : share;
      c->piece = c->combined + (mine > 0 ? first * size : 0), c->piece_count = mine > 0 ? mine : 0;
      for (int i = 0; i < h->world_size; i++) s->from[i] += first * size;
      if (mine > 0) combine_in(rt, c->piece, mine, &x);
    }
    c->shard = (packed){&c->piece, &c->piece_count, size, 0, c->piece_count};
    c->between = start_with_hosts(n, &c->shard, dtype, op);
    if (c->between == NULL) return TRENIO_NO_MEMORY;
    started++;
    if (started - finished < 2) continue;
    code = finish_host_chunk(rt, &chunks[finished++ & 1]);
    // The next chunk goes into the windows out of which the others may still copy.
    if (code == 0 && done + chunk < count) code = segment_barrier(r);
  }
  while (code == 0 && finished < started) code = finish_host_chunk(rt, &chunks[finished++ & 1]);
  return code;
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
  if (r->network != NULL) {
    if (hosts_are_alike(r->network)) return all_reduce_over_hosts(rt, data, counts, count, dtype, op);
    return collective_of_all(rt, TRENIO_ALL_REDUCE, NULL, data, counts, tensors, dtype, op);
  }
  segment *s = r->segment;
  segment_header *h = s->header;
  const int64_t size = element_bytes[dtype], chunk = h->window_bytes / 2 / size;
  say(r, (description){.kind = kind_reduce, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  for (int64_t done = 0; done == 0 || done < count; done += chunk) {
    const int64_t n = count - done < chunk ? count - done : chunk;
    const packed part = {(char *const *)data, counts, size, done, n};
    const uint32_t half = r->phase++;
    for (int i = 0; i < h->world_size; i++) s->from[i] = window_half(h, i, half);
    sources x = {s->from, h->world_size, dtype, op, size};
    copy_in(rt, &part, window_half(h, s->rank, half));
    int code = segment_barrier(r);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    if (h->world_size == 2 || n * size <= SMALL_BYTES) {
      combine_out(rt, &part, &x);
      continue;
    }
    const int64_t share = (n / h->world_size + 63) / 64 * 64; // whole cache lines
    const int64_t first = s->rank * share;
    const int64_t mine = s->rank == h->world_size - 1 || first + share > n ? n - first : share;
    if (mine > 0) {
      for (int i = 0; i < h->world_size; i++) s->from[i] += first * size;
      combine_in(rt, window_half(h, 0, half) + first * size, mine, &x);
    }
    code = segment_barrier(r);
    if (code != 0) return code;
    copy_out(rt, &part, window_half(h, 0, half));
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
  if (r->network != NULL) return collective_of_all(rt, TRENIO_ALL_GATHER, &in, &out, &bytes, 1, 0, 0);
  segment *s = r->segment;
  segment_header *h = s->header;
  int64_t chunk = h->window_bytes / 2;
  say(r, (description){.kind = kind_gather, .count = bytes});
  for (int64_t done = 0; done == 0 || done < bytes; done += chunk) {
    int64_t n = bytes - done < chunk ? bytes - done : chunk;
    uint32_t half = r->phase++;
    copy_bytes(rt, window_half(h, s->rank, half), (const char *)in + done, n);
    int code = segment_barrier(r);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    for (int i = 0; i < h->world_size; i++) copy_bytes(rt, (char *)out + i * bytes + done, window_half(h, i, half), n);
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
