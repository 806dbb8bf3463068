// Singular values and vectors of a matrix with rows ≥ columns: reflections from both sides make it bidiagonal, then QR steps with
// implicit shifts make it diagonal (Golub and Reinsch, 1970; LINPACK's dsvdc). A, U and V are kept transposed, so that inner
// loops run along memory.
//
//   A ─ reflections ─▶ B = Qᵀ·A·P (s on, e above the diagonal) ─ rotations ─▶ diag(S) = Xᵀ·B·Y,  U = Q·X,  V = P·Y
import { addScaled, dot, hypotenuse, rescale, rotate } from './vectors.ts';

const epsilon = 2 ** -52;
const tiny = 2 ** -966;
const stepsEach = 90;

/**
 * The singular value decomposition of a[n, m], the transpose of a matrix with m ≥ n: descending singular values s[n], left
 * vectors as rows of u[n, m], right vectors as rows of v[n, n]. NaN if an element is not finite. `a` is overwritten.
 */
export function singularValues(
  m: number,
  n: number,
  a: Float64Array,
  u: Float64Array,
  s: Float64Array,
  v: Float64Array,
): void {
  const unit = rescale(a);
  const e = new Float64Array(n);
  if (!Number.isNaN(unit)) bidiagonal(m, n, a, u, s, v, e);
  if (!Number.isNaN(unit) && diagonalized(m, n, u, s, v, e)) {
    for (let k = 0; k < n; k++) s[k] = s[k]! * unit;
    return;
  }
  u.fill(Number.NaN);
  s.fill(Number.NaN);
  v.fill(Number.NaN);
}
/** x[at …] becomes the vector of a reflection that keeps only its first element; returns that element. */
function reflection(x: Float64Array, at: number, n: number): number {
  let length = Math.sqrt(dot(x, at, x, at, n));
  if (length === 0) return 0;
  if (x[at]! < 0) length = -length;
  for (let i = 0; i < n; i++) x[at + i] = x[at + i]! / length;
  x[at] = x[at]! + 1;
  return -length;
}
/** y minus its part along the vector of a reflection x. */
function reflect(x: Float64Array, at: number, y: Float64Array, to: number, n: number): void {
  const t = -dot(x, at, y, to, n) / x[at]!;
  addScaled(t, x, at, y, to, n);
}
function bidiagonal(
  m: number,
  n: number,
  a: Float64Array,
  u: Float64Array,
  s: Float64Array,
  v: Float64Array,
  e: Float64Array,
): void {
  const work = new Float64Array(m);
  const columns = Math.min(m - 1, n);
  const rows = Math.max(n - 2, 0);
  const turns = Math.max(columns, rows);
  for (let k = 0; k < turns; k++) {
    if (k < columns) s[k] = reflection(a, k * m + k, m - k);
    for (let j = k + 1; j < n; j++) {
      if (k < columns && s[k] !== 0) reflect(a, k * m + k, a, j * m + k, m - k);
      e[j] = a[j * m + k]!;
    }
    if (k < columns) for (let i = k; i < m; i++) u[k * m + i] = a[k * m + i]!;
    if (k >= rows) continue;
    e[k] = reflection(e, k + 1, n - k - 1);
    if (e[k] !== 0) {
      const at = k + 1;
      for (let i = at; i < m; i++) work[i] = 0;
      for (let j = at; j < n; j++) addScaled(e[j]!, a, j * m + at, work, at, m - at);
      for (let j = at; j < n; j++) addScaled(-e[j]! / e[at]!, work, at, a, j * m + at, m - at);
    }
    for (let i = k + 1; i < n; i++) v[k * n + i] = e[i]!;
  }
  if (columns < n) s[columns] = a[columns * m + columns]!;
  if (rows + 1 < n) e[rows] = a[(n - 1) * m + rows]!;
  if (n > 0) e[n - 1] = 0;
  for (let j = columns; j < n; j++) {
    for (let i = 0; i < m; i++) u[j * m + i] = 0;
    u[j * m + j] = 1;
  }
  for (let k = columns - 1; k >= 0; k--) {
    const at = k * m;
    if (s[k] !== 0) {
      for (let j = k + 1; j < n; j++) reflect(u, at + k, u, j * m + k, m - k);
      for (let i = k; i < m; i++) u[at + i] = -u[at + i]!;
      u[at + k] = u[at + k]! + 1;
      for (let i = 0; i < k; i++) u[at + i] = 0;
    } else {
      for (let i = 0; i < m; i++) u[at + i] = 0;
      u[at + k] = 1;
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    if (k < rows && e[k] !== 0) {
      const at = k + 1;
      for (let j = at; j < n; j++) reflect(v, k * n + at, v, j * n + at, n - at);
    }
    for (let i = 0; i < n; i++) v[k * n + i] = 0;
    v[k * n + k] = 1;
  }
}
/** False where it does not converge. */
function diagonalized(
  m: number,
  n: number,
  u: Float64Array,
  s: Float64Array,
  v: Float64Array,
  e: Float64Array,
): boolean {
  let p = n;
  let steps = 0;
  while (p > 0) {
    // the block from k to p - 1 is the last that is not diagonal yet
    let k = p - 2;
    for (; k >= 0; k--)
      if (Math.abs(e[k]!) <= tiny + epsilon * (Math.abs(s[k]!) + Math.abs(s[k + 1]!))) {
        e[k] = 0;
        break;
      }
    if (k === p - 2) {
      settle(m, n, p - 1, u, s, v);
      p--;
      steps = 0;
      continue;
    }
    let zero = p - 1;
    for (; zero > k; zero--) {
      const t = Math.abs(e[zero]!) + (zero !== k + 1 ? Math.abs(e[zero - 1]!) : 0);
      if (Math.abs(s[zero]!) <= tiny + epsilon * t) {
        s[zero] = 0;
        break;
      }
    }
    if (zero === k) {
      if (steps++ === stepsEach) return false;
      step(m, n, k + 1, p, u, s, v, e);
    } else if (zero === p - 1) {
      let f = e[p - 2]!;
      e[p - 2] = 0;
      for (let j = p - 2; j > k; j--) {
        const t = hypotenuse(s[j]!, f);
        const c = t === 0 ? 1 : s[j]! / t;
        const d = t === 0 ? 0 : f / t;
        s[j] = t;
        if (j !== k + 1) {
          f = -d * e[j - 1]!;
          e[j - 1] = c * e[j - 1]!;
        }
        rotate(v, j * n, (p - 1) * n, n, c, d);
      }
    } else {
      let f = e[zero]!;
      e[zero] = 0;
      for (let j = zero + 1; j < p; j++) {
        const t = hypotenuse(s[j]!, f);
        const c = t === 0 ? 1 : s[j]! / t;
        const d = t === 0 ? 0 : f / t;
        s[j] = t;
        f = -d * e[j]!;
        e[j] = c * e[j]!;
        rotate(u, j * m, zero * m, m, c, d);
      }
    }
  }
  return true;
}
/** One QR step of the block from k to p - 1. */
function step(
  m: number,
  n: number,
  k: number,
  p: number,
  u: Float64Array,
  s: Float64Array,
  v: Float64Array,
  e: Float64Array,
): void {
  let scale = Math.abs(s[p - 1]!);
  for (const size of [Math.abs(s[p - 2]!), Math.abs(e[p - 2]!), Math.abs(s[k]!), Math.abs(e[k]!)])
    if (size > scale) scale = size;
  const [last, before, off, first, next] = [
    s[p - 1]! / scale,
    s[p - 2]! / scale,
    e[p - 2]! / scale,
    s[k]! / scale,
    e[k]! / scale,
  ];
  const b = ((before + last) * (before - last) + off * off) / 2;
  const q = last * off * (last * off);
  let shift = 0;
  if (b !== 0 || q !== 0) {
    shift = Math.sqrt(b * b + q);
    if (b < 0) shift = -shift;
    shift = q / (b + shift);
  }
  let f = (first + last) * (first - last) + shift;
  let g = first * next;
  for (let j = k; j < p - 1; j++) {
    let t = hypotenuse(f, g);
    let c = t === 0 ? 1 : f / t;
    let d = t === 0 ? 0 : g / t;
    if (j !== k) e[j - 1] = t;
    f = c * s[j]! + d * e[j]!;
    e[j] = c * e[j]! - d * s[j]!;
    g = d * s[j + 1]!;
    s[j + 1] = c * s[j + 1]!;
    rotate(v, j * n, (j + 1) * n, n, c, d);
    t = hypotenuse(f, g);
    c = t === 0 ? 1 : f / t;
    d = t === 0 ? 0 : g / t;
    s[j] = t;
    f = c * e[j]! + d * s[j + 1]!;
    s[j + 1] = c * s[j + 1]! - d * e[j]!;
    g = d * e[j + 1]!;
    e[j + 1] = c * e[j + 1]!;
    rotate(u, j * m, (j + 1) * m, m, c, d);
  }
  e[p - 2] = f;
}
/** A converged value is made positive and moved behind the larger ones. */
function settle(m: number, n: number, at: number, u: Float64Array, s: Float64Array, v: Float64Array): void {
  if (s[at]! <= 0) {
    s[at] = s[at]! < 0 ? -s[at]! : 0;
    for (let i = 0; i < n; i++) v[at * n + i] = -v[at * n + i]!;
  }
  for (let k = at; k < n - 1 && s[k]! < s[k + 1]!; k++) {
    const t = s[k]!;
    s[k] = s[k + 1]!;
    s[k + 1] = t;
    swapRows(v, k * n, (k + 1) * n, n);
    swapRows(u, k * m, (k + 1) * m, m);
  }
}
function swapRows(x: Float64Array, p: number, q: number, n: number): void {
  for (let i = 0; i < n; i++) {
    const t = x[p + i]!;
    x[p + i] = x[q + i]!;
    x[q + i] = t;
  }
}
