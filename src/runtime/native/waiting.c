// Waiting for other ranks: first spinning, then asleep; looking meanwhile whether one of them has ended, whether all wait for
// each other, and whether the wait has become so long that it is worth a line.
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "network.h"

#define LOOK_FOR_THE_DEAD_NS 100000000
#define SHORT_SPINS 50
// A wait is worth a line after this time: for a rank that is stopped, and for one that is merely busy. Then when it has
// become twice as long, but at least every ten minutes.
#define TELL_OF_STOPPED_NS 3000000000
#define TELL_OF_BUSY_NS 30000000000
#define TELL_AGAIN_NS 600000000000
// The timeout for ranks of other hosts is longer, so that the ranks of the host with the late rank can name it first.
#define REMOTE_GRACE_NS 2000000000

// When a process started, in clock ticks since boot; 0 if it does not run (a zombie does not), 1 where that cannot be told.
// *state: the process state message of /proc.
static uint64_t look_at_process(int32_t pid, char *state) {
  *state = '?';
  if (kill(pid, 0) != 0 && errno == ESRCH) return 0;
  char path[64], line[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) return 1;
  size_t length = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[length] = 0;
  char *p = strrchr(line, ')'); // the name may hold anything, so fields are counted from its end: state is the 3rd
  if (p == NULL || p[1] == 0) return 1;
  *state = p[2];
  if (*state == 'Z' || *state == 'X') return 0;
  for (int field = 2; field < 22 && p != NULL; field++) p = strchr(p + 1, ' ');
  return p == NULL ? 1 : strtoull(p, NULL, 10) | 1; // never 0
}
uint64_t process_started(int32_t pid) {
  char state;
  return look_at_process(pid, &state);
}
bool process_is_gone(int32_t pid, uint64_t started) {
  uint64_t now = process_started(pid);
  return now == 0 || (now != 1 && started > 1 && now != started);
}

void segment_mark_lost(segment_header *h, uint32_t code) {
  uint32_t none = 0;
  atomic_compare_exchange_strong(&h->lost, &none, code);
  for (int i = 0; i < h->world_size; i++) {
    word_wake_all(&h->ranks[i].reached, true);
    segment_ring(h, i);
  }
}
void segment_ring(segment_header *h, int rank) {
  rank_record *record = &h->ranks[rank];
  if (atomic_load(&record->sleeps) == 0) return;
  atomic_fetch_add(&record->bell, 1);
  word_wake_all(&record->bell, true);
}

// Looks whether a process has ended that this rank waits for, or the launcher. A rank that has left cannot come any more; one
// that this rank does not wait for may leave: the collectives of a group continue after the ranks outside it are done.
enum { none_lost = -1, launcher_lost = -2 };
static int someone_lost(const segment *s, const wait_reason *w) {
  segment_header *h = s->header;
  if (process_is_gone(h->launcher, h->launcher_started)) return launcher_lost;
  for (int i = 0; i < h->world_size; i++) {
    if (w->kind != waits_for_all && i != w->peer) continue;
    int32_t state = atomic_load(&h->ranks[i].state);
    if (state == rank_left || (state == rank_attached && process_is_gone(h->ranks[i].pid, h->ranks[i].started))) return i;
  }
  return none_lost;
}

static const char *state_in_words(char state) {
  switch (state) {
    case 'R': return "running";
    case 'S': case 'I': return "sleeping";
    case 'D': return "waiting for a disk or a network";
    case 'T': return "stopped";
    case 't': return "stopped by a debugger";
    default: return "busy";
  }
}

#define LISTED 8 /* ranks that are named one by one */
typedef struct {
  char text[1024];
  size_t length;
} list;
__attribute__((format(printf, 2, 3))) static void append(list *l, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(l->text + l->length, sizeof l->text - l->length, format, arguments);
  va_end(arguments);
  l->length += n < 0 ? 0 : (size_t)n < sizeof l->text - l->length ? (size_t)n : sizeof l->text - l->length - 1;
}

// Whether rank i has come to that step of collectives of all ranks; steps are compared modulo 2^32.
static inline bool has_reached(const segment_header *h, int i, uint32_t step) { return (int32_t)(atomic_load(&h->ranks[i].reached) - step) >= 0; }
// The first rank that has not come to that step, or -1.
static int first_missing(const segment_header *h, uint32_t step) {
  for (int i = 0; i < h->world_size; i++)
    if (!has_reached(h, i, step)) return i;
  return -1;
}
static bool is_over(const segment_header *h, int rank, const wait_reason *w) {
  switch (w->kind) {
    case waits_for_message: {
      const mailbox *m = mailbox_of(h, w->peer, rank);
      return atomic_load(&m->sent) != atomic_load_explicit(&m->taken, memory_order_relaxed);
    }
    case waits_for_network: return false;
    case waits_for_room: return (int32_t)(atomic_load(&mailbox_of(h, rank, w->peer)->taken) - w->number) >= 0;
    default: return first_missing(h, w->number) < 0;
  }
}
static bool is_needed(const segment_header *h, const wait_reason *w, int rank) {
  if (w->kind == waits_for_network) return false;
  if (w->kind != waits_for_all) return rank == w->peer;
  return !has_reached(h, rank, w->number);
}
// The reason why a rank waits; false if it continues, or is about to.
static bool reason_of(const segment_header *h, int rank, wait_reason *w, uint32_t *epoch) {
  const rank_record *record = &h->ranks[rank];
  *epoch = atomic_load(&record->waits);
  if ((*epoch & 1) == 0) return false;
  *w = record->reason;
  atomic_thread_fence(memory_order_acquire);
  return atomic_load(&record->waits) == *epoch && !is_over(h, rank, w);
}

// Says for whom this rank has waited, if it is the first of those that wait. Returns when to look again.
static int64_t tell_of_wait(const segment *s, const wait_reason *w, int64_t waited) {
  const segment_header *h = s->header;
  list missing = {.length = 0}, here = {.length = 0};
  int absent = 0, arrived = 0, first = -1;
  bool is_stopped = false;
  for (int i = 0; i < h->world_size; i++) {
    const rank_record *rank = &h->ranks[i];
    if (!is_needed(h, w, i)) {
      if (w->kind != waits_for_all && i != s->rank) continue;
      if (first < 0) first = i;
      if (arrived++ < LISTED) append(&here, "%s%d", here.length == 0 ? "" : ", ", s->base + i);
      continue;
    }
    // A peer that waits, too, reports itself for which rank.
    if (w->kind != waits_for_all && (atomic_load(&rank->waits) & 1)) return 0;
    char state = '?';
    const bool is_there = atomic_load(&rank->state) == rank_attached;
    if (is_there) look_at_process(rank->pid, &state);
    is_stopped |= state == 'T' || state == 't';
    if (absent++ >= LISTED) continue;
    append(&missing, "%srank %d (", missing.length == 0 ? "" : ", ", s->base + i);
    if (!is_there) append(&missing, "not ready yet)");
    else if (state == 'T') append(&missing, "process %d, stopped; kill -CONT %d continues it)", rank->pid, rank->pid);
    else append(&missing, "process %d, %s)", rank->pid, state_in_words(state));
  }
  if (absent == 0 || first != s->rank) return 0;
  if (waited < (is_stopped ? TELL_OF_STOPPED_NS : TELL_OF_BUSY_NS)) return 0;
  if (absent > LISTED) append(&missing, " and %d more", absent - LISTED);
  if (arrived > LISTED) append(&here, " and %d more", arrived - LISTED);
  if (!s->is_quiet)
    fprintf(stderr, "trenio: warn: rank %d has waited %lld s for %s; here: rank%s %s\n", s->base + s->rank, (long long)(waited / 1000000000), missing.text, arrived == 1 ? "" : "s", here.text);
  return waited < TELL_AGAIN_NS ? 2 * waited : waited + TELL_AGAIN_NS;
}

static const char *const collective_names[] = {"a collective", "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "collective_broadcast", "collective_permute", "send", "recv"};
const char *collective_name(uint32_t kind) { return kind <= TRENIO_RECV ? collective_names[kind] : collective_names[0]; }

// The reason is that of the first rank of the host that has found one.
static int end_with(runtime *r, int code, const char *text) {
  if (r->segment == NULL) {
    if (r->reason == NULL) r->reason_code = code, r->reason = strdup(text);
  } else {
    segment_header *h = r->segment->header;
    uint32_t none = 0;
    if (atomic_compare_exchange_strong(&h->reason_told, &none, 1)) {
      snprintf(h->reason, sizeof h->reason, "%s", text);
      h->reason_code = (uint32_t)code;
      atomic_store(&h->reason_told, 2);
    }
    segment_mark_lost(h, (uint32_t)code);
  }
  if (r->network != NULL) network_tell_end(r->network, (uint32_t)code, text);
  return code;
}
int run_ended(runtime *r, int code, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return end_with(r, code, text);
}
int deadlock_found(runtime *r, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return end_with(r, TRENIO_DEADLOCK, text);
}
// Why collectives end with that code, as far as it is known: the ranks that wait for each other, are lost, or have not arrived.
const char *trenio_reason(const runtime *r, int32_t code) {
  if (r->segment == NULL) return r->reason != NULL && r->reason_code == code ? r->reason : "";
  const segment_header *h = r->segment->header;
  return atomic_load(&h->reason_told) == 2 && h->reason_code == (uint32_t)code ? h->reason : "";
}
// After how many nanoseconds of waiting the run ends; 0: never.
void trenio_limit_waits(runtime *r, int64_t nanoseconds) { r->wait_limit_ns = nanoseconds; }
void trenio_host_name(runtime *r, const char *name) { snprintf(r->host, sizeof r->host, "%s", name); }

static void append_process(list *l, const segment *s, int rank) {
  const rank_record *record = &s->header->ranks[rank];
  char state = '?';
  if (atomic_load(&record->state) != rank_attached) {
    append(l, "rank %d (not ready yet)", s->base + rank);
    return;
  }
  look_at_process(record->pid, &state);
  append(l, "rank %d (process %d, %s", s->base + rank, record->pid, state_in_words(state));
  const int64_t since = atomic_load(&record->program_since);
  if (since > 0) append(l, "; in %s for %lld s)", record->program, (long long)((now_ns() - since) / 1000000000));
  else if (since < 0) append(l, "; in its script for %lld s, after %s)", (long long)((now_ns() + since) / 1000000000), record->program);
  else append(l, "; it has run nothing yet)");
}
// Ends the run, as ranks of this host have not arrived in time.
static int end_long_wait(runtime *r, const wait_reason *w, int64_t waited) {
  const segment *s = r->segment;
  list missing = {.length = 0}, here = {.length = 0};
  int absent = 0, arrived = 0;
  for (int i = 0; i < s->header->world_size; i++) {
    if (is_needed(s->header, w, i)) {
      if (absent++ >= LISTED) continue;
      if (missing.length > 0) append(&missing, ", ");
      append_process(&missing, s, i);
    } else if (w->kind == waits_for_all || i == s->rank) {
      if (arrived++ < LISTED) append(&here, "%s%d", here.length == 0 ? "" : ", ", s->base + i);
    }
  }
  if (absent > LISTED) append(&missing, " and %d more", absent - LISTED);
  if (arrived > LISTED) append(&here, " and %d more", arrived - LISTED);
  const char *what = w->kind == waits_for_all ? "a collective of all ranks" : w->about == TRENIO_SEND ? "recv" : collective_name(w->about);
  return run_ended(r, TRENIO_TIMED_OUT, "rank %d waited %lld s in %s%s%s; not arrived: %s; arrived: rank%s %s", s->base + s->rank, (long long)(waited / 1000000000), what, r->host[0] == 0 ? "" : " on ", r->host, missing.text, arrived == 1 ? "" : "s", here.text);
}
// The current activity of the rank, for ranks that wait for it; null: its script is running.
void segment_says_program(runtime *r, const char *program) {
  if (r->segment == NULL) return;
  rank_record *me = &r->segment->header->ranks[r->segment->rank];
  if (program == NULL) {
    atomic_store_explicit(&me->program_since, -now_ns(), memory_order_relaxed);
    return;
  }
  if (strncmp(me->program, program, sizeof me->program - 1) != 0) snprintf(me->program, sizeof me->program, "%s", program);
  atomic_store_explicit(&me->program_since, now_ns(), memory_order_relaxed);
}

// Checks whether this rank waits for ranks that wait for each other. A rank that needs one of those waits forever, too, so
// those that need none of the others are taken out until all that are left do.
static bool is_deadlocked(runtime *r) {
  const segment *s = r->segment;
  const segment_header *h = s->header;
  const int n = h->world_size;
  struct { wait_reason reason; uint32_t epoch; bool waits; } *all = calloc((size_t)n, sizeof *all);
  if (all == NULL) return false;
  for (int i = 0; i < n; i++) all[i].waits = reason_of(h, i, &all[i].reason, &all[i].epoch);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n; i++) {
      if (!all[i].waits) continue;
      bool needs_one = false;
      for (int k = 0; k < n && !needs_one; k++) needs_one = all[k].waits && is_needed(h, &all[i].reason, k);
      if (!needs_one) all[i].waits = false, changed = true;
    }
  }
  list text = {.length = 0};
  bool is_certain = all[s->rank].waits;
  int told = 0;
  for (int i = 0; i < n && is_certain; i++) {
    if (!all[i].waits) continue;
    // Nothing has changed meanwhile: all of it held at one moment.
    wait_reason now;
    uint32_t epoch;
    is_certain = reason_of(h, i, &now, &epoch) && epoch == all[i].epoch;
    if (told++ >= LISTED) continue;
    const wait_reason *w = &all[i].reason;
    append(&text, "%srank %d waits at ", text.length == 0 ? "" : "; ", s->base + i);
    if (w->kind == waits_for_all) append(&text, "a collective of all ranks");
    else append(&text, "%s of channel %u", w->kind == waits_for_message && w->about == TRENIO_SEND ? "recv" : collective_name(w->about), w->channel);
    append(&text, " for rank");
    for (int k = 0, named = 0; k < n && named <= LISTED; k++)
      if (is_needed(h, w, k)) append(&text, named++ == 0 ? " %d" : ", %d", s->base + k);
  }
  free(all);
  if (!is_certain) return false;
  if (told > LISTED) append(&text, " and %d more", told - LISTED);
  deadlock_found(r, "%s", text.text);
  return true;
}

int segment_wait(runtime *r, const wait_reason *w) {
  segment *s = r->segment;
  segment_header *h = s->header;
  rank_record *me = &h->ranks[s->rank];
  spinner spin = {0};
  int64_t since = 0, looked = 0, tell_at = TELL_OF_STOPPED_NS;
  bool has_told = false;
  int code = 0;
  while (!is_over(h, s->rank, w)) {
    // A rank that arrived here and then ended is lost for the next collective only.
    if (atomic_load(&h->lost)) {
      code = is_over(h, s->rank, w) ? 0 : (int)atomic_load(&h->lost);
      break;
    }
    if (spin_once(&spin, wait_spin_ns(r, h->spin_ns))) {
      if (r->network != NULL && (spin.count & 255) == 255) network_progress(r->network);
      continue;
    }
    if (since == 0) {
      me->reason = *w;
      atomic_fetch_add(&me->waits, 1);
    }
    messages_keep(r, w->kind == waits_for_message ? w->peer : -1);
    // It sleeps until the first rank that is missing arrives, then looks for the next.
    const int missing = w->kind == waits_for_all ? first_missing(h, w->number) : -1;
    _Atomic uint32_t *word = missing >= 0 ? &h->ranks[missing].reached : &me->bell;
    _Atomic uint32_t *sleepers = missing >= 0 ? &h->ranks[missing].watchers : &me->sleeps;
    atomic_fetch_add(sleepers, 1);
    const uint32_t seen = atomic_load(word);
    int64_t before = now_ns();
    if (since == 0) since = looked = before;
    if (r->network != NULL && network_progress(r->network)) {
      atomic_fetch_sub(sleepers, 1);
      continue;
    }
    // Of a network nothing wakes this rank here.
    if (!is_over(h, s->rank, w)) word_wait(word, seen, r->network == NULL ? LOOK_FOR_THE_DEAD_NS : SLEEP_BETWEEN_NS, true);
    atomic_fetch_sub(sleepers, 1);
    if (now_ns() - looked < LOOK_FOR_THE_DEAD_NS) continue;
    looked = before;
    // In this order: a rank that arrived and then ended has ended this wait first.
    const int lost = someone_lost(s, w);
    if (lost != none_lost && !is_over(h, s->rank, w)) {
      if (lost != launcher_lost) code = run_ended(r, TRENIO_PEER_LOST, "rank %d (process %d%s%s) has ended", s->base + lost, h->ranks[lost].pid, r->host[0] == 0 ? "" : " on ", r->host);
      else code = run_ended(r, TRENIO_PEER_LOST, "the launcher of rank %d has ended", s->base + s->rank);
      if (process_is_gone(h->launcher, h->launcher_started)) shm_unlink(s->name);
      break;
    }
    if (is_deadlocked(r)) continue;
    if (r->wait_limit_ns > 0 && before - since > r->wait_limit_ns) {
      code = end_long_wait(r, w, before - since);
      break;
    }
    if (before - since >= tell_at) {
      const int64_t next = tell_of_wait(s, w, before - since);
      if (next != 0) tell_at = next, has_told = true;
    }
  }
  if (since != 0) atomic_fetch_add(&me->waits, 1);
  if (code == 0 && has_told && !s->is_quiet)
    fprintf(stderr, "trenio: warn: rank %d goes on after %lld s\n", s->base + s->rank, (long long)((now_ns() - since) / 1000000000));
  return code;
}

uint32_t segment_arrive(runtime *r) {
  rank_record *me = &r->segment->header->ranks[r->segment->rank];
  const uint32_t step = atomic_load_explicit(&me->reached, memory_order_relaxed) + 1;
  // Publish, then look for sleepers, who announce themselves and then look: one of the two sees the other.
  atomic_store(&me->reached, step);
  if (atomic_load(&me->watchers) != 0) word_wake_all(&me->reached, true);
  return step;
}
int segment_await_all(runtime *r, uint32_t step) {
  const segment_header *h = r->segment->header;
  // The others are often only nanoseconds behind.
  for (int i = 0; i < (h->spin_ns > 0 ? SHORT_SPINS : 1); i++) {
    if (first_missing(h, step) < 0) return 0;
    cpu_pause();
  }
  const wait_reason reason = {.kind = waits_for_all, .number = step};
  return segment_wait(r, &reason);
}
int segment_barrier(runtime *r) {
  const uint32_t lost = atomic_load(&r->segment->header->lost);
  if (lost) return (int)lost;
  return segment_await_all(r, segment_arrive(r));
}

// Looks, now and then in a wait for a rank of another host, whether the launcher has ended, whether the wait is worth a line,
// and whether it has lasted too long. Returns the code with which the run ends, or 0.
int look_at_long_wait(runtime *r, long_wait *wait, const wait_reason *w, int64_t waited) {
  const peer *p = &r->network->peers[w->peer];
  if (r->segment != NULL && process_is_gone(r->segment->header->launcher, r->segment->header->launcher_started))
    return run_ended(r, TRENIO_PEER_LOST, "the launcher of rank %d has ended", (int)r->rt.rank);
  if (r->wait_limit_ns > 0 && waited > r->wait_limit_ns + REMOTE_GRACE_NS)
    return run_ended(r, TRENIO_TIMED_OUT, "rank %d%s%s waited %lld s in %s; not arrived: rank %d (process %d on %s)", (int)r->rt.rank, r->host[0] == 0 ? "" : " on ", r->host, (long long)(waited / 1000000000), w->about == TRENIO_SEND ? "recv" : collective_name(w->about), (int)p->rank, (int)p->pid, p->host);
  if (waited < wait->tell_at) return 0;
  if (r->segment == NULL || !r->segment->is_quiet)
    fprintf(stderr, "trenio: warn: rank %d has waited %lld s for rank %d (process %d on %s)\n", (int)r->rt.rank, (long long)(waited / 1000000000), (int)p->rank, (int)p->pid, p->host);
  wait->has_told = true;
  wait->tell_at = waited < TELL_AGAIN_NS ? 2 * waited : waited + TELL_AGAIN_NS;
  return 0;
}
void tell_of_going_on(const runtime *r, const long_wait *wait, int64_t since) {
  if (wait->has_told && (r->segment == NULL || !r->segment->is_quiet))
    fprintf(stderr, "trenio: warn: rank %d goes on after %lld s\n", (int)r->rt.rank, (long long)((now_ns() - since) / 1000000000));
}
