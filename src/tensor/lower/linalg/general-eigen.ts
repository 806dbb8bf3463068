// Eigenvalues and eigenvectors of general matrices, on the host: a program has no use for an algorithm that decides in each step
// where to go on, and the matrices are small. In f64 and in one fixed order, so that the bits are the same on every machine.
//
//   A ─ rotations ─▶ Hessenberg H = Zᴴ·A·Z ─ shifted QR steps ─▶ triangle T ─ substitution ─▶ eigenvectors x of T, Z·x of A
/** A square complex matrix, row by row. */
export interface ComplexMatrix {
  readonly n: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}
type Complex = readonly [re: number, im: number];
/** Eigenvalues, and eigenvectors of length 1 as columns, whose largest entry is real. */
export interface Eigen {
  readonly values: readonly Complex[];
  readonly vectors: ComplexMatrix;
}
const epsilon = 2 ** -52;
const stepsEach = 90;

const get = ({ n, re, im }: ComplexMatrix, i: number, j: number): Complex => [re[i * n + j]!, im[i * n + j]!];
function put({ n, re, im }: ComplexMatrix, i: number, j: number, [x, y]: Complex): void {
  re[i * n + j] = x;
  im[i * n + j] = y;
}
const minus = (a: Complex, b: Complex): Complex => [a[0] - b[0], a[1] - b[1]];
const times = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const sizeOf = (a: Complex): number => Math.hypot(a[0], a[1]);
function over(a: Complex, b: Complex): Complex {
  const scale = Math.max(Math.abs(b[0]), Math.abs(b[1]));
  const [x, y] = [b[0] / scale, b[1] / scale];
  const square = scale * (x * x + y * y);
  return [(a[0] * x + a[1] * y) / square, (a[1] * x - a[0] * y) / square];
}
function rootOf([x, y]: Complex): Complex {
  const size = Math.hypot(x, y);
  const re = Math.sqrt((size + Math.abs(x)) / 2);
  if (re === 0) return [0, 0];
  const im = Math.abs(y) / (2 * re);
  return x >= 0 ? [re, y < 0 ? -im : im] : [im, y < 0 ? -re : re];
}
/** [c, s] with c real, so that [[c, s], [-s̄, c]] · [a, b] = [r, 0]. */
function rotationOf(a: Complex, b: Complex): readonly [c: number, s: Complex] {
  const [p, q] = [sizeOf(a), sizeOf(b)];
  if (q === 0) return [1, [0, 0]];
  if (p === 0) return [0, [b[0] / q, -b[1] / q]];
  const r = Math.hypot(p, q);
  const phase: Complex = [a[0] / p, a[1] / p];
  return [p / r, times(phase, [b[0] / r, -b[1] / r])];
}
/** Rows p and q become c·p + s·q and -s̄·p + c·q, from column `from` on. */
function rotateRows(x: ComplexMatrix, p: number, q: number, from: number, c: number, s: Complex): void {
  for (let j = from; j < x.n; j++) {
    const [a, b] = [get(x, p, j), get(x, q, j)];
    const [sb, sa] = [times(s, b), times([s[0], -s[1]], a)];
    put(x, p, j, [c * a[0] + sb[0], c * a[1] + sb[1]]);
    put(x, q, j, [c * b[0] - sa[0], c * b[1] - sa[1]]);
  }
}
/** The inverse of the same rotation from the right, in rows before `to`. */
function rotateColumns(x: ComplexMatrix, p: number, q: number, to: number, c: number, s: Complex): void {
  for (let i = 0; i < to; i++) {
    const [a, b] = [get(x, i, p), get(x, i, q)];
    const [sb, sa] = [times([s[0], -s[1]], b), times(s, a)];
    put(x, i, p, [c * a[0] + sb[0], c * a[1] + sb[1]]);
    put(x, i, q, [c * b[0] - sa[0], c * b[1] - sa[1]]);
  }
}
/** The eigenvalue of the last 2 × 2 block up to row `hi` that is nearer to its corner. */
function shiftOf(h: ComplexMatrix, hi: number): Complex {
  const [a, b, c, d] = [get(h, hi - 1, hi - 1), get(h, hi - 1, hi), get(h, hi, hi - 1), get(h, hi, hi)];
  const half: Complex = [(a[0] - d[0]) / 2, (a[1] - d[1]) / 2];
  const product = times(b, c);
  const square = times(half, half);
  const root = rootOf([square[0] + product[0], square[1] + product[1]]);
  const isPlus = half[0] * root[0] + half[1] * root[1] >= 0;
  const below: Complex = isPlus ? [half[0] + root[0], half[1] + root[1]] : [half[0] - root[0], half[1] - root[1]];
  return sizeOf(below) === 0 ? d : minus(d, over(product, below));
}
/** H becomes a triangle, Z the product of the rotations. Undefined where it does not converge. */
function triangle(h: ComplexMatrix, z: ComplexMatrix): boolean {
  const { n } = h;
  for (let j = 0; j < n - 2; j++)
    for (let i = n - 1; i > j + 1; i--) {
      const [c, s] = rotationOf(get(h, i - 1, j), get(h, i, j));
      rotateRows(h, i - 1, i, j, c, s);
      rotateColumns(h, i - 1, i, n, c, s);
      rotateColumns(z, i - 1, i, n, c, s);
      put(h, i, j, [0, 0]);
    }
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
    // now and then another shift, where the usual one goes round in a circle
    const shift: Complex = steps % 10 === 0 ? [sizeOf(get(h, hi, hi - 1)) + get(h, hi, hi)[0], 0] : shiftOf(h, hi);
    for (let i = 0; i < n; i++) put(h, i, i, minus(get(h, i, i), shift));
    const rotations: (readonly [number, Complex])[] = [];
    for (let i = low; i < hi; i++) {
      const [c, s] = rotationOf(get(h, i, i), get(h, i + 1, i));
      rotateRows(h, i, i + 1, i, c, s);
      rotations.push([c, s]);
    }
    rotations.forEach(([c, s], k) => {
      const i = low + k;
      rotateColumns(h, i, i + 1, Math.min(hi, i + 1) + 1, c, s);
      rotateColumns(z, i, i + 1, n, c, s);
    });
    for (let i = 0; i < n; i++) put(h, i, i, [get(h, i, i)[0] + shift[0], get(h, i, i)[1] + shift[1]]);
  }
  return true;
}
/** Undefined where a matrix has numbers that are not finite, or the algorithm does not converge. */
export function eigenOf(a: ComplexMatrix): Eigen | undefined {
  const { n } = a;
  if (![...a.re, ...a.im].every(Number.isFinite)) return undefined;
  const isReal = a.im.every(x => x === 0);
  // scaled to entries of at most 1, so that no product overflows
  const largest = Math.max(...Array.from(a.re, (x, i) => Math.max(Math.abs(x), Math.abs(a.im[i]!))), 0);
  const unit = largest === 0 ? 1 : largest;
  const h: ComplexMatrix = { n, re: a.re.map(x => x / unit), im: a.im.map(x => x / unit) };
  const z: ComplexMatrix = { n, re: new Float64Array(n * n), im: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) put(z, i, i, [1, 0]);
  if (!triangle(h, z)) return undefined;
  const values = Array.from({ length: n }, (_, i) => get(h, i, i));
  const vectors: ComplexMatrix = { n, re: new Float64Array(n * n), im: new Float64Array(n * n) };
  for (let k = 0; k < n; k++) {
    const x: Complex[] = new Array<Complex>(n).fill([0, 0]);
    x[k] = [1, 0];
    for (let i = k - 1; i >= 0; i--) {
      let sum: Complex = [0, 0];
      for (let j = i + 1; j <= k; j++) sum = minus(sum, times(get(h, i, j), x[j]!));
      const gap = minus(get(h, i, i), values[k]!);
      x[i] = over(sum, sizeOf(gap) < epsilon ? [epsilon, 0] : gap);
    }
    const vector = Array.from({ length: n }, (_, i): Complex => {
      let sum: Complex = [0, 0];
      for (let j = 0; j <= k; j++) sum = minus(sum, times(get(z, i, j), [-x[j]![0], -x[j]![1]]));
      return sum;
    });
    const pivot = vector.reduce((best, v) => (sizeOf(v) > sizeOf(best) ? v : best), [0, 0] as Complex);
    const length = Math.hypot(...vector.map(sizeOf));
    const turn: Complex = [pivot[0] / sizeOf(pivot) / length, -pivot[1] / sizeOf(pivot) / length];
    for (const [i, v] of vector.entries()) put(vectors, i, k, times(v, turn));
  }
  if (isReal) pairUp(values, vectors, epsilon * n * 10);
  return { values: values.map(([x, y]): Complex => [x * unit, y * unit]), vectors };
}
/** Of real matrices: real eigenvalues without an imaginary part, the others as exact pairs, that with the positive part first. */
function pairUp(values: Complex[], vectors: ComplexMatrix, limit: number): void {
  const { n } = vectors;
  const column = (k: number): Complex[] => Array.from({ length: n }, (_, i) => get(vectors, i, k));
  const order: { value: Complex; vector: readonly Complex[] }[] = [];
  const left = new Set(values.keys());
  for (const k of values.keys()) {
    if (!left.delete(k)) continue;
    const [re, im] = values[k]!;
    const partner =
      Math.abs(im) <= limit
        ? undefined
        : [...left].sort((i, j) => sizeOf(minus(values[i]!, [re, -im])) - sizeOf(minus(values[j]!, [re, -im])))[0];
    if (partner === undefined) {
      order.push({ value: [re, 0], vector: column(k).map(([x]): Complex => [x, 0]) });
      continue;
    }
    left.delete(partner);
    const up = im > 0 ? k : partner;
    const vector = column(up);
    order.push({ value: values[up]!, vector });
    order.push({ value: [values[up]![0], -values[up]![1]], vector: vector.map(([x, y]): Complex => [x, -y]) });
  }
  order.forEach(({ value, vector }, k) => {
    values[k] = value;
    for (const [i, v] of vector.entries()) put(vectors, i, k, v);
  });
}
