// What a compiled step may ask of the runtime: threads, scratch memory, collectives. The contract between the C that
// src/compiler emits and src/runtime/native, which implements it. Changing it changes the ABI number; members may be added
// at the end without: programs that do not use them do not declare them. The
// numbers are also in src/compiler/cpu/target/runtime-abi.ts; a test holds the two equal.
#pragma once
#include <stdint.h>
#define TRENIO_RT_ABI 4

// What a step or a collective returns: 0, or one of these; a compiled program's own codes begin at 100.
#define TRENIO_PEER_LOST 1  // another rank, or the launcher, ended
#define TRENIO_DIVERGED 2   // the ranks disagree about which collective comes next
#define TRENIO_NO_MEMORY 3
#define TRENIO_BAD_CALL 4   // a data type or an operation that does not exist
#define TRENIO_OPERATOR_FAILED 5 // a custom operator failed, and reports the reason itself
#define TRENIO_LOOP_LIMIT 6 // a loop took more iterations than max_loop_steps
#define TRENIO_DEADLOCK 7   // ranks wait for each other, or for a message that no rank sends: trenio_reason() names them
#define TRENIO_TIMED_OUT 8  // another rank did not arrive within the timeout; trenio_reason() names it
#define TRENIO_REPORTED 9   // a program for all sizes failed: the reason is in the report that it was given

// Kinds of collectives within a group.
#define TRENIO_ALL_REDUCE 1         // out: the operands, replaced by the combination of all
#define TRENIO_REDUCE_SCATTER 2     // in: a part for each member; out: the combination of the parts for this one
#define TRENIO_ALL_GATHER 3         // out: the operands of all, in the order of the group
#define TRENIO_ALL_TO_ALL 4         // in: a part for each member; out: the part that each has for this one
#define TRENIO_COLLECTIVE_BROADCAST 5 // out: the data of `source`; not written on `source`
#define TRENIO_COLLECTIVE_PERMUTE 6 // `in` goes to `target`; out: the data of `source`; either may be -1, or this rank
#define TRENIO_SEND 7               // `in` goes to `target`, which takes it whenever it comes to it
#define TRENIO_RECV 8               // out: what `source` has sent first of what this rank has not taken yet

#define TRENIO_F32 0
#define TRENIO_F64 1
#define TRENIO_I32 2
#define TRENIO_I64 3
#define TRENIO_BF16 4
#define TRENIO_F16 5

#define TRENIO_ADD 0
#define TRENIO_MULTIPLY 1
#define TRENIO_MAXIMUM 2
#define TRENIO_MINIMUM 3

typedef struct trenio_rt trenio_rt;
// One task of a parallel loop. `worker` is in [0, workers): use it for scratch only, never for what a result is.
typedef void (*trenio_task)(void *arg, int64_t task, int worker);

// One collective within a group of ranks. All ranks of two collectives must come to them in the same order. The kind, the
// channel and the group tell collectives apart.
typedef struct {
  int32_t kind, channel;
  const int32_t *group;  // its ranks: their order is that of additions and of parts
  int32_t members;
  int32_t source, target;
  int32_t dtype, op;     // of reductions, as of all_reduce
  int32_t tensors;       // in one collective
  const int64_t *counts; // of each: the elements of reductions, the bytes of others; where there are parts, of one
} trenio_collective;

struct trenio_rt {
  int32_t abi;
  int32_t workers;
  // Runs fn(arg, 0..tasks-1), tasks claimed dynamically by the workers; returns when all are done. Called within a
  // task it runs the tasks there, one after another.
  void (*parallel)(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks);
  // A worker's private scratch of at least `bytes` (64-byte aligned), valid until its next call for scratch.
  // Never null: out of memory ends the process with a message.
  void *(*scratch)(const trenio_rt *rt, int worker, int64_t bytes);
  // Replaces each of the tensors by its element-wise combination over all ranks, reduced pairwise in rank order,
  // (r0 + r1) + (r2 + r3), on every rank alike, in one collective.
  // dtype: TRENIO_F32 …, op: TRENIO_ADD …. Returns 0, or an error code.
  int (*all_reduce)(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op);
  // Concatenates every rank's `bytes` from `in` into `out`, in rank order.
  int (*all_gather)(const trenio_rt *rt, const void *in, void *out, int64_t bytes);
  int32_t rank;
  int32_t world_size;
  // The temporaries' memory, grown to at least `bytes` where it lies: what a step was given as its arena. Null if there
  // is not that much. For steps that learn what they need as they run; only while nothing else grows it.
  char *(*arena)(const trenio_rt *rt, int64_t bytes);
  // Iterations that one run of a loop may take; 0 for any number.
  int64_t max_loop_steps;
  // For each call of a kernel in the step's code, its run count and its nanoseconds, interleaved; null unless profiled.
  int64_t *profile;
  // Nanoseconds of the monotonic clock.
  int64_t (*now)(void);
  // Costs what the group costs, however many ranks there are. `in` and `out` of a tensor do not overlap; all_reduce has no `in`.
  int (*collective)(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out);
  // Called after each call of a kernel while spans are recorded; null otherwise.
  void (*span)(const trenio_rt *rt, int32_t call, int64_t from, int64_t to);
  // Starts a collective (a reduction or a gathering; of all ranks where `group` is null) that goes on while the step computes. Its
  // memory is left alone until the step has awaited the ticket, which it must before it returns 0. They run in the order in
  // which they are started, and others after them.
  int (*start)(const trenio_rt *rt, int32_t ticket, const trenio_collective *x, const void *const *in, void *const *out);
  // Waits for what was started last with this ticket. Returns the error of the first collective that failed.
  int (*await)(const trenio_rt *rt, int32_t ticket);
};

// The entry of every compiled program. args: the memory of the arguments then of the results, in the function's order
// (a donated result has its argument's address); arena: the planned temporaries. Returns 0, or an error code.
typedef int (*trenio_step)(const trenio_rt *rt, void *const *args, char *arena);
