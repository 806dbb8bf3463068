// Moves messages between ranks of different hosts. What moves the bytes is one of several wires (tcp.c, mpi.c); the rest is
// written once over that table: messages of group collectives and all-reduces between hosts (network.c, host_reduce.c).
//
// Everything here belongs to the thread that runs steps: nothing is locked. A wire makes progress only when it is asked to:
// in each wait, and when something is sent.
#pragma once
#include "shared.h"

// A message that is sent. Its memory and its data stay as they are until `is_sent`.
typedef struct sending {
  struct sending *next;      // of the peer's
  struct sending *kept_next; // of the sender's
  message head; // head.bytes of data
  const char *data;
  int64_t done; // bytes of head and data that have left
  bool is_sent;
  int32_t to;
  void *staged; // memory that is freed with it, or null
  int64_t requests[4]; // mpi.c: of the pieces of its data that are sent from where they lie
} sending;

// A received message. `head.data` points to its data: in separate memory, or at the destination of a collective.
typedef struct arrival {
  struct arrival *next;
  int64_t capacity; // of its own memory
  int64_t request;  // the wire's own
  bool is_placed;
  _Alignas(MESSAGE_BYTES) message head;
} arrival;

typedef struct peer {
  int32_t rank, pid;
  char host[64], address[64];
  int32_t port;
  bool has_left; // it has closed its runtime; what it sent before is still there
  sending *sends, **sends_end;    // that have not left
  arrival *arrived, **arrived_end; // whole messages that were not taken, in order
  int32_t held;
  // Of the wire.
  int file;
  arrival *incoming, **incoming_end; // being received
  int64_t got;       // of its head and data
  message head;      // until all of it is there
  char *ahead;       // bytes that were read beyond what was needed
  int64_t ahead_from, ahead_to;
  struct outgoing *leaving, **leaving_end; // mpi.c: copied first pieces that MPI may still read
  int64_t *requests; // of the receives in `ahead`, and which of them comes next
  int32_t next_piece;
  arrival *assembled; // of which pieces are missing
} peer;

// What goes through memory at once: the least of all hosts, which all must cut alike.
typedef struct {
  int64_t messages; // bytes of messages
  int64_t window;   // of a rank, for the ranks of its host
} room;

typedef struct wire wire;
typedef struct network network;
typedef struct reduction reduction;
typedef struct numbered numbered;

struct wire {
  const char *name;
  // What an all-reduce sends at once, at most.
  int64_t chunk_bytes;
  // Starts to send what was added to the peer's `sends`.
  void (*send)(network *n, peer *p);
  // Moves what can be moved without blocking. Returns whether anything has moved.
  bool (*progress)(network *n);
  // Sleeps until something can be moved, or for that long.
  void (*sleep)(network *n, int64_t nanoseconds);
  // Tells the peers that this rank has left, and ends.
  void (*close)(network *n);
};

struct network {
  const wire *wire;
  runtime *r;
  room room;
  int32_t rank, world_size;
  int32_t first_local, locals; // the ranks reached through shared memory, this one among them
  peer *peers;                 // by rank; those of this host are not used
  peer **remote;               // those of other hosts
  int32_t remotes;
  reduction *active;           // started, not yet awaited
  numbered *numbers;           // of the all-reduces of each group
  arrival *spare;              // kept buffers
  sending *spare_sends;
  reduction *spare_reductions;
  int32_t lost;                // the code with which all collectives end from now on
  // The two slots from which messages are sent: memory (if there is no segment) and what is being sent from it.
  struct { char *memory; sending *sends; int32_t count; } slots[2];
  uint32_t slot;
  int32_t *everyone;           // all ranks
  int32_t *counterparts;       // of each host the rank that has this one's number there
  int32_t hosts;
  int32_t alike;               // the ranks of each host, if all have that many; else 0
  void *library;               // mpi.c: the shim
};

// What a message of the wire itself says, in `kind`.
#define WIRE_LEFT 0xffffffffu
#define WIRE_ENDED 0xfffffffeu // with a code in `channel` and a text

#define LARGEST_MESSAGE (1ll << 30)
// A peer's messages that wait to be taken; beyond, nothing more is read from it, and its sends wait.
#define HELD_MESSAGES 16

static inline bool is_remote(const network *n, int32_t rank) {
  return n != NULL && (rank < n->first_local || rank >= n->first_local + n->locals);
}
// For wires. Where the data of a message go that begins to come: its buffer, with the head filled in; null if out of memory.
arrival *network_arrival(network *n, peer *p, const message *head);
// A whole message is there.
void network_arrived(network *n, peer *p, arrival *a);
void network_sent(peer *p);
__attribute__((format(printf, 3, 4))) void network_lost_peer(network *n, peer *p, const char *format, ...);

// For collectives.
void network_send(network *n, int32_t rank, sending *s);
void network_recycle(network *n, arrival *a);
// Makes progress, also on active all-reduces. Returns whether anything has moved.
bool network_progress(network *n);
// Whether messages have not left: a peer has no room for them yet.
bool network_has_unsent(const network *n);
int network_wait(network *n, bool (*is_over)(const void *argument), const void *argument, const wait_reason *about);
// waiting.c: a wait for a rank of another host that lasts.
typedef struct {
  int64_t looked, tell_at;
  bool has_told;
} long_wait;
int look_at_long_wait(runtime *r, long_wait *wait, const wait_reason *about, int64_t waited);
void tell_of_going_on(const runtime *r, const long_wait *wait, int64_t since);
// A wait is worth a line after this time.
#define FIRST_NOTICE_NS 30000000000
// How long a rank sleeps at most while it can be woken from one side only, by ranks of its host or by a wire.
#define SLEEP_BETWEEN_NS 500000
static void network_tell_end(network *n, uint32_t code, const char *text);
static void network_leave(runtime *r);
static void mpi_leave(runtime *r);
extern const transport network_transport; // and shared memory, for peers on this host
