// Elementary functions of complex numbers in f64, each part accurate to a few units in the last place: formulas that avoid
// cancellation or keep the lost digits (double-double), scaled by powers of two against overflow. Infinities and NaN follow C's
// annex G, except where noted.
import { exactSum, sumOfProducts, twoProduct } from './double-double.ts';

export type Complex = readonly [re: number, im: number];

const signed = (magnitude: number, sign: number): number =>
  sign < 0 || Object.is(sign, -0) ? -Math.abs(magnitude) : Math.abs(magnitude);

/** A power of two near |x| with a finite reciprocal; 1 for zero and for values that are not finite. */
function scaleOf(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude === 0 || !Number.isFinite(magnitude)) return 1;
  return 2 ** Math.min(Math.max(Math.floor(Math.log2(magnitude)), -1000), 1000);
}

/** √(x² + y²). */
export function abs([x, y]: Complex): number {
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity) return Infinity;
  const scale = scaleOf(Math.max(Math.abs(x), Math.abs(y)));
  const [a, b] = [x / scale, y / scale];
  const [square, rest] = exactSum([...twoProduct(a, a), ...twoProduct(b, b)]);
  const root = Math.sqrt(square);
  if (root === 0 || Number.isNaN(root)) return root;
  const [r, rLow] = twoProduct(root, root);
  return scale * (root + (square - r - rLow + rest) / (2 * root));
}

export const negate = ([x, y]: Complex): Complex => [-x, -y];
export const add = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
export const subtract = ([a, b]: Complex, [c, d]: Complex): Complex => [a - c, b - d];

/** The plain formula, each step rounded by `round` to the type of the parts. */
export function multiply([a, b]: Complex, [c, d]: Complex, round: (x: number) => number): Complex {
  return [round(a * c) - round(b * d), round(a * d) + round(b * c)];
}

export function divide([a, b]: Complex, [c, d]: Complex): Complex {
  const above = scaleOf(Math.max(Math.abs(a), Math.abs(b)));
  const below = scaleOf(Math.max(Math.abs(c), Math.abs(d)));
  const [p, q, r, s] = [a / above, b / above, c / below, d / below];
  const norm = sumOfProducts(r, r, s, s);
  const back = (part: number): number => ((part / norm) * above) / below;
  const [re, im] = [back(sumOfProducts(p, r, q, s)), back(sumOfProducts(q, r, -p, s))];
  if (!Number.isNaN(re) || !Number.isNaN(im)) return [re, im];
  // Annex G: a number over zero, an infinity over a number, a number over an infinity.
  if (norm === 0) return [signed(Infinity, c) * a, signed(Infinity, c) * b];
  const unit = (v: number): number => signed(Math.abs(v) === Infinity ? 1 : 0, v);
  const isInfinite = (v: number, w: number): boolean => Math.abs(v) === Infinity || Math.abs(w) === Infinity;
  if (isInfinite(a, b) && Number.isFinite(c) && Number.isFinite(d))
    return [Infinity * (unit(a) * c + unit(b) * d), Infinity * (unit(b) * c - unit(a) * d)];
  if (isInfinite(c, d) && Number.isFinite(a) && Number.isFinite(b))
    return [0 * (a * unit(c) + b * unit(d)), 0 * (b * unit(c) - a * unit(d))];
  return [re, im];
}

/** z / |z|; 0 for 0. */
export function sign(z: Complex): Complex {
  const [x, y] = z;
  if (Number.isNaN(x) || Number.isNaN(y)) return [NaN, NaN];
  if (x === 0 && y === 0) return [0, 0];
  const scale = scaleOf(Math.max(Math.abs(x), Math.abs(y)));
  const [a, b] = [x / scale, y / scale];
  const length = abs([a, b]);
  return [a / length, b / length];
}

const exp64 = Math.exp(64);
/** e^x · factor, where e^x alone may overflow. */
const scaledExp = (x: number, factor: number): number =>
  x > 700 && x < 2000 ? Math.exp(x - 64) * factor * exp64 : Math.exp(x) * factor;

/** e^x (cos y + i sin y), by this formula for infinities too. */
export function exponential([x, y]: Complex): Complex {
  if (y === 0) return [Math.exp(x), y];
  return [scaledExp(x, Math.cos(y)), scaledExp(x, Math.sin(y))];
}

/** e^z − 1, whose real part is (e^x − 1) cos y − 2 sin²(y / 2). */
export function exponentialMinusOne(z: Complex): Complex {
  const [x, y] = z;
  if (y === 0) return [Math.expm1(x), y];
  const [re, im] = exponential(z);
  if (!(Math.abs(x) < 700) || !Number.isFinite(y)) return [re - 1, im];
  const half = Math.sin(y / 2);
  return [Math.expm1(x) * Math.cos(y) - 2 * half * half, im];
}

/** ln |z|, from the larger and the smaller of the absolute parts. */
function logAbs(larger: number, smaller: number): number {
  if (larger > 0.5 && larger < 2) {
    // Near |z| = 1 the logarithm is near 0: |z|² − 1 without cancellation.
    const [rest] = exactSum([-1, ...twoProduct(larger, larger), ...twoProduct(smaller, smaller)]);
    return Math.log1p(rest) / 2;
  }
  const ratio = larger === 0 ? 0 : smaller / larger;
  return Math.log(larger) + Math.log1p(ratio * ratio) / 2;
}

/** ln |z| + i arg z. */
export function log([x, y]: Complex): Complex {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  const infinite = a === Infinity || b === Infinity;
  return [infinite ? Infinity : logAbs(Math.max(a, b), Math.min(a, b)), Math.atan2(y, x)];
}

/** ln(1 + z): the real part is ½ ln(1 + (2x + x² + y²)). */
export function logPlusOne([x, y]: Complex): Complex {
  const near = Math.abs(x) < 4 && Math.abs(y) < 4;
  if (near) {
    const [rest] = exactSum([2 * x, ...twoProduct(x, x), ...twoProduct(y, y)]);
    if (rest > -0.75) return [Math.log1p(rest) / 2, Math.atan2(y, 1 + x)];
  }
  return log([1 + x, y]);
}

/** 1 / (1 + e^−z), where 1 + e^−x cos y is taken as (e^−x − 1) cos y + 2 cos²(y / 2). */
export function logistic([x, y]: Complex): Complex {
  const [re, im] = exponential([-x, -y]);
  if (Math.abs(re) === Infinity || Math.abs(im) === Infinity) return [0, 0];
  const half = Math.cos(y / 2);
  return divide([1, 0], [Math.abs(x) > 1 ? 1 + re : Math.expm1(-x) * Math.cos(y) + 2 * half * half, im]);
}

/** The square root with a nonnegative real part. */
export function sqrt([x, y]: Complex): Complex {
  if (Math.abs(y) === Infinity) return [Infinity, y];
  if (x === Infinity) return [Infinity, Number.isNaN(y) ? y : signed(0, y)];
  if (x === -Infinity) return Number.isNaN(y) ? [NaN, Infinity] : [0, signed(Infinity, y)];
  if (Number.isNaN(x) || Number.isNaN(y)) return [NaN, NaN];
  if (x === 0 && y === 0) return [0, y];
  // An even power of two, so that its square root is a power of two as well.
  const root = 2 ** Math.floor(Math.log2(scaleOf(Math.max(Math.abs(x), Math.abs(y)))) / 2);
  const [a, b] = [Math.abs(x) / root / root, Math.abs(y) / root / root];
  const large = Math.sqrt((a + abs([a, b])) / 2) * root;
  const small = Math.abs(y) / large / 2;
  return x >= 0 ? [large, signed(small, y)] : [small, signed(large, y)];
}

/** 1 / √z = conj(√z) / |z|. */
export function rsqrt(z: Complex): Complex {
  const [x, y] = z;
  if (x === 0 && y === 0) return [Infinity, NaN];
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity)
    return Number.isNaN(x) || Number.isNaN(y) ? [NaN, NaN] : [0, signed(0, -y)];
  const root = 2 ** Math.floor(Math.log2(scaleOf(Math.max(Math.abs(x), Math.abs(y)))) / 2);
  const scaled: Complex = [x / root / root, y / root / root];
  const [re, im] = sqrt(scaled);
  const length = abs(scaled);
  return [re / length / root, -im / length / root];
}

export function cbrt(z: Complex): Complex {
  const [radius, angle] = [Math.cbrt(abs(z)), Math.atan2(z[1], z[0]) / 3];
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** sinh x and cosh x times a factor, where they alone may overflow. */
function scaledSinh(x: number, factor: number): number {
  if (factor === 0) return factor * signed(0, x);
  return Math.abs(x) > 700 ? signed(1, x) * scaledExp(Math.abs(x), factor / 2) : Math.sinh(x) * factor;
}
function scaledCosh(x: number, factor: number): number {
  if (factor === 0) return factor;
  return Math.abs(x) > 700 ? scaledExp(Math.abs(x), factor / 2) : Math.cosh(x) * factor;
}

/** sin x cosh y + i cos x sinh y. */
export function sine([x, y]: Complex): Complex {
  return [scaledCosh(y, Math.sin(x)), scaledSinh(y, Math.cos(x))];
}
/** cos x cosh y − i sin x sinh y. */
export function cosine([x, y]: Complex): Complex {
  return [scaledCosh(y, Math.cos(x)), -scaledSinh(y, Math.sin(x))];
}

/** With t = tan y and s = sinh x: ((1 + t²) s √(1 + s²) + i t) / (1 + (1 + t²) s²), in which no term is negative. After Kahan. */
export function tanh([x, y]: Complex): Complex {
  if (Math.abs(x) > 22) {
    const im = Number.isFinite(y) ? 4 * Math.sin(y) * Math.cos(y) * Math.exp(-2 * Math.abs(x)) : 0;
    return [signed(1, x), signed(im, Number.isFinite(y) ? Math.sin(2 * y) : y)];
  }
  const t = Math.tan(y);
  const s = Math.sinh(x);
  const beta = 1 + t * t;
  const below = 1 + beta * s * s;
  return [(beta * s * Math.sqrt(1 + s * s)) / below, t / below];
}
/** −i tanh(i z). */
export function tan([x, y]: Complex): Complex {
  const [re, im] = tanh([-y, x]);
  return [im, -re];
}

/** −i ln((x + i y) / √(x² + y²)), which is the angle where x and y are real. */
export function atan2(y: Complex, x: Complex): Complex {
  const exact = (v: number): number => v;
  const sides = add(multiply(x, x, exact), multiply(y, y, exact));
  const [re, im] = log(divide(add(x, [-y[1], y[0]]), sqrt(sides)));
  return [im, -re];
}

/** e^(w ln z); 1 for any z to the power 0. */
export function power(z: Complex, w: Complex): Complex {
  const [c, d] = w;
  if (c === 0 && d === 0) return [1, 0];
  if (z[0] === 0 && z[1] === 0) return c > 0 ? [0, 0] : [NaN, NaN];
  const [radius, angle] = log(z);
  return exponential([sumOfProducts(c, radius, -d, angle), sumOfProducts(d, radius, c, angle)]);
}

/** Lexicographic order: by real parts, then by imaginary parts. */
export function maximum(z: Complex, w: Complex): Complex {
  return (z[0] === w[0] ? z[1] > w[1] : z[0] > w[0]) ? z : w;
}
export function minimum(z: Complex, w: Complex): Complex {
  return (z[0] === w[0] ? z[1] < w[1] : z[0] < w[0]) ? z : w;
}
