// The wire over MPI, for ranks of different hosts, through the library of mpi_shim.c; ranks of one host share memory, as
// where `trenio run` has started them. All calls come from the thread that runs steps, after the start and before the end,
// which the main thread makes.
//
//   short   head and data as one stream, cut into pieces; the first is a copy
//   long    head as a piece │ data with another tag, straight to where they belong
//
// MPI sends a piece without asking its receiver, which has posted receives for the next few. Larger messages of 4 KiB are
// announced, fetched and acknowledged by Open MPI in shared memory: 5.9 µs instead of 3.2.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "network.h"

#define MPI_SHORT_BYTES 8192
#define PIECE_BYTES (MESSAGE_BYTES + 2048)
#define PIECES ((MESSAGE_BYTES + MPI_SHORT_BYTES + PIECE_BYTES - 1) / PIECE_BYTES)
_Static_assert(PIECES - 1 <= sizeof ((sending *)NULL)->requests / sizeof(int64_t), "a message's requests fit");
#define PIECES_AHEAD 4
// Each is announced to its receiver and asked for, and MPI moves nothing meanwhile.
#define MPI_CHUNK_BYTES (4 << 20)
// As the launcher's (comm/shared-memory.ts).
#define MPI_WINDOW_BYTES (4 << 20)
enum { tag_piece = 1, tag_data = 2 };

typedef struct {
  int (*start)(int *rank, int *size, char *name, int bytes);
  int (*gather)(const void *own, void *all, int bytes);
  int64_t (*send)(int peer, int tag, const void *data, int64_t bytes);
  int64_t (*receive)(int peer, int tag, void *to, int64_t bytes);
  int (*test)(int64_t request);
  void (*cancel)(int64_t request);
  int (*end)(void);
} mpi_functions;
static mpi_functions mpi;

// The first piece of a message.
typedef struct outgoing {
  struct outgoing *next;
  int64_t request;
  char bytes[PIECE_BYTES];
} outgoing;
static outgoing *spare_outgoing;

static void mpi_failed(network *n, peer *p) { network_lost_peer(n, p, "MPI reports an error"); }
// Whether that has ended; the request is forgotten then.
static bool mpi_is_over(network *n, peer *p, int64_t *request) {
  if (*request < 0) return true;
  const int done = mpi.test(*request);
  if (done < 0) mpi_failed(n, p);
  if (done != 0) *request = -1;
  return done != 0;
}

static bool mpi_send_first(network *n, peer *p, const sending *s, int64_t bytes) {
  outgoing *o = spare_outgoing;
  if (o != NULL) spare_outgoing = o->next;
  else o = malloc(sizeof *o);
  if (o == NULL) {
    run_ended(n->r, TRENIO_NO_MEMORY, "no memory for a message to rank %d", (int)p->rank);
    return false;
  }
  memcpy(o->bytes, &s->head, MESSAGE_BYTES);
  if (bytes > 0) memcpy(o->bytes + MESSAGE_BYTES, s->data, (size_t)bytes);
  o->next = NULL, o->request = mpi.send(p->rank, tag_piece, o->bytes, MESSAGE_BYTES + bytes);
  *p->leaving_end = o, p->leaving_end = &o->next;
  return o->request >= 0;
}
static bool mpi_start(network *n, peer *p, sending *s) {
  const int64_t all = s->head.bytes, first = PIECE_BYTES - MESSAGE_BYTES;
  for (int i = 0; i < PIECES - 1; i++) s->requests[i] = -1;
  if (all > MPI_SHORT_BYTES)
    return mpi_send_first(n, p, s, 0) && (s->requests[0] = mpi.send(p->rank, tag_data, s->data, all)) >= 0;
  if (!mpi_send_first(n, p, s, all < first ? all : first)) return false;
  int piece = 0;
  for (int64_t at = first; at < all; at += PIECE_BYTES, piece++) {
    s->requests[piece] = mpi.send(p->rank, tag_piece, s->data + at, all - at < PIECE_BYTES ? all - at : PIECE_BYTES);
    if (s->requests[piece] < 0) return false;
  }
  return true;
}
static bool is_out(network *n, peer *p, sending *s) {
  for (int i = 0; i < PIECES - 1; i++)
    if (!mpi_is_over(n, p, &s->requests[i])) return false;
  return true;
}
static bool mpi_forget_sent(network *n, peer *p) {
  bool moved = false;
  while (p->leaving != NULL && mpi_is_over(n, p, &p->leaving->request)) {
    outgoing *o = p->leaving;
    p->leaving = o->next;
    if (p->leaving == NULL) p->leaving_end = &p->leaving;
    o->next = spare_outgoing, spare_outgoing = o;
  }
  for (; p->sends != NULL && p->sends->done > 0 && is_out(n, p, p->sends); moved = true) network_sent(p);
  return moved;
}
static void mpi_send(network *n, peer *p) {
  for (sending *s = p->sends; s != NULL; s = s->next) {
    if (s->done > 0) continue; // started
    s->done = 1;
    if (!mpi_start(n, p, s)) mpi_failed(n, p);
  }
  mpi_forget_sent(n, p);
}

static bool mpi_listen(network *n, peer *p, int32_t piece) {
  p->requests[piece] = mpi.receive(p->rank, tag_piece, p->ahead + piece * PIECE_BYTES, PIECE_BYTES);
  if (p->requests[piece] < 0) mpi_failed(n, p);
  return p->requests[piece] >= 0;
}
static void has_come(network *n, peer *p, arrival *a) {
  a->next = NULL;
  if (p->incoming == NULL && a->request < 0) network_arrived(n, p, a);
  else *p->incoming_end = a, p->incoming_end = &a->next; // after data that were announced before
}
static bool mpi_take_piece(network *n, peer *p) {
  const char *piece = p->ahead + p->next_piece * PIECE_BYTES;
  arrival *a = p->assembled;
  int64_t left = PIECE_BYTES;
  if (a == NULL) {
    memcpy(&p->head, piece, MESSAGE_BYTES);
    piece += MESSAGE_BYTES, left -= MESSAGE_BYTES;
    if (p->head.bytes < 0 || p->head.bytes > LARGEST_MESSAGE) {
      mpi_failed(n, p);
      return false;
    }
    a = network_arrival(n, p, &p->head);
    if (a == NULL) return false;
    a->request = -1, p->got = 0;
  }
  char *to = (char *)&a->head + a->head.data;
  if (p->head.bytes > MPI_SHORT_BYTES) {
    a->request = mpi.receive(p->rank, tag_data, to, p->head.bytes);
    if (a->request < 0) {
      mpi_failed(n, p);
      return false;
    }
  } else {
    const int64_t missing = p->head.bytes - p->got, bytes = missing < left ? missing : left;
    memcpy(to + p->got, piece, (size_t)bytes);
    p->got += bytes;
    p->assembled = p->got < p->head.bytes ? a : NULL;
  }
  if (p->head.kind != WIRE_LEFT) {
    if (!mpi_listen(n, p, p->next_piece)) return false;
    p->next_piece = (p->next_piece + 1) % PIECES_AHEAD;
  }
  if (p->assembled == NULL) has_come(n, p, a);
  return true;
}
static bool mpi_progress(network *n) {
  bool moved = false;
  for (int32_t i = 0; i < n->remotes; i++) {
    peer *p = n->remote[i];
    moved |= mpi_forget_sent(n, p);
    // Data that were announced come in order.
    while (p->incoming != NULL && mpi_is_over(n, p, &p->incoming->request)) {
      arrival *a = p->incoming;
      p->incoming = a->next;
      if (p->incoming == NULL) p->incoming_end = &p->incoming;
      a->next = NULL;
      network_arrived(n, p, a);
      moved = true;
    }
    while (p->held < HELD_MESSAGES && p->head.kind != WIRE_LEFT && p->requests[p->next_piece] >= 0 && mpi_is_over(n, p, &p->requests[p->next_piece])) {
      moved = true;
      if (!mpi_take_piece(n, p)) break;
    }
  }
  return moved;
}
static void mpi_sleep(network *n, int64_t nanoseconds) {
  (void)n;
  // Nothing wakes a rank for MPI.
  const struct timespec nap = {0, nanoseconds < 50000 ? nanoseconds : 50000};
  nanosleep(&nap, NULL);
}
static void mpi_close(network *n) {
  if (n->lost) return; // MPI's end waits for all ranks
  for (int32_t i = 0; i < n->remotes; i++) {
    peer *p = n->remote[i];
    sending *s = calloc(1, sizeof *s);
    if (s == NULL) return;
    s->head.kind = WIRE_LEFT;
    // Also to one that has left: it waits for this before it ends MPI.
    *p->sends_end = s, p->sends_end = &s->next;
    mpi_send(n, p);
  }
  for (const int64_t until = now_ns() + 10000000000;;) {
    bool waits = false;
    for (int32_t i = 0; i < n->remotes; i++) waits |= n->remote[i]->sends != NULL || n->remote[i]->leaving != NULL || !n->remote[i]->has_left;
    if (!waits) break;
    if (n->lost || now_ns() > until) return;
    if (!mpi_progress(n)) mpi_sleep(n, 50000);
    for (int32_t i = 0; i < n->remotes; i++)
      while (n->remote[i]->arrived != NULL) network_recycle(n, network_take(n, n->remote[i]));
  }
  for (int32_t i = 0; i < n->remotes; i++)
    for (int32_t k = 0; k < PIECES_AHEAD; k++)
      if (n->remote[i]->requests[k] >= 0) mpi.cancel(n->remote[i]->requests[k]);
  mpi.end();
}
static const wire mpi_wire = {"mpi", MPI_CHUNK_BYTES, mpi_send, mpi_progress, mpi_sleep, mpi_close};

// MPI's start waits for all ranks without a limit, in MPI's own code: a thread says for how long.
#define TELL_OF_START_SECONDS 30
static struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  const char *what; // null: it is over
} start_watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static void *watch_start(void *unused) {
  (void)unused;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_mutex_lock(&start_watch.lock);
  for (int seconds = TELL_OF_START_SECONDS, waited = 0; start_watch.what != NULL;) {
    until.tv_sec += seconds;
    while (start_watch.what != NULL && pthread_cond_timedwait(&start_watch.changed, &start_watch.lock, &until) == 0) {}
    if (start_watch.what == NULL) break;
    waited += seconds, seconds = waited;
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL) rank = getenv("PMI_RANK");
    if (rank == NULL) rank = getenv("PMIX_RANK");
    fprintf(stderr, "trenio: warn: rank %s has waited %d s in %s, which ends when all ranks of the job have come\n", rank == NULL ? "?" : rank, waited, start_watch.what);
  }
  pthread_mutex_unlock(&start_watch.lock);
  return NULL;
}
static bool begin_watch(const char *what) {
  start_watch.what = what;
  return pthread_create(&start_watch.thread, NULL, watch_start, NULL) == 0;
}
static void end_watch(bool is_watched) {
  pthread_mutex_lock(&start_watch.lock);
  start_watch.what = NULL;
  pthread_cond_signal(&start_watch.changed);
  pthread_mutex_unlock(&start_watch.lock);
  if (is_watched) pthread_join(start_watch.thread, NULL);
}

// Starts MPI, which determines this process's rank. Returns 0, an MPI error, or -1 if the library cannot be loaded. `name`: the MPI's name, or the reason.
int32_t trenio_mpi_open(const char *library, int32_t *rank, int32_t *world_size, char *name, int32_t bytes) {
  // Global: MPI's own plugins look for its symbols.
  void *shim = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (shim == NULL) {
    snprintf(name, (size_t)bytes, "%s", dlerror());
    return -1;
  }
  *(void **)&mpi.start = dlsym(shim, "trenio_mpi_start");
  *(void **)&mpi.gather = dlsym(shim, "trenio_mpi_gather");
  *(void **)&mpi.send = dlsym(shim, "trenio_mpi_send");
  *(void **)&mpi.receive = dlsym(shim, "trenio_mpi_receive");
  *(void **)&mpi.test = dlsym(shim, "trenio_mpi_test");
  *(void **)&mpi.cancel = dlsym(shim, "trenio_mpi_cancel");
  *(void **)&mpi.end = dlsym(shim, "trenio_mpi_end");
  const bool is_watched = begin_watch("MPI_Init");
  const int error = mpi.start(rank, world_size, name, bytes);
  end_watch(is_watched);
  return error;
}
// What ranks tell each other when they start.
typedef struct { char text[256]; } row;

// Which ranks are on this rank's host: [*first, *first + *locals). `alike`: how many each host has, if all have that many; else 0.
// Only hosts whose ranks follow one another in the order of all are known; otherwise each rank counts as a host.
static void find_locals(const row *rows, int32_t rank, int32_t world_size, int32_t *first, int32_t *locals, int32_t *alike) {
  char (*hosts)[64] = calloc((size_t)world_size, sizeof *hosts);
  *first = rank, *locals = 1, *alike = 1;
  if (hosts == NULL) return;
  bool is_known = true;
  for (int32_t i = 0; i < world_size; i++) is_known &= sscanf(rows[i].text, "%*d %63s", hosts[i]) == 1;
  int32_t same = 0, own = 1, own_first = rank, begins = 0;
  for (int32_t i = 1; i <= world_size && is_known; i++) {
    if (i < world_size && strcmp(hosts[i], hosts[begins]) == 0) continue;
    if (begins <= rank && rank < i) own = i - begins, own_first = begins;
    same = begins == 0 || same == i - begins ? i - begins : -1;
    for (int32_t k = i; k < world_size; k++) is_known &= strcmp(hosts[k], hosts[begins]) != 0;
    begins = i;
  }
  free(hosts);
  if (is_known && own <= MAX_LOCAL_RANKS) *first = own_first, *locals = own, *alike = same < 0 ? 0 : same;
}

// Attaches the ranks of each host to memory that the first of them makes. Hosts of the same name need not have memory in common
// (containers): either all ranks of all hosts succeed, or none shares memory. 0, or MPI's error.
static int share_memory(runtime *r, int32_t rank, int32_t world_size, const char *name, row *rows, int32_t *first, int32_t *locals, int32_t *alike, room *least) {
  row own = {.text = ""};
  segment_header *made = NULL;
  int32_t unused;
  if (*locals > 1 && *first == rank && (made = trenio_segment_create(name, *locals, MPI_WINDOW_BYTES, &unused)) != NULL) {
    // The process that started the ranks of this host.
    made->launcher = getppid(), made->launcher_started = process_started(getppid());
    snprintf(own.text, sizeof own.text, "%s", name);
  }
  int error = mpi.gather(&own, rows, sizeof own);
  const char *theirs = rows[*first].text;
  bool is_attached = false;
  if (error == 0 && *locals > 1 && *theirs != 0) {
    is_attached = trenio_segment_attach(r, theirs, rank - *first, *locals) == 0;
    // Processes of other containers cannot be inspected by process id.
    if (is_attached) is_attached = !process_is_gone(r->segment->header->launcher, r->segment->header->launcher_started);
  }
  if (made != NULL) munmap(made, (size_t)made->bytes);
  const room has = own_room(r);
  snprintf(own.text, sizeof own.text, "%d %lld %lld", is_attached || *locals == 1, (long long)has.messages, (long long)has.window);
  if (error == 0) error = mpi.gather(&own, rows, sizeof own);
  if (*first == rank && *locals > 1) shm_unlink(name); // where the last to attach has not done it
  bool all = error == 0;
  for (int32_t i = 0; i < world_size; i++) {
    long long messages = 0, window = 0;
    all &= sscanf(rows[i].text, "1 %lld %lld", &messages, &window) == 2;
    if (messages < least->messages) least->messages = messages;
    if (window < least->window) least->window = window;
  }
  if (all) {
    if (r->segment != NULL) segment_look_at_cpus(r->segment->header);
    return 0;
  }
  r->segment = NULL, r->transport = NULL;
  *least = own_room(r);
  *first = rank, *locals = 1, *alike = 1;
  return error;
}

static bool is_only_end; // all ranks share memory, so MPI is only there to be ended
// Ends MPI when all ranks have left, unless one of them is lost.
static void mpi_leave(runtime *r) {
  if (!is_only_end || r->segment == NULL) return;
  is_only_end = false;
  segment_header *h = r->segment->header;
  for (int32_t i = 0; i < h->world_size;) {
    if (atomic_load(&h->ranks[i].state) == rank_left) {
      i++;
      continue;
    }
    if (atomic_load(&h->lost) || process_is_gone(h->ranks[i].pid, h->ranks[i].started)) return;
    usleep(1000);
  }
  if (!atomic_load(&h->lost)) mpi.end();
}

// Joins all other ranks: those of this host through shared memory with that name, others through MPI. `own`: this rank's row of the
// table. 0, or an error.
static int32_t mpi_join(runtime *r, int32_t rank, int32_t world_size, const char *own, const char *name);
int32_t trenio_mpi_join(runtime *r, int32_t rank, int32_t world_size, const char *own, const char *name) {
  const bool is_watched = begin_watch("the exchange of addresses over MPI");
  const int32_t error = mpi_join(r, rank, world_size, own, name);
  end_watch(is_watched);
  return error;
}
static int32_t mpi_join(runtime *r, int32_t rank, int32_t world_size, const char *own, const char *name) {
  row mine, *rows = calloc((size_t)world_size, sizeof mine);
  char *table = calloc((size_t)world_size, sizeof mine);
  if (rows == NULL || table == NULL) return -1;
  snprintf(mine.text, sizeof mine.text, "%s", own);
  int error = mpi.gather(&mine, rows, sizeof mine);
  for (int32_t i = 0, at = 0; i < world_size; i++) at += snprintf(table + at, sizeof mine, "%s", rows[i].text);
  int32_t first, locals, alike;
  room least = {INT64_MAX, INT64_MAX};
  find_locals(rows, rank, world_size, &first, &locals, &alike);
  if (error == 0 && alike != 1) error = share_memory(r, rank, world_size, name, rows, &first, &locals, &alike, &least);
  free(rows);
  if (error == 0 && locals == world_size) {
    free(table);
    is_only_end = true;
    return 0;
  }
  network *n = error != 0 ? NULL : network_new(r, rank, world_size, first, locals, table);
  free(table);
  if (n == NULL || !network_set_hosts(n, alike)) return error != 0 ? error : -1;
  learn_room(n, least);
  for (int32_t i = 0; i < n->remotes; i++) {
    peer *p = n->remote[i];
    p->incoming_end = &p->incoming, p->leaving_end = &p->leaving;
    p->ahead = malloc(PIECES_AHEAD * PIECE_BYTES);
    p->requests = calloc(PIECES_AHEAD, sizeof *p->requests);
    if (p->ahead == NULL || p->requests == NULL) return -1;
    for (int32_t k = 0; k < PIECES_AHEAD; k++)
      if (!mpi_listen(n, p, k)) return -1;
  }
  network_joined(n, &mpi_wire);
  return 0;
}
