// The runtime's own structures, shared by its C files. Compiled programs see only trenio_rt.h.
#pragma once
#include "platform.h"
#include "trenio_rt_operator.h"

#define CACHE_LINE 128 /* two lines: the neighbor is prefetched */

typedef struct runtime runtime;

// pool.c: a parallel region is published in one word, (region number << 32 | tasks not yet claimed).
typedef struct {
  pthread_t thread;
  runtime *owner;
  int number, cpu;
  void *scratch;
  int64_t scratch_bytes;
} worker;

typedef struct {
  _Alignas(CACHE_LINE) _Atomic uint64_t word;
  _Atomic(trenio_task) fn;
  void *_Atomic arg;
  _Atomic int64_t first;     // number of the region's first task
  _Atomic uint32_t tasks;
  _Alignas(CACHE_LINE) _Atomic uint32_t pending;  // tasks not yet finished
  _Atomic uint32_t caller_sleeps;
  _Alignas(CACHE_LINE) _Atomic uint32_t wake;     // what idle workers sleep on
  _Atomic uint32_t sleepers;
  _Atomic bool step_runs, stop;
  bool may_spin;
  worker *workers;           // [0] is the executor thread; one more than there are: the communication thread
  _Alignas(CACHE_LINE) _Atomic uint32_t lent; // whether the communication thread may publish regions
} pool;
enum { pool_kept = 0, pool_lent = 1, pool_borrowed = 2 };

// stream.c: a launch lies in memory that JavaScript owns and keeps alive until `state` is launch_done.
// src/runtime/execution/launch.ts writes and reads it, by the offsets in src/compiler/cpu/target/runtime-abi.ts.
enum { launch_queued = 0, launch_running = 1, launch_done = 2 };
typedef struct launch launch;
struct launch {
  _Atomic int32_t state;     // 0
  int32_t code;              // 4: what the step returned
  int64_t start_ns, end_ns;  // 8, 16: monotonic clock
  launch *next;              // 24: the stream's
  trenio_step entry;         // 32
  char *arena;               // 40
  int32_t args, deps;        // 48, 52
  int64_t *profile;          // 56: the program's runs and their nanoseconds, then rt->profile; null: none
  const char *program;       // 64: its name
  void *words[];             // 72: args addresses, then deps launches: if one of these failed, so does this
};

typedef struct {
  pthread_mutex_t lock;
  launch *head, *tail;
  _Alignas(CACHE_LINE) _Atomic uint32_t submitted;
  _Alignas(CACHE_LINE) _Atomic uint32_t completed;
  _Atomic uint32_t waiters;
  _Atomic bool stop;
  bool stopped;
} stream;

// started_collectives.c: the collectives that a step has started, by number modulo PENDING.
#define PENDING 64
typedef struct {
  int32_t ticket;
  trenio_collective x;
  void **pointers; // of `in`, then of `out`
  int32_t capacity;
  bool has_in, has_out;
} pending_collective;
typedef struct {
  pthread_t thread;
  bool has_thread;     // the communication thread; else the executor does all when it awaits
  _Atomic bool stop;
  int code;            // of the first that failed, until all are over
  pending_collective list[PENDING];
  _Alignas(CACHE_LINE) _Atomic uint32_t started;  // how many
  _Atomic uint32_t bell;     // what the thread sleeps on
  _Alignas(CACHE_LINE) _Atomic uint32_t finished; // how many
  _Atomic uint32_t awaited;  // the executor waits
} started_collectives;

typedef struct segment segment; // shared.c
typedef struct transport transport;
typedef struct unexpected unexpected;

struct runtime {
  union { // first: a pointer to it is a pointer to the whole
    trenio_rt rt;
    trenio_rt_operator for_operators;
  };
  pool pool;
  stream stream;
  started_collectives started;
  const char *_Atomic program;       // the name of the program that runs, or null
  segment *segment;
  const transport *transport; // null for a single rank
  unexpected *unexpected;     // messages.c: messages that were sent before they were requested
  struct network *network;    // network.c: the ranks of other hosts; null if there are none
  char *reason;               // the text of trenio_reason(), where no other rank can find it
  int reason_code;
  int64_t wait_limit_ns;      // after that the run ends; 0: never
  char host[64];              // of this rank, as it is named in messages
  uint32_t collectives; // how many this rank has begun
  uint32_t chunks;      // how many have gone through the windows
  int64_t *counters; // counters.c; null if nothing is counted
  char *arena;
  int64_t arena_bytes, arena_reserved;
  _Atomic int64_t *_Atomic spans; // spans.c; null: none are recorded
  int64_t span_capacity;
};
static inline runtime *runtime_of(const trenio_rt *rt) { return (runtime *)(uintptr_t)rt; }

void pool_parallel(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks);
void *pool_scratch(const trenio_rt *rt, int number, int64_t bytes);
// The scratch of the thread that calls.
void *pool_own_scratch(const trenio_rt *rt, int64_t bytes);
// What the communication thread calls first.
void pool_enter_communication(const runtime *r);
// While the executor waits for the communication thread, that one may use the workers.
void pool_lend(pool *p);
void pool_take_back(pool *p);
int pool_start(runtime *r, int workers, const int32_t *cpus);
void pool_stop(runtime *r);

int collective_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op);
int collective_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes);
int collective_in_group(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out);

// counters.c: the same collectives, with the time in them counted.
int counted_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op);
int counted_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes);
int counted_in_group(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out);
void count_time(runtime *r, int word, int64_t nanoseconds);
typedef struct {
  int64_t wall, cpu; // nanoseconds; cpu: of the calling thread, 0 if all ranks are on one host
} instant;
instant instant_now(const runtime *r);
void count_wait(runtime *r, instant since);

// started_collectives.c
int collective_start(const trenio_rt *rt, int32_t ticket, const trenio_collective *x, const void *const *in, void *const *out);
int collective_await(const trenio_rt *rt, int32_t ticket);
// Waits for all that were started, before a collective that is not started but called.
int started_collectives_end(runtime *r);
void started_collectives_stop(runtime *r);
// How long a thread that waits for other ranks may spin: not next to workers that compute.
int64_t wait_spin_ns(const runtime *r, int64_t alone);

// spans.c: what a span is of.
enum { TRENIO_SPAN_STEP = 1, TRENIO_SPAN_CALL = 2, TRENIO_SPAN_WORKER = 3, TRENIO_SPAN_COLLECTIVE = 4 };
void span_add(runtime *r, int32_t kind, int32_t worker, int64_t what, int64_t from, int64_t to);
void span_of_call(const trenio_rt *rt, int32_t call, int64_t from, int64_t to);

// crash.c: the message when a thread of a step crashes.
void crash_watch(runtime *r);
void crash_forget(runtime *r);
void crash_thread_begins(void);

int stream_start(runtime *r);
void stream_stop(runtime *r);
void stream_drain(runtime *r);
