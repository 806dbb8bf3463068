// Runs a program several times and measures its kernels, for `trenio hlo explain --profile`.
import { resolve } from 'node:path';
import { type BlockedOptions, whileBlocked } from '../../base/blocked-progress.ts';
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { readNpy } from '../../data/files/npy.ts';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { byteSize, isFloat, type TensorType } from '../../hlo/types.ts';
import { type MachineLimits, machineLimits, type Roofline, Runtime, rooflineOf } from '../../runtime/index.ts';

export interface MeasuredKernel {
  readonly name: string;
  /** In one step. */
  readonly calls: number;
  readonly nanoseconds: number;
  /** The share of the step's time. */
  readonly shareOfStep: number;
  readonly gflopPerSecond: number;
  readonly gbPerSecond: number;
  readonly roofline: Roofline;
}
export interface MeasuredProgram {
  readonly steps: number;
  /** For one step, on average without the first. */
  readonly nanoseconds: number;
  readonly limits: MachineLimits;
  /** Slowest first. */
  readonly kernels: readonly MeasuredKernel[];
}

export interface Measurement {
  /** `.npy` files, one per argument; empty for generated inputs. */
  readonly files: readonly string[];
  readonly cwd: string;
  readonly rounds: number;
  readonly remeasure: boolean;
  readonly environment: Variables;
  /** Where progress is shown. */
  readonly blocking: BlockedOptions;
}

/** @throws {BAD_ARGUMENT} for a wrong number of inputs, and what reading, compiling and running throw */
export async function measureProgram(module: Module, how: Measurement): Promise<MeasuredProgram> {
  const { body } = mainOf(module);
  const types = body.args.map(tensorTypeOf);
  if (how.files.length !== 0 && how.files.length !== types.length) {
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'hlo explain',
      argument: '--input',
      got: `given ${how.files.length} times`,
      expected: `${types.length} times, once for each argument of the program, or not at all`,
    });
  }
  const inputs =
    how.files.length === 0
      ? types.map(madeUp)
      : await Promise.all(types.map(async (type, i) => bytesOf(await readNpy(resolve(how.cwd, how.files[i]!), type))));
  const runtime = new Runtime({ variables: { ...how.environment, TRENIO_PROFILE: '1' } });
  try {
    const backend = whileBlocked('measuring the limits of this machine', how.blocking, () => runtime.backend('cpu'));
    const { executable } = whileBlocked(`compiling ${body.ops.length} ops`, how.blocking, () =>
      backend.compile(module),
    );
    const limits =
      (how.remeasure ? undefined : runtime.limits) ??
      whileBlocked('measuring the limits of this machine', how.blocking, () =>
        machineLimits(runtime, { again: how.remeasure }),
      );
    const upload = (bytes: Uint8Array, i: number) => backend.upload(types[i]!, bytes);
    const buffers = inputs.map(upload);
    // One extra round: the first one touches memory for the first time and is not counted.
    using progress = new TaskProgress(how.blocking);
    for (let round = 0; round <= how.rounds; round++) {
      progress.update({ what: 'running', done: round, total: how.rounds + 1, unit: 'rounds' });
      executable.run(buffers);
      backend.synchronize();
      for (const argument of executable.donated)
        if (argument !== undefined) buffers[argument] = upload(inputs[argument]!, argument);
    }
    const [profile] = runtime.profiler!.report();
    const { steps, nanoseconds, kernels } = profile!;
    return {
      steps,
      nanoseconds: nanoseconds / steps,
      limits,
      kernels: kernels.map(k => ({
        name: k.kernel.name,
        calls: k.calls / steps,
        nanoseconds: k.nanoseconds / steps,
        shareOfStep: k.nanoseconds / nanoseconds,
        gflopPerSecond: (k.kernel.flops * k.calls) / k.nanoseconds,
        gbPerSecond: (k.kernel.bytes * k.calls) / k.nanoseconds,
        roofline: rooflineOf(k.kernel, k.nanoseconds / k.calls, limits.all),
      })),
    };
  } finally {
    runtime.close();
  }
}

/** The generated numbers repeat with this period. */
const period = 4096;

/** Inputs that avoid infinities and out-of-range indices in most programs: floats in [0.25, 1.25), other types 0 and 1. */
function madeUp(type: TensorType): Uint8Array {
  const numbers = Array.from({ length: period }, (_, i) => {
    const bits = Math.imul(i + 1, 0x9e3779b1) >>> 8;
    return isFloat(type.elementType) ? 0.25 + bits / 2 ** 24 : bits & 1;
  });
  const pattern = bytesOf(literal(type.elementType, [period], numbers));
  const bytes = new Uint8Array(byteSize(type));
  for (let from = 0; from < bytes.length; from += pattern.length)
    bytes.set(pattern.subarray(0, bytes.length - from), from);
  return bytes;
}
