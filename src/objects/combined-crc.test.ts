import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startChecksum } from './checksums.ts';
import { combinedCrc } from './combined-crc.ts';

test.each(['CRC32', 'CRC32C', 'CRC64NVME'] as const)('%s of random pieces is that of the whole', algorithm => {
  const digest = (bytes: Uint8Array): string => {
    const running = startChecksum(algorithm);
    running.update(bytes);
    return running.digest();
  };
  for (const sizes of [[4, 5], [0, 7], [1], [1000, 1000, 1000, 17], [70_000, 3, 0, 65_536]]) {
    const pieces = sizes.map(size => randomBytes(size));
    const whole = combinedCrc(
      algorithm,
      pieces.map(piece => ({ checksum: digest(piece), size: piece.length })),
    );
    expect(whole).toBe(digest(Buffer.concat(pieces)));
  }
});
