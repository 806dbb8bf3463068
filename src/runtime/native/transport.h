// Carries messages from rank to rank. The algorithms of collectives (group_collectives.c) are written once, over this table; a
// transport moves bytes between two ranks, independent of groups and operations.
#pragma once
#include "runtime.h"

// The head of a message. Its data begin `data` bytes after it, and several messages may share them.
typedef struct {
  uint32_t kind, channel, how; // of the collective; how: the data type and the operation
  uint32_t members;
  uint64_t group; // the ranks and their order, as one number
  int64_t total;  // bytes that go from this rank to that one in this collective
  int64_t at, bytes; // of them, those of this message
  int64_t data;
  int64_t unused;
} message;
_Static_assert(sizeof(message) == 64, "a message's head is a cache line");
#define MESSAGE_BYTES 64

struct transport {
  const char *name;
  // Bytes that messages and their data may have which are written at once.
  int64_t (*capacity)(const runtime *r);
  // Memory for `capacity` bytes. Waits until the peers have taken the messages that lay there; `about` is what for.
  int (*reserve)(runtime *r, const message *about, char **memory);
  // Sends a message in that memory to a peer. It must not change until the peer has taken it.
  void (*publish)(runtime *r, int32_t peer, const message *l);
  // The first message of a peer that this rank has not taken, or null; and taking it.
  const message *(*first)(runtime *r, int32_t peer);
  void (*take)(runtime *r, int32_t peer);
  // Waits until there is a message of that peer, which this rank needs for `about`.
  int (*await)(runtime *r, int32_t peer, const message *about);
};

extern const transport shared_memory_transport;

// Keeps what peers (but one, or -1) have sent already, so that they can send more: what a rank does before it sleeps.
void messages_keep(runtime *r, int32_t except);
const char *collective_name(uint32_t kind);
// Ends the collectives of all ranks with that code (deadlock_found: TRENIO_DEADLOCK), and this text if it is the first. Returns
// the code.
__attribute__((format(printf, 3, 4))) int run_ended(runtime *r, int code, const char *format, ...);
__attribute__((format(printf, 2, 3))) int deadlock_found(runtime *r, const char *format, ...);
