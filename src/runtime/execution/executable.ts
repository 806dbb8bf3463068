// Interfaces of a device's objects: a tensor's memory, the events of its stream, a compiled program. Each backend implements
// them; the implementations for the memory of this process are in buffer.ts and native-program.ts.
import type { TensorType } from '../../hlo/types.ts';
import type { Samples } from '../../numerics/samples.ts';

/** A point in a device's stream: it is done when all work queued before it is done. */
export interface DeviceEvent {
  readonly isDone: boolean;
  /** Blocks until it is done. @throws what the execution threw */
  wait(): void;
  /** Resolves when it is done, rejects with the error that `wait` would throw. */
  whenDone(): Promise<void>;
  /** For one execution that is done: nanoseconds of the monotonic clock. */
  readonly ran?: { readonly from: bigint; readonly to: bigint } | undefined;
}

/** A tensor's memory on a device. Its elements may be produced by a step that is still running. */
export interface DeviceBuffer {
  readonly type: TensorType;
  /** False while a step that writes it is queued or running. */
  readonly isReady: boolean;
  /** Blocks until it is ready. @throws what the step threw */
  wait(): void;
  /** Resolves when it is ready. */
  readonly ready: Promise<void>;
  /** Whether its memory was donated to a program: then it cannot be read or passed any more. */
  readonly isConsumed: boolean;
  /**
   * Waits, then copies the elements, row by row: as many bytes as `into` holds, from byte `from` on; all of them into new
   * memory by default. Returns the copy, which never changes.
   * @throws {BUFFER_CONSUMED}
   * @throws what the step threw
   */
  copyToHost(into?: Uint8Array<ArrayBuffer>, from?: number): Uint8Array<ArrayBuffer>;
  /** The same without blocking while the device works. */
  copyToHostAsync(into?: Uint8Array<ArrayBuffer>, from?: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether it still has the zeros that it was made with. */
  readonly isUntouched?: boolean;
  /** Its memory, for the caller that made it with zeros and fills it before any other use; absent if the host cannot write it. */
  fillable?(): Uint8Array;
  /**
   * Declares that its owner no longer needs it: programs queued from now on may use its memory. Afterwards it counts as consumed.
   */
  release(): void;
}

export interface Executable {
  /** Types may have dynamic sizes (`dynamicDim`): the buffers passed and returned have types with actual sizes. */
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** For each output, the input whose memory it takes over (the caller's buffer is then the output), or undefined. */
  readonly donated: readonly (number | undefined)[];
  /**
   * Queues one execution and returns at once. Executions on a device run one after another, in submission order.
   * Waits for a program of unknown sizes, since the sizes of its results determine their memory, unless the caller knows them:
   * `outputTypes`. For a donated input the returned output is a new DeviceBuffer over the same memory.
   */
  run(inputs: readonly DeviceBuffer[], outputTypes?: readonly TensorType[]): readonly DeviceBuffer[];
}

/** The time that compiling a program took. */
export interface CompileReport {
  /** Whether the program was read from the cache on disk. */
  readonly fromCache: boolean;
  /** The compile time in milliseconds. */
  readonly compileMs: number;
  /** Bytes of the arena, and of arguments and results. */
  readonly arenaBytes: number;
  /** The number of kernels. */
  readonly kernels: number;
  /** Set if it runs from its kernels until it is compiled; their number and the memory are not known then. */
  readonly isFromKernels?: boolean;
}
export interface LoadedProgram {
  readonly executable: Executable;
  readonly report: CompileReport;
}

/** The contents of a new buffer. */
export type Content = Uint8Array | { readonly kind: 'zeros' } | Samples;

/** The event of a device that runs everything at once. */
export const doneEvent: DeviceEvent = { isDone: true, wait: () => {}, whenDone: () => Promise.resolve() };
