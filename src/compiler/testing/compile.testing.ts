// For tests: compiles a module, loads it, and calls it with literals. Its trenio_rt runs tasks one after another,
// forwards or backwards, so that a result that depended on their order would show. Not the runtime.
import koffi from 'koffi';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import type { Module } from '../../hlo/program.ts';
import { byteSize, type TensorType } from '../../hlo/types.ts';
import { type CompiledProgram, compilerFlags, compileToC, hostTarget } from '../index.ts';
import { testCompiler } from './c-compiler.testing.ts';
import { objectFor } from './test-objects.testing.ts';

export interface RunOptions {
  /** Runs the tasks of parallel loops last to first, as if many workers had raced. */
  readonly backwards?: boolean;
}
export interface TestProgram {
  readonly program: CompiledProgram;
  run(args: readonly Literal[], options?: RunOptions): Literal[];
}

const harness = `
#include <stdlib.h>
#include <string.h>
static int backwards;
static char *test_scratch[4];
static int64_t test_scratch_size[4];
static void test_parallel(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks) {
  for (int64_t i = 0; i < tasks; i++) fn(arg, backwards ? tasks - 1 - i : i, (int)(i % rt->workers));
}
static void *test_get_scratch(const trenio_rt *rt, int worker, int64_t bytes) {
  if (test_scratch_size[worker] < bytes) {
    free(test_scratch[worker]);
    test_scratch[worker] = aligned_alloc(64, (size_t)((bytes + 63) / 64 * 64));
    test_scratch_size[worker] = bytes;
  }
  return test_scratch[worker];
}
static int test_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) { return 0; }
static int test_all_gather(const trenio_rt *rt, const void *in, void *out, int64_t bytes) { memcpy(out, in, (size_t)bytes); return 0; }
int trenio_step(const trenio_rt *rt, void *const *args, char *arena);
__attribute__((visibility("default"))) int run(unsigned char *memory, int64_t bytes, const int64_t *offsets, int count, int64_t arena_bytes, int order) {
  const trenio_rt rt = {TRENIO_RT_ABI, 3, test_parallel, test_get_scratch, test_all_reduce, test_all_gather, 0, 1};
  char *const copy = aligned_alloc(64, (size_t)((bytes + 127) / 64 * 64));
  char *const arena = aligned_alloc(64, (size_t)((arena_bytes + 127) / 64 * 64));
  void *args[1 << 14];
  memcpy(copy, memory, (size_t)bytes);
  memset(arena, 0xff, (size_t)arena_bytes);
  for (int i = 0; i < count; i++) args[i] = copy + offsets[i];
  backwards = order;
  const int error = trenio_step(&rt, args, arena);
  memcpy(memory, copy, (size_t)bytes);
  free(copy);
  free(arena);
  return error;
}
`;

/** The data that a process sends to itself; there are no others here. */
const ownCollective = `
static void *sent[64];
static unsigned sends, receives;
static int test_collective(const trenio_rt *rt, const trenio_collective *x, const void *const *in, void *const *out) {
  for (int i = 0; i < x->tensors; i++) {
    const size_t bytes = (size_t)x->counts[i];
    // of one process, whose part is the whole
    if (x->kind == 2 && x->dtype == 0) memcpy(out[i], in[i], 4 * bytes);
    else if (x->kind == 7) sent[sends++ % 64] = memcpy(malloc(bytes + 1), in[i], bytes);
    else if (x->kind == 8 && receives < sends) {
      memcpy(out[i], sent[receives % 64], bytes);
      free(sent[receives++ % 64]);
    } else return 4;
  }
  return 0;
}
// The sum of one process is its own data, which is where the sum goes. All else is done at once.
static int test_start(const trenio_rt *rt, int32_t ticket, const trenio_collective *x, const void *const *in, void *const *out) {
  return x->kind == 1 ? 0 : test_collective(rt, x, in, out);
}
static int test_await(const trenio_rt *rt, int32_t ticket) { return 0; }
`;
function harnessFor(header: string): string {
  if (!header.includes('trenio_collective')) return harness;
  const [before, after] = harness.split('int trenio_step(') as [string, string];
  return `${before}${ownCollective}int trenio_step(${after.replace('0, 1};', '0, 1, .collective = test_collective, .start = test_start, .await = test_await};')}`;
}

export function compileForTest(module: Module, target = hostTarget(), compiler = testCompiler): TestProgram {
  const program = compileToC(module, target);
  const [first, ...rest] = program.units;
  const header = first!.source.slice(
    first!.source.indexOf('#include <stdint.h>'),
    first!.source.indexOf('#define T_HIDDEN'),
  );
  const sources = [{ name: 'harness', source: `${header}${harnessFor(header)}` }, first!, ...rest];
  const object = objectFor(sources, compilerFlags(target), compiler);
  const run = koffi.load(object).func('run', 'int', ['uint8_t *', 'int64_t', 'int64_t *', 'int', 'int64_t', 'int']);
  return { program, run: (args, options = {}) => call(program, run as unknown as Run, args, options) };
}

type Run = (
  memory: Uint8Array,
  bytes: bigint,
  offsets: BigInt64Array,
  count: number,
  arena: bigint,
  order: number,
) => number;

function call(program: CompiledProgram, run: Run, args: readonly Literal[], options: RunOptions): Literal[] {
  let bytes = 0;
  const place = (type: TensorType): number => {
    const at = bytes;
    bytes += Math.ceil((byteSize(type) + 1) / 64) * 64;
    return at;
  };
  const inputs = program.inputTypes.map(place);
  const outputs = program.outputTypes.map((t, i) => {
    const donated = program.donated[i];
    return donated === undefined ? place(t) : inputs[donated]!;
  });
  const memory = new Uint8Array(bytes + 64).fill(0xa5);
  args.forEach((a, i) => {
    memory.set(bytesOf(a), inputs[i]!);
  });
  const offsets = BigInt64Array.from([...inputs, ...outputs], BigInt);
  const error = run(
    memory,
    BigInt(bytes),
    offsets,
    offsets.length,
    BigInt(program.arenaBytes),
    options.backwards ? 1 : 0,
  );
  if (error !== 0) throw new Error(`the step returned ${error}`);
  return program.outputTypes.map((t, i) => literalOfBytes(t, memory.slice(outputs[i]!, outputs[i]! + byteSize(t))));
}
