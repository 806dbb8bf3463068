// Messages between hosts, whatever the wire: kept buffers, waiting, and the transport that sends to ranks of this host through
// shared memory and to others through the wire.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "network.h"

static void reductions_advance(network *n); // host_reduce.c
static char *reduction_place(network *n, const peer *p, const message *head);
static bool reduction_took(network *n, const peer *p, arrival *a);
static bool reduction_takes(network *n, const peer *p, const message *head);

#define SPIN_NETWORK_NS 100000
#define OWN_SLOT_BYTES (1 << 20)

static int64_t whole_messages(int64_t bytes) { return (bytes + MESSAGE_BYTES - 1) / MESSAGE_BYTES * MESSAGE_BYTES; }

// A buffer that was used before: the first that is large enough.
static arrival *kept_buffer(network *n, int64_t bytes) {
  for (arrival **a = &n->spare; *a != NULL; a = &(*a)->next) {
    if ((*a)->capacity < bytes) continue;
    arrival *found = *a;
    *a = found->next;
    return found;
  }
  const int64_t capacity = bytes <= 8192 ? 8192 : bytes <= (256 << 10) ? 256 << 10 : whole_messages(bytes);
  arrival *a = aligned_alloc(MESSAGE_BYTES, sizeof *a + (size_t)capacity);
  if (a != NULL) a->capacity = capacity;
  return a;
}
void network_recycle(network *n, arrival *a) {
  if (a->capacity > (4 << 20)) {
    free(a);
    return;
  }
  a->next = n->spare, n->spare = a;
}

arrival *network_arrival(network *n, peer *p, const message *head) {
  char *place = reduction_place(n, p, head);
  arrival *a = kept_buffer(n, place != NULL ? 0 : head->bytes);
  if (a == NULL) {
    run_ended(n->r, TRENIO_NO_MEMORY, "no memory for a message of %lld bytes of rank %d", (long long)head->bytes, (int)p->rank);
    return NULL;
  }
  a->next = NULL, a->is_placed = place != NULL, a->head = *head;
  a->head.data = (place != NULL ? place : (char *)(a + 1)) - (char *)&a->head;
  return a;
}
void network_arrived(network *n, peer *p, arrival *a) {
  if (a->head.kind == WIRE_LEFT) {
    p->has_left = true;
    network_recycle(n, a);
    return;
  }
  if (a->head.kind == WIRE_ENDED) {
    const int32_t code = (int32_t)a->head.channel;
    run_ended(n->r, code > 0 && code < 100 ? code : TRENIO_PEER_LOST, "%.*s", (int)a->head.bytes, (const char *)(a + 1));
    network_recycle(n, a);
    return;
  }
  if (p->arrived == NULL && reduction_took(n, p, a)) return;
  *p->arrived_end = a, p->arrived_end = &a->next;
  p->held++;
}
static arrival *network_take(network *n, peer *p) {
  (void)n;
  arrival *a = p->arrived;
  p->arrived = a->next;
  if (p->arrived == NULL) p->arrived_end = &p->arrived;
  p->held--;
  return a;
}
// The first of the peer's sends has left.
void network_sent(peer *p) {
  sending *s = p->sends;
  p->sends = s->next;
  if (p->sends == NULL) p->sends_end = &p->sends;
  s->is_sent = true;
}
void network_send(network *n, int32_t rank, sending *s) {
  peer *p = &n->peers[rank];
  s->next = NULL, s->done = 0, s->is_sent = false, s->to = rank;
  if (p->has_left || n->lost) { // a wait for the answer ends with that error
    s->is_sent = true;
    return;
  }
  *p->sends_end = s, p->sends_end = &s->next;
  n->wire->send(n, p);
}

void network_lost_peer(network *n, peer *p, const char *format, ...) {
  char why[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  run_ended(n->r, TRENIO_PEER_LOST, "rank %d on %s (process %d) is lost: %s", (int)p->rank, p->host, (int)p->pid, why);
}

// Tells all ranks of other hosts why the run ends, if that is possible without waiting.
static void network_tell_end(network *n, uint32_t code, const char *text) {
  if (n->lost) return;
  n->lost = (int32_t)code;
  const int64_t bytes = (int64_t)strlen(text);
  for (int32_t i = 0; i < n->remotes; i++) {
    peer *p = n->remote[i];
    // After a partially sent message. Not freed, because the run ends.
    sending *s = calloc(1, sizeof *s + (size_t)bytes);
    if (s == NULL || p->has_left) continue;
    memcpy(s + 1, text, (size_t)bytes);
    s->head = (message){.kind = WIRE_ENDED, .channel = code, .bytes = bytes, .total = bytes};
    s->data = (const char *)(s + 1);
    *p->sends_end = s, p->sends_end = &s->next;
    n->wire->send(n, p);
  }
  for (int k = 0; k < 100 && n->wire->progress(n); k++) {}
}

bool network_progress(network *n) {
  const bool moved = n->wire->progress(n);
  if (n->active != NULL) reductions_advance(n);
  return moved;
}

bool network_has_unsent(const network *n) {
  for (int32_t i = 0; i < n->remotes; i++)
    if (n->remote[i]->sends != NULL || n->remote[i]->leaving != NULL) return true;
  return false;
}

static int network_code(const network *n) {
  if (n->lost) return n->lost;
  return n->r->segment == NULL ? 0 : (int)atomic_load(&n->r->segment->header->lost);
}

int network_wait(network *n, bool (*is_over)(const void *), const void *argument, const wait_reason *about) {
  runtime *r = n->r;
  spinner spin = {0};
  int64_t since = 0;
  const int64_t spin_ns = r->segment == NULL || r->segment->header->spin_ns > 0 ? SPIN_NETWORK_NS : 0;
  long_wait wait = {.tell_at = FIRST_NOTICE_NS};
  rank_record *me = r->segment == NULL ? NULL : &r->segment->header->ranks[r->segment->rank];
  int code = 0;
  for (;;) {
    const bool moved = network_progress(n);
    if (is_over(argument)) break;
    code = network_code(n);
    if (code != 0) break;
    if (moved) {
      spin.count = 0;
      continue;
    }
    if (about->kind == waits_for_message && n->peers[about->peer].has_left && n->peers[about->peer].arrived == NULL) {
      network_lost_peer(n, &n->peers[about->peer], "it has ended");
      code = TRENIO_PEER_LOST;
      break;
    }
    if (spin_once(&spin, wait_spin_ns(r, spin_ns))) continue;
    if (since == 0) {
      since = now_ns();
      if (me != NULL) {
        me->reason = *about, me->reason.kind = waits_for_network;
        atomic_fetch_add(&me->waits, 1);
      }
    }
    messages_keep(r, about->kind == waits_for_message ? about->peer : -1);
    n->wire->sleep(n, n->locals > 1 ? SLEEP_BETWEEN_NS : 100000000);
    const int64_t now = now_ns();
    if (now - wait.looked < 100000000) continue;
    wait.looked = now;
    code = look_at_long_wait(r, &wait, about, now - since);
    if (code != 0) break;
  }
  if (since != 0 && me != NULL) atomic_fetch_add(&me->waits, 1);
  if (code == 0) tell_of_going_on(r, &wait, since);
  return code;
}

static int64_t network_capacity(const runtime *r) { return r->network->room.messages; }

typedef struct { const network *n; uint32_t slot; } slot_wait;
static bool slot_is_sent(const void *argument) {
  const slot_wait *w = argument;
  for (int32_t i = 0; i < w->n->slots[w->slot].count; i++)
    if (!w->n->slots[w->slot].sends[i].is_sent) return false;
  return true;
}
static int network_reserve(runtime *r, const message *about, char **memory) {
  network *n = r->network;
  const uint32_t slot = ++n->slot & 1;
  const slot_wait w = {n, slot};
  if (!slot_is_sent(&w)) {
    int32_t peer = 0;
    for (int32_t i = 0; i < n->slots[slot].count; i++)
      if (!n->slots[slot].sends[i].is_sent) peer = n->slots[slot].sends[i].to;
    const wait_reason reason = {waits_for_room, peer, 0, about->kind, about->channel};
    const int code = network_wait(n, slot_is_sent, &w, &reason);
    if (code != 0) return code;
  }
  n->slots[slot].count = 0;
  if (r->segment != NULL) return shared_reserve(r, about, memory);
  *memory = n->slots[slot].memory;
  return 0;
}
static void network_publish(runtime *r, int32_t rank, const message *l) {
  network *n = r->network;
  if (!is_remote(n, rank)) {
    shared_publish(r, rank, l);
    return;
  }
  sending *s = &n->slots[n->slot & 1].sends[n->slots[n->slot & 1].count++];
  s->head = *l, s->data = (const char *)l + l->data;
  network_send(n, rank, s);
}
static const message *network_first(runtime *r, int32_t rank) {
  if (!is_remote(r->network, rank)) return r->segment == NULL ? NULL : shared_first(r, rank);
  const peer *p = &r->network->peers[rank];
  // The messages of an active all-reduce between hosts belong to it.
  if (p->arrived == NULL || reduction_takes(r->network, p, &p->arrived->head)) return NULL;
  return &p->arrived->head;
}
static void network_taken(runtime *r, int32_t rank) {
  if (!is_remote(r->network, rank)) shared_take(r, rank);
  else network_recycle(r->network, network_take(r->network, &r->network->peers[rank]));
}
static bool has_arrived(const void *argument) { return ((const peer *)argument)->arrived != NULL; }
static int network_await(runtime *r, int32_t rank, const message *about) {
  if (!is_remote(r->network, rank)) return shared_await(r, rank, about);
  const wait_reason reason = {waits_for_message, rank, 0, about->kind, about->channel};
  return network_wait(r->network, has_arrived, &r->network->peers[rank], &reason);
}
const transport network_transport = {
    .name = "shared memory within a host, and a network",
    .capacity = network_capacity,
    .reserve = network_reserve,
    .publish = network_publish,
    .first = network_first,
    .take = network_taken,
    .await = network_await,
};

// What this host has room for, and what all have as far as they have told.
static room own_room(const runtime *r) {
  return r->segment == NULL ? (room){OWN_SLOT_BYTES, INT64_MAX} : (room){shared_capacity(r), r->segment->header->window_bytes};
}
static void learn_room(network *n, room of_other) {
  if (of_other.messages < n->room.messages) n->room.messages = of_other.messages;
  if (of_other.window < n->room.window) n->room.window = of_other.window;
}
static bool is_room(room x) { return x.messages >= 65536 / 4 && x.window >= 65536; }

// What ranks say about themselves: one line per rank, "rank host process address port", those on this host included.
// Returns null if out of memory or if the table is not right.
static network *network_new(runtime *r, int32_t rank, int32_t world_size, int32_t first_local, int32_t locals, const char *table) {
  network *n = calloc(1, sizeof *n);
  if (n == NULL) return NULL;
  n->r = r, n->room = own_room(r), n->rank = rank, n->world_size = world_size, n->first_local = first_local, n->locals = locals;
  n->peers = calloc((size_t)world_size, sizeof *n->peers);
  n->remote = calloc((size_t)world_size, sizeof *n->remote);
  n->everyone = calloc((size_t)world_size, sizeof *n->everyone);
  if (n->peers == NULL || n->remote == NULL || n->everyone == NULL) return NULL;
  for (int i = 0; i < 2; i++) {
    n->slots[i].sends = calloc((size_t)world_size, sizeof *n->slots[i].sends);
    n->slots[i].memory = r->segment == NULL ? aligned_alloc(MESSAGE_BYTES, OWN_SLOT_BYTES) : NULL;
    if (n->slots[i].sends == NULL || (r->segment == NULL && n->slots[i].memory == NULL)) return NULL;
  }
  for (int32_t k = 0; k < world_size; k++) {
    peer *p = &n->peers[k];
    p->rank = k, p->file = -1;
    p->sends_end = &p->sends, p->arrived_end = &p->arrived;
    n->everyone[k] = k;
    if (is_remote(n, k)) n->remote[n->remotes++] = p;
  }
  int32_t lines = 0;
  for (const char *line = table; *line != 0 && lines < world_size; lines++) {
    int32_t k, pid, port;
    char host[64], address[64];
    if (sscanf(line, "%d %63s %d %63s %d", &k, host, &pid, address, &port) != 5 || k < 0 || k >= world_size) return NULL;
    peer *p = &n->peers[k];
    p->pid = pid, p->port = port;
    strcpy(p->host, host), strcpy(p->address, address);
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  return lines == world_size ? n : NULL;
}
// `locals` of each host, or 0. Then the counterparts are known.
static bool network_set_hosts(network *n, int32_t alike) {
  n->alike = alike;
  if (alike <= 0) return true;
  n->hosts = n->world_size / alike;
  n->counterparts = calloc((size_t)n->hosts, sizeof *n->counterparts);
  if (n->counterparts == NULL) return false;
  for (int32_t i = 0; i < n->hosts; i++) n->counterparts[i] = i * alike + n->rank % alike;
  return true;
}
static void network_joined(network *n, const wire *w) {
  n->wire = w;
  n->r->network = n;
  n->r->transport = &network_transport;
  n->r->rt.rank = n->rank, n->r->rt.world_size = n->world_size;
  if (n->r->segment != NULL) n->r->segment->base = n->first_local;
}
static void network_leave(runtime *r) {
  network *n = r->network;
  if (n == NULL) return;
  r->network = NULL;
  n->wire->close(n);
}
