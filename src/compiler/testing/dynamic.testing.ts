// For tests: compiles a program of unknown sizes with gcc, loads it, and runs it with literals of any sizes that fit. Its
// trenio_rt runs tasks one after another, forwards or backwards. Not the runtime.
import koffi from 'koffi';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import type { Module } from '../../hlo/program.ts';
import { byteSize, dynamicDim } from '../../hlo/types.ts';
import type { CompiledProgram } from '../cpu/c/compiled-program.ts';
import { compilerFlags, compileToC, hostTarget, inputWords, reportLayout, stepErrors } from '../index.ts';
import { objectFor } from './test-objects.testing.ts';

/** Why a program stopped, in the words of its report. */
export class DynamicFailure extends Error {
  readonly failure: number;
  readonly op: string;
  readonly numbers: readonly number[];
  constructor(failure: number, op: string, numbers: readonly number[]) {
    super(`failure ${failure} at ${op}: ${numbers.join(', ')}`);
    this.failure = failure;
    this.op = op;
    this.numbers = numbers;
  }
}

export interface DynamicTestProgram {
  readonly program: CompiledProgram;
  run(args: readonly Literal[], options?: { readonly backwards?: boolean; readonly limit?: number }): Literal[];
}

const arenaBytes = 64 << 20;
const harness = `
#include <stdlib.h>
static int backwards;
static char *test_memory;
static void test_parallel(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks) {
  for (int64_t i = 0; i < tasks; i++) fn(arg, backwards ? tasks - 1 - i : i, (int)(i % rt->workers));
}
static void *test_scratch(const trenio_rt *rt, int worker, int64_t bytes) {
  static char *scratch[3];
  free(scratch[worker]);
  return scratch[worker] = aligned_alloc(64, (bytes + 63) / 64 * 64);
}
static int test_all_reduce(const trenio_rt *rt, void *const *data, const int64_t *counts, int32_t tensors, int dtype, int op) { return 0; }
static char *test_arena(const trenio_rt *rt, int64_t bytes) { return bytes <= ${arenaBytes} ? test_memory : 0; }
int trenio_step(const trenio_rt *rt, void *const *args, char *arena);
int trenio_collect(const trenio_rt *rt, void *const *args, char *arena);
__attribute__((visibility("default"))) int run(int collect, void **args, int order) {
  const trenio_rt rt = {TRENIO_RT_ABI, 3, test_parallel, test_scratch, test_all_reduce, 0, 0, 1, test_arena};
  backwards = order;
  if (!test_memory) test_memory = aligned_alloc(64, ${arenaBytes} + 64);
  if (collect) return trenio_collect(&rt, args, test_memory);
  __builtin_memset(test_memory, 0xff, ${arenaBytes});
  return trenio_step(&rt, args, test_memory);
}
`;

export function compileDynamicForTest(module: Module): DynamicTestProgram {
  const target = hostTarget();
  const program = compileToC(module, target);
  const sources = program.units.map(({ name, source }, i) => ({
    name,
    source: i === 0 ? `${source}${harness}` : source,
  }));
  const library = koffi.load(objectFor(sources, compilerFlags(target)));
  const call = library.func('run', 'int', ['int', 'void **', 'int']) as unknown as Call;
  return { program, run: (args, options = {}) => run(program, call, args, options) };
}

type Call = (collect: number, args: BigInt64Array, order: number) => number;

/** 64-byte aligned memory with a guard behind it. */
function place(bytes: number): { readonly view: Uint8Array; readonly address: bigint } {
  const buffer = new ArrayBuffer(bytes + 256);
  const start = BigInt(koffi.address(buffer));
  const offset = Number(-start & 63n);
  new Uint8Array(buffer).fill(0xa5);
  return { view: new Uint8Array(buffer, offset, bytes), address: start + BigInt(offset) };
}
function checkGuard({ view }: { readonly view: Uint8Array }, what: string): void {
  const behind = new Uint8Array(view.buffer, view.byteOffset + view.byteLength, 64);
  if (behind.some(b => b !== 0xa5)) throw new Error(`${what}: written beyond its end`);
}

function run(
  program: CompiledProgram,
  call: Call,
  literals: readonly Literal[],
  options: { readonly backwards?: boolean; readonly limit?: number },
): Literal[] {
  const dynamic = program.dynamic!;
  const order = options.backwards ? 1 : 0;
  const inputs = literals.map(x => {
    const memory = place(byteSize(x.type));
    memory.view.set(bytesOf(x));
    return memory;
  });
  const report = place(8 * dynamic.reportWords);
  report.view.fill(0);
  const words = new BigInt64Array(report.view.buffer, report.view.byteOffset, dynamic.reportWords);
  words[reportLayout.limit] = BigInt(options.limit ?? arenaBytes);
  const { starts } = inputWords(program.inputTypes);
  literals.forEach(({ type }, i) => {
    type.shape.forEach((size, d) => {
      words[starts[i]! + d] = BigInt(size);
    });
  });
  const outputs = program.outputTypes.map((type, i) => {
    const donated = program.donated[i];
    if (donated !== undefined) return inputs[donated]!;
    const isUnknown = type.shape.includes(dynamicDim);
    return isUnknown ? { ...place(0), address: 0n } : place(byteSize(type));
  });
  const status = call(
    0,
    BigInt64Array.from([...inputs, ...outputs, report], m => m.address),
    order,
  );
  if (status !== 0 && status !== stepErrors.REPORTED) throw new Error(`the step returned ${status}`);
  if (words[reportLayout.failure] !== 0n) {
    const op = dynamic.ops[Number(words[reportLayout.op])]!;
    throw new DynamicFailure(Number(words[0]), op.name, Array.from(words.subarray(2, 5), Number));
  }
  const types = [...program.outputTypes];
  const found = dynamic.results.map(({ output, word }) => {
    const shape = types[output]!.shape.map((_, d) => Number(words[word + 1 + d]));
    const { bounds: _, ...type } = types[output]!;
    types[output] = { ...type, shape };
    outputs[output] = place(byteSize(types[output]!));
    return outputs[output]!;
  });
  call(
    1,
    BigInt64Array.from([report, ...found], m => m.address),
    order,
  );
  [...inputs, ...outputs, report].forEach((memory, i) => {
    checkGuard(memory, `argument ${i}`);
  });
  return types.map((type, i) => literalOfBytes(type, outputs[i]!.view));
}
