// For benchmarks of single kernels: compiles a function of tensors to the same program that a user's script would run, for
// this machine, and calls it directly, interleaved with a plain loop that moves the same bytes. Not a device: no
// stream and no cache, so that the time of a call is that of its kernels.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { compile, type Tensor } from 'trenio';
import { type CompiledProgram, type CpuTarget, compilerFlags, compileToC, linkerFlags } from '../src/compiler/index.ts';
import type { Module } from '../src/hlo/index.ts';
import { mainOf, tensorTypeOf } from '../src/hlo/program.ts';
import { byteSize, type ElementType, type TensorType, tensorType } from '../src/hlo/types.ts';
import type { Backend } from '../src/runtime/backends/backend.ts';
import type { DeviceBuffer } from '../src/runtime/execution/executable.ts';
import { doneEvent } from '../src/runtime/execution/executable.ts';
import { Device } from '../src/tensor/device.ts';
import { setDefaultDevice, Tensor as TensorClass } from '../src/tensor/index.ts';
import { idleBuffer } from './idle-buffer.ts';
import { compileWithRuntime, type NativeBench, nanoseconds } from './peak.ts';

/** Never ready, so that index checks do not read its contents. */
const emptyBuffer = (type: TensorType): DeviceBuffer => idleBuffer(type, { isReady: false });

/** A device that runs nothing and collects the programs it is given. */
export class RecordingDevice extends Device {
  readonly programs: Module[];
  constructor() {
    const programs: Module[] = [];
    const backend: Backend = {
      name: 'recording',
      compile(module) {
        const { body, aliases } = mainOf(module);
        programs.push(module);
        const outputTypes = body.results.map(tensorTypeOf);
        const donated = outputTypes.map((_, i) => (aliases.includes(i) ? aliases.indexOf(i) : undefined));
        const inputTypes = body.args.map(tensorTypeOf);
        const run = (): DeviceBuffer[] => outputTypes.map(emptyBuffer);
        const report = { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 };
        return { executable: { inputTypes, outputTypes, donated, run }, report };
      },
      upload: emptyBuffer,
      record: () => doneEvent,
      synchronize: () => {},
    };
    super(backend, { seed: 0, log: () => {} });
    this.programs = programs;
  }
  /** A tensor without contents, used as a program argument. */
  argument(elementType: ElementType, shape: readonly number[], requiresGrad = false): Tensor {
    const type = tensorType(elementType, shape);
    return new TensorClass({
      device: this,
      type,
      op: 'argument',
      buffer: emptyBuffer(type),
      location: undefined,
      requiresGrad,
    });
  }
}

/** The program of a function of tensors. */
export function moduleOfFunction(
  fn: (...inputs: Tensor[]) => Tensor | readonly Tensor[],
  inputs: (device: RecordingDevice) => Tensor[],
): Module {
  const device = new RecordingDevice();
  const args = inputs(device);
  setDefaultDevice(device);
  try {
    // the arguments are captured like parameters, so that gradients flow to them
    compile(() => fn(...args))();
  } finally {
    setDefaultDevice(undefined);
  }
  return device.programs.at(-1)!;
}

/** A program with its memory, called in the same way as by the runtime's executor. */
export interface Step {
  readonly program: CompiledProgram;
  readonly gccMs: number;
  /** Total size of arguments and results; a donated argument is read and written, so it counts twice. */
  readonly bytes: number;
  /** Runs once; nanoseconds. */
  run(runtime: bigint): number;
  /** Runs plain loops over the same memory. */
  runBound(runtime: bigint): number;
}

type Native = (runtime: bigint, args: BigInt64Array, arena: bigint) => number;
type Bound = (runtime: bigint, args: BigInt64Array, table: BigInt64Array, walks: number) => void;

/** Address space for the memory of the largest program; only used pages are allocated. */
const reservedBytes = 2 ** 36;

/** The runtime, with loops that measure the memory bound. */
export class Bench {
  readonly native: NativeBench;
  readonly target: CpuTarget;
  readonly #bound: Bound;
  readonly #arena: (runtime: bigint, bytes: number, reserve: number) => number;
  readonly #runtimes = new Map<number, bigint>();

  constructor(target: CpuTarget) {
    this.target = target;
    this.native = compileWithRuntime(boundSource, target);
    this.#bound = this.native.library.func('bench_bound', 'void', [
      'uintptr_t',
      'int64_t *',
      'int64_t *',
      'int32_t',
    ]) as unknown as Bound;
    this.#arena = this.native.library.func('trenio_arena', 'uintptr_t', ['uintptr_t', 'int64_t', 'int64_t']);
  }
  runtime(workers: number): bigint {
    let runtime = this.#runtimes.get(workers);
    if (runtime === undefined) {
      runtime = this.native.open(workers);
      this.#runtimes.set(workers, runtime);
    }
    return runtime;
  }

  /** Compiles a module and allocates memory with plausible contents. `memoryOf`: the runtime that owns the memory. */
  step(module: Module, memoryOf: bigint, walksIn: (program: CompiledProgram) => readonly Walk[] = walksOf): Step {
    const program = compileToC(module, this.target);
    const start = performance.now();
    const call = this.#load(program);
    const gccMs = performance.now() - start;
    let size = 0;
    const place = (type: TensorType): number => {
      const at = size;
      // offset by a page and a few cache lines, so that equal offsets of two arrays do not map to the same cache set
      size += Math.ceil(byteSize(type) / 4096) * 4096 + 4096 + 320;
      return at;
    };
    const inputs = program.inputTypes.map(place);
    const outputs = program.outputTypes.map((type, i) => {
      const donated = program.donated[i];
      return donated === undefined ? place(type) : inputs[donated]!;
    });
    const arenaAt = Math.ceil(size / 4096) * 4096;
    const base = BigInt(this.#arena(memoryOf, arenaAt + program.arenaBytes + 4096, reservedBytes));
    const memory = new Uint8Array(koffi.view(base, arenaAt) as ArrayBuffer);
    program.inputTypes.forEach((type, i) => {
      fill(memory.subarray(inputs[i]!, inputs[i]! + byteSize(type)), type.elementType);
    });
    const args = BigInt64Array.from([...inputs, ...outputs], at => base + BigInt(at));
    const types = [...program.inputTypes, ...program.outputTypes];
    const walks = walksIn(program);
    const table = tableOf(walks, types.map(byteSize));
    return {
      program,
      gccMs,
      bytes: types.reduce((sum, type) => sum + byteSize(type), 0),
      run: runtime =>
        nanoseconds(() => {
          if (call(runtime, args, base + BigInt(arenaAt)) !== 0) throw new Error('the step failed');
        }),
      runBound: runtime => nanoseconds(() => this.#bound(runtime, args, table, walks.length)),
    };
  }

  #load(program: CompiledProgram): Native {
    const directory = mkdtempSync(join(tmpdir(), 'trenio-bench-'));
    const objects = program.units.map(({ name, source }) => {
      const file = join(directory, `${name}.c`);
      writeFileSync(file, source);
      execFileSync('gcc', [...compilerFlags(this.target), '-c', file, '-o', `${file}.o`]);
      return `${file}.o`;
    });
    const object = join(directory, 'program.so');
    execFileSync('gcc', [...objects, '-o', object, ...linkerFlags]);
    const step = koffi.load(object).func('trenio_step', 'int', ['uintptr_t', 'int64_t *', 'uintptr_t']);
    rmSync(directory, { recursive: true });
    return step as unknown as Native;
  }
}

/** Approximately normal floats, small integers, and random bits for generator states. */
function fill(memory: Uint8Array, type: ElementType): void {
  const block = new ArrayBuffer(1 << 16);
  const float = (i: number): number => Math.sin(i * i) * 2;
  if (type === 'f32') new Float32Array(block).set(Array.from({ length: 1 << 14 }, (_, i) => float(i)));
  else if (type === 'bf16') {
    const wide = new Uint32Array(Float32Array.from({ length: 1 << 15 }, (_, i) => float(i)).buffer);
    new Uint16Array(block).set(wide.map(bits => bits >>> 16));
  } else if (type === 'i32') new Int32Array(block).set(Array.from({ length: 1 << 14 }, (_, i) => (i * 7919) % 30011));
  else if (type === 'ui64')
    new BigUint64Array(block).set(Array.from({ length: 1 << 13 }, (_, i) => BigInt(i + 1) * 0x9e3779b9n));
  const bytes = new Uint8Array(block);
  for (let at = 0; at < memory.length; at += bytes.length)
    memory.set(bytes.subarray(0, Math.min(bytes.length, memory.length - at)), at);
}

/** Arrays of equal size that one loop reads and writes together, as indices into `args`. */
export interface Walk {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}
const most = 4;
/** Smaller arrays take negligible time and are not part of the bound. */
const leastBytes = 1 << 14;

/** Arguments and results of equal size, which a fully fused kernel would process in one loop. */
function walksOf(program: CompiledProgram): Walk[] {
  const walks = new Map<number, { reads: number[]; writes: number[] }[]>();
  const add = (type: TensorType, key: 'reads' | 'writes', i: number): void => {
    const size = byteSize(type);
    if (size < leastBytes) return;
    const list = walks.get(size) ?? [];
    walks.set(size, list);
    let walk = list.find(w => w[key].length < most);
    if (walk === undefined) {
      walk = { reads: [], writes: [] };
      list.push(walk);
    }
    walk[key].push(i);
  };
  for (const [i, type] of program.inputTypes.entries()) add(type, 'reads', i);
  for (const [i, type] of program.outputTypes.entries()) add(type, 'writes', program.inputTypes.length + i);
  return [...walks.values()].flat();
}
const tableOf = (walks: readonly Walk[], sizes: readonly number[]): BigInt64Array =>
  BigInt64Array.from(
    walks.flatMap(({ reads, writes }) => [
      reads.length,
      writes.length,
      sizes[[...reads, ...writes][0]!]!,
      ...Array.from({ length: most }, (_, i) => reads[i] ?? 0),
      ...Array.from({ length: most }, (_, i) => writes[i] ?? 0),
    ]),
    BigInt,
  );

const pairs = Array.from({ length: (most + 1) ** 2 }, (_, i) => [Math.floor(i / (most + 1)), i % (most + 1)] as const);
/**
 * The memory bound: adds the elements of the input arrays at each position and stores the sum to the output arrays, in tasks
 * of 64 KiB of each array. A result that shares memory with an argument is updated in place.
 */
const boundSource = `typedef float bound_vector __attribute__((vector_size(64), aligned(4), may_alias));
typedef struct { char *in[${most}], *out[${most}]; int64_t reads, writes, bytes; } bound_walk;
enum { BOUND_BYTES = 1 << 16 };
#define BOUND_LOOP(R, W) static void bound_##R##_##W(const bound_walk *g, int64_t lo, int64_t hi) { \\
  bound_vector total = {}; \\
  for (int64_t i = lo; i < hi; i += 64) { \\
    bound_vector x = {}; \\
    _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) x += *(const bound_vector *)(g->in[r] + i); \\
    _Pragma("GCC unroll 8") for (int w = 0; w < W; w++) *(bound_vector *)(g->out[w] + i) = x * 0.125f; \\
    total += x; \\
  } \\
  if (W == 0) __asm__ volatile("" : : "v"(total)); }
${pairs.map(([r, w]) => `BOUND_LOOP(${r}, ${w})`).join(' ')}
static void (*const bound_loops[])(const bound_walk *, int64_t, int64_t) = {${pairs.map(([r, w]) => `bound_${r}_${w}`).join(', ')}};
static void bound_task(void *arg, int64_t task, int worker) {
  const bound_walk *const g = arg;
  const int64_t lo = task * BOUND_BYTES, end = lo + BOUND_BYTES, hi = end < g->bytes ? end : g->bytes;
  bound_loops[g->reads * ${most + 1} + g->writes](g, lo, hi);
}
void bench_bound(const trenio_rt *rt, char *const *args, const int64_t *table, int32_t walks) {
  for (const int64_t *row = table; walks > 0; walks--, row += ${3 + 2 * most}) {
    bound_walk g = {.reads = row[0], .writes = row[1], .bytes = row[2] / 64 * 64};
    for (int i = 0; i < ${most}; i++) {
      g.in[i] = args[row[3 + i]];
      g.out[i] = args[row[${3 + most} + i]];
    }
    rt->parallel(rt, bound_task, &g, (g.bytes + BOUND_BYTES - 1) / BOUND_BYTES);
  }
}`;
