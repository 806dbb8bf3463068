// A program in two tiers. Its kernels run in this process until its machine code is there, which takes over between two runs:
// both read and write the same buffers.
//
//   from kernels ──begin──▶ from kernels, while it is compiled ──▶ machine code
//                                     └─ it cannot be compiled ──▶ from kernels, to the end
import { isTrenioError } from '../../../base/errors.ts';
import { byteSize, type TensorType } from '../../../hlo/types.ts';
import type { PendingProgram } from '../../execution/compile-program.ts';
import type { DeviceBuffer, Executable } from '../../execution/executable.ts';
import { observedProgram } from '../../execution/observed-program.ts';
import { isWorthCompiling } from './tier-policy.ts';

/** The device of a program. */
export interface TierHost {
  /** Starts to compile in the background; undefined while another program is compiled. @throws what compiling throws */
  begin(): PendingProgram | undefined;
  /** Compiles, or takes what was compiled in the background, and loads it. @throws what compiling throws */
  load(pending: PendingProgram | undefined): Executable;
  /** Waits for queued steps, so that kernels may write to memory that these read. */
  settle(): void;
  /** @throws {OUT_OF_MEMORY} */
  requireMemory(bytes: number, what: string): void;
  /** Whether times of kernels are recorded, which are those of machine code. */
  readonly isRecorded: boolean;
  readonly onFailure: (error: Error) => void;
}

type Tier =
  | { readonly kind: 'kernels' }
  | { readonly kind: 'compiling'; readonly pending: PendingProgram }
  | { readonly kind: 'kernels only' }
  | { readonly kind: 'machine code'; readonly executable: Executable };

export class TieredProgram implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly #name: string;
  readonly #kernels: Executable;
  readonly #expectedMs: number;
  readonly #host: TierHost;
  readonly #freshBytes: number;
  readonly #onDone: ((nanoseconds: bigint) => void) | undefined;
  #tier: Tier = { kind: 'kernels' };
  #runs = 0;
  #spentMs = 0;

  /** `expectedMs`: the expected time of a run from its kernels. */
  constructor(name: string, kernels: Executable, expectedMs: number, host: TierHost) {
    const { inputTypes, outputTypes, donated } = kernels;
    this.#name = name;
    this.#kernels = kernels;
    this.#expectedMs = expectedMs;
    this.#host = host;
    this.inputTypes = inputTypes;
    this.outputTypes = outputTypes;
    this.donated = donated;
    this.#freshBytes = outputTypes.reduce((sum, type, i) => sum + (donated[i] === undefined ? byteSize(type) : 0), 0);
    this.#onDone = observedProgram(name, donated.filter(input => input !== undefined).length);
  }

  run(inputs: readonly DeviceBuffer[], outputTypes?: readonly TensorType[]): readonly DeviceBuffer[] {
    const compiled = this.#host.isRecorded ? this.machineCode() : this.#compiled();
    return compiled === undefined ? this.#runKernels(inputs) : compiled.run(inputs, outputTypes);
  }

  /** Waits for the C compiler if it has to. @throws what compiling throws */
  machineCode(): Executable {
    if (this.#tier.kind === 'machine code') return this.#tier.executable;
    const executable = this.#host.load(this.#tier.kind === 'compiling' ? this.#tier.pending : undefined);
    this.#tier = { kind: 'machine code', executable };
    return executable;
  }

  /** The machine code if it is there. Starts to compile it if that is due. */
  #compiled(): Executable | undefined {
    try {
      switch (this.#tier.kind) {
        case 'machine code':
          return this.#tier.executable;
        case 'compiling':
          return this.#tier.pending.isDone ? this.machineCode() : undefined;
        case 'kernels': {
          if (!isWorthCompiling(this.#runs, this.#spentMs, this.#expectedMs)) return undefined;
          const pending = this.#host.begin();
          if (pending !== undefined) this.#tier = { kind: 'compiling', pending };
          return undefined;
        }
        case 'kernels only':
          return undefined;
      }
    } catch (error) {
      if (!isTrenioError(error)) throw error;
      this.#tier = { kind: 'kernels only' };
      this.#host.onFailure(error);
      return undefined;
    }
  }

  #runKernels(inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    this.#host.settle();
    for (const input of inputs) input.wait(); // throws if the step that should have written it failed
    this.#host.requireMemory(this.#freshBytes, `the results of ${this.#name}`);
    const start = performance.now();
    const outputs = this.#kernels.run(inputs);
    const ms = performance.now() - start;
    this.#runs++;
    this.#spentMs += ms;
    this.#onDone?.(BigInt(Math.round(1e6 * ms)));
    return outputs;
  }
}
