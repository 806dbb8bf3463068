// Copies of many pieces of memory as a step: of the state that a checkpoint saves, while nothing changes it. By all threads, past
// the caches, which keep what the next step needs; a processor need not read memory first that it writes whole.
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include "runtime.h"

#define COPY_BYTES (1ll << 20) /* of a task */

typedef struct {
  char *to;
  const char *from;
  int64_t bytes, first; // the number of its first task, which is found out here
} copied_piece;

typedef struct {
  copied_piece *pieces;
  int64_t count;
} piece_list;

static void copy_past_caches(char *to, const char *from, int64_t bytes) {
#if defined(__SSE2__)
  const int64_t head = -(intptr_t)to & 15;
  if (bytes >= 64) {
    memcpy(to, from, (size_t)head);
    int64_t at = head;
    for (; at + 64 <= bytes; at += 64)
      for (int i = 0; i < 64; i += 16) _mm_stream_si128((__m128i *)(to + at + i), _mm_loadu_si128((const __m128i *)(from + at + i)));
    _mm_sfence();
    to += at, from += at, bytes -= at;
  }
#endif
  memcpy(to, from, (size_t)bytes);
}

static void copy_pieces_task(void *argument, int64_t task, int worker) {
  (void)worker;
  const piece_list *list = argument;
  int64_t low = 0, high = list->count; // the last piece that begins at this task or before
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (list->pieces[middle].first <= task) low = middle;
    else high = middle;
  }
  const copied_piece *p = &list->pieces[low];
  const int64_t at = (task - p->first) * COPY_BYTES, left = p->bytes - at;
  copy_past_caches(p->to + at, p->from + at, left < COPY_BYTES ? left : COPY_BYTES);
}

// As a step: args[0] is a list of pieces that are not empty, args[1] their number.
int trenio_step_copy(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  piece_list list = {args[0], (int64_t)(intptr_t)args[1]};
  int64_t tasks = 0;
  for (int64_t i = 0; i < list.count; i++) {
    list.pieces[i].first = tasks;
    tasks += (list.pieces[i].bytes + COPY_BYTES - 1) / COPY_BYTES;
  }
  rt->parallel(rt, copy_pieces_task, &list, tasks);
  return 0;
}
