// Shared memory between the ranks on one machine: making it, attaching, and a barrier that notices a dead peer.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "shared.h"

#define SPIN_BARRIER_NS 200000
#define LOOK_FOR_THE_DEAD_NS 100000000
// A wait is worth a line after this time: for a rank that is stopped, and for one that is merely busy. Then when it has
// become twice as long, but not so seldom that nobody sees it.
#define TELL_OF_STOPPED_NS 3000000000
#define TELL_OF_BUSY_NS 30000000000
#define TELL_AGAIN_NS 600000000000

// When a process started, in clock ticks since boot; 0 if it does not run (a zombie does not), 1 where that cannot be told.
// *state: the letter that /proc has for what it does.
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
static uint64_t process_started(int32_t pid) {
  char state;
  return look_at_process(pid, &state);
}
static bool is_gone(int32_t pid, uint64_t started) {
  uint64_t now = process_started(pid);
  return now == 0 || (now != 1 && started > 1 && now != started);
}

static void mark_lost(segment_header *h) {
  atomic_store(&h->lost, 1);
  word_wake_all(&h->generation, true);
}

// Looks whether a process this barrier needs has ended. A rank that has left cannot arrive any more.
static bool someone_is_lost(const segment *s) {
  segment_header *h = s->header;
  if (is_gone(h->launcher, h->launcher_started)) return true;
  for (int i = 0; i < h->world_size; i++) {
    int32_t state = atomic_load(&h->ranks[i].state);
    if (state == rank_left || (state == rank_attached && is_gone(h->ranks[i].pid, h->ranks[i].started))) return true;
  }
  return false;
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

// Says for whom this rank has waited, if it is the first of those that wait. Returns when to look again.
static int64_t tell_of_wait(const segment *s, uint32_t generation, int64_t waited) {
  const segment_header *h = s->header;
  list missing = {.length = 0}, here = {.length = 0};
  int absent = 0, arrived = 0, first = -1;
  bool is_stopped = false;
  for (int i = 0; i < h->world_size; i++) {
    const rank_record *rank = &h->ranks[i];
    if (atomic_load(&rank->reached) == generation + 1) {
      if (first < 0) first = i;
      if (arrived++ < LISTED) append(&here, "%s%d", here.length == 0 ? "" : ", ", i);
      continue;
    }
    char state = '?';
    const bool is_there = atomic_load(&rank->state) == rank_attached;
    if (is_there) look_at_process(rank->pid, &state);
    is_stopped |= state == 'T' || state == 't';
    if (absent++ >= LISTED) continue;
    append(&missing, "%srank %d (", missing.length == 0 ? "" : ", ", i);
    if (!is_there) append(&missing, "not ready yet)");
    else if (state == 'T') append(&missing, "process %d, stopped; kill -CONT %d continues it)", rank->pid, rank->pid);
    else append(&missing, "process %d, %s)", rank->pid, state_in_words(state));
  }
  if (absent == 0 || first != s->rank) return 0;
  if (waited < (is_stopped ? TELL_OF_STOPPED_NS : TELL_OF_BUSY_NS)) return 0;
  if (absent > LISTED) append(&missing, " and %d more", absent - LISTED);
  if (arrived > LISTED) append(&here, " and %d more", arrived - LISTED);
  if (!s->is_quiet)
    fprintf(stderr, "trenio: warn: rank %d has waited %lld s for %s; here: rank%s %s\n", s->rank, (long long)(waited / 1000000000), missing.text, arrived == 1 ? "" : "s", here.text);
  return waited < TELL_AGAIN_NS ? 2 * waited : waited + TELL_AGAIN_NS;
}

int segment_barrier(segment *s) {
  segment_header *h = s->header;
  if (atomic_load(&h->lost)) return TRENIO_PEER_LOST;
  uint32_t generation = atomic_load(&h->generation);
  atomic_store_explicit(&h->ranks[s->rank].reached, generation + 1, memory_order_relaxed);
  if (atomic_fetch_add(&h->arrived, 1) + 1 == (uint32_t)h->world_size) {
    atomic_store(&h->arrived, 0);
    atomic_fetch_add(&h->generation, 1);
    if (atomic_load(&h->sleepers) != 0) word_wake_all(&h->generation, true);
    return 0;
  }
  spinner spin = {0};
  int64_t since = 0, tell_at = TELL_OF_STOPPED_NS;
  bool has_told = false;
  while (atomic_load(&h->generation) == generation) {
    // Whoever arrived here and then ended is lost for the next barrier only.
    if (atomic_load(&h->lost)) return atomic_load(&h->generation) == generation ? TRENIO_PEER_LOST : 0;
    if (spin_once(&spin, h->spin_ns)) continue;
    atomic_fetch_add(&h->sleepers, 1);
    int64_t before = now_ns();
    if (since == 0) since = before;
    if (atomic_load(&h->generation) == generation) word_wait(&h->generation, generation, LOOK_FOR_THE_DEAD_NS, true);
    atomic_fetch_sub(&h->sleepers, 1);
    bool timed_out = now_ns() - before >= LOOK_FOR_THE_DEAD_NS;
    // In this order: whoever arrived and then ended has moved the generation on first.
    if (timed_out && someone_is_lost(s) && atomic_load(&h->generation) == generation) {
      mark_lost(h);
      if (is_gone(h->launcher, h->launcher_started)) shm_unlink(s->name);
      return TRENIO_PEER_LOST;
    }
    if (timed_out && before - since >= tell_at) {
      const int64_t next = tell_of_wait(s, generation, before - since);
      if (next != 0) tell_at = next, has_told = true;
    }
  }
  if (has_told && !s->is_quiet)
    fprintf(stderr, "trenio: warn: rank %d goes on after %lld s\n", s->rank, (long long)((now_ns() - since) / 1000000000));
  return 0;
}

// Reserves the memory: without that a full /dev/shm (64 MB in many containers) is a bus error at the first touch.
static int reserve(int file, int64_t bytes) {
#ifdef __linux__
  return posix_fallocate(file, 0, bytes);
#else
  return ftruncate(file, bytes) == 0 ? 0 : errno;
#endif
}

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

// Creates a segment with windows of up to window_bytes (less where memory is short, never under 64 KiB).
// Returns the mapping, or null with *error set to an errno.
segment_header *trenio_segment_create(const char *name, int32_t world_size, int64_t window_bytes, int32_t *error) {
  *error = EINVAL;
  if (world_size < 1 || world_size > MAX_LOCAL_RANKS) return NULL;
  int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
  if (file < 0) {
    *error = errno;
    return NULL;
  }
  int64_t offset = round_up((int64_t)sizeof(segment_header) + world_size * (int64_t)sizeof(rank_record), 4096);
  int64_t window = round_up(window_bytes < 65536 ? 65536 : window_bytes, 8192);
  for (;; window = round_up(window / 2, 8192)) {
    *error = reserve(file, offset + world_size * window);
    if (*error == 0 || window <= 65536 || (*error != ENOSPC && *error != ENOMEM)) break;
  }
  int64_t bytes = offset + world_size * window;
  segment_header *h = *error ? MAP_FAILED : mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (h == MAP_FAILED && *error == 0) *error = errno;
  close(file);
  if (h == MAP_FAILED) {
    shm_unlink(name);
    return NULL;
  }
  h->abi = TRENIO_RT_ABI, h->world_size = world_size;
  h->bytes = bytes, h->window_bytes = window, h->windows_offset = offset;
  h->launcher = getpid(), h->launcher_started = process_started(getpid());
  h->spin_ns = world_size <= usable_cpus() ? SPIN_BARRIER_NS : 0;
  h->magic = SEGMENT_MAGIC;
  return h;
}

// For the launcher: a rank has ended, so every wait of the others ends with PEER_LOST.
void trenio_segment_mark_dead(segment_header *h) { mark_lost(h); }
int32_t trenio_segment_is_dead(segment_header *h) { return (int32_t)atomic_load(&h->lost); }
void trenio_segment_close(segment_header *h, const char *name) {
  shm_unlink(name); // no error: the last rank to attach did it already
  munmap(h, (size_t)h->bytes);
}

// Joins as `rank`. Returns 0, an errno, or -1: not a segment of this version, or not for this rank and world size.
int32_t trenio_segment_attach(runtime *r, const char *name, int32_t rank, int32_t world_size) {
  if (strlen(name) >= sizeof ((segment *)0)->name) return ENAMETOOLONG;
  int file = shm_open(name, O_RDWR, 0);
  if (file < 0) return errno;
  struct stat status;
  segment_header *h = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size >= (off_t)sizeof *h)
    h = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (h == MAP_FAILED) return -1;
  int32_t absent = rank_absent;
  bool fits = h->magic == SEGMENT_MAGIC && h->abi == TRENIO_RT_ABI && h->bytes == status.st_size && h->world_size == world_size && rank >= 0 && rank < world_size;
  if (fits) {
    fits = atomic_compare_exchange_strong(&h->ranks[rank].state, &absent, rank_joins);
  }
  segment *s = fits ? calloc(1, sizeof *s) : NULL;
  if (s == NULL) {
    munmap(h, (size_t)status.st_size);
    return fits ? ENOMEM : -1;
  }
  h->ranks[rank].pid = getpid(), h->ranks[rank].started = process_started(getpid());
  atomic_store(&h->ranks[rank].state, rank_attached);
  s->header = h, s->rank = rank;
  strcpy(s->name, name);
  if (atomic_fetch_add(&h->attached, 1) + 1 == world_size) shm_unlink(name);
  r->segment = s;
  r->rt.rank = rank, r->rt.world_size = world_size;
  return 0;
}

// Says nothing of long waits from now on.
void trenio_segment_silence(runtime *r) {
  if (r->segment != NULL) r->segment->is_quiet = true;
}

void segment_leave(runtime *r) {
  segment *s = r->segment;
  if (s == NULL) return;
  atomic_store(&s->header->ranks[s->rank].state, rank_left);
  word_wake_all(&s->header->generation, true);
}
