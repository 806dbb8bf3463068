// The machine's multiply-add peak: the rate of a loop of independent multiply-adds in registers, on one
// core and on all cores. Every share of peak in this folder refers to this number, measured in the same run.
//
//   node bench/peak.ts
import './help.ts';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { type CpuTarget, hostTarget } from '../src/compiler/cpu/target/target.ts';
import { peakTaskFlops, peakTaskSource, peakTasks } from '../src/runtime/profiling/limits-source.ts';
import { nativeRequest } from '../src/runtime/toolchain/native-sources.ts';

/** The thread pool of a runtime with additional C code, without a program or device. */
export interface NativeBench {
  readonly library: ReturnType<typeof koffi.load>;
  /**
   * A runtime with the given number of workers, pinned one per core. This thread calls as worker 0 and is pinned to the first
   * core, unless it is `free`, because processes that it starts would inherit the affinity.
   */
  open(workers: number, caller?: 'free'): bigint;
  /** Memory like that of a program: huge pages, already touched. There is one block; each call returns the same address. */
  arena(runtime: bigint, bytes: number): bigint;
}

/** Compiles the runtime's C and `source` into one library. */
export function compileWithRuntime(source: string, target: CpuTarget): NativeBench {
  const directory = mkdtempSync(join(tmpdir(), 'trenio-bench-'));
  const native = join(import.meta.dirname, '../src/runtime/native');
  const file = join(directory, 'bench.c');
  const object = join(directory, 'bench.so');
  writeFileSync(file, `${pinSource}\n#include "trenio_rt.h"\n${source}`);
  // One translation unit, compiled as in production; the folder has the included files.
  const runtime = join(directory, 'native.c');
  for (const { source: text } of nativeRequest().units) writeFileSync(runtime, text);
  const flags = [...target.cflags, '-O2', '-D_GNU_SOURCE', '-fPIC', '-shared', '-pthread', `-I${native}`];
  execFileSync('gcc', [...flags, '-o', object, file, runtime, '-ldl', '-lrt', '-lm']);
  const library = koffi.load(object);
  rmSync(directory, { recursive: true });
  const openRuntime = library.func('trenio_open', 'uintptr_t', ['int32_t', 'int32_t *']);
  const arena = library.func('trenio_arena', 'uintptr_t', ['uintptr_t', 'int64_t', 'int64_t']);
  const pin = library.func('bench_pin', 'void', ['int']);
  return {
    library,
    open: (workers, caller) => {
      const runtime = BigInt(
        openRuntime(
          workers,
          Int32Array.from({ length: workers }, (_, i) => i),
        ) as number,
      );
      if (caller !== 'free') pin(0);
      return runtime;
    },
    arena: (rt, bytes) => BigInt(arena(rt, bytes, bytes) as number),
  };
}

const pinSource = `#ifdef __linux__
#include <sched.h>
void bench_pin(int cpu) { cpu_set_t set; CPU_ZERO(&set); CPU_SET(cpu, &set); sched_setaffinity(0, sizeof set, &set); }
#else
void bench_pin(int cpu) { (void)cpu; }
#endif`;

/** C code of `bench_peak(rt)`: the loops of src/runtime/profiling/limits-source.ts, as tasks of the pool. */
export function peakSource(target: CpuTarget): string {
  return `${peakTaskSource(target)}
${bf16TaskSource(target)}
void bench_peak(const trenio_rt *rt) {
  float results[${peakTasks} * 64];
  rt->parallel(rt, peak_f32_task, results, ${peakTasks} * rt->workers);
}
void bench_peak_bf16(const trenio_rt *rt) {
  rt->parallel(rt, bench_bf16_task, 0, ${peakTasks} * rt->workers);
}`;
}

const bf16Rounds = 20_000;
const bf16Chains = 12;

/** Only vdpbf16ps, with two multiply-adds per lane; empty if the CPU does not support it. */
function bf16TaskSource(target: CpuTarget): string {
  const chain = [...Array(bf16Chains).keys()];
  const dots = chain.map(i => `__asm__("vdpbf16ps %1, %1, %0" : "+v"(s${i}) : "v"(x));`).join(' ');
  const body =
    target.bf16 === 'none'
      ? ''
      : `peak_vector x = {0}, ${chain.map(i => `s${i} = {0}`).join(', ')};
  for (int64_t round = 0; round < ${bf16Rounds}; round++) { ${dots} }
  __asm__ volatile("" : : ${chain.map(i => `"v"(s${i})`).join(', ')});`;
  return `static void bench_bf16_task(void *results, int64_t task, int worker) { ${body} }`;
}

/** GFLOP/s of one call of `bench_peak`, in f32 or bf16 (f32 if the CPU has no bf16 instructions). */
export function peakSampler(
  native: NativeBench,
  target: CpuTarget,
  type: 'f32' | 'bf16' = 'f32',
  clock: Clock = nanoseconds,
): (runtime: bigint, workers: number) => number {
  const bf16 = type === 'bf16' && target.bf16 !== 'none';
  const run = native.library.func(bf16 ? 'bench_peak_bf16' : 'bench_peak', 'void', ['uintptr_t']);
  const bf16Flops = 2 * bf16Rounds * bf16Chains * (target.vectorBytes / 2);
  const flops = peakTasks * (bf16 ? bf16Flops : peakTaskFlops(target));
  return (runtime, workers) => (flops * workers) / clock(() => run(runtime));
}

/** Runs the work; nanoseconds. */
export type Clock = (work: () => void) => number;

/** CPU time of this thread, so that waiting for a core does not count. Only for single-threaded work. */
export function threadNanoseconds(work: () => void): number {
  const start = threadTime();
  work();
  return Number(threadTime() - start);
}

// process.threadCpuUsage() has a resolution of some milliseconds.
const clockGettime = koffi.load(null).func('clock_gettime', 'int', ['int', 'int64_t *']);
const threadClock = process.platform === 'linux' ? 3 : 16;
const secondsAndNanoseconds = new BigInt64Array(2);
function threadTime(): bigint {
  clockGettime(threadClock, secondsAndNanoseconds);
  return secondsAndNanoseconds[0]! * 1_000_000_000n + secondsAndNanoseconds[1]!;
}

export function nanoseconds(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

if (import.meta.main) {
  const target = hostTarget();
  const native = compileWithRuntime(peakSource(target), target);
  const sample = peakSampler(native, target);
  for (const workers of new Set([1, availableParallelism()])) {
    const runtime = native.open(workers);
    const samples = Array.from({ length: 21 }, () => sample(runtime, workers));
    const [middle, best] = [median(samples), Math.max(...samples)].map(x => x.toFixed(1));
    console.log(`f32 multiply-add, ${target.isa}, ${workers} threads: median ${middle} best ${best} GFLOP/s`);
  }
}
