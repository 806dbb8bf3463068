// Opening and closing a runtime, the arena, and loading compiled programs. This library is never unloaded, as its
// threads run in it; compiled programs are separate libraries.
#include <dlfcn.h>
#include <pthread.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "network.h"

#define HUGE_PAGE (2 << 20)
// The widest load of compiled programs.
#define VECTOR_BYTES 64

static char *grown_arena(const trenio_rt *rt, int64_t bytes);

// cpus: one per worker, -1 for any. Null if memory or threads cannot be allocated.
runtime *trenio_open(int32_t workers, const int32_t *cpus) {
#ifdef __GLIBC__
  // Tensors' memory (src/runtime/execution/memory.ts) in pages of its own: zero without being written, and in huge pages from their
  // first touch. By itself glibc takes it from its heap after a large block has been freed, and clears it there.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  runtime *r = aligned_alloc(CACHE_LINE, (sizeof *r + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  if (r == NULL) return NULL;
  memset(r, 0, sizeof *r);
  r->rt = (trenio_rt){
      .abi = TRENIO_RT_ABI,
      .workers = workers,
      .parallel = pool_parallel,
      .scratch = pool_scratch,
      .all_reduce = counted_all_reduce,
      .all_gather = counted_all_gather,
      .rank = 0,
      .world_size = 1,
      .arena = grown_arena,
      .now = now_ns,
      .collective = counted_in_group,
      .start = collective_start,
      .await = collective_await,
  };
  if (pool_start(r, workers, cpus) != 0) return NULL;
  if (stream_start(r) != 0) {
    pool_stop(r);
    return NULL;
  }
  crash_watch(r);
  return r;
}

// Runs what is queued, then ends the threads. The structure stays: another thread may be about to look at it.
void trenio_close(runtime *r) {
  if (r->stream.stopped) return;
  crash_forget(r);
  stream_stop(r);
  started_collectives_stop(r);
  pool_stop(r);
  network_leave(r);
  segment_leave(r);
  mpi_leave(r);
}

// Temporaries of all programs on this device. One range of addresses is reserved once and filled as programs need it,
// so the arena never moves and never shrinks: on a virtual machine, releasing memory and touching it again costs
// up to 2 s/GB. Huge pages, which trenio_step_populate fills.
// A vector before and after it can be read: gcc 12 makes a whole load of a masked one where it knows the mask.
static pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER;
static char *arena_of(runtime *r, int64_t bytes, int64_t reserve) {
  if (r->arena == NULL) {
    int64_t wanted = (reserve + VECTOR_BYTES + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *start;
    // Addresses may be limited too (ulimit -v): then there are fewer to grow into.
    while ((start = mmap(NULL, (size_t)(wanted + 2 * HUGE_PAGE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED) {
      wanted = wanted / 2 / HUGE_PAGE * HUGE_PAGE;
      if (wanted < bytes || wanted == 0) return NULL;
    }
    r->arena = (char *)(((uintptr_t)start + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE) + HUGE_PAGE;
    if (mprotect(r->arena - HUGE_PAGE, HUGE_PAGE, PROT_READ) != 0) return NULL;
    r->arena_reserved = wanted;
  }
  int64_t needed = (bytes + VECTOR_BYTES + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  if (needed > r->arena_reserved) return NULL;
  if (needed > r->arena_bytes) {
    char *from = r->arena + r->arena_bytes;
    size_t more = (size_t)(needed - r->arena_bytes);
    if (mprotect(from, more, PROT_READ | PROT_WRITE) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(from, more, MADV_HUGEPAGE);
#endif
    r->arena_bytes = needed;
  }
  return r->arena;
}

// Returns the arena, or null if it cannot have that many bytes. A step may ask for more while the host does.
char *trenio_arena(runtime *r, int64_t bytes, int64_t reserve) {
  pthread_mutex_lock(&arena_lock);
  char *const arena = arena_of(r, bytes, reserve);
  pthread_mutex_unlock(&arena_lock);
  return arena;
}

// The arena can grow only within the reservation, part of which the caller of a step has requested before.
static char *grown_arena(const trenio_rt *rt, int64_t bytes) { return trenio_arena(runtime_of(rt), bytes, bytes); }

#define POPULATE_BYTES (32ll << 20)

typedef struct {
  char *from;
  int64_t bytes;
} memory_range;

static void populate_task(void *argument, int64_t task, int worker) {
  (void)worker;
#ifdef MADV_POPULATE_WRITE
  const memory_range *range = argument;
  const int64_t at = task * POPULATE_BYTES, left = range->bytes - at;
  // Where it fails, the pages come when they are touched.
  madvise(range->from + at, (size_t)(left < POPULATE_BYTES ? left : POPULATE_BYTES), MADV_POPULATE_WRITE);
#else
  (void)argument, (void)task;
#endif
}

// As a step: args[0] is the start of whole pages of the arena, args[1] their number of bytes. By all threads, rather
// than by page faults within the first step, and in parallel with the script.
int trenio_step_populate(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  memory_range range = {args[0], (int64_t)(intptr_t)args[1]};
  rt->parallel(rt, populate_task, &range, (range.bytes + POPULATE_BYTES - 1) / POPULATE_BYTES);
  return 0;
}

// Gives memory that was freed back to the system: what V8 took while a program was compiled.
void trenio_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Advises huge pages for the whole pages within [start, start + bytes): they are ten times faster to touch first.
void trenio_advise_huge(char *start, int64_t bytes) {
#ifdef MADV_HUGEPAGE
  uintptr_t from = ((uintptr_t)start + 4095) & ~(uintptr_t)4095, to = ((uintptr_t)start + (uintptr_t)bytes) & ~(uintptr_t)4095;
  if (to > from) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
  (void)start, (void)bytes;
#endif
}

// Loads a compiled program and gives its entry; null on failure, with the reason in `why`.
void *trenio_load(const char *path, const char *entry, char *why, int32_t why_bytes) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library == NULL ? NULL : dlsym(library, entry);
  if (symbol == NULL) snprintf(why, (size_t)why_bytes, "%s", dlerror());
  return symbol;
}

// Ends loops that take more iterations; 0 for any number.
void trenio_limit_loops(runtime *r, int64_t steps) { r->rt.max_loop_steps = steps; }

int32_t trenio_workers(const runtime *r) { return r->rt.workers; }
int64_t trenio_now_ns(void) { return now_ns(); }
