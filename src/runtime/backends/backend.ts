// What a device must be able to do: the seam at which `cpu`, `interpreter` and, later, PJRT plug-ins are interchangeable.
import type { Module } from '../../hlo/program.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { Content, DeviceBuffer, LoadedProgram } from '../execution/executable.ts';
import type { ProgramProfile } from '../profiling/profile.ts';

export interface Backend {
  readonly name: string;
  compile(module: Module): LoadedProgram;
  /**
   * A fresh buffer with this content: a copy of bytes, zero bytes, or random numbers, which may be drawn as steps are
   * run, later and elsewhere; equal draws give equal numbers on every device.
   */
  upload(type: TensorType, content: Content): DeviceBuffer;
  /** Waits for everything queued. */
  synchronize(): void;
  /** The times of its programs so far, where profiling is enabled. */
  profile?(): readonly ProgramProfile[];
}
