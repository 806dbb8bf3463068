// What a device must be able to do: the seam at which `cpu`, `interpreter` and, later, PJRT plug-ins are interchangeable.
import type { Module } from '../../hlo/program.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { Draw } from '../../numerics/draw.ts';
import type { ProgramProfile } from '../profiling/profile.ts';

/** A tensor's memory on a device. Its bytes may be produced by a step still running: ask `wait()` before reading. */
export interface DeviceBuffer {
  readonly type: TensorType;
  /** Row-major bytes, 64-byte aligned. Read them only after `wait()` or `ready`. */
  readonly bytes: Uint8Array;
  /** False while a step that writes it is queued or running. */
  readonly isReady: boolean;
  /** Blocks until it is ready. Throws what the step threw. */
  wait(): void;
  /** Resolves when it is ready. */
  readonly ready: Promise<void>;
}

export interface Executable {
  /** Types may leave sizes open (`dynamicDim`): the buffers passed and returned have types that say them. */
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** For each output, the input whose memory it takes over (the caller's buffer is then the output), or undefined. */
  readonly donated: readonly (number | undefined)[];
  /**
   * Queues one execution and returns at once. Executions on a device run one after another, in the order queued.
   * A program of unknown sizes is waited for, since what it returns must be known to be given memory.
   * For a donated input the returned output is a new DeviceBuffer over the same memory.
   */
  run(inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[];
}

export interface CompileReport {
  readonly fromCache: boolean;
  readonly compileMs: number;
  /** Bytes of the arena, and of arguments and results. */
  readonly arenaBytes: number;
  readonly kernels: number;
}

/** What a fresh buffer holds. */
export type Content = Uint8Array | { readonly kind: 'zeros' } | Draw;

export interface Backend {
  readonly name: string;
  compile(module: Module): { readonly executable: Executable; readonly report: CompileReport };
  /**
   * A fresh buffer with this content: a copy of bytes, zero bytes, or random numbers, which may be drawn as steps are
   * run, later and elsewhere; equal draws give equal numbers on every device.
   */
  upload(type: TensorType, content: Content): DeviceBuffer;
  /** Waits for everything queued. */
  synchronize(): void;
  /** Of a runtime that is profiled: the times of its programs so far. */
  profile?(): readonly ProgramProfile[];
}
