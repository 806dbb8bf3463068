// Threads that share the tasks of a parallel loop. Not a scheduler: one region at a time, published by the executor
// thread, which is worker 0 and works along.
//
//   word = region number << 32 | tasks not yet claimed
//
// A worker claims by compare-and-swap of word → word - 1. The region number makes a late worker's swap fail, and a
// region ends only when each of its claimed tasks has been reported, so fn and arg, read between the load of the word
// and a swap that succeeds, are those of the claimed task. Workers that find nothing spin a little and then sleep; no
// region ever waits for a worker that has claimed nothing, so a descheduled thread costs nothing.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "runtime.h"

#define SPIN_IN_STEP_NS 200000
#define SPIN_IDLE_NS 20000

// The worker number, while this thread runs a task; always that of the communication thread, which has the number after the workers'.
static _Thread_local int inside = -1;

static void claim_tasks(pool *p, int number) {
  uint32_t done = 0;
  runtime *r = p->workers[number].owner;
  int64_t from = number != 0 && atomic_load_explicit(&r->spans, memory_order_relaxed) != NULL ? now_ns() : 0;
  uint64_t word = atomic_load(&p->word);
  const int before = inside;
  inside = number;
  while ((uint32_t)word != 0) {
    trenio_task fn = atomic_load_explicit(&p->fn, memory_order_relaxed);
    void *arg = atomic_load_explicit(&p->arg, memory_order_relaxed);
    int64_t first = atomic_load_explicit(&p->first, memory_order_relaxed);
    uint32_t tasks = atomic_load_explicit(&p->tasks, memory_order_relaxed);
    if (!atomic_compare_exchange_weak(&p->word, &word, word - 1)) continue;
    fn(arg, first + (tasks - (uint32_t)word), number);
    done++;
    word = atomic_load(&p->word);
  }
  inside = before;
  if (done != 0 && from != 0) span_add(r, TRENIO_SPAN_WORKER, number, done, from, now_ns());
  if (done != 0 && atomic_fetch_sub(&p->pending, done) == done && atomic_load(&p->caller_sleeps)) word_wake_all(&p->pending, false);
}

static void *worker_main(void *argument) {
  worker *w = argument;
  pool *p = &w->owner->pool;
  crash_thread_begins();
  pin_to(w->cpu);
  for (;;) {
    spinner s = {0};
    while ((uint32_t)atomic_load(&p->word) == 0 && !atomic_load(&p->stop)) {
      int64_t limit = !p->may_spin ? 0 : atomic_load_explicit(&p->step_runs, memory_order_relaxed) ? SPIN_IN_STEP_NS : SPIN_IDLE_NS;
      if (spin_once(&s, limit)) continue;
      // Announce, then look again, then sleep: the publisher publishes, then looks for sleepers. One of the two sees the other.
      atomic_fetch_add(&p->sleepers, 1);
      uint32_t seen = atomic_load(&p->wake);
      if ((uint32_t)atomic_load(&p->word) == 0 && !atomic_load(&p->stop)) word_wait(&p->wake, seen, 0, false);
      atomic_fetch_sub(&p->sleepers, 1);
      s = (spinner){0};
    }
    if (atomic_load(&p->stop)) return NULL;
    claim_tasks(p, w->number);
  }
}

static void wake_workers(pool *p) {
  atomic_fetch_add(&p->wake, 1);
  word_wake_all(&p->wake, false);
}

static void run_region(pool *p, int number, trenio_task fn, void *arg, int64_t first, uint32_t tasks) {
  atomic_store_explicit(&p->fn, fn, memory_order_relaxed);
  atomic_store_explicit(&p->arg, arg, memory_order_relaxed);
  atomic_store_explicit(&p->first, first, memory_order_relaxed);
  atomic_store_explicit(&p->tasks, tasks, memory_order_relaxed);
  atomic_store(&p->pending, tasks);
  uint64_t region = (atomic_load(&p->word) >> 32) + 1;
  atomic_store(&p->word, region << 32 | tasks);
  if (atomic_load(&p->sleepers) != 0) wake_workers(p);
  claim_tasks(p, number);
  spinner s = {0};
  for (uint32_t left; (left = atomic_load(&p->pending)) != 0;) {
    if (spin_once(&s, p->may_spin ? SPIN_IN_STEP_NS : 0)) continue;
    atomic_store(&p->caller_sleeps, 1);
    word_wait(&p->pending, left, 0, false);
    atomic_store(&p->caller_sleeps, 0);
  }
}

void pool_parallel(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks) {
  pool *p = &runtime_of(rt)->pool;
  uint32_t lent = pool_lent;
  const bool is_borrowed = tasks > 1 && rt->workers > 1 && inside == rt->workers && atomic_compare_exchange_strong(&p->lent, &lent, pool_borrowed);
  if (!is_borrowed && (tasks <= 1 || rt->workers == 1 || inside >= 0)) {
    for (int64_t i = 0; i < tasks; i++) fn(arg, i, inside < 0 ? 0 : inside);
    return;
  }
  for (int64_t first = 0; first < tasks; first += UINT32_MAX) {
    int64_t left = tasks - first;
    run_region(p, inside < 0 ? 0 : inside, fn, arg, first, left < UINT32_MAX ? (uint32_t)left : UINT32_MAX);
  }
  if (is_borrowed) atomic_store(&p->lent, pool_lent);
}

void pool_enter_communication(const runtime *r) { inside = r->rt.workers; }
void pool_lend(pool *p) { atomic_store(&p->lent, pool_lent); }
void pool_take_back(pool *p) {
  for (uint32_t lent = pool_lent; !atomic_compare_exchange_strong(&p->lent, &lent, pool_kept); lent = pool_lent) cpu_pause();
}

void *pool_scratch(const trenio_rt *rt, int number, int64_t bytes) {
  worker *w = &runtime_of(rt)->pool.workers[number];
  if (bytes <= w->scratch_bytes) return w->scratch;
  // Grown by half at least, in whole huge pages where it is large: page faults within a step are dear.
  int64_t grown = w->scratch_bytes + w->scratch_bytes / 2;
  if (grown < bytes) grown = bytes;
  int64_t unit = grown >= 1 << 20 ? 2 << 20 : 4096;
  grown = (grown + unit - 1) / unit * unit;
  free(w->scratch);
  w->scratch = aligned_alloc((size_t)unit, (size_t)grown);
  if (w->scratch == NULL) {
    fprintf(stderr, "trenio: no memory for %lld bytes of scratch\n", (long long)grown);
    abort();
  }
#ifdef MADV_HUGEPAGE
  if (unit > 4096) madvise(w->scratch, (size_t)grown, MADV_HUGEPAGE);
#endif
  w->scratch_bytes = grown;
  return w->scratch;
}

void *pool_own_scratch(const trenio_rt *rt, int64_t bytes) { return pool_scratch(rt, inside < 0 ? 0 : inside, bytes); }

// Starts workers 1..n-1; worker 0 is the executor thread, which stream.c starts. cpus: one per worker, -1 for anywhere.
int pool_start(runtime *r, int workers, const int32_t *cpus) {
  pool *p = &r->pool;
  p->may_spin = workers <= usable_cpus();
  p->workers = calloc((size_t)workers + 1, sizeof *p->workers);
  if (p->workers == NULL) return TRENIO_NO_MEMORY;
  p->workers[workers] = (worker){.owner = r, .number = workers, .cpu = -1};
  for (int i = 0; i < workers; i++) p->workers[i] = (worker){.owner = r, .number = i, .cpu = cpus[i]};
  for (int i = 1; i < workers; i++) {
    if (pthread_create(&p->workers[i].thread, NULL, worker_main, &p->workers[i]) != 0) {
      r->rt.workers = i;
      pool_stop(r);
      return TRENIO_NO_MEMORY;
    }
  }
  return 0;
}

void pool_stop(runtime *r) {
  atomic_store(&r->pool.stop, true);
  wake_workers(&r->pool);
  for (int i = 1; i < r->rt.workers; i++) pthread_join(r->pool.workers[i].thread, NULL);
}
