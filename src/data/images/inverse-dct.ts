// The inverse DCT of jpeg-js, which it took from poppler: C. Loeffler, A. Ligtenberg, G. S. Moschytz, "Practical Fast 1-D DCT
// Algorithms with 11 Multiplications", ICASSP 1989. Integers, with the same rounding.

const cos1 = 4017; // cos(pi/16), times 4096
const sin1 = 799;
const cos3 = 3406;
const sin3 = 2276;
const cos6 = 1567;
const sin6 = 3784;
const sqrt2 = 5793;
const sqrt1d2 = 2896;

/** A block in which only the first coefficient is not 0. */
export function fillBlock(first: number, out: Uint8Array, place: number, width: number): void {
  const row = (sqrt2 * first + 512) >> 10;
  const value = toByte((sqrt2 * row + 8192) >> 14);
  for (let y = 0, at = place; y < 8; y++, at += width) out.fill(value, at, at + 8);
}

/** Computes the samples of a block from its coefficients, which it overwrites. */
export function inverseDct(p: Int32Array, out: Uint8Array, place: number, width: number): void {
  for (let row = 0; row < 64; row += 8) {
    const [p1, p2, p3, p4, p5, p6, p7] = [
      p[row + 1]!,
      p[row + 2]!,
      p[row + 3]!,
      p[row + 4]!,
      p[row + 5]!,
      p[row + 6]!,
      p[row + 7]!,
    ];
    if ((p1 | p2 | p3 | p4 | p5 | p6 | p7) === 0) {
      const t = (sqrt2 * p[row]! + 512) >> 10;
      for (let i = row; i < row + 8; i++) p[i] = t;
      continue;
    }
    let v0 = (sqrt2 * p[row]! + 128) >> 8;
    let v1 = (sqrt2 * p4 + 128) >> 8;
    let v2 = p2;
    let v3 = p6;
    let v4 = (sqrt1d2 * (p1 - p7) + 128) >> 8;
    let v7 = (sqrt1d2 * (p1 + p7) + 128) >> 8;
    let v5 = p3 << 4;
    let v6 = p5 << 4;

    let t = (v0 - v1 + 1) >> 1;
    v0 = (v0 + v1 + 1) >> 1;
    v1 = t;
    t = (v2 * sin6 + v3 * cos6 + 128) >> 8;
    v2 = (v2 * cos6 - v3 * sin6 + 128) >> 8;
    v3 = t;
    t = (v4 - v6 + 1) >> 1;
    v4 = (v4 + v6 + 1) >> 1;
    v6 = t;
    t = (v7 + v5 + 1) >> 1;
    v5 = (v7 - v5 + 1) >> 1;
    v7 = t;

    t = (v0 - v3 + 1) >> 1;
    v0 = (v0 + v3 + 1) >> 1;
    v3 = t;
    t = (v1 - v2 + 1) >> 1;
    v1 = (v1 + v2 + 1) >> 1;
    v2 = t;
    t = (v4 * sin3 + v7 * cos3 + 2048) >> 12;
    v4 = (v4 * cos3 - v7 * sin3 + 2048) >> 12;
    v7 = t;
    t = (v5 * sin1 + v6 * cos1 + 2048) >> 12;
    v5 = (v5 * cos1 - v6 * sin1 + 2048) >> 12;
    v6 = t;

    p[row] = v0 + v7;
    p[row + 7] = v0 - v7;
    p[row + 1] = v1 + v6;
    p[row + 6] = v1 - v6;
    p[row + 2] = v2 + v5;
    p[row + 5] = v2 - v5;
    p[row + 3] = v3 + v4;
    p[row + 4] = v3 - v4;
  }
  for (let col = 0; col < 8; col++) {
    const p1 = p[8 + col]!;
    const p2 = p[16 + col]!;
    const p3 = p[24 + col]!;
    const p4 = p[32 + col]!;
    const p5 = p[40 + col]!;
    const p6 = p[48 + col]!;
    const p7 = p[56 + col]!;
    const at = place + col;
    if ((p1 | p2 | p3 | p4 | p5 | p6 | p7) === 0) {
      const value = toByte((sqrt2 * p[col]! + 8192) >> 14);
      for (let y = 0; y < 8; y++) out[at + y * width] = value;
      continue;
    }
    let v0 = (sqrt2 * p[col]! + 2048) >> 12;
    let v1 = (sqrt2 * p4 + 2048) >> 12;
    let v2 = p2;
    let v3 = p6;
    let v4 = (sqrt1d2 * (p1 - p7) + 2048) >> 12;
    let v7 = (sqrt1d2 * (p1 + p7) + 2048) >> 12;
    let v5 = p3;
    let v6 = p5;

    let t = (v0 - v1 + 1) >> 1;
    v0 = (v0 + v1 + 1) >> 1;
    v1 = t;
    t = (v2 * sin6 + v3 * cos6 + 2048) >> 12;
    v2 = (v2 * cos6 - v3 * sin6 + 2048) >> 12;
    v3 = t;
    t = (v4 - v6 + 1) >> 1;
    v4 = (v4 + v6 + 1) >> 1;
    v6 = t;
    t = (v7 + v5 + 1) >> 1;
    v5 = (v7 - v5 + 1) >> 1;
    v7 = t;

    t = (v0 - v3 + 1) >> 1;
    v0 = (v0 + v3 + 1) >> 1;
    v3 = t;
    t = (v1 - v2 + 1) >> 1;
    v1 = (v1 + v2 + 1) >> 1;
    v2 = t;
    t = (v4 * sin3 + v7 * cos3 + 2048) >> 12;
    v4 = (v4 * cos3 - v7 * sin3 + 2048) >> 12;
    v7 = t;
    t = (v5 * sin1 + v6 * cos1 + 2048) >> 12;
    v5 = (v5 * cos1 - v6 * sin1 + 2048) >> 12;
    v6 = t;

    out[at] = toByte(v0 + v7);
    out[at + 7 * width] = toByte(v0 - v7);
    out[at + width] = toByte(v1 + v6);
    out[at + 6 * width] = toByte(v1 - v6);
    out[at + 2 * width] = toByte(v2 + v5);
    out[at + 5 * width] = toByte(v2 - v5);
    out[at + 3 * width] = toByte(v3 + v4);
    out[at + 4 * width] = toByte(v3 - v4);
  }
}

function toByte(value: number): number {
  return Math.min(255, Math.max(0, 128 + ((value + 8) >> 4)));
}
