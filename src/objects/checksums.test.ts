// Check values of the CRC catalog for "123456789", and a comparison of the tables with a bit-by-bit computation.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ChecksumAlgorithm, startChecksum } from './checksums.ts';

const checksum = (algorithm: ChecksumAlgorithm, ...parts: Uint8Array[]): string => {
  const running = startChecksum(algorithm);
  for (const part of parts) running.update(part);
  return Buffer.from(running.digest(), 'base64').toString('hex');
};

test.each<[ChecksumAlgorithm, string]>([
  ['CRC32', 'cbf43926'],
  ['CRC32C', 'e3069283'],
  ['CRC64NVME', 'ae8b14860a799888'],
  ['SHA1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['SHA256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
])('%s', (algorithm, expected) => {
  expect(checksum(algorithm, Buffer.from('123456789'))).toBe(expected);
});

test('parts of any size give the checksum of the whole', () => {
  const bytes = randomBytes(1000);
  for (const [algorithm, width, polynomial] of [
    ['CRC32C', 32n, 0x82f63b78n],
    ['CRC64NVME', 64n, 0x9a6c9329ac4bc9b5n],
  ] as const) {
    const parts = [bytes.subarray(0, 3), bytes.subarray(3, 20), bytes.subarray(20, 20), bytes.subarray(20)];
    expect(checksum(algorithm, ...parts)).toBe(bitByBit(bytes, width, polynomial));
  }
});

function bitByBit(bytes: Uint8Array, width: bigint, polynomial: bigint): string {
  const ones = (1n << width) - 1n;
  let value = ones;
  for (const byte of bytes) {
    value ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) value = (value >> 1n) ^ (value & 1n ? polynomial : 0n);
  }
  return (value ^ ones).toString(16).padStart(Number(width) / 4, '0');
}
