// Times that JavaScript reads while steps run: words of its memory that this side adds to.
//   0: nanoseconds that steps have waited for collectives: from entering one to leaving it, or in awaiting one that was started
//   1: nanoseconds that collectives have taken that were started, on whichever thread
//   2: nanoseconds of processor time of collectives between hosts: of the executor in them, and of the communication thread;
//      workers that help with copies and sums are not counted. Ranks of one host are left out: they spin while they wait, and
//      reading the clock twice would take a tenth of their smallest collectives.
#include "runtime.h"

// words: of JavaScript's memory, alive as long as the runtime.
void trenio_count(runtime *r, int64_t *words) { r->counters = words; }

void count_time(runtime *r, int word, int64_t nanoseconds) {
  if (r->counters != NULL) __atomic_fetch_add(&r->counters[word], nanoseconds, __ATOMIC_RELAXED);
}
instant instant_now(const runtime *r) { return (instant){now_ns(), r->network != NULL ? thread_cpu_ns() : 0}; }
void count_wait(runtime *r, instant since) {
  const instant now = instant_now(r);
  count_time(r, 0, now.wall - since.wall);
  count_time(r, 2, now.cpu - since.cpu);
}
static int counted(const trenio_rt *rt, instant since, int code) {
  count_wait(runtime_of(rt), since);
  return code;
}
int counted_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) {
  const instant since = instant_now(runtime_of(rt));
  const int before = started_collectives_end(runtime_of(rt));
  return counted(rt, since, before != 0 ? before : collective_all_reduce(rt, data, counts, tensors, dtype, op));
}
int counted_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes) {
  const instant since = instant_now(runtime_of(rt));
  const int before = started_collectives_end(runtime_of(rt));
  return counted(rt, since, before != 0 ? before : collective_all_gather(rt, in, out, bytes));
}
int counted_in_group(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out) {
  const instant since = instant_now(runtime_of(rt));
  const int before = started_collectives_end(runtime_of(rt));
  return counted(rt, since, before != 0 ? before : collective_in_group(rt, x, in, out));
}
