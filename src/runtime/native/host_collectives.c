// Collectives of all ranks of several hosts with the same power of two of ranks each: what a host's ranks can do through their
// shared memory they do there, and between hosts the i-th rank of each host, the counterparts, have the rest in common. A host's
// ranks are a subtree of the tree of all, so the bits are those of one host. Other layouts: as a group of all, through messages.
//
//   all_reduce       a host's ranks each combine a shard of a chunk │ all-reduce of the shard among the counterparts │ copied out
//   reduce_scatter   a host's ranks combine the parts for rank i of each host │ reduce_scatter of those among the counterparts
//   all_gather       the counterparts gather │ a host's ranks copy what the others have gathered
#include "network.h"

// group_collectives.c: among some ranks, through messages; the part of member k lies k * stride bytes after that of the first.
static int gather_among(const trenio_rt *rt, const int32_t *group, int members, const char *in, char *out, int64_t bytes, int64_t stride);
static int reduce_scatter_among(const trenio_rt *rt, const int32_t *group, int members, const char *in, char *out, int64_t count, int dtype, int op);

// More ranks than this could have windows too small for a part of each; all hosts must decide alike.
#define MOST_IN_WINDOWS 256
static bool uses_windows_and_hosts(const network *n) { return n->locals > 1 && n->world_size <= MOST_IN_WINDOWS && hosts_are_alike(n); }
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

// The all-reduce of a chunk between hosts, while the next chunk is combined within them.
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
  const segment_header *h = s->header;
  const int64_t chunk = n->room.window / WINDOW_SLOTS / size;
  say(r, (description){.kind = kind_reduce, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  host_chunk chunks[2];
  int64_t started = 0, finished = 0; // chunks
  int code = 0;
  char *small = pool_own_scratch(rt, SMALL_BYTES);
  for (int64_t done = 0; code == 0 && (done == 0 || done < count); done += chunk) {
    host_chunk *c = &chunks[started & 1];
    const int64_t m = count - done < chunk ? count - done : chunk;
    const uint32_t number = r->chunks++;
    *c = (host_chunk){.part = {(char *const *)data, counts, size, done, m}, .is_small = m * size <= SMALL_BYTES, .combined = window_slot(h, 0, number)};
    copy_in(rt, &c->part, window_slot(h, s->rank, number));
    code = segment_barrier(r);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) break;
    if (c->is_small) {
      const sources x = slots_of(s, number, dtype, op);
      c->combined = c->piece = small, c->piece_count = m;
      combine_in(rt, small, m, &x);
    } else {
      const shard_range mine = combine_shard(rt, number, m, dtype, op);
      c->piece = c->combined + mine.first * size, c->piece_count = mine.count;
    }
    c->shard = (packed){&c->piece, &c->piece_count, size, 0, c->piece_count};
    c->between = start_with_hosts(n, &c->shard, dtype, op);
    if (c->between == NULL) return TRENIO_NO_MEMORY;
    started++;
    // With four slots, the next chunk goes where all have read already.
    if (started - finished == 2) code = finish_host_chunk(rt, &chunks[finished++ & 1]);
  }
  while (code == 0 && finished < started) code = finish_host_chunk(rt, &chunks[finished++ & 1]);
  return code;
}

static int all_gather_over_hosts(const trenio_rt *rt, const char *in, char *out, int64_t bytes) {
  runtime *r = runtime_of(rt);
  network *n = r->network;
  segment *s = r->segment;
  const segment_header *h = s->header;
  const int32_t locals = n->locals;
  int code = gather_among(rt, n->counterparts, n->hosts, in, out + s->rank * bytes, bytes, locals * bytes);
  if (code != 0) return code;
  const int64_t chunk = h->window_bytes / WINDOW_SLOTS / n->hosts / 64 * 64;
  say(r, (description){.kind = kind_gather, .count = bytes});
  for (int64_t done = 0; done == 0 || done < bytes; done += chunk) {
    const int64_t m = bytes - done < chunk ? bytes - done : chunk;
    const uint32_t number = r->chunks++;
    for (int32_t k = 0; k < n->hosts; k++)
      copy_bytes(rt, window_slot(h, s->rank, number) + k * m, out + (k * locals + s->rank) * bytes + done, m);
    code = segment_barrier(r);
    if (code == 0 && done == 0) code = all_say_the_same(r);
    if (code != 0) return code;
    for (int32_t k = 0; k < n->hosts; k++)
      for (int32_t i = 0; i < locals; i++)
        if (i != s->rank) copy_bytes(rt, out + (k * locals + i) * bytes + done, window_slot(h, i, number) + k * m, m);
  }
  return 0;
}

// What goes to the counterparts at once.
#define SCATTER_BYTES (4 << 20)
static int reduce_scatter_over_hosts(const trenio_rt *rt, const char *in, char *out, int64_t count, int dtype, int op) {
  runtime *r = runtime_of(rt);
  network *n = r->network;
  segment *s = r->segment;
  const segment_header *h = s->header;
  const int32_t locals = n->locals, hosts = n->hosts;
  const int64_t size = element_bytes[dtype], bytes = count * size;
  const int64_t chunk = h->window_bytes / WINDOW_SLOTS / rt->world_size / 64 * 64 / size;
  // Of no elements it is one batch, too.
  const int64_t largest = SCATTER_BYTES / hosts / size, batch = count == 0 ? 1 : count < largest ? count : largest;
  arrival *own = kept_buffer(n, hosts * batch * size);
  if (own == NULL) return TRENIO_NO_MEMORY;
  char *combined = (char *)(own + 1);
  say(r, (description){.kind = kind_scatter, .dtype = (uint32_t)dtype, .op = (uint32_t)op, .count = count});
  int code = 0;
  for (int64_t from = 0; code == 0 && (from == 0 || from < count); from += batch) {
    const int64_t batch_count = count - from < batch ? count - from : batch;
    for (int64_t done = 0; code == 0 && (done == 0 || done < batch_count); done += chunk) {
      const int64_t m = batch_count - done < chunk ? batch_count - done : chunk;
      const uint32_t number = r->chunks++;
      for (int32_t k = 0; k < rt->world_size; k++)
        copy_bytes(rt, window_slot(h, s->rank, number) + k * m * size, in + k * bytes + (from + done) * size, m * size);
      code = segment_barrier(r);
      if (code == 0 && from + done == 0) code = all_say_the_same(r);
      for (int32_t k = 0; code == 0 && k < hosts; k++) {
        const sources x = slots_of(s, number, dtype, op);
        for (int32_t i = 0; i < locals; i++) s->from[i] += (k * locals + s->rank) * m * size;
        combine_in(rt, combined + (k * batch_count + done) * size, m, &x);
      }
    }
    if (code == 0) code = reduce_scatter_among(rt, n->counterparts, hosts, combined, out + from * size, batch_count, dtype, op);
  }
  network_recycle(n, own);
  return code;
}

// Whether a collective of a group is one of all ranks in their order that is done here.
static bool is_over_hosts(const trenio_rt *rt, const trenio_collective *x) {
  const network *n = runtime_of(rt)->network;
  if (n == NULL || x->members != rt->world_size || (x->kind != TRENIO_ALL_GATHER && x->kind != TRENIO_REDUCE_SCATTER) || !uses_windows_and_hosts(n)) return false;
  for (int32_t i = 0; i < x->members; i++)
    if (x->group[i] != i) return false;
  return true;
}
