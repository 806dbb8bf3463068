// What each thread did and when, for a profile: spans in memory that JavaScript owns and reads. Written only while a
// profile records; where the memory is full, spans are counted and dropped.
#include "runtime.h"

// The first words: how many spans were written or dropped. Then four words each.
#define HEAD_WORDS 8
#define SPAN_WORDS 4

void span_add(runtime *r, int32_t kind, int32_t worker, int64_t what, int64_t from, int64_t to) {
  _Atomic int64_t *words = atomic_load_explicit(&r->spans, memory_order_acquire);
  if (words == NULL) return;
  int64_t number = atomic_fetch_add(&words[0], 1);
  if (number >= r->span_capacity) return;
  _Atomic int64_t *span = words + HEAD_WORDS + number * SPAN_WORDS;
  atomic_store_explicit(&span[1], what, memory_order_relaxed);
  atomic_store_explicit(&span[2], from, memory_order_relaxed);
  atomic_store_explicit(&span[3], to, memory_order_relaxed);
  // Last, and never 0: a span is there when its first word is.
  atomic_store_explicit(&span[0], (int64_t)kind << 32 | (worker + 1), memory_order_release);
}

void span_of_call(const trenio_rt *rt, int32_t call, int64_t from, int64_t to) {
  span_add(runtime_of(rt), TRENIO_SPAN_CALL, 0, call, from, to);
}

// Records into `words` from now on: HEAD_WORDS + capacity × SPAN_WORDS words, all 0. Null: no longer. What was recorded before is
// complete when nothing runs.
void trenio_record_spans(runtime *r, int64_t *words, int64_t capacity) {
  r->span_capacity = capacity;
  r->rt.span = words == NULL ? NULL : span_of_call;
  atomic_store_explicit(&r->spans, (_Atomic int64_t *)words, memory_order_release);
}
