// Messages through shared memory: a rank writes them and their data into one of its slots, once for all readers, and the
// readers read them in place. Two slots, so that one can be written while the other is read.
#include <stdlib.h>
#include <string.h>
#include "shared.h"

static int64_t shared_capacity(const runtime *r) { return r->segment->header->messages_bytes / 2; }

// A peer among the ranks of this host.
static inline int32_t local_of(const segment *s, int32_t peer) { return peer - s->base; }

static int shared_reserve(runtime *r, const message *about, char **memory) {
  segment *s = r->segment;
  segment_header *h = s->header;
  const uint32_t slot = ++s->slot & 1;
  for (int32_t i = 0; i < s->slots[slot].count; i++) {
    const wait_reason reason = {waits_for_room, s->slots[slot].readers[i].peer, s->slots[slot].readers[i].number, about->kind, about->channel};
    const int code = segment_wait(r, &reason);
    if (code != 0) return code;
  }
  s->slots[slot].count = 0;
  *memory = messages_of(h, s->rank) + slot * (h->messages_bytes / 2);
  return 0;
}

static void shared_publish(runtime *r, int32_t peer, const message *l) {
  segment *s = r->segment;
  segment_header *h = s->header;
  const int32_t to = local_of(s, peer);
  mailbox *m = mailbox_of(h, s->rank, to);
  const uint32_t sent = atomic_load_explicit(&m->sent, memory_order_relaxed);
  const uint32_t slot = s->slot & 1;
  m->at[sent & 1] = (uint32_t)(((const char *)l - messages_of(h, s->rank)) / MESSAGE_BYTES);
  s->slots[slot].readers[s->slots[slot].count].peer = to;
  s->slots[slot].readers[s->slots[slot].count++].number = sent + 1;
  atomic_store(&m->sent, sent + 1);
  segment_ring(h, to);
}

static const message *shared_first(runtime *r, int32_t peer) {
  const segment_header *h = r->segment->header;
  peer = local_of(r->segment, peer);
  const mailbox *m = mailbox_of(h, peer, r->segment->rank);
  const uint32_t taken = atomic_load_explicit(&m->taken, memory_order_relaxed);
  if (atomic_load(&m->sent) == taken) return NULL;
  return (const message *)(messages_of(h, peer) + (int64_t)m->at[taken & 1] * MESSAGE_BYTES);
}

static void shared_take(runtime *r, int32_t peer) {
  segment_header *h = r->segment->header;
  peer = local_of(r->segment, peer);
  mailbox *m = mailbox_of(h, peer, r->segment->rank);
  atomic_store(&m->taken, atomic_load_explicit(&m->taken, memory_order_relaxed) + 1);
  segment_ring(h, peer);
}

static int shared_await(runtime *r, int32_t peer, const message *about) {
  const wait_reason reason = {waits_for_message, local_of(r->segment, peer), 0, about->kind, about->channel};
  return segment_wait(r, &reason);
}

const transport shared_memory_transport = {
    .name = "shared memory",
    .capacity = shared_capacity,
    .reserve = shared_reserve,
    .publish = shared_publish,
    .first = shared_first,
    .take = shared_take,
    .await = shared_await,
};

// Messages that were sent to this rank before it requested them, in the order of arrival. Sends do not wait for their receivers, so
// those must make room while they wait for something else.
struct unexpected {
  unexpected *next;
  int32_t peer;
  _Alignas(MESSAGE_BYTES) message head;
};

// False if out of memory.
static bool keep(runtime *r, int32_t peer, const message *l, const void *data) {
  unexpected *u = aligned_alloc(MESSAGE_BYTES, (size_t)((int64_t)(sizeof *u) + (l->bytes + MESSAGE_BYTES - 1) / MESSAGE_BYTES * MESSAGE_BYTES));
  if (u == NULL) return false;
  u->next = NULL, u->peer = peer, u->head = *l;
  u->head.data = (int64_t)((char *)(u + 1) - (char *)&u->head);
  memcpy(u + 1, data, (size_t)l->bytes);
  unexpected **end = &r->unexpected;
  while (*end != NULL) end = &(*end)->next;
  *end = u;
  return true;
}
static inline const char *data_of(const message *l) { return (const char *)l + l->data; }

static bool keep_first(runtime *r, int32_t peer, const message *l) {
  if (!keep(r, peer, l, data_of(l))) return false;
  r->transport->take(r, peer);
  return true;
}
void messages_keep(runtime *r, int32_t except) {
  for (int32_t peer = 0; peer < r->rt.world_size; peer++) {
    if (peer == except) continue;
    for (const message *l; (l = r->transport->first(r, peer)) != NULL && l->kind == TRENIO_SEND;)
      if (!keep_first(r, peer, l)) return;
  }
}

static bool is_same(const message *a, const message *b) {
  return a->kind == b->kind && a->channel == b->channel && a->members == b->members && a->group == b->group;
}
static unexpected **find_kept(runtime *r, int32_t peer, const message *wanted) {
  unexpected **u = &r->unexpected;
  while (*u != NULL && ((*u)->peer != peer || !is_same(&(*u)->head, wanted))) u = &(*u)->next;
  return u;
}

// The next message of a peer that belongs to the wanted collective, once it is there.
static int await_message(runtime *r, int32_t peer, const message *wanted, const message **found) {
  for (;;) {
    const message *l = NULL;
    if (wanted->kind == TRENIO_SEND) {
      unexpected *u = *find_kept(r, peer, wanted);
      if (u != NULL) l = &u->head;
    }
    if (l == NULL && peer == r->rt.rank)
      return deadlock_found(r, "rank %d waits in recv of channel %u for what it has not sent itself", (int)peer, wanted->channel);
    if (l == NULL) l = r->transport->first(r, peer);
    if (l == NULL) {
      const int code = r->transport->await(r, peer, wanted);
      if (code != 0) return code;
      continue;
    }
    if (!is_same(l, wanted)) {
      if (l->kind != TRENIO_SEND)
        return deadlock_found(r, "rank %d is in %s of channel %u and waits for rank %d, which is in %s of channel %u%s", (int)r->rt.rank, wanted->kind == TRENIO_SEND ? "recv" : collective_name(wanted->kind), wanted->channel, (int)peer, collective_name(l->kind), l->channel, l->kind == wanted->kind && l->channel == wanted->channel ? " with other ranks" : "");
      if (!keep_first(r, peer, l)) return TRENIO_NO_MEMORY;
      continue;
    }
    if (l->total != wanted->total || l->how != wanted->how || l->at != wanted->at) return TRENIO_DIVERGED;
    *found = l;
    return 0;
  }
}
// Once it is read.
static void done_with(runtime *r, int32_t peer, const message *l) {
  for (unexpected **u = &r->unexpected; *u != NULL; u = &(*u)->next) {
    if (&(*u)->head != l) continue;
    unexpected *read = *u;
    *u = read->next;
    free(read);
    return;
  }
  r->transport->take(r, peer);
}
