// The memory shared by the ranks on one machine.
//
//   header │ one record a rank │ rank 0's window: half 0, half 1 │ rank 1's window │ …
//
// The launcher creates it, the ranks attach, and the last to attach removes the name, so that nothing is left behind
// however the processes end.
#pragma once
#include "runtime.h"

#define SEGMENT_MAGIC 0x3130304f494e5254ull
#define MAX_LOCAL_RANKS 4096

// What a rank says about the collective it is in; all must say the same. Two, since one may still be read while its
// owner is in the next collective already.
typedef struct {
  uint32_t number, kind, dtype, op;
  int64_t count;
} description;

enum { rank_absent = 0, rank_joins = 1, rank_attached = 2, rank_left = 3 };
typedef struct {
  _Alignas(CACHE_LINE) _Atomic int32_t state;
  int32_t pid;
  uint64_t started; // tells a process from a later one with the same number
  _Atomic uint32_t reached; // one more than the generation of the last barrier that it came to
  description says[2];
} rank_record;

typedef struct {
  uint64_t magic;
  int32_t abi, world_size;
  int64_t bytes, window_bytes, windows_offset;
  int32_t launcher;
  uint64_t launcher_started;
  int64_t spin_ns;
  _Atomic int32_t attached;
  _Atomic uint32_t lost; // 0; once set, each collective ends with PEER_LOST
  _Alignas(CACHE_LINE) _Atomic uint32_t arrived;
  _Alignas(CACHE_LINE) _Atomic uint32_t generation;
  _Atomic uint32_t sleepers;
  rank_record ranks[];
} segment_header;

struct segment {
  segment_header *header;
  int rank;
  bool is_quiet; // says nothing of long waits
  char name[256];
};

static inline char *window_half(const segment_header *h, int rank, uint32_t half) {
  return (char *)h + h->windows_offset + rank * h->window_bytes + (half & 1) * (h->window_bytes / 2);
}

// Waits for all ranks. 0, or TRENIO_PEER_LOST.
int segment_barrier(segment *s);
void segment_leave(runtime *r);
