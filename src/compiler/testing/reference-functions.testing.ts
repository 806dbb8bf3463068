// For tests: functions of an f32 number to some 60 decimal digits, in integers of 200 fraction bits. Slow, and independent of any
// floating-point function.

/** A number as an integer times 2^-200. */
type Fixed = bigint;
const bits = 200n;
const one: Fixed = 1n << bits;

/** Any finite f32 number larger than 2^-176 or 0, exactly. */
function fixed(x: number): Fixed {
  return BigInt(x * 2 ** 149) << (bits - 149n);
}
/** The nearest f64, nearly: its error is below 2^-51 of it. */
function numberOf(x: Fixed): number {
  const size = x < 0n ? -x : x;
  const drop = BigInt(Math.max(0, size.toString(2).length - 60));
  const value = Number(size >> drop) * 2 ** Number(drop - bits);
  return x < 0n ? -value : value;
}
const times = (a: Fixed, b: Fixed): Fixed => (a * b) >> bits;
const over = (a: Fixed, b: Fixed): Fixed => (a << bits) / b;

/** The sum of terms, each computed from the previous one, until they vanish. */
function series(first: Fixed, next: (term: Fixed, k: bigint) => Fixed): Fixed {
  let sum = 0n;
  for (let [term, k] = [first, 1n]; term !== 0n && term !== -1n; k++) {
    sum += term;
    term = next(term, k);
  }
  return sum;
}

/** 2 artanh(1/n): logarithms of small ratios. */
const twiceArtanh = (x: Fixed): Fixed => {
  const square = times(x, x);
  let power = x;
  let sum = 0n;
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = times(power, square);
  }
  return 2n * sum;
};
const ln2 = twiceArtanh(one / 3n);
/** π = 16 arctan(1/5) - 4 arctan(1/239) (Machin). */
const arctanOfInverse = (n: bigint): Fixed => {
  let power = one / n;
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += k % 4n === 1n ? power / k : -power / k;
    power /= n * n;
  }
  return sum;
};
const pi = 16n * arctanOfInverse(5n) - 4n * arctanOfInverse(239n);

const nearestMultiple = (x: Fixed, of: Fixed): bigint => {
  const twice = 2n * x + of;
  return twice >= 0n ? twice / (2n * of) : -((-twice + 2n * of - 1n) / (2n * of));
};

function exp(x: Fixed): Fixed {
  const n = nearestMultiple(x, ln2);
  const f = x - n * ln2;
  const e = series(one, (term, k) => times(term, f) / k);
  return n >= 0n ? e << n : e >> -n;
}
function log(x: Fixed): Fixed {
  const n = BigInt(x.toString(2).length) - bits;
  const m = n >= 0n ? x >> n : x << -n;
  return n * ln2 + twiceArtanh(over(m - one, m + one));
}
function sine(x: Fixed, quarters: bigint): Fixed {
  const n = nearestMultiple(x, pi / 2n);
  const r = x - (n * pi) / 2n;
  const square = times(r, r);
  const quadrant = (((n + quarters) % 4n) + 4n) % 4n;
  const isCosine = quadrant % 2n === 1n;
  const value = series(isCosine ? one : r, (term, k) => {
    const j = isCosine ? 2n * k - 1n : 2n * k;
    return -times(term, square) / (j * (j + 1n));
  });
  return quadrant >= 2n ? -value : value;
}
function squareRoot(x: Fixed): Fixed {
  const square = x << bits;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
const twoOverRootPi = over(2n * one, squareRoot(pi));
function erf(x: Fixed): Fixed {
  const square = times(x, x);
  let power = x;
  let sum = 0n;
  for (let k = 1n; power !== 0n && power !== -1n; k++) {
    sum += power / (2n * k - 1n);
    power = -times(power, square) / k;
  }
  return times(twoOverRootPi, sum);
}

/** Functions by the names of those in ir/math/, for arguments whose results are finite and nonzero. */
export const references: Readonly<Record<string, (x: number) => number>> = {
  exp: x => numberOf(exp(fixed(x))),
  expm1: x => (Math.abs(x) < 2 ** -60 ? x : numberOf(exp(fixed(x)) - one)),
  log: x => numberOf(log(fixed(x))),
  log1p: x => (Math.abs(x) < 2 ** -60 ? x : numberOf(log(one + fixed(x)))),
  tanh(x) {
    if (Math.abs(x) < 2 ** -40) return x;
    if (Math.abs(x) > 40) return Math.sign(x);
    const e = exp(2n * fixed(x));
    return numberOf(over(e - one, e + one));
  },
  logistic: x => (x > 60 ? 1 : numberOf(over(exp(fixed(x)), one + exp(fixed(x))))),
  erf: x =>
    Math.abs(x) > 8 ? Math.sign(x) : Math.abs(x) < 2 ** -60 ? (2 / Math.sqrt(Math.PI)) * x : numberOf(erf(fixed(x))),
  sin: x => (Math.abs(x) < 2 ** -40 ? x : numberOf(sine(fixed(x), 0n))),
  cos: x => numberOf(sine(fixed(x), 1n)),
  rsqrt: x => numberOf(over(one, squareRoot(fixed(x)))),
};
