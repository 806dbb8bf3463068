// Collectives that a step has started and not yet awaited: a queue, and the communication thread of the rank, which runs them.
//
//   executor, workers   compute │ start 0 │ compute … │ start 1 │ compute … │ await 0 │ compute │ await 1
//   communication thread          0 ───────────────┐    1 ──────────────────────────────┐
//
// They run one after another in the order in which the step starts them, the same on all ranks of a program, and a
// collective that is not started but called waits for all of them. So at any time one thread uses the transport, nothing of it
// is locked, and all ranks have one order.
//
// The thread sleeps where it has to wait, as its core computes. When the executor waits for it, it uses the workers for copies and
// sums as the executor would, and may spin.
//
// Ranks that have nothing but shared memory in common have no such thread: moving bytes there is the work of the same
// cores, so the executor does it when it awaits, with all workers. Between hosts the kernel and the network card do most of it.
#include <stdlib.h>
#include <string.h>
#include "network.h"

#define SPIN_FOR_STARTS_NS 20000
#define SPIN_AWAITING_NS 20000
#define CPUS 1024

static _Thread_local bool is_communication_thread;

int64_t wait_spin_ns(const runtime *r, int64_t alone) {
  return is_communication_thread && atomic_load_explicit(&r->started.awaited, memory_order_relaxed) == 0 ? 0 : alone;
}

// For profiles.
static int64_t bytes_of(const trenio_collective *x) {
  const bool reduces = x->kind == TRENIO_ALL_REDUCE || x->kind == TRENIO_REDUCE_SCATTER;
  int64_t bytes = 0;
  for (int32_t i = 0; i < x->tensors; i++) bytes += x->counts[i] * (reduces ? element_bytes[x->dtype] : 1);
  return bytes;
}

static void run_next(runtime *r) {
  started_collectives *q = &r->started;
  const uint32_t number = atomic_load_explicit(&q->finished, memory_order_relaxed);
  const pending_collective *e = &q->list[number % PENDING];
  const trenio_collective *x = &e->x;
  const trenio_rt *rt = &r->rt;
  const void *const *in = e->has_in ? (const void *const *)e->pointers : NULL;
  void *const *out = e->has_out ? e->pointers + (e->has_in ? x->tensors : 0) : NULL;
  const int64_t since = now_ns(), cpu_since = is_communication_thread ? thread_cpu_ns() : 0;
  // After one has failed, the ranks do not agree on what comes next.
  int code = q->code;
  if (code == 0) {
    if (x->group != NULL) code = collective_in_group(rt, x, in, out);
    else if (x->kind == TRENIO_ALL_REDUCE) code = collective_all_reduce(rt, out, x->counts, x->tensors, x->dtype, x->op);
    else if (x->kind == TRENIO_ALL_GATHER && x->tensors == 1) code = collective_all_gather(rt, in[0], out[0], x->counts[0]);
    else code = TRENIO_BAD_CALL;
  }
  q->code = code;
  const int64_t over = now_ns();
  count_time(r, 1, over - since);
  if (is_communication_thread) count_time(r, 2, thread_cpu_ns() - cpu_since);
  span_add(r, TRENIO_SPAN_COLLECTIVE, 0, bytes_of(x) << 8 | x->kind, since, over);
  atomic_fetch_add(&q->finished, 1);
  if (atomic_load(&q->awaited) != 0) word_wake_all(&q->finished, false);
}

static void ring(started_collectives *q) {
  atomic_fetch_add(&q->bell, 1);
  word_wake_all(&q->bell, false);
}

static void *communication_main(void *argument) {
  runtime *r = argument;
  started_collectives *q = &r->started;
  is_communication_thread = true;
  pool_enter_communication(r);
  crash_thread_begins();
  int cpus[CPUS];
  int count = 0;
  for (int i = 0; i < r->rt.workers && count < CPUS; i++) cpus[count++] = r->pool.workers[i].cpu;
  pin_to_any(cpus, count);
  spinner s = {0};
  for (;;) {
    const uint32_t started = atomic_load(&q->started);
    if (started != atomic_load_explicit(&q->finished, memory_order_relaxed)) {
      run_next(r);
      s = (spinner){0};
      continue;
    }
    if (atomic_load(&q->stop)) return NULL;
    if (spin_once(&s, wait_spin_ns(r, SPIN_FOR_STARTS_NS))) continue;
    const uint32_t seen = atomic_load(&q->bell);
    if (atomic_load(&q->started) == started && !atomic_load(&q->stop)) word_wait(&q->bell, seen, 0, false);
    s = (spinner){0};
  }
}

// Waits until `number` collectives of all that were ever started are over.
static void await_number(runtime *r, uint32_t number) {
  started_collectives *q = &r->started;
  if (!q->has_thread) {
    while ((int32_t)(number - atomic_load_explicit(&q->finished, memory_order_relaxed)) > 0) run_next(r);
    return;
  }
  if ((int32_t)(number - atomic_load(&q->finished)) <= 0) return;
  atomic_store(&q->awaited, 1);
  pool_lend(&r->pool);
  spinner s = {0};
  for (uint32_t seen; (int32_t)(number - (seen = atomic_load(&q->finished))) > 0;)
    if (!spin_once(&s, r->pool.may_spin ? SPIN_AWAITING_NS : 0)) word_wait(&q->finished, seen, 0, false);
  pool_take_back(&r->pool);
  atomic_store(&q->awaited, 0);
}

static int thread_start(runtime *r) {
  started_collectives *q = &r->started;
  if (q->has_thread || r->network == NULL) return 0;
  if (pthread_create(&q->thread, NULL, communication_main, r) != 0) return TRENIO_NO_MEMORY;
  q->has_thread = true;
  return 0;
}

int collective_start(const trenio_rt *rt, int32_t ticket, const trenio_collective *x, const void *const *in, void *const *out) {
  runtime *r = runtime_of(rt);
  started_collectives *q = &r->started;
  if (x->tensors < 0) return TRENIO_BAD_CALL;
  const int failed = thread_start(r);
  if (failed != 0) return failed;
  const uint32_t number = atomic_load_explicit(&q->started, memory_order_relaxed);
  await_number(r, number + 1 - PENDING);
  pending_collective *e = &q->list[number % PENDING];
  if (e->capacity < 2 * x->tensors) {
    void **more = realloc(e->pointers, 2 * (size_t)x->tensors * sizeof *more);
    if (more == NULL) return TRENIO_NO_MEMORY;
    e->pointers = more, e->capacity = 2 * x->tensors;
  }
  e->ticket = ticket, e->x = *x, e->has_in = in != NULL, e->has_out = out != NULL;
  for (int32_t i = 0; i < x->tensors; i++) {
    if (in != NULL) e->pointers[i] = (void *)(uintptr_t)in[i];
    if (out != NULL) e->pointers[i + (in != NULL ? x->tensors : 0)] = out[i];
  }
  atomic_store(&q->started, number + 1);
  if (q->has_thread) ring(q);
  return 0;
}

int collective_await(const trenio_rt *rt, int32_t ticket) {
  runtime *r = runtime_of(rt);
  started_collectives *q = &r->started;
  const instant since = instant_now(r);
  const uint32_t finished = atomic_load(&q->finished);
  for (uint32_t number = atomic_load_explicit(&q->started, memory_order_relaxed); number != finished; number--) {
    if (q->list[(number - 1) % PENDING].ticket != ticket) continue;
    await_number(r, number);
    break;
  }
  count_wait(r, since);
  return q->code;
}

int started_collectives_end(runtime *r) {
  started_collectives *q = &r->started;
  await_number(r, atomic_load_explicit(&q->started, memory_order_relaxed));
  const int code = q->code;
  q->code = 0;
  return code;
}

void started_collectives_stop(runtime *r) {
  started_collectives *q = &r->started;
  if (!q->has_thread) return;
  atomic_store(&q->stop, true);
  ring(q);
  pthread_join(q->thread, NULL);
}
