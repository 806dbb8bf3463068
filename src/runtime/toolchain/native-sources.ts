// The C sources of Trenio (native/*): those of the runtime, and the headers that programs and operators include.
// The bindings are in execution/native-library.ts.
import { readFileSync } from 'node:fs';
import { arithmeticFlags, hostFlag } from './c-compiler.ts';
import type { CompileRequest, SourceFile } from './compile-request.ts';

/** Compiled as one unit, because they are short and headers are a large part of the C compiler's input. */
const sourceNames = [
  'pool.c',
  'stream.c',
  'spans.c',
  'shared.c',
  'waiting.c',
  'messages.c',
  'combine.c',
  'network.c',
  'host_reduce.c',
  'hmac.c',
  'tcp.c',
  'mpi.c',
  'collectives.c',
  'host_collectives.c',
  'group_collectives.c',
  'counters.c',
  'started_collectives.c',
  'crash.c',
  'runtime.c',
  'samples.c',
  'copies.c',
];
const headerNames = [
  'trenio_rt.h',
  'trenio_rt_operator.h',
  'platform.h',
  'runtime.h',
  'transport.h',
  'shared.h',
  'network.h',
];

const read = (name: string): SourceFile => ({
  name,
  source: readFileSync(new URL(`../native/${name}`, import.meta.url), 'utf8'),
});
let programHeader: SourceFile | undefined;
/** The headers that every compiled program includes. */
export const programHeaders = (): readonly SourceFile[] => {
  programHeader ??= read('trenio_rt.h');
  return [programHeader];
};

/** The headers that custom operators include. */
export const operatorHeaders = (): readonly SourceFile[] => [
  ...programHeaders(),
  read('trenio_rt_operator.h'),
  read('trenio_operator.h'),
];

/** The source that mpicc compiles if an MPI job has started the ranks. */
export const mpiRequest = (): CompileRequest => ({
  units: [read('mpi_shim.c')],
  headers: [],
  flags: ['-O1', hostFlag],
});

/** The file that includes all sources of the runtime. */
export const nativeUnit = 'native.c';

/** The sources of the runtime. */
export const nativeRequest = (): CompileRequest => ({
  units: [{ name: nativeUnit, source: sourceNames.map(name => `#include "${name}"\n`).join('') }],
  headers: [...headerNames, ...sourceNames].map(read),
  // `omp simd` is a hint about loops, not OpenMP's runtime. More than -O1 takes twice as long to compile, and makes sampling
  // only 7 % faster.
  flags: ['-O1', hostFlag, ...arithmeticFlags, '-fopenmp-simd'],
});
