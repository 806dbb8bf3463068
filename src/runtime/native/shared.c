// Shared memory between the ranks on one machine: making it and attaching.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "shared.h"

#define SPIN_BARRIER_NS 200000
// Chunks of the tensors and of the windows stay in the cores' second-level caches.
#define LEAST_CHUNK_BYTES_A_CORE (128 << 10)
#define MOST_CHUNK_BYTES_A_CORE (256 << 10)

// Reserves the memory: without that a full /dev/shm (64 MB in many containers) is a bus error at the first touch.
static int reserve(int file, int64_t bytes) {
#ifdef __linux__
  return posix_fallocate(file, 0, bytes);
#else
  return ftruncate(file, bytes) == 0 ? 0 : errno;
#endif
}

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

// After a window, room for messages: the head of one for every other rank, at least.
static int64_t messages_bytes_for(int64_t window, int32_t world_size) {
  const int64_t heads = 4 * (int64_t)(world_size + 64) * MESSAGE_BYTES;
  return round_up(window / 2 > heads ? window / 2 : heads, 8192);
}

static int64_t chunk_bytes_a_core(void) {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const int64_t quarter = sysconf(_SC_LEVEL2_CACHE_SIZE) / 4; // 0 or less if it is not known
  if (quarter > LEAST_CHUNK_BYTES_A_CORE) return quarter < MOST_CHUNK_BYTES_A_CORE ? quarter : MOST_CHUNK_BYTES_A_CORE;
#endif
  return LEAST_CHUNK_BYTES_A_CORE;
}

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
  const int64_t mailboxes = round_up((int64_t)sizeof(segment_header) + world_size * (int64_t)sizeof(rank_record), MESSAGE_BYTES);
  int64_t offset = round_up(mailboxes + (int64_t)world_size * world_size * (int64_t)sizeof(mailbox), 4096);
  int64_t window = round_up(window_bytes < 65536 ? 65536 : window_bytes, WINDOW_SLOTS * 4096);
  for (;; window = round_up(window / 2, WINDOW_SLOTS * 4096)) {
    *error = reserve(file, offset + world_size * (window + messages_bytes_for(window, world_size)));
    if (*error == 0 || window <= 65536 || (*error != ENOSPC && *error != ENOMEM)) break;
  }
  int64_t bytes = offset + world_size * (window + messages_bytes_for(window, world_size));
  segment_header *h = *error ? MAP_FAILED : mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (h == MAP_FAILED && *error == 0) *error = errno;
  close(file);
  if (h == MAP_FAILED) {
    shm_unlink(name);
    return NULL;
  }
  h->abi = TRENIO_RT_ABI, h->world_size = world_size;
  h->bytes = bytes, h->window_bytes = window, h->messages_bytes = messages_bytes_for(window, world_size);
  const int64_t cores = usable_cpus() / world_size;
  h->chunk_bytes = chunk_bytes_a_core() * (cores < 1 ? 1 : cores);
  if (h->chunk_bytes > window / WINDOW_SLOTS) h->chunk_bytes = window / WINDOW_SLOTS;
  h->mailboxes_offset = mailboxes, h->windows_offset = offset;
  h->launcher = getpid(), h->launcher_started = process_started(getpid());
  h->spin_ns = world_size <= usable_cpus() ? SPIN_BARRIER_NS : 0;
  h->magic = SEGMENT_MAGIC;
  return h;
}

static void add_own_cpus(segment_header *h) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int i = 0; i < 1024 && i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &set)) atomic_fetch_or(&h->cpus[i / 64], 1ull << i % 64);
#else
  (void)h;
#endif
}
void segment_look_at_cpus(segment_header *h) {
  int count = 0;
  for (int i = 0; i < 16; i++) count += __builtin_popcountll(atomic_load(&h->cpus[i]));
  if (count > 0) h->spin_ns = h->world_size <= count ? SPIN_BARRIER_NS : 0;
}

// For the launcher: a rank has ended, so every wait of the others ends with PEER_LOST.
void trenio_segment_mark_dead(segment_header *h) { segment_mark_lost(h, TRENIO_PEER_LOST); }
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
  if (s != NULL) {
    s->from = calloc((size_t)world_size, sizeof *s->from);
    for (int i = 0; i < 2; i++) s->slots[i].readers = calloc((size_t)world_size, sizeof *s->slots[i].readers);
    if (s->from == NULL || s->slots[0].readers == NULL || s->slots[1].readers == NULL) s = NULL;
  }
  if (s == NULL) {
    munmap(h, (size_t)status.st_size);
    return fits ? ENOMEM : -1;
  }
  h->ranks[rank].pid = getpid(), h->ranks[rank].started = process_started(getpid());
  add_own_cpus(h);
  atomic_store(&h->ranks[rank].state, rank_attached);
  s->header = h, s->rank = rank;
  strcpy(s->name, name);
  if (atomic_fetch_add(&h->attached, 1) + 1 == world_size) shm_unlink(name);
  r->segment = s;
  r->transport = &shared_memory_transport;
  r->rt.rank = rank, r->rt.world_size = world_size;
  return 0;
}

// Prints no more notices of long waits.
void trenio_segment_silence(runtime *r) {
  if (r->segment != NULL) r->segment->is_quiet = true;
}

void segment_leave(runtime *r) {
  segment *s = r->segment;
  if (s == NULL) return;
  atomic_store(&s->header->ranks[s->rank].state, rank_left);
  word_wake_all(&s->header->ranks[s->rank].reached, true);
}
