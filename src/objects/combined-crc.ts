// The CRC of bytes one after another, from the CRCs of the pieces: shifting a CRC by n zero bytes multiplies it, as a polynomial
// over GF(2), by x^(8n) modulo the CRC's polynomial. Numbers are reflected, as in the CRCs: the highest bit is x^0.
// https://github.com/madler/zlib/blob/master/crc32.c (crc32_combine)
import type { ChecksumAlgorithm } from './checksums.ts';

interface Polynomial {
  readonly bits: bigint;
  readonly value: bigint;
}

const polynomials: Readonly<Partial<Record<ChecksumAlgorithm, Polynomial>>> = {
  CRC32: { bits: 32n, value: 0xedb88320n },
  CRC32C: { bits: 32n, value: 0x82f63b78n },
  CRC64NVME: { bits: 64n, value: 0x9a6c9329ac4bc9b5n },
};

/** Whether the checksum of a whole follows from the checksums of its pieces. */
export const combines = (algorithm: ChecksumAlgorithm): boolean => polynomials[algorithm] !== undefined;

/**
 * The checksum of the pieces one after another, in base64.
 * @example combinedCrc('CRC32', [{ checksum: 'wUF8Gw==', size: 4 }, { checksum: 'jW0XhQ==', size: 5 }])
 */
export function combinedCrc(
  algorithm: ChecksumAlgorithm,
  pieces: readonly { readonly checksum: string; readonly size: number }[],
): string {
  const polynomial = polynomials[algorithm];
  if (polynomial === undefined) throw new TypeError(`${algorithm} cannot be combined`);
  // Parts of an upload have the same size, except for the last.
  const shifts = new Map<number, bigint>();
  let whole = 0n;
  for (const { checksum, size } of pieces) {
    const shift = shifts.get(size) ?? powerOfX(BigInt(size) * 8n, polynomial);
    shifts.set(size, shift);
    whole = multiply(shift, whole, polynomial) ^ BigInt(`0x0${Buffer.from(checksum, 'base64').toString('hex')}`);
  }
  const digits = Number(polynomial.bits / 4n);
  return Buffer.from(whole.toString(16).padStart(digits, '0'), 'hex').toString('base64');
}

function multiply(a: bigint, b: bigint, { bits, value }: Polynomial): bigint {
  let [product, factor] = [0n, b];
  for (let bit = bits - 1n; bit >= 0n; bit--) {
    if ((a >> bit) & 1n) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ value : factor >> 1n;
  }
  return product;
}

function powerOfX(exponent: bigint, polynomial: Polynomial): bigint {
  // x^0, and x^1, which is squared.
  let [result, square] = [1n << (polynomial.bits - 1n), 1n << (polynomial.bits - 2n)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = multiply(square, result, polynomial);
    square = multiply(square, square, polynomial);
  }
  return result;
}
