// Eigenvalues and eigenvectors of a general matrix, in complex numbers. Real and imaginary parts lie in two arrays, and Z is kept
// transposed, so that inner loops run along memory.
//
//   A ─ rotations ─▶ Hessenberg H = Zᴴ·A·Z ─ shifted QR steps ─▶ triangle T ─ substitution ─▶ eigenvectors x of T, Z·x of A
import { hypotenuse, rescale } from './vectors.ts';

const epsilon = 2 ** -52;
const stepsEach = 90;

type Complex = readonly [re: number, im: number];
/** A square complex matrix, row by row. */
interface Matrix {
  readonly n: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}
const matrix = (n: number): Matrix => ({ n, re: new Float64Array(n * n), im: new Float64Array(n * n) });
const minus = (a: Complex, b: Complex): Complex => [a[0] - b[0], a[1] - b[1]];
const times = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const sizeOf = (a: Complex): number => hypotenuse(a[0], a[1]);
const get = ({ n, re, im }: Matrix, i: number, j: number): Complex => [re[i * n + j]!, im[i * n + j]!];
function put({ n, re, im }: Matrix, i: number, j: number, value: Complex): void {
  re[i * n + j] = value[0];
  im[i * n + j] = value[1];
}
function over(a: Complex, b: Complex): Complex {
  const scale = Math.max(Math.abs(b[0]), Math.abs(b[1]));
  const [x, y] = [b[0] / scale, b[1] / scale];
  const square = scale * (x * x + y * y);
  return [(a[0] * x + a[1] * y) / square, (a[1] * x - a[0] * y) / square];
}
function rootOf(a: Complex): Complex {
  const re = Math.sqrt((sizeOf(a) + Math.abs(a[0])) / 2);
  if (re === 0) return [0, 0];
  const im = Math.abs(a[1]) / (2 * re);
  return a[0] >= 0 ? [re, a[1] < 0 ? -im : im] : [im, a[1] < 0 ? -re : re];
}
/** c is real: [[c, s], [-s̄, c]] · [a, b] = [r, 0]. */
function rotationOf(a: Complex, b: Complex): readonly [c: number, re: number, im: number] {
  const [p, q] = [sizeOf(a), sizeOf(b)];
  if (q === 0) return [1, 0, 0];
  if (p === 0) return [0, b[0] / q, -b[1] / q];
  const r = hypotenuse(p, q);
  const s = times([a[0] / p, a[1] / p], [b[0] / r, -b[1] / r]);
  return [p / r, s[0], s[1]];
}
/** x and y, `by` elements apart, become c·x + s·y and c·y - s̄·x. */
function rotate(
  { re, im }: Matrix,
  x: number,
  y: number,
  by: number,
  count: number,
  c: number,
  sr: number,
  si: number,
): void {
  for (let k = 0; k < count; k++) {
    const [i, j] = [x + k * by, y + k * by];
    const [ar, ai, br, bi] = [re[i]!, im[i]!, re[j]!, im[j]!];
    re[i] = c * ar + (sr * br - si * bi);
    im[i] = c * ai + (sr * bi + si * br);
    re[j] = c * br - (sr * ar + si * ai);
    im[j] = c * bi - (sr * ai - si * ar);
  }
}
/** The eigenvalue of the last 2 × 2 block up to row `hi` that is nearer to its corner. */
function shiftOf(h: Matrix, hi: number): Complex {
  const [a, d] = [get(h, hi - 1, hi - 1), get(h, hi, hi)];
  const half: Complex = [(a[0] - d[0]) / 2, (a[1] - d[1]) / 2];
  const product = times(get(h, hi - 1, hi), get(h, hi, hi - 1));
  const square = times(half, half);
  const root = rootOf([square[0] + product[0], square[1] + product[1]]);
  const isPlus = half[0] * root[0] + half[1] * root[1] >= 0;
  const below: Complex = isPlus ? [half[0] + root[0], half[1] + root[1]] : minus(half, root);
  return sizeOf(below) === 0 ? d : minus(d, over(product, below));
}
/** H becomes a triangle, z the transpose of the product of the rotations. False where it does not converge. */
function triangle(h: Matrix, z: Matrix): boolean {
  const { n } = h;
  for (let j = 0; j < n - 2; j++)
    for (let i = n - 1; i > j + 1; i--) {
      const [c, sr, si] = rotationOf(get(h, i - 1, j), get(h, i, j));
      rotate(h, (i - 1) * n + j, i * n + j, 1, n - j, c, sr, si);
      // from the right, by the conjugate of s
      rotate(h, i - 1, i, n, n, c, sr, -si);
      rotate(z, (i - 1) * n, i * n, 1, n, c, sr, -si);
      put(h, i, j, [0, 0]);
    }
  const [cs, srs, sis] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  let steps = 0;
  for (let hi = n - 1; hi > 0; ) {
    let low = hi;
    for (; low > 0; low--) {
      const near = sizeOf(get(h, low, low)) + sizeOf(get(h, low - 1, low - 1));
      if (sizeOf(get(h, low, low - 1)) <= epsilon * (near === 0 ? 1e-300 : near)) break;
    }
    if (low > 0) put(h, low, low - 1, [0, 0]);
    if (low === hi) {
      hi--;
      steps = 0;
      continue;
    }
    if (steps++ > stepsEach) return false;
    // an occasional exceptional shift, because the usual one can cycle
    const shift: Complex = steps % 10 === 0 ? [sizeOf(get(h, hi, hi - 1)) + get(h, hi, hi)[0], 0] : shiftOf(h, hi);
    for (let i = 0; i < n; i++) put(h, i, i, minus(get(h, i, i), shift));
    for (let i = low; i < hi; i++) {
      const [c, sr, si] = rotationOf(get(h, i, i), get(h, i + 1, i));
      rotate(h, i * n + i, (i + 1) * n + i, 1, n - i, c, sr, si);
      cs[i] = c;
      srs[i] = sr;
      sis[i] = si;
    }
    for (let i = low; i < hi; i++) {
      rotate(h, i, i + 1, n, i + 2, cs[i]!, srs[i]!, -sis[i]!);
      rotate(z, i * n, (i + 1) * n, 1, n, cs[i]!, srs[i]!, -sis[i]!);
    }
    for (let i = 0; i < n; i++) put(h, i, i, [get(h, i, i)[0] + shift[0], get(h, i, i)[1] + shift[1]]);
  }
  return true;
}
/** The result, with eigenvectors of length 1 as columns, whose largest entry is real. */
export interface Eigen {
  readonly valueRe: Float64Array;
  readonly valueIm: Float64Array;
  readonly vectorRe: Float64Array;
  readonly vectorIm: Float64Array;
}

/**
 * The eigenvalues and eigenvectors of a matrix [n, n]. NaN if an element is not finite or the algorithm does not converge. The
 * input is overwritten.
 */
export function generalEigen(n: number, re: Float64Array, im: Float64Array, isReal: boolean): Eigen {
  const both = new Float64Array(2 * n * n);
  both.set(re);
  both.set(im, n * n);
  const unit = rescale(both);
  const h: Matrix = { n, re: both.subarray(0, n * n), im: both.subarray(n * n) };
  const z = matrix(n);
  for (let i = 0; i < n; i++) put(z, i, i, [1, 0]);
  const [valueRe, valueIm] = [new Float64Array(n), new Float64Array(n)];
  const found = matrix(n);
  const isFound = !Number.isNaN(unit) && triangle(h, z);
  if (!isFound) {
    for (const part of [valueRe, valueIm, found.re, found.im]) part.fill(Number.NaN);
    return { valueRe, valueIm, vectorRe: found.re, vectorIm: found.im };
  }
  let largest = 0;
  for (let i = 0; i < n; i++) {
    [valueRe[i], valueIm[i]] = get(h, i, i);
    const size = sizeOf(get(h, i, i));
    if (size > largest) largest = size;
  }
  const least = epsilon * (largest === 0 ? 1 : largest);
  for (let k = 0; k < n; k++) eigenvector(h, z, k, least, found);
  if (isReal) pairUp(n, valueRe, valueIm, found, epsilon * n * 10 * (largest === 0 ? 1 : largest));
  for (let i = 0; i < n; i++) {
    valueRe[i] = valueRe[i]! * unit;
    valueIm[i] = valueIm[i]! * unit;
  }
  // rows to columns
  const [vectorRe, vectorIm] = [new Float64Array(n * n), new Float64Array(n * n)];
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      vectorRe[i * n + k] = found.re[k * n + i]!;
      vectorIm[i * n + k] = found.im[k * n + i]!;
    }
  return { valueRe, valueIm, vectorRe, vectorIm };
}
/** Row k of `found`: the eigenvector of value k. */
function eigenvector(h: Matrix, z: Matrix, k: number, least: number, found: Matrix): void {
  const { n } = h;
  const value = get(h, k, k);
  const [xr, xi] = [new Float64Array(n), new Float64Array(n)];
  xr[k] = 1;
  for (let i = k - 1; i >= 0; i--) {
    let [sr, si] = [0, 0];
    for (let j = i + 1; j <= k; j++) {
      const [ar, ai] = [h.re[i * n + j]!, h.im[i * n + j]!];
      sr = sr - (ar * xr[j]! - ai * xi[j]!);
      si = si - (ar * xi[j]! + ai * xr[j]!);
    }
    const gap = minus(get(h, i, i), value);
    const x = over([sr, si], sizeOf(gap) < least ? [least, 0] : gap);
    xr[i] = x[0];
    xi[i] = x[1];
  }
  const at = k * n;
  for (let j = 0; j <= k; j++) {
    const [br, bi] = [xr[j]!, xi[j]!];
    for (let i = 0; i < n; i++) {
      const [ar, ai] = [z.re[j * n + i]!, z.im[j * n + i]!];
      found.re[at + i] = found.re[at + i]! + (ar * br - ai * bi);
      found.im[at + i] = found.im[at + i]! + (ar * bi + ai * br);
    }
  }
  let pivot = 0;
  let length = 0;
  for (let i = 0; i < n; i++) {
    const size = sizeOf(get(found, k, i));
    if (size > sizeOf(get(found, k, pivot))) pivot = i;
    length = hypotenuse(length, size);
  }
  const [pr, pi] = get(found, k, pivot);
  const size = sizeOf([pr, pi]);
  const turn: Complex = [pr / size / length, -pi / size / length];
  for (let i = 0; i < n; i++) put(found, k, i, times(get(found, k, i), turn));
}
/**
 * For real matrices: real eigenvalues get no imaginary part, the others become exact conjugate pairs, the one with the positive
 * part first.
 */
function pairUp(n: number, re: Float64Array, im: Float64Array, found: Matrix, limit: number): void {
  const [oldRe, oldIm] = [re.slice(), im.slice()];
  const old: Matrix = { n, re: found.re.slice(), im: found.im.slice() };
  const isTaken = new Uint8Array(n);
  let next = 0;
  for (let k = 0; k < n; k++) {
    if (isTaken[k] === 1) continue;
    isTaken[k] = 1;
    let partner = -1;
    let nearest = 0;
    if (Math.abs(oldIm[k]!) > limit)
      for (let i = 0; i < n; i++) {
        if (isTaken[i] === 1) continue;
        const gap = hypotenuse(oldRe[i]! - oldRe[k]!, oldIm[i]! + oldIm[k]!);
        if (partner >= 0 && gap >= nearest) continue;
        partner = i;
        nearest = gap;
      }
    const from = partner >= 0 && oldIm[k]! <= 0 ? partner : k;
    re[next] = oldRe[from]!;
    im[next] = partner >= 0 ? oldIm[from]! : 0;
    for (let i = 0; i < n; i++) put(found, next, i, [old.re[from * n + i]!, partner >= 0 ? old.im[from * n + i]! : 0]);
    next++;
    if (partner < 0) continue;
    isTaken[partner] = 1;
    re[next] = re[next - 1]!;
    im[next] = -im[next - 1]!;
    for (let i = 0; i < n; i++) put(found, next, i, [old.re[from * n + i]!, -old.im[from * n + i]!]);
    next++;
  }
}
