// Times that JavaScript reads while steps run: words of its memory that this side adds to. So far one word: nanoseconds in
// collectives, from entering one to leaving it, which includes waiting for other ranks.
#include "runtime.h"

// words: of JavaScript's memory, alive as long as the runtime.
void trenio_count(runtime *r, int64_t *words) { r->counters = words; }

static int counted(const trenio_rt *rt, int64_t since, int code) {
  int64_t *words = runtime_of(rt)->counters;
  if (words != NULL) __atomic_fetch_add(words, now_ns() - since, __ATOMIC_RELAXED);
  return code;
}
int counted_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) {
  const int64_t since = now_ns();
  return counted(rt, since, collective_all_reduce(rt, data, counts, tensors, dtype, op));
}
int counted_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes) {
  const int64_t since = now_ns();
  return counted(rt, since, collective_all_gather(rt, in, out, bytes));
}
int counted_in_group(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out) {
  const int64_t since = now_ns();
  return counted(rt, since, collective_in_group(rt, x, in, out));
}
