// Measures this machine: runs a few programs through the same compiler and runtime as a training step, and converts their kernel
// times to rates (fit-rates.ts). Takes some seconds, mostly for the C compiler, and only the first time.

import { inheritedVariables, type Variables } from '../../base/environment.ts';
import { hostTarget } from '../../compiler/cpu/target/target.ts';
import type { CpuRates } from '../../hardware/machine.ts';
import type { Module } from '../../hlo/program.ts';
import { Runtime } from '../../runtime/runtime.ts';
import { findCompiler } from '../../runtime/toolchain/c-compiler.ts';
import {
  convolutionProgram,
  copyProgram,
  inPlaceProgram,
  multiplyProgram,
  sweepProgram,
} from './calibration-programs.ts';
import { bandwidthCurve, fitArithmetic, fitMultiplies, meanError } from './fit-rates.ts';
import { kernelSeconds } from './kernel-seconds.ts';
import { type MeasuredKernel, type MeasuredProgram, measureProgram } from './measure.ts';
import { measureProcessMemory, type ProcessMemory } from './process-memory.ts';

export interface Calibration {
  readonly threads: number;
  readonly rates: CpuRates;
  /** Multiply-adds in registers only, FLOP/s: the limit that multiplies are compared with. */
  readonly peakFlops: { readonly f32: number; readonly bf16: number };
  /** Bytes/s, read plus written, of arrays larger than all caches. */
  readonly memoryBandwidth: number;
  /** The mean relative error of the fitted rates over the measured kernels. */
  readonly error: number;
}
export interface CalibrateOptions {
  readonly variables?: Variables;
  /** Called with the next measurement and the progress, from 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}

/** Size of each array in the copy measurement, in bytes. */
const mebibytes = [0.125, 0.5, 1, 2, 4, 8, 16, 32];
/** The number of measurements of each program, spread over time because of load from other processes. */
const rounds = 3;
const milliseconds = 120;

/**
 * Uses the whole machine while it runs.
 * @throws {NO_C_COMPILER}
 * @throws the errors of compiling and launching
 */
export async function calibrate(options: CalibrateOptions = {}): Promise<Calibration> {
  const variables = { ...(options.variables ?? inheritedVariables()), TRENIO_PROFILE: '1', TRENIO_BACKEND: 'cpu' };
  findCompiler(variables); // an error now, not after the first measurement
  const onProgress = options.onProgress ?? (() => {});
  onProgress('memory of a process', 0);
  const memory = await measureProcessMemory(variables);
  const runtime = new Runtime({ variables });
  try {
    return measured(runtime, memory, (what, share) => onProgress(what, 0.1 + 0.9 * share));
  } finally {
    runtime.close();
  }
}

interface Part {
  readonly what: string;
  readonly module: () => Module;
}

function measured(
  runtime: Runtime,
  memory: ProcessMemory,
  onProgress: (what: string, share: number) => void,
): Calibration {
  const target = hostTarget();
  const parts = {
    f32: { what: 'multiplies in f32', module: () => multiplyProgram('f32') },
    bf16: { what: 'multiplies in bf16', module: () => multiplyProgram('bf16') },
    convolutions: { what: 'convolutions', module: convolutionProgram },
    sweeps: { what: 'element operations', module: sweepProgram },
    ...Object.fromEntries(
      mebibytes.flatMap(mib => [
        [`copy ${mib}`, { what: `memory, ${mib} MiB`, module: () => copyProgram(mib * 2 ** 20) }],
        [
          `in place ${mib}`,
          {
            what: `memory, ${mib} MiB`,
            module: () => inPlaceProgram(mib * 2 ** 20),
          },
        ],
      ]),
    ),
  } as Readonly<Record<'f32' | 'bf16' | 'convolutions' | 'sweeps', Part>> & Readonly<Record<string, Part>>;
  const found = new Map<string, MeasuredProgram>();
  const entries = Object.entries(parts);
  for (let round = 0; round < rounds; round++) {
    entries.forEach(([name, { what, module }], i) => {
      onProgress(what, (round * entries.length + i) / (rounds * entries.length));
      found.set(name, faster(found.get(name), measureProgram(runtime, module(), target, milliseconds)));
    });
  }
  onProgress('done', 1);
  const of = (name: string): readonly MeasuredKernel[] => found.get(name)!.kernels;
  const limits = runtime.limits!.all;
  const rates = ratesOf(of, [...found.values()], memory);
  const all = (['f32', 'bf16', 'convolutions', 'sweeps'] as const).flatMap(of);
  return {
    threads: runtime.engine.threads,
    rates,
    peakFlops: { f32: limits.f32 * 1e9, bf16: (limits.bf16 ?? limits.f32) * 1e9 },
    memoryBandwidth: Math.max(limits.copy, limits.inPlace) * 1e9,
    error: meanError(all, kernel => kernelSeconds(kernel.work, rates)),
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

function faster(before: MeasuredProgram | undefined, now: MeasuredProgram): MeasuredProgram {
  if (before === undefined) return now;
  return {
    kernels: now.kernels.map((kernel, i) => ({
      work: kernel.work,
      seconds: Math.min(kernel.seconds, before.kernels[i]!.seconds),
    })),
    startSeconds: Math.min(before.startSeconds, now.startSeconds),
    disturbance: (before.disturbance + now.disturbance) / 2,
  };
}

function ratesOf(
  of: (name: string) => readonly MeasuredKernel[],
  programs: readonly MeasuredProgram[],
  memory: ProcessMemory,
): CpuRates {
  const sweeps = of('sweeps');
  // the smallest kernels do almost no work
  const kernelStart = Math.min(...sweeps.map(kernel => kernel.seconds));
  const curve = (name: string): CpuRates['copy'] =>
    bandwidthCurve(
      mebibytes.flatMap(mib => of(`${name} ${mib}`)),
      kernelStart,
    );
  const rowMoves = (direction: 'gather' | 'scatter'): number => {
    const rates = sweeps.flatMap(({ work, seconds }) =>
      work.flatMap(w =>
        w.kind === 'row-move' && w.direction === direction ? [(w.rows * w.bytesPerRow) / seconds] : [],
      ),
    );
    return Math.max(...rates);
  };
  return {
    multiplies: { f32: fitMultiplies(of('f32'), kernelStart), bf16: fitMultiplies(of('bf16'), kernelStart) },
    convolutions: fitMultiplies(of('convolutions'), kernelStart),
    copy: curve('copy'),
    inPlace: curve('in place'),
    ...fitArithmetic(sweeps, kernelStart),
    gather: rowMoves('gather'),
    scatter: rowMoves('scatter'),
    kernelStart,
    programStart: Math.min(...programs.map(program => program.startSeconds)),
    disturbance: median(programs.map(program => program.disturbance)),
    ...memory,
  };
}
