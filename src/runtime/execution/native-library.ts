// The runtime's own C (native/*.c) as functions: compiled through the cache at first use, loaded once, never unloaded.
import koffi, { type LibraryHandle } from 'koffi';
import { TrenioError } from '../../base/errors.ts';
import type { CCompiler } from '../toolchain/c-compiler.ts';
import type { CompileCache } from '../toolchain/compile-cache.ts';
import { nativeRequest } from '../toolchain/native-sources.ts';

/** An address in this process. */
export type Address = bigint;

/** The position of a rank among all, and the ranks that share memory with it. */
export interface NetworkPlace {
  readonly rank: number;
  readonly worldSize: number;
  readonly firstLocal: number;
  readonly locals: number;
  /** The number of ranks per host if it is the same for all hosts; else 0. */
  readonly alike: number;
}

/** The functions of native/*.c, which documents them. Times are measured by the monotonic clock. */
export interface NativeLibrary {
  /** Starts the threads; 0n if they cannot be created. */
  open(cpus: Int32Array): Address;
  close(runtime: Address): void;
  submit(runtime: Address, launch: Address): void;
  wait(runtime: Address, launch: Address): void;
  /** `wait` on another thread. */
  waitAsync(runtime: Address, launch: Address): Promise<void>;
  /** 0n if there is not enough memory. */
  arena(runtime: Address, bytes: number, reserve: number): Address;
  adviseHuge(start: Address, bytes: number): void;
  /** Returns memory freed by native code to the system. */
  trim(): void;
  /** Starts accumulating times in words of JavaScript's memory: see native/counters.c. */
  count(runtime: Address, words: Address): void;
  /** Sets the maximum number of loop iterations; 0 for no limit. */
  limitLoops(runtime: Address, steps: number): void;
  /** Starts recording the activity of threads in this memory (native/spans.c); 0n stops it. */
  recordSpans(runtime: Address, words: Address, capacity: number): void;
  /** The address of a library's entry. @throws {LOAD_FAILED} */
  load(path: string, entry: string): Address;
  segmentCreate(
    name: string,
    worldSize: number,
    windowBytes: number,
  ): { readonly address: Address; readonly errno: number };
  segmentMarkDead(segment: Address): void;
  segmentIsDead(segment: Address): boolean;
  segmentClose(segment: Address, name: string): void;
  /** 0, an errno, or -1: not a segment for this rank and world size. */
  segmentAttach(runtime: Address, name: string, rank: number, worldSize: number): number;
  /** The reason for a step's return code, if known: which ranks wait for which, are lost, or have not arrived. */
  reason(runtime: Address, code: number): string;
  /** Sets the time after which a waiting rank ends the run; 0: never. */
  limitWaits(runtime: Address, nanoseconds: number): void;
  /** Sets the name of this host in messages. */
  hostName(runtime: Address, name: string): void;
  /** Opens a socket for ranks of other hosts, on any free port if it is 0. */
  tcpListen(address: string, port: number): { readonly file: number; readonly port: number; readonly errno: number };
  /**
   * Starts MPI through the library that mpiRequest describes. `error` 0: the ranks as MPI counts them, and the name of the MPI.
   */
  mpiOpen(library: string): {
    readonly error: number;
    readonly rank: number;
    readonly worldSize: number;
    readonly name: string;
  };
  /**
   * Joins all other ranks: those of this host through shared memory, which the first of them creates under the name `segment`,
   * others through MPI; `own`: this rank's row of the table. 0, or an error.
   */
  mpiJoin(runtime: Address, rank: number, worldSize: number, own: string, segment: string): number;
  /** Joins the ranks of other hosts. Returns the errno, and the ranks concerned. */
  tcpJoin(
    runtime: Address,
    place: NetworkPlace,
    table: string,
    listener: number,
    secret: string,
    timeoutNs: number,
  ): { readonly errno: number; readonly peers: readonly number[] };
  /** Disables messages about ranks that wait long for others. */
  segmentSilence(runtime: Address): void;
  /** The entries of the collectives as separate steps. */
  readonly allReduceEntry: Address;
  readonly allGatherEntry: Address;
  /** The entry point that samples random numbers: see native/samples.c. */
  readonly samplesEntry: Address;
  /** The entry point that copies memory: see native/copies.c. */
  readonly copyEntry: Address;
  /** The entry point that commits memory to an address range. */
  readonly populateEntry: Address;
}

/** Compiles (or finds in the cache) and loads the runtime. Throws the errors of the cache, and LOAD_FAILED. */
export function loadNativeLibrary(cache: CompileCache, compiler: CCompiler): NativeLibrary {
  const { path } = cache.obtain(nativeRequest(), compiler);
  try {
    return bind(koffi.load(path));
  } catch (error) {
    throw new TrenioError('LOAD_FAILED', { file: path, reason: String(error) }, { cause: error });
  }
}

const pointer = (value: unknown): Address => BigInt((value as bigint | number | null) ?? 0);

function bind(library: LibraryHandle): NativeLibrary {
  const f = (prototype: string) => library.func(prototype);
  const open = f('void *trenio_open(int32_t workers, void *cpus)');
  const wait = f('void trenio_wait(void *runtime, void *launch)');
  const arena = f('void *trenio_arena(void *runtime, int64_t bytes, int64_t reserve)');
  const load = f('void *trenio_load(str path, str entry, void *why, int32_t bytes)');
  const create = f('void *trenio_segment_create(str name, int32_t worldSize, int64_t windowBytes, void *error)');
  const listen = f('int32_t trenio_tcp_listen(str address, int32_t port, void *bound)');
  const join = f(
    'int32_t trenio_tcp_join(void *runtime, int32_t rank, int32_t worldSize, int32_t firstLocal, int32_t locals, int32_t alike, str table, int32_t listener, str secret, int64_t timeoutNs, void *with)',
  );
  const mpiOpen = f('int32_t trenio_mpi_open(str library, void *rank, void *worldSize, void *name, int32_t bytes)');
  const isDead = f('int32_t trenio_segment_is_dead(void *segment)');
  return {
    open: cpus => pointer(open(cpus.length, cpus)),
    close: f('void trenio_close(void *runtime)'),
    submit: f('void trenio_submit(void *runtime, void *launch)'),
    wait,
    waitAsync: (runtime, launch) =>
      new Promise((resolve, reject) => {
        wait.async(runtime, launch, (error: unknown) => (error ? reject(error) : resolve()));
      }),
    arena: (runtime, bytes, reserve) => pointer(arena(runtime, bytes, reserve)),
    limitLoops: f('void trenio_limit_loops(void *runtime, int64_t steps)'),
    count: f('void trenio_count(void *runtime, intptr_t words)'),
    recordSpans: f('void trenio_record_spans(void *runtime, void *words, int64_t capacity)'),
    adviseHuge: f('void trenio_advise_huge(void *start, int64_t bytes)'),
    trim: f('void trenio_trim(void)'),
    load: (path, entry) => {
      const why = new Uint8Array(1024);
      const address = pointer(load(path, entry, why, why.length));
      if (address !== 0n) return address;
      throw new TrenioError('LOAD_FAILED', {
        file: path,
        reason: new TextDecoder().decode(why.subarray(0, why.indexOf(0))),
      });
    },
    segmentCreate: (name, worldSize, windowBytes) => {
      const errno = new Int32Array(1);
      const address = pointer(create(name, worldSize, windowBytes, errno));
      return { address, errno: errno[0]! };
    },
    segmentMarkDead: f('void trenio_segment_mark_dead(void *segment)'),
    segmentIsDead: segment => isDead(segment) !== 0,
    segmentClose: f('void trenio_segment_close(void *segment, str name)'),
    segmentAttach: f('int32_t trenio_segment_attach(void *runtime, str name, int32_t rank, int32_t worldSize)'),
    segmentSilence: f('void trenio_segment_silence(void *runtime)'),
    reason: f('str trenio_reason(void *runtime, int32_t code)'),
    limitWaits: f('void trenio_limit_waits(void *runtime, int64_t nanoseconds)'),
    hostName: f('void trenio_host_name(void *runtime, str name)'),
    mpiOpen: library => {
      const [rank, size, name] = [new Int32Array(1), new Int32Array(1), new Uint8Array(512)];
      const error = mpiOpen(library, rank, size, name, name.length);
      const text = new TextDecoder().decode(name.subarray(0, name.indexOf(0)));
      return { error, rank: rank[0]!, worldSize: size[0]!, name: text };
    },
    mpiJoin: f('int32_t trenio_mpi_join(void *runtime, int32_t rank, int32_t worldSize, str own, str segment)'),
    tcpListen: (address, port) => {
      const bound = new Int32Array(1);
      const file = listen(address, port, bound);
      return { file, port: bound[0]!, errno: file < 0 ? -file : 0 };
    },
    tcpJoin: (runtime, { rank, worldSize, firstLocal, locals, alike }, table, listener, secret, timeoutNs) => {
      const about = new Int32Array(1 + worldSize);
      const errno = join(
        runtime,
        rank,
        worldSize,
        firstLocal,
        locals,
        alike,
        table,
        listener,
        secret,
        timeoutNs,
        about,
      );
      return { errno, peers: [...about.subarray(1, 1 + about[0]!)] };
    },
    allReduceEntry: pointer(library.symbol('trenio_step_all_reduce')),
    allGatherEntry: pointer(library.symbol('trenio_step_all_gather')),
    samplesEntry: pointer(library.symbol('trenio_step_samples')),
    copyEntry: pointer(library.symbol('trenio_step_copy')),
    populateEntry: pointer(library.symbol('trenio_step_populate')),
  };
}

/** The address of the first byte. The address does not change: V8 does not move array buffers. */
export const addressOf = (memory: ArrayBuffer | SharedArrayBuffer): Address => BigInt(koffi.address(memory));
