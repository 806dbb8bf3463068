// For tests: compiles multiplies into a shared object with a small thread pool, and computes reference results.
// Tiles (AMX) are emulated. Not the runtime: its pool starts and ends threads for every parallel loop, so do not use it for
// timing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { bf16ToNumber, toBf16, toTf32 } from '../../../../hlo/element-codec.ts';
import type { GemmElementType, GemmSpec } from '../../../ir/multiply.ts';
import { testCompiler } from '../../../testing/c-compiler.testing.ts';
import type { Tuning } from '../../gemm/gemm-plan.ts';
import { resultTypeOf } from '../../gemm/problem.ts';
import type { CpuTarget } from '../../target/target.ts';
import { scalarType } from './gemm-types.ts';
import { gemmUnit } from './gemm-unit.testing.ts';
import { emulatedTiles } from './tile-kernel.testing.ts';

/** Elements in memory; bf16 and f16 are their bits. */
export type Elements = Float32Array | Float64Array | Uint16Array;
export type Multiply = (workers: number, a: Elements, b: Elements, c: Elements) => void;

export interface TestCase {
  readonly name: string;
  readonly spec: GemmSpec;
  readonly tuning?: Tuning;
  /** The sums go to C through an epilogue, which counts its calls of less than whole rows. */
  readonly epilogue?: 'rows' | 'wholeRows';
}

export function elementsOf(type: GemmElementType, length: number): Elements {
  if (type === 'f64') return new Float64Array(length);
  return type === 'f32' ? new Float32Array(length) : new Uint16Array(length);
}

/** Compiles all cases in one run of the C compiler. */
export function compileMultiplies(cases: readonly TestCase[], target: CpuTarget, text?: string): Map<string, Multiply> {
  const directory = mkdtempSync(join(tmpdir(), 'trenio-gemm-'));
  const source = join(directory, 'unit.c');
  const object = join(directory, 'unit.so');
  const header = join(import.meta.dirname, '../../../../runtime/native');
  const entries = cases.map(({ name, spec }) => {
    const T = scalarType(spec.elementType);
    const C = scalarType(resultTypeOf(spec));
    return `void run_${name}(int workers, const ${T} *a, const ${T} *b, ${C} *c) { test_rt.workers = workers; ${name}(&test_rt, a, b, c); }`;
  });
  const epilogues = cases.flatMap(({ name, spec, epilogue }) => (epilogue ? [epilogueOf(name, spec, epilogue)] : []));
  const multiplies = cases.map(({ epilogue, ...one }) =>
    epilogue ? { ...one, epilogue: { name: `epilogue_${one.name}`, wholeRows: epilogue === 'wholeRows' } } : one,
  );
  const unit = text ?? gemmUnit(multiplies, target);
  const emulation = target.bf16 === 'tiles' ? emulatedTiles : '';
  writeFileSync(source, ['#include "trenio_rt.h"', testRuntime, emulation, ...epilogues, unit, ...entries].join('\n'));
  const flags = [
    ...target.cflags,
    '-O1',
    '-Wall',
    '-Werror',
    '-Wno-unused-function',
    '-Wno-psabi',
    '-fPIC',
    '-shared',
    '-pthread',
  ];
  execFileSync(testCompiler, [...flags, `-I${header}`, '-o', object, source]);
  const library = koffi.load(object);
  rmSync(directory, { recursive: true });
  return new Map(
    cases.map(({ name, spec }) => {
      const pointer = `${scalarType(spec.elementType)} *`;
      const c = `${scalarType(resultTypeOf(spec))} *`;
      return [name, library.func(`run_${name}`, 'void', ['int', pointer, pointer, c]) as unknown as Multiply];
    }),
  );
}

/** An epilogue that stores the sums unchanged; a call that breaks the contract stores nothing. */
function epilogueOf(name: string, spec: GemmSpec, kind: 'rows' | 'wholeRows'): string {
  const S = spec.elementType === 'f64' ? 'double' : 'float';
  const n = spec.c.n === 1 ? spec.n : spec.m;
  const asked = kind === 'wholeRows' ? `count != ${n} || ` : '';
  return `static void epilogue_${name}(void *context, int64_t rows, int64_t count, int64_t offset, int64_t next, const ${S} *sums, int64_t sums_next) {
  if (${asked}((uintptr_t)sums & 63) != 0) return;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < count; j++) ((${S} *)context)[offset + i * next + j] = sums[i * sums_next + j];
}`;
}

/** The numbers of elements, and their form after conversion by the multiply. */
function numbers(s: GemmSpec, x: Elements): ArrayLike<number> {
  if (s.compute === 'tf32') return Array.from(x, toTf32);
  return Array.from(x, numberOf(s.elementType));
}

const half = new Float16Array(1);
const halfBits = new Uint16Array(half.buffer);

/** The representation in memory of an element with this value. */
export function storageOf(type: GemmElementType): (value: number) => number {
  if (type === 'bf16') return toBf16;
  if (type !== 'f16') return value => value;
  return value => {
    half[0] = value;
    return halfBits[0]!;
  };
}

/** The number that an element holds. */
export function numberOf(type: GemmElementType): (stored: number) => number {
  if (type === 'bf16') return bf16ToNumber;
  if (type !== 'f16') return stored => stored;
  return stored => {
    halfBits[0] = stored;
    return half[0]!;
  };
}

/** Elements that an operand of these sizes and strides spans. */
function span(dims: readonly { readonly size: number; readonly stride: number }[]): number {
  return dims.some(d => d.size === 0) ? 0 : 1 + dims.reduce((sum, d) => sum + (d.size - 1) * d.stride, 0);
}

export function operandSpans(s: GemmSpec): { a: number; b: number; c: number } {
  const of = (
    x: 'a' | 'b' | 'c',
    rows: { size: number; stride: number },
    columns: { size: number; stride: number },
  ): number => span([...s.batch.map(d => ({ size: d.size, stride: d[x] })), rows, columns]);
  return {
    a: of('a', { size: s.m, stride: s.a.m }, { size: s.k, stride: s.a.k }),
    b: of('b', { size: s.k, stride: s.b.k }, { size: s.n, stride: s.b.n }),
    c: of('c', { size: s.m, stride: s.c.m }, { size: s.n, stride: s.c.n }),
  };
}

/**
 * The reference in f64, and for each element the magnitude of its terms, which bounds its rounding. Elements of c that are not
 * written keep their values.
 */
export function reference(s: GemmSpec, x: Elements, y: Elements, c: Float64Array, magnitude: Float64Array): void {
  const [a, b] = [numbers(s, x), numbers(s, y)];
  const product = (at: { a: number; b: number; c: number }): void => {
    for (let i = 0; i < s.m; i++) {
      for (let j = 0; j < s.n; j++) {
        let sum = 0;
        let size = 0;
        for (let k = 0; k < s.k; k++) {
          const term = a[at.a + i * s.a.m + k * s.a.k]! * b[at.b + k * s.b.k + j * s.b.n]!;
          sum += term;
          size += Math.abs(term);
        }
        c[at.c + i * s.c.m + j * s.c.n] = sum;
        magnitude[at.c + i * s.c.m + j * s.c.n] = size;
      }
    }
  };
  const over = (depth: number, at: { a: number; b: number; c: number }): void => {
    const d = s.batch[depth];
    if (d === undefined) product(at);
    else for (let i = 0; i < d.size; i++) over(depth + 1, { a: at.a + i * d.a, b: at.b + i * d.b, c: at.c + i * d.c });
  };
  over(0, { a: 0, b: 0, c: 0 });
}

const testRuntime = `
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
typedef struct { const trenio_rt *rt; trenio_task fn; void *arg; int64_t tasks, next; } test_loop;
typedef struct { test_loop *loop; int worker; } test_worker;
static void *test_scratch_of[64];
static void *test_scratch(const trenio_rt *rt, int worker, int64_t bytes) {
  free(test_scratch_of[worker]);
  test_scratch_of[worker] = aligned_alloc(64, (bytes + 127) / 64 * 64);
  return memset(test_scratch_of[worker], 0xff, bytes);  // NaN: reading before writing is detected
}
static void *test_work(void *argument) {
  test_worker *me = argument;
  for (;;) {
    const int64_t task = __atomic_fetch_add(&me->loop->next, 1, __ATOMIC_RELAXED);
    if (task >= me->loop->tasks) return 0;
    me->loop->fn(me->loop->arg, task, me->worker);
  }
}
static void test_parallel(const trenio_rt *rt, trenio_task fn, void *arg, int64_t tasks) {
  if (tasks == 1) return fn(arg, 0, 0);
  test_loop loop = {rt, fn, arg, tasks, 0};
  test_worker workers[64];
  pthread_t threads[64];
  const int count = rt->workers < tasks ? rt->workers : (int)tasks;
  for (int i = 0; i < count; i++) {
    workers[i] = (test_worker){&loop, i};
    pthread_create(&threads[i], 0, test_work, &workers[i]);
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
}
static trenio_rt test_rt = {.abi = TRENIO_RT_ABI, .workers = 1, .parallel = test_parallel, .scratch = test_scratch, .world_size = 1};
`;
