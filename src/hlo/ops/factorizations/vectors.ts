// Sums and lengths of the matrix factorizations, in f64. The order of each sum is part of the definition: the compiled kernels
// (compiler/cpu/c/ops/factorizations) add in the same order, so that both give the same bits.

/** Exact scale factors (powers of two). */
const up = 2 ** 500;
const down = 2 ** -500;

/** √(a² + b²) without overflow. */
export function hypotenuse(a: number, b: number): number {
  const [x, y] = [Math.abs(a), Math.abs(b)];
  const big = Math.max(x, y);
  const small = Math.min(x, y);
  if (big === 0) return 0;
  const ratio = small / big;
  return big * Math.sqrt(1 + ratio * ratio);
}

/** The sum of x[at + i] · y[to + i] in eight partial sums. */
export function dot(x: Float64Array, at: number, y: Float64Array, to: number, n: number): number {
  const s = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) s[i & 7] = s[i & 7]! + x[at + i]! * y[to + i]!;
  return s[0]! + s[4]! + (s[2]! + s[6]!) + (s[1]! + s[5]! + (s[3]! + s[7]!));
}
/** y[to + i] += a · x[at + i]. */
export function addScaled(a: number, x: Float64Array, at: number, y: Float64Array, to: number, n: number): void {
  for (let i = 0; i < n; i++) y[to + i] = y[to + i]! + a * x[at + i]!;
}
/** x and y become c·x + s·y and c·y - s·x. */
export function rotate(v: Float64Array, x: number, y: number, n: number, c: number, s: number): void {
  for (let i = 0; i < n; i++) {
    const [p, q] = [v[x + i]!, v[y + i]!];
    v[x + i] = c * p + s * q;
    v[y + i] = c * q - s * p;
  }
}
/**
 * Scales numbers by a power of two, if their squares could overflow or vanish. Returns the factor for the results; NaN if a
 * number is not finite.
 */
export function rescale(x: Float64Array): number {
  let largest = 0;
  for (const value of x) {
    const size = Math.abs(value);
    if (!(size <= Number.MAX_VALUE)) return Number.NaN;
    if (size > largest) largest = size;
  }
  const factor = largest > 2 ** 400 ? down : largest > 0 && largest < 2 ** -400 ? up : 1;
  if (factor === 1) return 1;
  for (let i = 0; i < x.length; i++) x[i] = x[i]! * factor;
  return factor === up ? down : up;
}
