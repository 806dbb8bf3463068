// The memory shared by the ranks on one machine.
//
//   header │ one record a rank │ a mailbox a pair of ranks │ rank 0's window: four slots; its messages: two slots │ …
//
// The launcher creates it, the ranks attach, and the last to attach removes the name, so that nothing is left behind
// however the processes end.
#pragma once
#include "transport.h"

#define SEGMENT_MAGIC 0x3230304f494e5254ull
#define MAX_LOCAL_RANKS 4096

// The collective that a rank is in; it must be the same on all. Two, since one may still be read while its owner is in the
// next collective already.
typedef struct {
  uint32_t number, kind, dtype, op;
  int64_t count;
} description;

// What a rank waits for: read by others to detect deadlocks.
enum { waits_for_all = 1, waits_for_message = 2, waits_for_room = 3, waits_for_network = 4 };
typedef struct {
  int32_t kind, peer;
  uint32_t number;         // the step that all must have reached; the message that must have been taken
  uint32_t about, channel; // the collective it is in
} wait_reason;

enum { rank_absent = 0, rank_joins = 1, rank_attached = 2, rank_left = 3 };
typedef struct {
  _Alignas(CACHE_LINE) _Atomic int32_t state;
  int32_t pid;
  uint64_t started; // distinguishes a process from a later one with the same pid
  // Together in a line, as the others read both when they have waited.
  _Alignas(CACHE_LINE) _Atomic uint32_t reached; // the last step of collectives of all ranks that it has come to
  _Atomic uint32_t watchers; // ranks that sleep until `reached` changes
  description says[2];
  _Alignas(CACHE_LINE) _Atomic uint32_t bell; // what it sleeps on for messages
  _Atomic uint32_t sleeps;
  _Atomic uint32_t waits; // odd while `reason` holds
  wait_reason reason;
  _Atomic int64_t program_since; // when the program began that it runs; negative: when it ended; 0: none yet
  char program[96];
} rank_record;

// Messages from one rank to another. At most two are not yet taken, as a rank has two slots.
typedef struct {
  _Atomic uint32_t sent, taken;
  uint32_t at[2]; // where they are among the sender's messages, in units of MESSAGE_BYTES
} mailbox;

typedef struct {
  uint64_t magic;
  int32_t abi, world_size;
  int64_t bytes, mailboxes_offset, windows_offset;
  int64_t window_bytes, messages_bytes; // of each rank, one after the other
  int64_t chunk_bytes; // what a rank puts into a slot of its window at most
  int32_t launcher;
  uint64_t launcher_started;
  int64_t spin_ns;
  _Atomic int32_t attached;
  _Atomic uint64_t cpus[16]; // those that any rank may run on, of the first 1024
  _Atomic uint32_t lost; // 0; once set, each collective ends with this code
  _Atomic uint32_t reason_told; // 1 while the text is written, then 2
  uint32_t reason_code;
  char reason[1024]; // why
  rank_record ranks[];
} segment_header;

struct segment {
  segment_header *header;
  int rank; // among those of this host
  int base; // the first of them, among all
  bool is_quiet; // prints no notice of long waits
  const char **from; // for each rank, its part of a collective
  // The slots for messages: the peers that may not have taken theirs yet.
  struct {
    int32_t count;
    struct { int32_t peer; uint32_t number; } *readers;
  } slots[2];
  uint32_t slot;
  char name[256];
};

// Chunk after chunk goes into the slots by turns.
#define WINDOW_SLOTS 4
static inline char *window_slot(const segment_header *h, int rank, uint32_t chunk) {
  return (char *)h + h->windows_offset + rank * (h->window_bytes + h->messages_bytes) + chunk % WINDOW_SLOTS * (h->window_bytes / WINDOW_SLOTS);
}
static inline char *messages_of(const segment_header *h, int rank) { return window_slot(h, rank, 0) + h->window_bytes; }
static inline mailbox *mailbox_of(const segment_header *h, int from, int to) {
  return (mailbox *)((char *)h + h->mailboxes_offset) + (int64_t)to * h->world_size + from;
}

// waiting.c: waits until that is over. 0, TRENIO_PEER_LOST or TRENIO_DEADLOCK.
int segment_wait(runtime *r, const wait_reason *reason);
// Tells the others that this rank has come to its next step, and returns the number of the step. Each rank takes the same steps.
uint32_t segment_arrive(runtime *r);
// Waits until all ranks have come to that step.
int segment_await_all(runtime *r, uint32_t step);
// Both at once.
int segment_barrier(runtime *r);
// Wakes a rank that sleeps.
void segment_ring(segment_header *h, int rank);
void segment_mark_lost(segment_header *h, uint32_t code);
uint64_t process_started(int32_t pid);
segment_header *trenio_segment_create(const char *name, int32_t world_size, int64_t window_bytes, int32_t *error);
int32_t trenio_segment_attach(runtime *r, const char *name, int32_t rank, int32_t world_size);
bool process_is_gone(int32_t pid, uint64_t started);
void segment_leave(runtime *r);
// shared.c: waits of ranks may spin if there is a CPU for each of them. For ranks that were not given CPUs by the launcher.
void segment_look_at_cpus(segment_header *h);
void segment_says_program(runtime *r, const char *program);
