// The discrete Fourier transform of one vector of any length, in f64:  X[k] = Σ over n of x[n] · exp(∓2πi · nk / N)
//
//   N = 2ᵖ     radix 2, in place (Cooley and Tukey)
//   N small    by the definition
//   otherwise  as a convolution of length 2ᵖ ≥ 2N - 1, since nk = (n² + k² - (k - n)²) / 2 (Bluestein)

/** Complex numbers, with real and imaginary parts in separate arrays. */
export interface Vector {
  readonly real: Float64Array;
  readonly imag: Float64Array;
}
export const vectorOf = (length: number): Vector => ({
  real: new Float64Array(length),
  imag: new Float64Array(length),
});

const smallLength = 32;

/** Replaces x by its transform; by the inverse one, 1/N included, where `inverse`. */
export function transform(x: Vector, inverse: boolean): void {
  const n = x.real.length;
  if (n > 1) {
    const sign = inverse ? 1 : -1;
    if ((n & (n - 1)) === 0) radix2(x, sign);
    else if (n <= smallLength) byDefinition(x, sign);
    else bluestein(x, sign);
  }
  if (inverse) {
    for (let i = 0; i < n; i++) {
      x.real[i]! /= n;
      x.imag[i]! /= n;
    }
  }
}

/** exp(2πi · sign · k / n) for k in 0 … count - 1. Angles are reduced first, so that quarter turns are exact. */
function roots(n: number, count: number, sign: number): Vector {
  const out = vectorOf(count);
  for (let k = 0; k < count; k++) {
    const quarter = Math.round((4 * k) / n);
    const angle = (2 * Math.PI * (k - (quarter * n) / 4)) / n;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [re, im] = [
      [c, s],
      [-s, c],
      [-c, -s],
      [s, -c],
    ][quarter % 4] as [number, number];
    out.real[k] = re;
    out.imag[k] = sign * im;
  }
  return out;
}

function byDefinition({ real, imag }: Vector, sign: number): void {
  const n = real.length;
  const w = roots(n, n, sign);
  const [re, im] = [real.slice(), imag.slice()];
  for (let k = 0; k < n; k++) {
    let [a, b] = [0, 0];
    for (let i = 0; i < n; i++) {
      const at = (i * k) % n;
      a += re[i]! * w.real[at]! - im[i]! * w.imag[at]!;
      b += re[i]! * w.imag[at]! + im[i]! * w.real[at]!;
    }
    real[k] = a;
    imag[k] = b;
  }
}

function radix2({ real, imag }: Vector, sign: number): void {
  const n = real.length;
  for (let i = 1, j = 0; i < n; i++) {
    // j is i with its bits reversed.
    let bit = n >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [real[i], real[j]] = [real[j]!, real[i]!];
      [imag[i], imag[j]] = [imag[j]!, imag[i]!];
    }
  }
  const w = roots(n, n >> 1, sign);
  for (let size = 2; size <= n; size <<= 1) {
    const [half, stride] = [size >> 1, n / size];
    for (let start = 0; start < n; start += size) {
      for (let k = 0; k < half; k++) {
        const [p, q] = [start + k, start + k + half];
        const [c, s] = [w.real[k * stride]!, w.imag[k * stride]!];
        const re = real[q]! * c - imag[q]! * s;
        const im = real[q]! * s + imag[q]! * c;
        real[q] = real[p]! - re;
        imag[q] = imag[p]! - im;
        real[p]! += re;
        imag[p]! += im;
      }
    }
  }
}

function bluestein({ real, imag }: Vector, sign: number): void {
  const n = real.length;
  const circle = roots(2 * n, 2 * n, sign);
  // k² mod 2N as exact integers: a large k² would lose the fraction of the angle.
  const square = (k: number): number => Number((BigInt(k) * BigInt(k)) % BigInt(2 * n));
  const length = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const [x, chirp] = [vectorOf(length), vectorOf(length)];
  for (let k = 0; k < n; k++) {
    const [c, s] = [circle.real[square(k)]!, circle.imag[square(k)]!];
    x.real[k] = real[k]! * c - imag[k]! * s;
    x.imag[k] = real[k]! * s + imag[k]! * c;
    chirp.real[k] = c;
    chirp.imag[k] = -s;
    if (k > 0) {
      chirp.real[length - k] = c;
      chirp.imag[length - k] = -s;
    }
  }
  transform(x, false);
  transform(chirp, false);
  for (let i = 0; i < length; i++) {
    const [a, b, c, d] = [x.real[i]!, x.imag[i]!, chirp.real[i]!, chirp.imag[i]!];
    x.real[i] = a * c - b * d;
    x.imag[i] = a * d + b * c;
  }
  transform(x, true);
  for (let k = 0; k < n; k++) {
    const [c, s] = [circle.real[square(k)]!, circle.imag[square(k)]!];
    real[k] = x.real[k]! * c - x.imag[k]! * s;
    imag[k] = x.real[k]! * s + x.imag[k]! * c;
  }
}
