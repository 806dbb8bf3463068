// The machine's multiply-add peak: what a loop with nothing but independent multiply-adds in registers reaches, on one
// core and on all. Every share of peak in this folder is of this number, measured in the same run.
//
//   node bench/peak.ts
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { hostTarget, type Target } from '../src/compiler/target/target.ts';
import { peakTaskFlops, peakTaskSource, peakTasks } from '../src/runtime/profiling/limits-source.ts';
import { nativeRequest } from '../src/runtime/toolchain/native-sources.ts';

/** A runtime's thread pool with C of one's own beside it, outside any program or device. */
export interface NativeBench {
  readonly library: ReturnType<typeof koffi.load>;
  /**
   * A runtime with so many workers, pinned one a core; this thread, which is to call as worker 0, on the first, unless it is
   * `free` because processes that it starts would be pinned there too.
   */
  open(workers: number, caller?: 'free'): bigint;
  /** Memory like a program's: huge pages, touched. One block: the next call's begins at the same address. */
  arena(runtime: bigint, bytes: number): bigint;
}

/** Compiles the runtime's C and `source` into one library. */
export function compileWithRuntime(source: string, target: Target): NativeBench {
  const directory = mkdtempSync(join(tmpdir(), 'trenio-bench-'));
  const native = join(import.meta.dirname, '../src/runtime/native');
  const file = join(directory, 'bench.c');
  const object = join(directory, 'bench.so');
  writeFileSync(file, `${pinSource}\n#include "trenio_rt.h"\n${source}`);
  // One unit, as the product compiles it; the folder has the files that it includes.
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

/** C of `bench_peak(rt)`: the product's own loops (src/runtime/profiling/limits-source.ts), as tasks of the pool. */
export function peakSource(target: Target): string {
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

/** Nothing but vdpbf16ps: two multiply-adds in each lane; nothing where the processor does not have it. */
function bf16TaskSource(target: Target): string {
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

/** GFLOP/s of one call of `bench_peak`, of f32 or of bf16 (of f32 where it has no instructions of its own). */
export function peakSampler(
  native: NativeBench,
  target: Target,
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

/** Of this thread on a core: what it waited for others to leave the core is not counted. Only for what it does alone. */
export function threadNanoseconds(work: () => void): number {
  const start = threadTime();
  work();
  return Number(threadTime() - start);
}

// process.threadCpuUsage() counts in ticks of some milliseconds.
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
