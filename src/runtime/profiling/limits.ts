// The limits of this machine: multiply-adds and bytes per second, on one thread and on all threads of the runtime. Measured once,
// in about a second, and stored in the cache directory by processor and number of threads.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { hostTarget } from '../../compiler/index.ts';
import { tensorType } from '../../hlo/types.ts';
import { loadProgram, type NativeHost } from '../execution/native-program.ts';
import { processorIdentity } from '../toolchain/c-compiler.ts';
import { mayUseTiles } from '../toolchain/tile-permission.ts';
import { limitsSource, measured } from './limits-source.ts';

/** GFLOP/s (a multiply-add is two) and GB/s (bytes read and written) of some number of threads. */
export interface Rates {
  /** Multiply-adds of f32 in registers. */
  readonly f32: number;
  /** Products of pairs of bf16 summed in f32; undefined if the processor has no such instruction. */
  readonly bf16: number | undefined;
  /** Summing an array larger than the caches. */
  readonly read: number;
  /** Filling an array, past the caches if that is faster. */
  readonly write: number;
  /** Reading one array and writing another, past the caches if that is faster. */
  readonly copy: number;
  /** Changing an array in place. */
  readonly inPlace: number;
}
/** The measured limits of this machine, which kernels are compared with. */
export interface MachineLimits {
  /** The number of threads that were measured. */
  readonly threads: number;
  /** The rates of one thread. */
  readonly one: Rates;
  /** The rates of all threads together. */
  readonly all: Rates;
}

const formatVersion = 2;

/**
 * The limits of this machine with as many threads as the runtime has; measured now if they are not known, or `again`:
 * `onMeasure` is called first, since measuring takes a second or two.
 * If the cache is not writable, they are measured again next time. Throws the errors of compilation.
 */
export function machineLimits(
  host: NativeHost,
  options: { readonly again?: boolean; readonly onMeasure?: () => void } = {},
): MachineLimits {
  const { threads } = host.engine;
  const file = limitsFile(host.cache.directory, threads);
  const known = options.again ? undefined : readLimits(file, threads);
  if (known !== undefined) return known;
  options.onMeasure?.();
  const limits = measureLimits(host);
  keep(file, limits);
  return limits;
}

/** The limits, if they have been measured. */
export const knownLimits = (cacheDirectory: string, threads: number): MachineLimits | undefined =>
  readLimits(limitsFile(cacheDirectory, threads), threads);

function limitsFile(cacheDirectory: string, threads: number): string {
  const identity = JSON.stringify([formatVersion, processorIdentity(), threads, ...(mayUseTiles() ? ['tiles'] : [])]);
  return join(cacheDirectory, `limits-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}.json`);
}

/** Runs the loops now. */
function measureLimits(host: NativeHost): MachineLimits {
  const target = hostTarget(undefined, undefined, mayUseTiles);
  const { executable } = loadProgram(host, {
    name: 'limits of the machine',
    units: [{ name: 'limits.c', source: limitsSource(target) }],
    flags: ['-O2', ...target.cflags],
    entry: 'measure_limits',
    inputTypes: [],
    outputTypes: [tensorType('f64', [2, measured.length])],
    donated: [undefined],
    arenaBytes: 0,
    kernels: 1,
  });
  const [result] = executable.run([]);
  const values = new Float64Array(result!.copyToHost().buffer);
  const ratesAt = (from: number): Rates => {
    const [f32, bf16, read, write, copy, inPlace] = values.subarray(from, from + measured.length);
    return {
      f32: f32!,
      bf16: bf16 === 0 ? undefined : bf16,
      read: read!,
      write: write!,
      copy: copy!,
      inPlace: inPlace!,
    };
  };
  return { threads: host.engine.threads, one: ratesAt(0), all: ratesAt(measured.length) };
}

function readLimits(file: string, threads: number): MachineLimits | undefined {
  try {
    const limits = JSON.parse(readFileSync(file, 'utf8')) as Partial<MachineLimits> | null;
    return limits?.threads === threads && isRates(limits.one) && isRates(limits.all)
      ? { threads, one: limits.one, all: limits.all }
      : undefined;
  } catch {
    return undefined; // not measured yet, or damaged: they are measured again
  }
}
function isRates(rates: Rates | undefined): rates is Rates {
  return measured.every(name => {
    const rate: unknown = rates?.[name];
    return (name === 'bf16' && rate === undefined) || (typeof rate === 'number' && rate > 0);
  });
}

function keep(file: string, limits: MachineLimits): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, `${JSON.stringify(limits)}\n`);
    renameSync(partial, file);
  } catch (error) {
    expectFileError(error);
    // A read-only cache directory is supported: the limits are measured again.
  }
}
