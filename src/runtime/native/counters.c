// Times that JavaScript reads while steps run: words of its memory that this side adds to.
//   0: nanoseconds that steps have waited for collectives: from entering one to leaving it, or in awaiting one that was started
//   1: nanoseconds that collectives have taken that were started, on whichever thread
#include "runtime.h"

// words: of JavaScript's memory, alive as long as the runtime.
void trenio_count(runtime *r, int64_t *words) { r->counters = words; }

void count_time(runtime *r, int word, int64_t nanoseconds) {
  if (r->counters != NULL) __atomic_fetch_add(&r->counters[word], nanoseconds, __ATOMIC_RELAXED);
}
static int counted(const trenio_rt *rt, int64_t since, int code) {
  count_time(runtime_of(rt), 0, now_ns() - since);
  return code;
}
int counted_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) {
  const int64_t since = now_ns();
  const int before = started_collectives_end(runtime_of(rt));
  return counted(rt, since, before != 0 ? before : collective_all_reduce(rt, data, counts, tensors, dtype, op));
}
int counted_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes) {
  const int64_t since = now_ns();
  const int before = started_collectives_end(runtime_of(rt));
  return counted(rt, since, before != 0 ? before : collective_all_gather(rt, in, out, bytes));
}
int counted_in_group(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out) {
  const int64_t since = now_ns();
  const int before = started_collectives_end(runtime_of(rt));
  return counted(rt, since, before != 0 ? before : collective_in_group(rt, x, in, out));
}
