// A device's stream: an executor thread that runs launches one after another, in the order submitted. No JavaScript is
// ever called from here (that would deadlock while JavaScript waits): JavaScript reads a launch's state, or waits for it.
#include "network.h"

#define SPIN_BETWEEN_STEPS_NS 50000
#define SPIN_WAITING_NS 5000 /* the waiting thread would take a core from a worker */

static int failed_dependency(const launch *l) {
  for (int32_t i = 0; i < l->deps; i++) {
    const launch *dep = l->words[l->args + i];
    if (dep->code != 0) return dep->code;
  }
  return 0;
}

static void run(runtime *r, launch *l) {
  l->start_ns = now_ns();
  atomic_store(&l->state, launch_running);
  int code = failed_dependency(l);
  if (code == 0) {
    atomic_store(&r->pool.step_runs, true);
    atomic_store_explicit(&r->program, l->program, memory_order_relaxed);
    r->rt.profile = l->profile == NULL ? NULL : l->profile + 2;
    segment_says_program(r, l->program);
    code = l->entry(&r->rt, l->words, l->arena);
    // A step that failed leaves what it has started.
    const int left = started_collectives_end(r);
    if (code == 0) code = left;
    segment_says_program(r, NULL);
    atomic_store_explicit(&r->program, NULL, memory_order_relaxed);
    atomic_store(&r->pool.step_runs, false);
    if (l->profile != NULL) l->profile[0]++, l->profile[1] += now_ns() - l->start_ns;
    span_add(r, TRENIO_SPAN_STEP, 0, (int64_t)(intptr_t)l->profile, l->start_ns, now_ns());
  }
  l->code = code;
  l->end_ns = now_ns();
  atomic_store(&l->state, launch_done); // the last touch: from here on its memory may be gone
  atomic_fetch_add(&r->stream.completed, 1);
  if (atomic_load(&r->stream.waiters) != 0) word_wake_all(&r->stream.completed, false);
}

static launch *take(stream *s) {
  pthread_mutex_lock(&s->lock);
  launch *l = s->head;
  if (l != NULL) {
    s->head = l->next;
    if (s->head == NULL) s->tail = NULL;
  }
  pthread_mutex_unlock(&s->lock);
  return l;
}

static void *executor_main(void *argument) {
  runtime *r = argument;
  stream *s = &r->stream;
  crash_thread_begins();
  pin_to(r->pool.workers[0].cpu);
  for (bool has_run = false;;) {
    uint32_t seen = atomic_load(&s->submitted);
    for (launch *l; (l = take(s)) != NULL; has_run = true) run(r, l);
    spinner spin = {0};
    while (atomic_load(&s->submitted) == seen) {
      if (atomic_load(&s->stop)) return NULL;
      // Messages that other hosts wait for are sent while the script continues.
      if (has_run && r->network != NULL && network_has_unsent(r->network)) {
        if (!network_progress(r->network)) word_wait(&s->submitted, seen, SLEEP_BETWEEN_NS, false);
        continue;
      }
      if (!spin_once(&spin, r->pool.may_spin ? SPIN_BETWEEN_STEPS_NS : 0)) word_wait(&s->submitted, seen, 0, false);
    }
  }
}

int stream_start(runtime *r) {
  pthread_mutex_init(&r->stream.lock, NULL);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16 << 20); // generated code may keep small arrays on the stack
  int failed = pthread_create(&r->pool.workers[0].thread, &attributes, executor_main, r);
  pthread_attr_destroy(&attributes);
  return failed ? TRENIO_NO_MEMORY : 0;
}

void trenio_submit(runtime *r, launch *l) {
  stream *s = &r->stream;
  l->next = NULL;
  pthread_mutex_lock(&s->lock);
  if (s->tail != NULL) s->tail->next = l;
  else s->head = l;
  s->tail = l;
  pthread_mutex_unlock(&s->lock);
  atomic_fetch_add(&s->submitted, 1);
  word_wake_all(&s->submitted, false);
}

// Blocks until the launch is done.
void trenio_wait(runtime *r, launch *l) {
  stream *s = &r->stream;
  spinner spin = {0};
  while (atomic_load(&l->state) != launch_done) {
    if (spin_once(&spin, r->pool.may_spin ? SPIN_WAITING_NS : 0)) continue;
    atomic_fetch_add(&s->waiters, 1);
    uint32_t seen = atomic_load(&s->completed);
    if (atomic_load(&l->state) != launch_done) word_wait(&s->completed, seen, 0, false);
    atomic_fetch_sub(&s->waiters, 1);
  }
}

// Blocks until all that was submitted is done.
void stream_drain(runtime *r) {
  stream *s = &r->stream;
  for (;;) {
    atomic_fetch_add(&s->waiters, 1);
    uint32_t seen = atomic_load(&s->completed);
    bool idle = seen == atomic_load(&s->submitted);
    if (!idle) word_wait(&s->completed, seen, 0, false);
    atomic_fetch_sub(&s->waiters, 1);
    if (idle) return;
  }
}

void stream_stop(runtime *r) {
  stream *s = &r->stream;
  if (s->stopped) return;
  s->stopped = true;
  stream_drain(r);
  atomic_store(&s->stop, true);
  atomic_fetch_add(&s->submitted, 1);
  word_wake_all(&s->submitted, false);
  pthread_join(r->pool.workers[0].thread, NULL);
}
