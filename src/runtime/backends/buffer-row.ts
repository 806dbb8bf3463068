// A row of a buffer as a buffer of its own: copied when it is first read or passed to a program.
import { byteSize, type TensorType } from '../../hlo/types.ts';
import { HostBuffer } from '../execution/buffer.ts';
import type { DeviceBuffer } from '../execution/executable.ts';

/** Row `index` along the first dim, with the type of a row. */
export function bufferRow(stack: DeviceBuffer, type: TensorType, index: number): DeviceBuffer {
  const bytes = byteSize(type);
  const make = (): HostBuffer => HostBuffer.copyOf(type, stack.copyToHost(new Uint8Array(bytes), index * bytes));
  return HostBuffer.later(type, make, stack);
}
