// The checksums that S3 clients send and request. SHA and MD5 come from node:crypto, CRC-32 from zlib; the other two are tables
// here, because Node does not have them.
import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const checksumAlgorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** A checksum that is computed as bytes arrive. */
export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** In base64, as in S3. Call it once. */
  digest(): string;
}

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'SHA1':
    case 'SHA256':
      return new HashChecksum(createHash(algorithm.toLowerCase()));
    case 'CRC32':
      return new Crc32();
    case 'CRC32C':
      return new Crc32C();
    case 'CRC64NVME':
      return new Crc64Nvme();
  }
}

class HashChecksum implements RunningChecksum {
  readonly #hash: Hash;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  digest(): string {
    return this.#hash.digest('base64');
  }
}

class Crc32 implements RunningChecksum {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  digest(): string {
    return base64([this.#value]);
  }
}

/** Big-endian words. */
function base64(words: readonly number[]): string {
  const bytes = Buffer.alloc(words.length * 4);
  words.forEach((word, i) => {
    bytes.writeUInt32BE(word >>> 0, i * 4);
  });
  return bytes.toString('base64');
}

// Reflected polynomials. CRC-64 is stored as two halves, because numbers have 53 bits.
const CASTAGNOLI = 0x82f63b78;
const NVME_HIGH = 0x9a6c9329;
const NVME_LOW = 0xac4bc9b5;

/** Eight tables: byte k of a group of eight is looked up in table 7 − k. */
const castagnoliTables = tablesOf(1, CASTAGNOLI, 0).low;
const nvmeTables = tablesOf(2, NVME_LOW, NVME_HIGH);

interface Tables {
  readonly low: readonly Int32Array[];
  readonly high: readonly Int32Array[];
}

function tablesOf(words: 1 | 2, polynomialLow: number, polynomialHigh: number): Tables {
  const low = Array.from({ length: 8 }, () => new Int32Array(256));
  const high = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let [l, h] = [byte, 0];
    for (let bit = 0; bit < 8; bit++) {
      const carry = l & 1;
      l = words === 1 ? l >>> 1 : (l >>> 1) | (h << 31);
      h >>>= 1;
      if (carry) {
        l ^= polynomialLow;
        h ^= polynomialHigh;
      }
    }
    low[0]![byte] = l;
    high[0]![byte] = h;
  }
  for (let k = 1; k < 8; k++) {
    for (let byte = 0; byte < 256; byte++) {
      const [l, h] = [low[k - 1]![byte]!, high[k - 1]![byte]!];
      const index = l & 255;
      low[k]![byte] = (words === 1 ? l >>> 8 : (l >>> 8) | (h << 24)) ^ low[0]![index]!;
      high[k]![byte] = (h >>> 8) ^ high[0]![index]!;
    }
  }
  return { low, high };
}

class Crc32C implements RunningChecksum {
  #value = -1;

  update(bytes: Uint8Array): void {
    const [t0, t1, t2, t3, t4, t5, t6, t7] = castagnoliTables as Tuple8;
    let value = this.#value;
    let i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
      value ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
      value =
        t7[value & 255]! ^
        t6[(value >>> 8) & 255]! ^
        t5[(value >>> 16) & 255]! ^
        t4[value >>> 24]! ^
        t3[bytes[i + 4]!]! ^
        t2[bytes[i + 5]!]! ^
        t1[bytes[i + 6]!]! ^
        t0[bytes[i + 7]!]!;
    }
    for (; i < bytes.length; i++) value = (value >>> 8) ^ t0[(value ^ bytes[i]!) & 255]!;
    this.#value = value;
  }

  digest(): string {
    return base64([~this.#value]);
  }
}

class Crc64Nvme implements RunningChecksum {
  #low = -1;
  #high = -1;

  update(bytes: Uint8Array): void {
    const { low: lows, high: highs } = nvmeTables;
    let [low, high] = [this.#low, this.#high];
    let i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
      const a = low ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
      const b = high ^ (bytes[i + 4]! | (bytes[i + 5]! << 8) | (bytes[i + 6]! << 16) | (bytes[i + 7]! << 24));
      low = fold(lows, a, b);
      high = fold(highs, a, b);
    }
    for (; i < bytes.length; i++) {
      const index = (low ^ bytes[i]!) & 255;
      low = ((low >>> 8) | (high << 24)) ^ lows[0]![index]!;
      high = (high >>> 8) ^ highs[0]![index]!;
    }
    this.#low = low;
    this.#high = high;
  }

  digest(): string {
    return base64([~this.#high, ~this.#low]);
  }
}

type Tuple8 = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

function fold(tables: readonly Int32Array[], a: number, b: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as Tuple8;
  return (
    t7[a & 255]! ^
    t6[(a >>> 8) & 255]! ^
    t5[(a >>> 16) & 255]! ^
    t4[a >>> 24]! ^
    t3[b & 255]! ^
    t2[(b >>> 8) & 255]! ^
    t1[(b >>> 16) & 255]! ^
    t0[b >>> 24]!
  );
}
