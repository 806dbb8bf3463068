// Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections make it tridiagonal, then QL steps with implicit
// shifts make it diagonal (EISPACK's tred2 and tql2; Bowdler, Martin, Reinsch and Wilkinson, 1968). Matrices are kept so that
// inner loops run along rows: V is built transposed, an eigenvector in each row.
//
//   A ─ reflections ─▶ T = Qᵀ·A·Q (d on, e below the diagonal) ─ rotations ─▶ Λ = Sᵀ·T·S,  V = Q·S
import { addScaled, dot, hypotenuse, rescale, rotate } from './vectors.ts';

const epsilon = 2 ** -52;
const stepsEach = 60;

/**
 * The eigendecomposition of a[n, n], given by its lower triangle: ascending eigenvalues in `values`, eigenvectors as columns of
 * `vectors`. NaN if an element is not finite. `a` is overwritten.
 */
export function symmetricEigen(n: number, a: Float64Array, values: Float64Array, vectors: Float64Array): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[j * n + i] = a[i * n + j]!;
  const unit = rescale(a);
  const e = new Float64Array(n);
  const v = new Float64Array(n * n);
  const isFound = !Number.isNaN(unit) && diagonalized(n, a, v, values, e);
  if (!isFound) {
    values.fill(Number.NaN);
    vectors.fill(Number.NaN);
    return;
  }
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    // insertion: stable, and quick where the values are nearly in order
    let at = i;
    const key = values[i]!;
    for (; at > 0 && e[at - 1]! > key; at--) {
      e[at] = e[at - 1]!;
      order[at] = order[at - 1]!;
    }
    e[at] = key;
    order[at] = i;
  }
  for (let k = 0; k < n; k++) {
    values[k] = e[k]! * unit;
    for (let i = 0; i < n; i++) vectors[i * n + k] = v[order[k]! * n + i]!;
  }
}
function diagonalized(n: number, a: Float64Array, v: Float64Array, d: Float64Array, e: Float64Array): boolean {
  tridiagonal(n, a, v, d, e);
  // Q to Qᵀ: from here on an eigenvector is a row
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const x = v[i * n + j]!;
      v[i * n + j] = v[j * n + i]!;
      v[j * n + i] = x;
    }
  return implicitQl(n, v, d, e);
}
/** d: the diagonal of T, e: its subdiagonal, v: Q. Row k of `a` becomes the vector of reflection k. */
function tridiagonal(n: number, a: Float64Array, v: Float64Array, d: Float64Array, e: Float64Array): void {
  const w = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    d[k] = a[k * n + k]!;
    if (k >= n - 2) {
      if (k === n - 2) e[k] = a[(k + 1) * n + k]!;
      continue;
    }
    // the reflection I - beta·x·xᵀ that turns row k right of the diagonal into (alpha, 0 … 0)
    const x = k * n + k + 1;
    const m = n - k - 1;
    const head = a[x]!;
    const rest = dot(a, x + 1, a, x + 1, m - 1);
    if (rest === 0) {
      e[k] = head;
      a[k * n + k] = 0;
      continue;
    }
    const length = Math.sqrt(head * head + rest);
    const alpha = head > 0 ? -length : length;
    e[k] = alpha;
    a[x] = head - alpha;
    const beta = 1 / (length * (length + Math.abs(head)));
    // p = beta·A·x, w = p - (beta/2·pᵀx)·x, A := A - x·wᵀ - w·xᵀ
    for (let i = 0; i < m; i++) w[i] = 0;
    for (let i = 0; i < m; i++) addScaled(a[x + i]!, a, (k + 1 + i) * n + k + 1, w, 0, m);
    for (let i = 0; i < m; i++) w[i] = w[i]! * beta;
    const half = 0.5 * beta * dot(w, 0, a, x, m);
    addScaled(-half, a, x, w, 0, m);
    for (let i = 0; i < m; i++) {
      const row = (k + 1 + i) * n + k + 1;
      const [p, q] = [a[x + i]!, w[i]!];
      for (let j = 0; j < m; j++) a[row + j] = a[row + j]! - (p * w[j]! + q * a[x + j]!);
    }
    a[k * n + k] = beta;
  }
  // Q = H(0) · … · H(n-3), from the last to the first
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let k = n - 3; k >= 0; k--) {
    const beta = a[k * n + k]!;
    if (beta === 0) continue;
    const x = k * n + k + 1;
    const m = n - k - 1;
    for (let i = 0; i < m; i++) w[i] = 0;
    for (let i = 0; i < m; i++) addScaled(a[x + i]!, v, (k + 1 + i) * n + k + 1, w, 0, m);
    for (let i = 0; i < m; i++) addScaled(-(beta * a[x + i]!), w, 0, v, (k + 1 + i) * n + k + 1, m);
  }
}
/** False where it does not converge. */
function implicitQl(n: number, v: Float64Array, d: Float64Array, e: Float64Array): boolean {
  if (n > 0) e[n - 1] = 0;
  let shifted = 0;
  let most = 0;
  for (let l = 0; l < n; l++) {
    const size = Math.abs(d[l]!) + Math.abs(e[l]!);
    if (size > most) most = size;
    let m = l;
    while (m < n - 1 && Math.abs(e[m]!) > epsilon * most) m++;
    if (m > l) {
      let steps = 0;
      do {
        if (steps++ === stepsEach) return false;
        let g = d[l]!;
        let p = (d[l + 1]! - g) / (2 * e[l]!);
        let r = hypotenuse(p, 1);
        if (p < 0) r = -r;
        d[l] = e[l]! / (p + r);
        d[l + 1] = e[l]! * (p + r);
        const next = d[l + 1]!;
        let h = g - d[l]!;
        for (let i = l + 2; i < n; i++) d[i] = d[i]! - h;
        shifted += h;
        p = d[m]!;
        let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
        const below = e[l + 1]!;
        for (let i = m - 1; i >= l; i--) {
          c3 = c2;
          c2 = c;
          s2 = s;
          g = c * e[i]!;
          h = c * p;
          r = hypotenuse(p, e[i]!);
          e[i + 1] = s * r;
          s = r === 0 ? 0 : e[i]! / r;
          c = r === 0 ? 1 : p / r;
          p = c * d[i]! - s * g;
          d[i + 1] = h + s * (c * g + s * d[i]!);
          rotate(v, (i + 1) * n, i * n, n, c, s);
        }
        p = (-s * s2 * c3 * below * e[l]!) / next;
        e[l] = s * p;
        d[l] = c * p;
      } while (Math.abs(e[l]!) > epsilon * most);
    }
    d[l] = d[l]! + shifted;
    e[l] = 0;
  }
  return true;
}
