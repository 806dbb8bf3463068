// The interface of the runtime in emitted programs: the declarations of src/runtime/native/trenio_rt.h, repeated so
// that a program is one self-contained text. A test checks that the two are equal.
import { abiVersion, stepErrors } from '../target/runtime-abi.ts';

const threads = `#include <stdint.h>
#define TRENIO_RT_ABI ${abiVersion}
#define TRENIO_LOOP_LIMIT ${stepErrors.LOOP_LIMIT}

typedef struct trenio_rt trenio_rt;
typedef void (*trenio_task)(void *arg, int64_t task, int worker);
`;
const members = `struct trenio_rt {
  int32_t abi;
  int32_t workers;
  void (*parallel)(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks);
  void *(*scratch)(const trenio_rt *rt, int worker, int64_t bytes);
  int (*all_reduce)(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op);
  int (*all_gather)(const trenio_rt *rt, const void *in, void *out, int64_t bytes);
  int32_t rank;
  int32_t world_size;
  char *(*arena)(const trenio_rt *rt, int64_t bytes);
  int64_t max_loop_steps;
  int64_t *profile;
  int64_t (*now)(void);
`;

const span = `  void (*span)(const trenio_rt *rt, int32_t call, int64_t from, int64_t to);
`;

/** For programs without subgroup collectives: without their types. */
export const rtHeader = `${threads}
${members}  void (*collective)(void);
${span}};
`;

/** All declarations. */
export const collectiveHeader = `${threads}
typedef struct {
  int32_t kind, channel;
  const int32_t *group;
  int32_t members;
  int32_t source, target;
  int32_t dtype, op;
  int32_t tensors;
  const int64_t *counts;
} trenio_collective;

${members}  int (*collective)(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out);
${span}  int (*start)(const trenio_rt *rt, int32_t ticket, const trenio_collective *x, const void *const *in, void *const *out);
  int (*await)(const trenio_rt *rt, int32_t ticket);
};
`;

/** The header that the C of a step needs. */
export const headerFor = (step: string): string =>
  /rt->(collective|start)\(/.test(step) ? collectiveHeader : rtHeader;
