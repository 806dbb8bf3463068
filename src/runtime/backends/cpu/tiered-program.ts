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

/** The first tier: the program's kernels, and where its machine code comes from. */
interface FirstTier {
  readonly kernels: Executable;
  readonly host: TierHost;
  /** The expected time of a run. */
  readonly expectedMs: number;
}
type Tier =
  | ({ readonly kind: 'kernels' } & FirstTier)
  | ({ readonly kind: 'compiling'; readonly pending: PendingProgram } & FirstTier)
  | ({ readonly kind: 'kernels only' } & FirstTier)
  | { readonly kind: 'machine code'; readonly executable: Executable };

export class TieredProgram implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly #name: string;
  readonly #freshBytes: number;
  readonly #onDone: ((nanoseconds: bigint) => void) | undefined;
  #tier: Tier;
  #runs = 0;
  #spentMs = 0;

  constructor(name: string, first: FirstTier) {
    const { inputTypes, outputTypes, donated } = first.kernels;
    this.#name = name;
    this.#tier = { kind: 'kernels', ...first };
    this.inputTypes = inputTypes;
    this.outputTypes = outputTypes;
    this.donated = donated;
    this.#freshBytes = outputTypes.reduce((sum, type, i) => sum + (donated[i] === undefined ? byteSize(type) : 0), 0);
    this.#onDone = observedProgram(name, donated.filter(input => input !== undefined).length);
  }

  run(inputs: readonly DeviceBuffer[], outputTypes?: readonly TensorType[]): readonly DeviceBuffer[] {
    if (this.#tier.kind !== 'machine code') {
      if (this.#tier.host.isRecorded) this.machineCode();
      else this.#advance(this.#tier);
    }
    const tier = this.#tier;
    if (tier.kind === 'machine code') return tier.executable.run(inputs, outputTypes);
    try {
      return this.#runKernels(tier, inputs);
    } catch (error) {
      if (!isTrenioError(error, 'OUT_OF_MEMORY')) throw error;
      return this.machineCode().run(inputs, outputTypes); // needs less: kernels work on copies
    }
  }

  /** Waits for the C compiler if it has to. @throws what compiling throws */
  machineCode(): Executable {
    const tier = this.#tier;
    if (tier.kind === 'machine code') return tier.executable;
    const executable = tier.host.load(tier.kind === 'compiling' ? tier.pending : undefined);
    this.#tier = { kind: 'machine code', executable };
    return executable;
  }

  /** Starts to compile if that is due, and takes over what is compiled. */
  #advance(tier: Exclude<Tier, { kind: 'machine code' }>): void {
    const { kernels, host, expectedMs } = tier;
    const first = { kernels, host, expectedMs };
    try {
      if (tier.kind === 'compiling' && tier.pending.isDone) this.machineCode();
      if (tier.kind === 'kernels' && isWorthCompiling(this.#runs, this.#spentMs, expectedMs)) {
        const pending = host.begin();
        if (pending !== undefined) this.#tier = { kind: 'compiling', pending, ...first };
      }
    } catch (error) {
      if (!isTrenioError(error)) throw error;
      this.#tier = { kind: 'kernels only', ...first };
      host.onFailure(error);
    }
  }

  #runKernels({ kernels, host }: FirstTier, inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    host.settle();
    for (const input of inputs) input.wait(); // throws if the step that should have written it failed
    host.requireMemory(this.#freshBytes, `the results of ${this.#name}`);
    const start = performance.now();
    const outputs = kernels.run(inputs);
    const ms = performance.now() - start;
    this.#runs++;
    this.#spentMs += ms;
    this.#onDone?.(BigInt(Math.round(1e6 * ms)));
    return outputs;
  }
}
