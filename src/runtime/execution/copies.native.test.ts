// Copied bytes match the buffers at any alignment, and adjacent bytes are unchanged.
import { expect, test } from 'vitest';
import { tensorType } from '../../hlo/types.ts';
import { Runtime } from '../runtime.ts';
import { HostBuffer } from './buffer.ts';
import { type BufferCopy, copyBuffers } from './copies.ts';
import { addressOf } from './native-library.ts';

test('copies parts of buffers of any size at any address', () => {
  const runtime = new Runtime();
  const { engine } = runtime;
  const sizes = [0, 1, 15, 16, 63, 64, 65, 200, 4099, (1 << 20) - 1, 1 << 20, (3 << 20) + 5];
  const into = new Uint8Array(sizes.reduce((sum, bytes) => sum + bytes + 7, 0)).fill(9);
  const expected = into.slice();
  const copies: BufferCopy[] = [];
  let at = 3;
  sizes.forEach((bytes, i) => {
    const from = (5 * i) % 11;
    const content = Uint8Array.from({ length: from + bytes + 2 }, (_, k) => (k * 31 + i) % 251);
    const buffer = HostBuffer.copyOf(tensorType('ui8', [content.length]), content);
    copies.push({ buffer, from, bytes, to: addressOf(into.buffer) + BigInt(at) });
    expected.set(content.subarray(from, from + bytes), at);
    at += bytes + (i % 7);
  });
  copyBuffers(engine, copies).wait();
  expect(Buffer.compare(into, expected)).toBe(0);
  copyBuffers(engine, []).wait();
  runtime.close();
});
