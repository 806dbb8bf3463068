// Opening and closing a runtime, the arena, and loading compiled programs. This library is never unloaded, as its
// threads run in it; compiled programs are libraries of their own.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "shared.h"

#define HUGE_PAGE (2 << 20)

static char *grown_arena(const trenio_rt *rt, int64_t bytes);

// cpus: one a worker, -1 for any. Null where there is no memory, or no thread, to be had.
runtime *trenio_open(int32_t workers, const int32_t *cpus) {
  runtime *r = aligned_alloc(CACHE_LINE, (sizeof *r + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  if (r == NULL) return NULL;
  memset(r, 0, sizeof *r);
  r->rt = (trenio_rt){
      .abi = TRENIO_RT_ABI,
      .workers = workers,
      .parallel = pool_parallel,
      .scratch = pool_scratch,
      .all_reduce = collective_all_reduce,
      .all_gather = collective_all_gather,
      .rank = 0,
      .world_size = 1,
      .arena = grown_arena,
  };
  if (pool_start(r, workers, cpus) != 0) return NULL;
  if (stream_start(r) != 0) {
    pool_stop(r);
    return NULL;
  }
  return r;
}

// Runs what is queued, then ends the threads. The structure stays: another thread may be about to look at it.
void trenio_close(runtime *r) {
  if (r->stream.stopped) return;
  stream_stop(r);
  pool_stop(r);
  segment_leave(r);
}

// Temporaries of all programs on this device. One range of addresses is reserved once and filled as programs need it,
// so the arena never moves and never shrinks: on a virtual machine giving memory back and touching it anew costs
// up to 2 s/GB. Huge pages, filled here rather than by page faults within the first step.
// Returns the arena, or null if it cannot have that many bytes.
char *trenio_arena(runtime *r, int64_t bytes, int64_t reserve) {
  if (r->arena == NULL) {
    int64_t wanted = (reserve + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *start;
    // Addresses may be limited too (ulimit -v): then there are fewer to grow into.
    while ((start = mmap(NULL, (size_t)(wanted + HUGE_PAGE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED) {
      wanted = wanted / 2 / HUGE_PAGE * HUGE_PAGE;
      if (wanted < bytes || wanted == 0) return NULL;
    }
    r->arena = (char *)(((uintptr_t)start + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    r->arena_reserved = wanted;
  }
  int64_t needed = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  if (needed > r->arena_reserved) return NULL;
  if (needed > r->arena_bytes) {
    char *from = r->arena + r->arena_bytes;
    size_t more = (size_t)(needed - r->arena_bytes);
    if (mprotect(from, more, PROT_READ | PROT_WRITE) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(from, more, MADV_HUGEPAGE);
#endif
#ifdef MADV_POPULATE_WRITE
    if (madvise(from, more, MADV_POPULATE_WRITE) != 0 && (errno == ENOMEM || errno == EFAULT)) return NULL;
#endif
    r->arena_bytes = needed;
  }
  return r->arena;
}

// Only what was reserved can be grown into: the caller of a step has asked for some of it before.
static char *grown_arena(const trenio_rt *rt, int64_t bytes) { return trenio_arena(runtime_of(rt), bytes, bytes); }

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
