// Measures the kernels of calibration programs: each program runs several times through the same compiler and runtime as any
// step does, with profiling enabled. The fastest run of each kernel counts, because other processes only make it slower; this
// slowdown is measured, too.

import { printModule } from '../../compiler/cpu/c/print-module.ts';
import type { KernelWork } from '../../compiler/cpu/counting/kernel-work.ts';
import { workOfStep } from '../../compiler/cpu/counting/step-work.ts';
import type { CpuTarget } from '../../compiler/cpu/target/target.ts';
import type { KernelStep } from '../../compiler/ir/schedule.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { byteSize, isFloat, type TensorType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { rowIndices } from './calibration-programs.ts';

/** One kernel: what it computes and how long it took. */
export interface MeasuredKernel {
  readonly work: readonly KernelWork[];
  /** The seconds of one call. */
  readonly seconds: number;
}
export interface MeasuredProgram {
  readonly kernels: readonly MeasuredKernel[];
  /** The time of the fastest run outside of kernels, from submission to completion. */
  readonly startSeconds: number;
  /** The median run's time in kernels ÷ the sum of the fastest times of each kernel: 1 on an otherwise idle machine. */
  readonly disturbance: number;
}

const leastRuns = 4;
const mostRuns = 40;

/**
 * Runs a module for about `milliseconds`, at least four times. `runtime` must be profiled; kernels with equal C share a count,
 * so the program must not have two of a kind. Throws the errors of compiling.
 */
export function measureProgram(
  runtime: Runtime,
  module: Module,
  target: CpuTarget,
  milliseconds: number,
): MeasuredProgram {
  const backend = runtime.backend('cpu');
  const { executable } = backend.compile(module);
  const plan = printModule(module, target, new Map());
  const works = plan.printed.kernels.map((info, number) => {
    const step = plan.printed.steps[plan.printed.calls.indexOf(number)] as KernelStep;
    const { multiplies, others } = workOfStep(step, info, target.vectorBytes / 4);
    return { name: info.name, work: [...multiplies, ...others] };
  });
  const profiler = runtime.profiler!;
  const { aliases } = mainOf(module);
  let inputs = executable.inputTypes.map((type, i) => fill(backend, type, i));
  const fastest = new Map<string, number>();
  let startSeconds = Number.POSITIVE_INFINITY;
  const runs: number[] = [];
  const callsOf = new Map<string, number>();
  const begin = performance.now();
  for (let run = 0; run < mostRuns && (run < leastRuns + 1 || performance.now() - begin < milliseconds); run++) {
    profiler.reset();
    const from = performance.now();
    const outputs = executable.run(inputs);
    for (const output of outputs) output.wait();
    const seconds = (performance.now() - from) / 1e3;
    inputs = inputs.map((input, i): DeviceBuffer => (aliases[i] === undefined ? input : outputs[aliases[i]]!));
    const profile = profiler.report().find(each => each.program === module.name);
    if (run === 0 || profile === undefined) continue; // touched its memory for the first time
    let inKernels = 0;
    for (const { kernel, calls, nanoseconds } of profile.kernels) {
      inKernels += nanoseconds / 1e9;
      const each = nanoseconds / calls / 1e9;
      fastest.set(kernel.name, Math.min(each, fastest.get(kernel.name) ?? each));
      callsOf.set(kernel.name, calls);
    }
    runs.push(inKernels);
    startSeconds = Math.min(startSeconds, seconds - inKernels);
  }
  const kernels = works.flatMap(({ name, work }) => {
    const seconds = fastest.get(name);
    return seconds === undefined ? [] : [{ work, seconds }];
  });
  const undisturbed = [...fastest].reduce((sum, [name, each]) => sum + each * callsOf.get(name)!, 0);
  const usual = runs.toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? undisturbed;
  return { kernels, startSeconds, disturbance: undisturbed > 0 ? Math.max(1, usual / undisturbed) : 1 };
}

function fill(backend: Backend, type: TensorType, index: number): DeviceBuffer {
  if (type.elementType === 'i32') {
    const indices = rowIndices(type.shape[0]!);
    return backend.upload(type, new Uint8Array(indices.buffer, 0, byteSize(type)));
  }
  if (!isFloat(type.elementType)) return backend.upload(type, new Uint8Array(byteSize(type)).fill(index));
  const numbers = { kind: 'uniform', key: 1n, counter: BigInt(index) << 64n, low: -1, high: 1 } as const;
  return backend.upload(type, numbers);
}
