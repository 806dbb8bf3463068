// Philox4x32-10, the counter-based random bits of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (SC 2011). A block of 128 bits is a pure function of a 128-bit counter and a 64-bit key: any element of a
// random tensor can be computed independently, so that results do not depend on the number of threads or ranks.
//
//   key (2 words) ─┐
//   counter (4 words) ──▶ 10 rounds of multiply, split, xor ──▶ 4 words of random bits

const multiplierA = 0xd2511f53;
const multiplierB = 0xcd9e8d57;
const weylA = 0x9e3779b9;
const weylB = 0xbb67ae85;

/**
 * The high 32 bits of the product of two unsigned 32-bit words, from 16-bit halves. Every sum fits in 32 bits, so the
 * whole stays in integer registers: initial parameters are hundreds of millions of these.
 */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const cross = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (cross >>> 16)) | 0;
}

/** One block: counter words c0 (lowest) … c3 and key words k0 (lowest), k1. Writes four words to `out` at `offset`. */
export function philox4x32(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
  out: Uint32Array,
  offset = 0,
): void {
  for (let round = 0; round < 10; round++) {
    const highA = multiplyHigh(c0, multiplierA);
    const lowA = Math.imul(c0, multiplierA);
    const highB = multiplyHigh(c2, multiplierB);
    const lowB = Math.imul(c2, multiplierB);
    c0 = highB ^ c1 ^ k0;
    c1 = lowB;
    c2 = highA ^ c3 ^ k1;
    c3 = lowA;
    k0 = (k0 + weylA) | 0;
    k1 = (k1 + weylB) | 0;
  }
  out[offset] = c0;
  out[offset + 1] = c1;
  out[offset + 2] = c2;
  out[offset + 3] = c3;
}

const mask128 = (1n << 128n) - 1n;

/**
 * `count` words of the stream of a key from a counter on: word 4·i + j is word j of the block of counter + i.
 * `key` has 64 bits, `counter` 128; the counter wraps.
 */
export function philoxWords(key: bigint, counter: bigint, count: number): Uint32Array {
  const blocks = Math.ceil(count / 4);
  const out = new Uint32Array(4 * blocks);
  const [k0, k1] = [Number(key & 0xffffffffn), Number((key >> 32n) & 0xffffffffn)];
  const c = new Uint32Array(4);
  for (let j = 0; j < 4; j++) c[j] = Number((counter >> BigInt(32 * j)) & 0xffffffffn);
  for (let i = 0; i < blocks; i++) {
    philox4x32(c[0]!, c[1]!, c[2]!, c[3]!, k0, k1, out, 4 * i);
    for (let j = 0; j < 4; j++) {
      c[j] = c[j]! + 1;
      if (c[j] !== 0) break;
    }
  }
  return out.subarray(0, count);
}

/** The counter after `count` words have been taken: blocks are never shared between two calls. */
export const philoxAdvance = (counter: bigint, count: number): bigint =>
  (counter + BigInt(Math.ceil(count / 4))) & mask128;
