// Small weights share huge pages; other sizes have blocks of their own.
import { expect, test } from 'vitest';
import { tensorType } from '../../hlo/types.ts';
import { CpuBackend } from '../backends/cpu/cpu-backend.ts';
import { Runtime } from '../runtime.ts';
import type { HostBuffer } from './buffer.ts';
import { LastingBlocks, lastingFromBytes } from './lasting-blocks.ts';
import { hugeFromBytes } from './memory.ts';
import { addressOf } from './native-library.ts';

test('small weights are next to each other in huge pages, zero and aligned, and do not overlap', () => {
  const advised: (readonly [bigint, bigint])[] = [];
  const native = { adviseHuge: (start: bigint, size: number) => void advised.push([start, start + BigInt(size)]) };
  const blocks = new LastingBlocks();
  const taken = Array.from({ length: 40 }, (_, i) =>
    blocks.allocate(lastingFromBytes + 12_345 * i, 'a weight', native),
  );
  const ends = taken.map(({ address, bytes }) => address + BigInt(bytes.byteLength));
  taken.forEach(({ address, bytes }, i) => {
    expect(address % 64n).toBe(0n);
    expect(addressOf(bytes.buffer as ArrayBuffer) + BigInt(bytes.byteOffset)).toBe(address);
    expect(bytes.every(byte => byte === 0)).toBe(true);
    bytes.fill(1);
    expect(advised.some(([start, end]) => start <= address && ends[i]! <= end)).toBe(true);
  });
  expect(advised.length).toBe(3);
});

test('large weights and small values have memory of their own', () => {
  const native = { adviseHuge: () => {} };
  const blocks = new LastingBlocks();
  const buffers = [64, lastingFromBytes - 1, hugeFromBytes, 64].map(
    bytes => blocks.allocate(bytes, 'a weight', native).bytes.buffer,
  );
  expect(new Set(buffers).size).toBe(4);
});

test('contents that are declared to last share memory, others do not', () => {
  const runtime = new Runtime();
  const backend = new CpuBackend(runtime);
  const type = tensorType('ui8', [lastingFromBytes]);
  const upload = (value: number, isLasting?: boolean): HostBuffer =>
    backend.upload(type, new Uint8Array(lastingFromBytes).fill(value), isLasting) as HostBuffer;
  const [a, b, c] = [upload(1, true), upload(2, true), upload(3)];
  const zeros = backend.upload(type, { kind: 'zeros' }, true) as HostBuffer;
  expect([a, b, c, zeros].map(buffer => new Set(buffer.copyToHost()))).toEqual([1, 2, 3, 0].map(n => new Set([n])));
  expect([b, c, zeros].map(buffer => buffer.bytes.buffer === a.bytes.buffer)).toEqual([true, false, true]);
  runtime.close();
});
