// A buffer without memory, for devices that record programs without running them: its zeros are created when they are read.
import { byteSize, type TensorType } from '../src/hlo/types.ts';
import type { DeviceBuffer } from '../src/runtime/execution/executable.ts';

/** `content`: the data to read instead of zeros. `isReady: false` if contents must not be read. */
export function idleBuffer(
  type: TensorType,
  { content, isReady = true }: { readonly content?: Uint8Array | undefined; readonly isReady?: boolean } = {},
): DeviceBuffer {
  const copyToHost = (into = new Uint8Array(byteSize(type)), from = 0): Uint8Array<ArrayBuffer> => {
    if (content === undefined) into.fill(0);
    else into.set(content.subarray(from, from + into.byteLength));
    return into;
  };
  return {
    type,
    isReady,
    isConsumed: false,
    wait: () => {},
    ready: Promise.resolve(),
    copyToHost,
    release: () => {},
    copyToHostAsync: (into, from) => Promise.resolve(copyToHost(into, from)),
  };
}
