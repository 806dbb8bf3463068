// Collectives within a group of ranks, over the messages of any transport: their cost depends on the group only. As with
// all ranks, reductions combine pairwise in the order of the group, on any member.
//
//   all_reduce      each member sends every other its shard of a chunk, combines its own, and sends that to all;
//                   with two members, or little to do, all send all of it to each other
//   reduce_scatter  the first half of that
//   all_to_all      each sends every other its part
//   all_gather, collective_broadcast   one message for all that read it
//   collective_permute, send, recv     from one rank to another
#include <string.h>
#include "network.h"

#define SMALL_GROUP_BYTES 4096 /* up to here every member combines all by itself */

typedef struct {
  runtime *r;
  const trenio_rt *rt;
  const trenio_collective *x;
  message about;
  int me; // of the members
} group_call;

static group_call group_call_of(const trenio_rt *rt, const trenio_collective *x) {
  uint64_t group = 0xcbf29ce484222325ull;
  int me = -1;
  for (int i = 0; i < x->members; i++) {
    group = (group ^ (uint32_t)x->group[i]) * 0x100000001b3ull;
    if (x->group[i] == rt->rank) me = i;
  }
  const message about = {
      .kind = (uint32_t)(x->kind == TRENIO_RECV ? TRENIO_SEND : x->kind),
      .channel = (uint32_t)x->channel,
      .how = (uint32_t)(x->dtype << 8 | x->op),
      .members = (uint32_t)x->members,
      .group = group,
  };
  return (group_call){runtime_of(rt), rt, x, about, me};
}
static int64_t message_space(int messages) { return (int64_t)messages * MESSAGE_BYTES; }
// How many elements of each of `parts` parts fit next to `messages` headers: whole cache lines.
static int64_t fitting(const group_call *m, int messages, int parts, int64_t size) {
  return (m->r->transport->capacity(m->r) - message_space(messages)) / parts / 64 * 64 / size;
}

static void copy_bytes_of(const trenio_rt *rt, char *to, const char *from, int64_t bytes) {
  char *const data[] = {to};
  const packed all = {data, &bytes, 1, 0, bytes};
  copy_out(rt, &all, from);
}

// Messages of one chunk. The part for each member begins `stride` bytes after that for the one before; 0: all read the same.
typedef struct {
  char *memory, *data;
  int heads;
} page;
static int begin(group_call *m, int heads, page *p) {
  const int code = m->r->transport->reserve(m->r, &m->about, &p->memory);
  p->heads = heads, p->data = p->memory + message_space(heads);
  return code;
}
// Written once, before any peer may read it.
static const message *write_head(group_call *m, const page *p, int head, int64_t total, int64_t at, int64_t bytes, int64_t from) {
  message *l = (message *)(p->memory + message_space(head));
  *l = m->about;
  l->total = total, l->at = at, l->bytes = bytes, l->data = p->data + from - (char *)l;
  return l;
}
static void send_to(group_call *m, int32_t peer, const message *l) { m->r->transport->publish(m->r, peer, l); }
static void send_part(group_call *m, page *p, int head, int32_t peer, int64_t total, int64_t at, int64_t bytes, int64_t from) {
  send_to(m, peer, write_head(m, p, head, total, at, bytes, from));
}
static int receive(group_call *m, int32_t peer, int64_t total, int64_t at, const message **l) {
  message wanted = m->about;
  wanted.total = total, wanted.at = at;
  return await_message(m->r, peer, &wanted, l);
}

// The part of member k goes to `out` + k * stride.
static int among_gather(group_call *m, const char *in, char *out, int64_t bytes, int64_t stride) {
  const int g = m->x->members;
  const int64_t chunk = fitting(m, 1, 1, 1);
  copy_bytes_of(m->rt, out + m->me * stride, in, bytes);
  if (g == 1) return 0;
  for (int64_t at = 0; at == 0 || at < bytes; at += chunk) {
    const int64_t n = bytes - at < chunk ? bytes - at : chunk;
    page p;
    int code = begin(m, 1, &p);
    if (code != 0) return code;
    copy_bytes_of(m->rt, p.data, in + at, n);
    const message *own = write_head(m, &p, 0, bytes, at, n, 0);
    for (int i = 1; i < g; i++) send_to(m, m->x->group[(m->me + i) % g], own);
    for (int i = 1; i < g; i++) {
      const int k = (m->me + i) % g;
      const message *l;
      code = receive(m, m->x->group[k], bytes, at, &l);
      if (code != 0) return code;
      copy_bytes_of(m->rt, out + k * stride + at, data_of(l), n);
      done_with(m->r, m->x->group[k], l);
    }
  }
  return 0;
}

static int among_all_to_all(group_call *m, const char *in, char *out, int64_t bytes) {
  const int g = m->x->members;
  copy_bytes_of(m->rt, out + m->me * bytes, in + m->me * bytes, bytes);
  if (g == 1) return 0;
  const int64_t chunk = fitting(m, g - 1, g - 1, 1);
  for (int64_t at = 0; at == 0 || at < bytes; at += chunk) {
    const int64_t n = bytes - at < chunk ? bytes - at : chunk;
    page p;
    int code = begin(m, g - 1, &p);
    if (code != 0) return code;
    for (int i = 1; i < g; i++) {
      const int k = (m->me + i) % g;
      copy_bytes_of(m->rt, p.data + (i - 1) * chunk, in + k * bytes + at, n);
      send_part(m, &p, i - 1, m->x->group[k], bytes, at, n, (i - 1) * chunk);
    }
    for (int i = 1; i < g; i++) {
      const int k = (m->me + i) % g;
      const message *l;
      code = receive(m, m->x->group[k], bytes, at, &l);
      if (code != 0) return code;
      copy_bytes_of(m->rt, out + k * bytes + at, data_of(l), n);
      done_with(m->r, m->x->group[k], l);
    }
  }
  return 0;
}

// The messages of one chunk from all members, as what a combination reads; `own` is this rank's.
static int receive_sources(group_call *m, int64_t total, int64_t at, const char *own, const char **from, const message **messages) {
  for (int i = 0; i < m->x->members; i++) {
    messages[i] = NULL, from[i] = own;
    if (i == m->me) continue;
    const int code = receive(m, m->x->group[i], total, at, &messages[i]);
    if (code != 0) return code;
    from[i] = data_of(messages[i]);
  }
  return 0;
}
static void sources_read(group_call *m, const message *const *messages) {
  for (int i = 0; i < m->x->members; i++)
    if (messages[i] != NULL) done_with(m->r, m->x->group[i], messages[i]);
}

static int among_reduce_scatter(group_call *m, const char *in, char *out, int64_t count, const char **from, const message **messages) {
  const int g = m->x->members;
  const int64_t size = element_bytes[m->x->dtype], bytes = count * size;
  const char *own = in + m->me * bytes;
  if (g == 1) {
    copy_bytes_of(m->rt, out, own, bytes);
    return 0;
  }
  const int64_t chunk = fitting(m, g - 1, g - 1, size);
  for (int64_t done = 0; done == 0 || done < count; done += chunk) {
    const int64_t n = count - done < chunk ? count - done : chunk, at = done * size;
    page p;
    int code = begin(m, g - 1, &p);
    if (code != 0) return code;
    for (int i = 1; i < g; i++) {
      const int k = (m->me + i) % g;
      const int64_t place = (i - 1) * chunk * size;
      copy_bytes_of(m->rt, p.data + place, in + k * bytes + at, n * size);
      send_part(m, &p, i - 1, m->x->group[k], bytes, at, n * size, place);
    }
    code = receive_sources(m, bytes, at, own + at, from, messages);
    if (code != 0) return code;
    const sources s = {from, g, m->x->dtype, m->x->op, size};
    combine_in(m->rt, out + at, n, &s);
    sources_read(m, messages);
  }
  return 0;
}

static bool all_others_are_remote(const group_call *m) {
  for (int i = 0; i < m->x->members; i++)
    if (i != m->me && !is_remote(m->r->network, m->x->group[i])) return false;
  return true;
}
// All members must choose the same way, so each looks at all pairs.
static bool no_two_share_a_host(const group_call *m) {
  const network *n = m->r->network;
  if (n == NULL || n->alike <= 0 || !all_others_are_remote(m)) return false;
  for (int i = 0; i < m->x->members; i++)
    for (int k = 0; k < i; k++)
      if (m->x->group[i] / n->alike == m->x->group[k] / n->alike) return false;
  return true;
}

static int among_all_reduce(group_call *m, void *const *data, const char **from, const message **messages) {
  const trenio_collective *x = m->x;
  const int g = x->members;
  int64_t count = 0;
  for (int32_t i = 0; i < x->tensors; i++) count += x->counts[i];
  if (g == 1) return 0;
  if (no_two_share_a_host(m)) {
    const packed all = {(char *const *)data, x->counts, element_bytes[x->dtype], 0, count};
    reduction *between = reduction_start(m->r->network, &m->about, x->group, g, m->me, &all, x->dtype, x->op);
    return between == NULL ? TRENIO_NO_MEMORY : reduction_await(between);
  }
  const int64_t size = element_bytes[x->dtype], total = count * size, chunk = fitting(m, g - 1, 1, size);
  for (int64_t done = 0; done == 0 || done < count; done += chunk) {
    const int64_t n = count - done < chunk ? count - done : chunk, at = done * size;
    const packed part = {(char *const *)data, x->counts, size, done, n};
    const bool is_shared_out = g > 2 && n * size > SMALL_GROUP_BYTES;
    const int64_t share = is_shared_out ? (n / g + 63) / 64 * 64 : n; // whole cache lines
    page p;
    int code = begin(m, g - 1, &p);
    if (code != 0) return code;
    copy_in(m->rt, &part, p.data);
    const sources s = {from, g, x->dtype, x->op, size};
    // Of shard k the first element, and how many.
    #define FIRST(k) (is_shared_out ? ((k) * share < n ? (k) * share : n) : 0)
    #define COUNT(k) ((k) == g - 1 || FIRST(k) + share > n ? n - FIRST(k) : share)
    for (int i = 1; i < g; i++) {
      const int k = (m->me + i) % g;
      send_part(m, &p, i - 1, x->group[k], total, at, COUNT(k) * size, FIRST(k) * size);
    }
    const int64_t mine = COUNT(m->me);
    code = receive_sources(m, total, at, p.data + FIRST(m->me) * size, from, messages);
    if (code != 0) return code;
    if (!is_shared_out) {
      combine_out(m->rt, &part, &s);
      sources_read(m, messages);
      continue;
    }
    page combined;
    code = begin(m, 1, &combined);
    if (code != 0) return code;
    combine_in(m->rt, combined.data, mine, &s);
    sources_read(m, messages);
    const message *own = write_head(m, &combined, 0, total, at, mine * size, 0);
    for (int i = 1; i < g; i++) send_to(m, x->group[(m->me + i) % g], own);
    for (int i = 0; i < g; i++) {
      const int k = (m->me + i) % g;
      const packed shard = {(char *const *)data, x->counts, size, done + FIRST(k), COUNT(k)};
      if (i == 0) {
        copy_out(m->rt, &shard, combined.data);
        continue;
      }
      const message *l;
      code = receive(m, x->group[k], total, at, &l);
      if (code != 0) return code;
      copy_out(m->rt, &shard, data_of(l));
      done_with(m->r, x->group[k], l);
    }
    #undef FIRST
    #undef COUNT
  }
  return 0;
}

// From one rank to others, and from one rank to this one, a chunk at a time.
static int point_to_point(group_call *m, const char *in, char *out, int64_t bytes, const int32_t *targets, int targets_count, int32_t source) {
  const bool is_local = targets_count == 1 && targets[0] == m->rt->rank;
  if (is_local && source == m->rt->rank) {
    copy_bytes_of(m->rt, out, in, bytes);
    return 0;
  }
  const bool sends = targets_count > 0;
  if (!sends && source < 0) return 0;
  const int64_t chunk = fitting(m, 1, 1, 1);
  for (int64_t at = 0; at == 0 || at < bytes; at += chunk) {
    const int64_t n = bytes - at < chunk ? bytes - at : chunk;
    int code;
    if (sends) {
      page p;
      code = begin(m, 1, &p);
      if (code != 0) return code;
      copy_bytes_of(m->rt, p.data, in + at, n);
      const message *own = write_head(m, &p, 0, bytes, at, n, 0);
      for (int i = 0; i < targets_count; i++)
        if (targets[i] != m->rt->rank) send_to(m, targets[i], own);
    }
    if (source < 0) continue;
    const message *l;
    code = receive(m, source, bytes, at, &l);
    if (code != 0) return code;
    copy_bytes_of(m->rt, out + at, data_of(l), n);
    done_with(m->r, source, l);
  }
  return 0;
}

// A message to this rank itself, stored until it is received.
static int send_to_itself(group_call *m, const char *in, int64_t bytes) {
  message l = m->about;
  l.total = bytes, l.bytes = bytes;
  return keep(m->r, m->rt->rank, &l, in) ? 0 : TRENIO_NO_MEMORY;
}
static int receive_from_itself(group_call *m, char *out, int64_t bytes) {
  const message *l;
  const int code = receive(m, m->rt->rank, bytes, 0, &l);
  if (code != 0) return code;
  memcpy(out, data_of(l), (size_t)bytes);
  done_with(m->r, m->rt->rank, l);
  return 0;
}

static int one_tensor(group_call *m, const char *in, char *out, int64_t count, const char **from, const message **messages) {
  const trenio_collective *x = m->x;
  switch (x->kind) {
    case TRENIO_REDUCE_SCATTER: return among_reduce_scatter(m, in, out, count, from, messages);
    case TRENIO_ALL_GATHER: return among_gather(m, in, out, count, count);
    case TRENIO_ALL_TO_ALL: return among_all_to_all(m, in, out, count);
    case TRENIO_COLLECTIVE_BROADCAST:
      if (x->source == m->rt->rank) return point_to_point(m, in, out, count, x->group, x->members > 1 ? x->members : 0, -1);
      return point_to_point(m, in, out, count, NULL, 0, x->source);
    case TRENIO_COLLECTIVE_PERMUTE: return point_to_point(m, in, out, count, &x->target, x->target >= 0, x->source);
    case TRENIO_SEND:
      if (x->target == m->rt->rank) return send_to_itself(m, in, count);
      return point_to_point(m, in, NULL, count, &x->target, 1, -1);
    default:
      if (x->source == m->rt->rank) return receive_from_itself(m, out, count);
      return point_to_point(m, NULL, out, count, NULL, 0, x->source);
  }
}

static int gather_among(const trenio_rt *rt, const int32_t *group, int members, const char *in, char *out, int64_t bytes, int64_t stride) {
  const trenio_collective x = {.kind = TRENIO_ALL_GATHER, .group = group, .members = members, .source = -1, .target = -1, .tensors = 1, .counts = &bytes};
  group_call m = group_call_of(rt, &x);
  return among_gather(&m, in, out, bytes, stride);
}
static int reduce_scatter_among(const trenio_rt *rt, const int32_t *group, int members, const char *in, char *out, int64_t count, int dtype, int op) {
  const trenio_collective x = {.kind = TRENIO_REDUCE_SCATTER, .group = group, .members = members, .source = -1, .target = -1, .dtype = dtype, .op = op, .tensors = 1, .counts = &count};
  group_call m = group_call_of(rt, &x);
  const char **from = pool_own_scratch(rt, (int64_t)members * 2 * (int64_t)sizeof(void *));
  return among_reduce_scatter(&m, in, out, count, from, (const message **)(from + members));
}

// Ranks that exist, each once, this one among them.
static bool is_right(const trenio_rt *rt, const trenio_collective *x) {
  const bool is_reduction = x->kind == TRENIO_ALL_REDUCE || x->kind == TRENIO_REDUCE_SCATTER;
  if (x->kind < TRENIO_ALL_REDUCE || x->kind > TRENIO_RECV || x->tensors < 0 || x->members < 0 || x->members > rt->world_size) return false;
  if (is_reduction && !can_combine(x->dtype, x->op)) return false;
  if (x->source < -1 || x->source >= rt->world_size || x->target < -1 || x->target >= rt->world_size) return false;
  bool is_in = false;
  for (int i = 0; i < x->members; i++) {
    if (x->group[i] < 0 || x->group[i] >= rt->world_size) return false;
    is_in |= x->group[i] == rt->rank;
  }
  for (int i = 0; i < x->tensors; i++)
    if (x->counts[i] < 0) return false;
  switch (x->kind) {
    case TRENIO_SEND: return x->target >= 0;
    case TRENIO_RECV: return x->source >= 0;
    case TRENIO_COLLECTIVE_PERMUTE: return true;
    case TRENIO_COLLECTIVE_BROADCAST: return is_in && x->source >= 0;
    default: return is_in;
  }
}

int collective_in_group(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out) {
  if (!is_right(rt, x)) return TRENIO_BAD_CALL;
  group_call m = group_call_of(rt, x);
  const char **from = NULL;
  const message **messages = NULL;
  if (x->kind == TRENIO_ALL_REDUCE || x->kind == TRENIO_REDUCE_SCATTER) {
    from = pool_own_scratch(rt, (int64_t)x->members * 2 * (int64_t)sizeof(void *));
    messages = (const message **)(from + x->members);
  }
  if (x->kind == TRENIO_ALL_REDUCE) return among_all_reduce(&m, out, from, messages);
  const bool over_hosts = is_over_hosts(rt, x);
  for (int32_t i = 0; i < x->tensors; i++) {
    if (over_hosts) {
      const int code = x->kind == TRENIO_ALL_GATHER ? all_gather_over_hosts(rt, in[i], out[i], x->counts[i]) : reduce_scatter_over_hosts(rt, in[i], out[i], x->counts[i], x->dtype, x->op);
      if (code != 0) return code;
      continue;
    }
    const int code = one_tensor(&m, in == NULL ? NULL : in[i], out == NULL ? NULL : out[i], x->counts[i], from, messages);
    if (code != 0) return code;
  }
  return 0;
}
