// All-reduce among ranks that are each on another host, in place, and started and awaited: what the shards of a host become
// between hosts, and gradients of hosts with one rank.
//
//   the part is cut into a shard for each member, and shards into chunks
//     each member sends chunk after chunk of shard k to member k                 (from where it lies)
//     member k combines a chunk as soon as all others' are there, in place        (pairwise in the order of the members)
//     and sends it to all, who receive it where it belongs
//   With little to do every member sends all of it to all, and combines all itself: one message each way.
//
// Sending, receiving and combining overlap, and each byte is in a cache when it is combined. Bits are those of any other
// all-reduce here, as the order of combinations is.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "network.h"

#define WHOLE_BYTES 65536 /* divided by how many others there are */
#define SENDS_AHEAD 4 /* chunks of shards of others that are queued for each member */
#define SECOND_PHASE (1u << 17)

typedef struct {
  arrival *first, **end; // chunks of this rank's shard that have come from the member
  int64_t received;      // chunks, in the first phase
  int64_t announced;     // finished chunks of its shard whose head has come
  int64_t gathered;      // those that have come whole
  int64_t next;          // the chunk of its shard that is sent next
  sending *sends, **sends_end; // in flight or sent, in order
  int64_t in_flight;     // of the first phase
} member;

struct reduction {
  reduction *next;
  network *n;
  const int32_t *group; // of each member the rank
  int32_t g, me;
  message about;
  packed part;
  int dtype, op;
  int64_t size, shard, chunk; // elements
  bool is_whole;
  int64_t combined; // chunks of this rank's shard
  bool is_awaited, is_over;
  int code;
  // What stays when it is used again: its memory.
  int capacity; // members
  member *members;
  const char **from;
  char own[BLOCK_BYTES] __attribute__((aligned(64)));
};

// Of shard k the first element, how many, and how many chunks.
static int64_t shard_first(const reduction *x, int k) {
  const int64_t first = x->is_whole ? 0 : k * x->shard;
  return first < x->part.count ? first : x->part.count;
}
static int64_t shard_count(const reduction *x, int k) {
  const int64_t first = shard_first(x, k), left = x->part.count - first;
  return x->is_whole || (k < x->g - 1 && left > x->shard) ? (x->is_whole ? x->part.count : x->shard) : left;
}
// All at once is always one chunk: ranks also meet for a collective of no elements.
static int64_t shard_chunks(const reduction *x, int k) {
  if (x->is_whole) return 1;
  return (shard_count(x, k) + x->chunk - 1) / x->chunk;
}
static int64_t chunk_count(const reduction *x, int k, int64_t j) {
  const int64_t left = shard_count(x, k) - j * x->chunk;
  return left < x->chunk ? left : x->chunk;
}
// The chunk where it lies, if it is within one tensor.
static char *chunk_in_place(const reduction *x, int64_t first, int64_t count) {
  int64_t skip = x->part.first + first, tensor = 0;
  while (skip >= x->part.counts[tensor]) skip -= x->part.counts[tensor++];
  return skip + count <= x->part.counts[tensor] ? x->part.data[tensor] + skip * x->size : NULL;
}
static void copy_piece_out(const reduction *x, int64_t first, int64_t count, const char *from) {
  const packed part = {x->part.data, x->part.counts, x->size, x->part.first + first, count};
  const beside b = {(char *)(uintptr_t)from, x->size};
  each_piece(&part, 0, count, piece_out, &b);
}

static sending *new_sending(network *n) {
  sending *s = n->spare_sends;
  if (s != NULL) n->spare_sends = s->next;
  else s = malloc(sizeof *s);
  if (s != NULL) memset(s, 0, sizeof *s);
  return s;
}

// Starts to send a chunk to member k: from where it lies, or copied together if it is of several tensors.
static bool send_chunk(reduction *x, int k, int64_t first, int64_t count, int64_t at, bool is_second) {
  network *n = x->n;
  sending *s = new_sending(n);
  if (s == NULL) return false;
  s->head = x->about;
  s->head.how |= is_second ? SECOND_PHASE : 0;
  s->head.at = at * x->size, s->head.bytes = count * x->size;
  s->data = count == 0 ? NULL : chunk_in_place(x, first, count);
  if (s->data == NULL && count > 0) {
    arrival *staged = kept_buffer(n, count * x->size);
    if (staged == NULL) return false;
    const packed part = {x->part.data, x->part.counts, x->size, x->part.first + first, count};
    const beside b = {(char *)(staged + 1), x->size};
    each_piece(&part, 0, count, piece_in, &b);
    s->staged = staged, s->data = (const char *)(staged + 1);
  }
  s->kept_next = NULL;
  *x->members[k].sends_end = s, x->members[k].sends_end = &s->kept_next;
  x->members[k].in_flight++;
  network_send(n, x->group[k], s);
  return true;
}
static void reap(reduction *x, int k) {
  member *m = &x->members[k];
  while (m->sends != NULL && m->sends->is_sent) {
    sending *s = m->sends;
    m->sends = s->kept_next;
    if (m->sends == NULL) m->sends_end = &m->sends;
    if (s->staged != NULL) network_recycle(x->n, s->staged);
    s->next = x->n->spare_sends, x->n->spare_sends = s;
    m->in_flight--;
  }
}

static reduction *reduction_of(network *n, const message *head) {
  for (reduction *x = n->active; x != NULL; x = x->next)
    if (!x->is_over && head->kind == x->about.kind && head->channel == x->about.channel && head->group == x->about.group && head->members == x->about.members && (head->how & ~SECOND_PHASE) == x->about.how)
      return x;
  return NULL;
}
static int member_of(const reduction *x, int32_t rank) {
  for (int k = 0; k < x->g; k++)
    if (x->group[k] == rank) return k;
  return -1;
}
static bool reduction_takes(network *n, const peer *p, const message *head) {
  const reduction *x = reduction_of(n, head);
  return x != NULL && member_of(x, p->rank) >= 0;
}
// Where the data of a message go that is about to come: a finished chunk goes where it belongs.
static char *reduction_place(network *n, const peer *p, const message *head) {
  if ((head->how & SECOND_PHASE) == 0) return NULL;
  const reduction *x = reduction_of(n, head);
  const int k = x == NULL ? -1 : member_of(x, p->rank);
  if (k < 0) return NULL;
  const int64_t at = head->at / x->size, count = head->bytes / x->size;
  if (head->total != x->about.total || at != x->members[k].announced++ * x->chunk || at >= shard_count(x, k) || count != chunk_count(x, k, at / x->chunk)) return NULL;
  return chunk_in_place(x, shard_first(x, k) + at, count);
}

// Combines elements of a chunk with those of the others, in place: its own are read before they are overwritten.
typedef struct {
  reduction *x;
} combination;
static void piece_with_others(const void *argument, char *piece, int64_t at, int64_t count) {
  reduction *x = ((const combination *)argument)->x;
  const sources all = {x->from, x->g, x->dtype, x->op, x->size};
  const int64_t block = BLOCK_BYTES / x->size;
  for (int64_t done = 0; done < count; done += block) {
    const int64_t n = count - done < block ? count - done : block;
    const char *own = piece + done * x->size;
    if (x->g > 2) {
      memcpy(x->own, own, (size_t)(n * x->size));
      own = x->own;
    }
    x->from[x->me] = own - (at + done) * x->size;
    combine_ranks(&all, piece + done * x->size, at + done, n, 0, x->g);
  }
}
static bool combine_chunk(reduction *x) {
  for (int k = 0; k < x->g; k++) {
    if (k == x->me) continue;
    if (x->members[k].first == NULL) return false;
    // With all of it sent to all, this rank's own must have left before it is replaced.
    if (x->is_whole && (x->members[k].next == 0 || x->members[k].sends != NULL)) return false;
    x->from[k] = data_of(&x->members[k].first->head);
  }
  const int64_t first = shard_first(x, x->me) + x->combined * x->chunk, count = chunk_count(x, x->me, x->combined);
  const packed part = {x->part.data, x->part.counts, x->size, x->part.first + first, count};
  const combination c = {x};
  each_piece(&part, 0, count, piece_with_others, &c);
  for (int k = 0; k < x->g; k++) {
    if (k == x->me) continue;
    member *m = &x->members[k];
    arrival *a = m->first;
    m->first = a->next;
    if (m->first == NULL) m->end = &m->first;
    network_recycle(x->n, a);
  }
  if (!x->is_whole)
    for (int i = 1; i < x->g; i++)
      if (!send_chunk(x, (x->me + i) % x->g, first, count, x->combined * x->chunk, true)) x->code = TRENIO_NO_MEMORY;
  x->combined++;
  return true;
}

// Takes a message of a member. 0, or why it is not what should come.
static int take_message(reduction *x, int k, arrival *a) {
  member *m = &x->members[k];
  const bool is_second = (a->head.how & SECOND_PHASE) != 0;
  const int owner = is_second ? k : x->me;
  const int64_t j = is_second ? m->gathered : m->received, at = j * x->chunk;
  if (a->head.total != x->about.total || j >= shard_chunks(x, owner) || a->head.at != at * x->size || a->head.bytes != chunk_count(x, owner, j) * x->size) return TRENIO_DIVERGED;
  if (!is_second) {
    a->next = NULL;
    *m->end = a, m->end = &a->next;
    m->received++;
    return 0;
  }
  if (!a->is_placed) copy_piece_out(x, shard_first(x, k) + at, chunk_count(x, k, j), data_of(&a->head));
  network_recycle(x->n, a);
  m->gathered++;
  return 0;
}

// Takes a message that has just arrived, if it belongs to an active all-reduce.
static bool reduction_took(network *n, const peer *p, arrival *a) {
  reduction *x = reduction_of(n, &a->head);
  const int k = x == NULL ? -1 : member_of(x, p->rank);
  if (k < 0) return false;
  const int code = take_message(x, k, a);
  if (code != 0) x->code = code;
  return true;
}

static bool needs_member(const reduction *x, int k) {
  return x->members[k].received < shard_chunks(x, x->me) || (!x->is_whole && x->members[k].gathered < shard_chunks(x, k));
}
static void reduction_advance(reduction *x) {
  network *n = x->n;
  for (int k = 0; k < x->g && x->code == 0; k++) {
    if (k == x->me) continue;
    peer *p = &n->peers[x->group[k]];
    while (p->arrived != NULL && x->code == 0) {
      if (p->arrived->head.kind == TRENIO_SEND) { // received later
        if (!keep(n->r, p->rank, &p->arrived->head, data_of(&p->arrived->head))) x->code = TRENIO_NO_MEMORY;
        else network_recycle(n, network_take(n, p));
        continue;
      }
      reduction *whose = reduction_of(n, &p->arrived->head);
      const int member = whose == NULL ? -1 : member_of(whose, p->rank);
      if (member < 0) {
        const message *l = &p->arrived->head;
        // What comes before is of what the member does now; but it may have started the next already, as this rank will.
        if (x->is_awaited && needs_member(x, k))
          x->code = l->kind == x->about.kind && l->group == x->about.group ? TRENIO_DIVERGED : deadlock_found(n->r, "rank %d is in %s of channel %u and waits for rank %d, which is in %s of channel %u", (int)n->rank, collective_name(x->about.kind), x->about.channel, (int)p->rank, collective_name(l->kind), l->channel);
        break;
      }
      const int code = take_message(whose, member, network_take(n, p));
      if (code != 0) whose->code = code;
    }
  }
  while (x->code == 0 && x->combined < shard_chunks(x, x->me) && combine_chunk(x)) {}
  bool over = x->combined == shard_chunks(x, x->me);
  for (int i = 1; i < x->g && x->code == 0; i++) {
    const int k = (x->me + i) % x->g;
    member *m = &x->members[k];
    reap(x, k);
    while (x->code == 0 && m->next < shard_chunks(x, k) && m->in_flight < SENDS_AHEAD) {
      if (!send_chunk(x, k, shard_first(x, k) + m->next * x->chunk, chunk_count(x, k, m->next), m->next * x->chunk, false)) x->code = TRENIO_NO_MEMORY;
      m->next++;
      reap(x, k);
    }
    over &= m->next == shard_chunks(x, k) && m->sends == NULL && !needs_member(x, k);
  }
  if (over || x->code != 0) x->is_over = true;
}
static void reductions_advance(network *n) {
  for (reduction *x = n->active; x != NULL; x = x->next)
    if (!x->is_over) reduction_advance(x);
}

// Which all-reduce of a group it is: a member that is done may have begun the next.
struct numbered {
  numbered *next;
  uint64_t group;
  uint32_t channel, members, number;
};
static numbered *numbered_of(network *n, const message *about) {
  for (numbered *g = n->numbers; g != NULL; g = g->next)
    if (g->group == about->group && g->channel == about->channel && g->members == about->members) return g;
  numbered *g = calloc(1, sizeof *g);
  if (g == NULL) return NULL;
  *g = (numbered){n->numbers, about->group, about->channel, about->members, 0};
  return n->numbers = g;
}

// One that is over, if it had as many members.
static reduction *new_reduction(network *n, int g) {
  for (reduction **spare = &n->spare_reductions; *spare != NULL; spare = &(*spare)->next) {
    reduction *x = *spare;
    if (x->capacity < g) continue;
    *spare = x->next;
    memset(x, 0, offsetof(reduction, capacity));
    memset(x->members, 0, (size_t)g * sizeof *x->members);
    return x;
  }
  reduction *x = aligned_alloc(64, (sizeof *x + 63) / 64 * 64);
  if (x == NULL) return NULL;
  memset(x, 0, sizeof *x);
  x->capacity = g;
  x->members = calloc((size_t)g, sizeof *x->members);
  x->from = calloc((size_t)g, sizeof *x->from);
  return x->members == NULL || x->from == NULL ? NULL : x;
}
// Starts the all-reduce of a part of tensors among the members of a group. The tensors, and what `part` and `group` lead to, stay until it has been awaited. Null if out of memory.
static reduction *reduction_start(network *n, const message *about, const int32_t *group, int g, int me, const packed *part, int dtype, int op) {
  reduction *x = new_reduction(n, g);
  if (x == NULL) return NULL;
  x->n = n, x->group = group, x->g = g, x->me = me;
  x->part = *part, x->dtype = dtype, x->op = op, x->size = element_bytes[dtype];
  x->about = *about;
  numbered *which = numbered_of(n, about);
  if (which == NULL) return NULL;
  x->about.how |= (which->number++ & 0xfff) << 18;
  x->about.total = part->count * x->size;
  x->is_whole = x->about.total * (g - 1) <= WHOLE_BYTES;
  x->shard = (part->count / g + 63) / 64 * 64;
  // Short shards are cut too, so that combining overlaps.
  int64_t chunk = (x->shard / 4 + 63) / 64 * 64;
  if (chunk * x->size > n->wire->chunk_bytes) chunk = n->wire->chunk_bytes / x->size;
  if (chunk * x->size < 16384) chunk = 16384 / x->size;
  x->chunk = x->is_whole ? WHOLE_BYTES / x->size : chunk;
  for (int k = 0; k < g; k++) x->members[k].end = &x->members[k].first, x->members[k].sends_end = &x->members[k].sends;
  reduction **end = &n->active;
  while (*end != NULL) end = &(*end)->next;
  *end = x;
  reduction_advance(x);
  return x;
}
typedef struct {
  const reduction *x;
  int member; // that is waited for, or -1: until all has left
} reduction_wait;
static bool reduction_goes_on(const void *argument) {
  const reduction_wait *w = argument;
  return w->x->is_over || (w->member >= 0 && !needs_member(w->x, w->member));
}
// Waits for it, and ends it.
static int reduction_await(reduction *x) {
  network *n = x->n;
  int failed = 0;
  x->is_awaited = true;
  while (!x->is_over && failed == 0) {
    reduction_wait w = {x, -1};
    for (int k = 0; k < x->g && w.member < 0; k++)
      if (k != x->me && needs_member(x, k)) w.member = k;
    const wait_reason reason = {w.member < 0 ? waits_for_room : waits_for_message, x->group[w.member < 0 ? (x->me + 1) % x->g : w.member], 0, x->about.kind, x->about.channel};
    failed = network_wait(n, reduction_goes_on, &w, &reason);
  }
  const int code = failed != 0 ? failed : x->code;
  for (reduction **a = &n->active; *a != NULL; a = &(*a)->next)
    if (*a == x) {
      *a = x->next;
      break;
    }
  if (code != 0) return code; // the wire may still refer to its messages; the run ends
  x->next = n->spare_reductions, n->spare_reductions = x;
  return 0;
}
