// Sums and products of f64 numbers without rounding error: a result is a rounded number and its rounding error.
// They keep the digits that cancellation would lose in plain f64. After Dekker and Shewchuk.

/** high + low, where low is below half a unit of high's last place. */
export type DoubleDouble = readonly [high: number, low: number];

/** a + b, exactly. */
export function twoSum(a: number, b: number): DoubleDouble {
  const sum = a + b;
  const b1 = sum - a;
  return [sum, a - (sum - b1) + (b - b1)];
}

/** A number split into two of 26 bits each, whose products are exact. */
function split(a: number): DoubleDouble {
  const c = 134217729 * a; // 2²⁷ + 1
  const high = c - (c - a);
  return [high, a - high];
}

/** a · b, exactly, while neither it nor its error overflows or underflows. */
export function twoProduct(a: number, b: number): DoubleDouble {
  const product = a * b;
  const [a1, a0] = split(a);
  const [b1, b0] = split(b);
  return [product, a0 * b0 - (product - a1 * b1 - a0 * b1 - a1 * b0)];
}

/** The sum of all terms, to about twice the precision of f64 however much they cancel. */
export function exactSum(terms: readonly number[]): DoubleDouble {
  // Partial sums that do not overlap, smallest first: their sum is exactly the sum of the added numbers.
  const partials: number[] = [];
  for (let term of terms) {
    let kept = 0;
    for (const partial of partials) {
      const [sum, error] = twoSum(term, partial);
      if (error !== 0) partials[kept++] = error;
      term = sum;
    }
    partials.length = kept;
    partials.push(term);
  }
  let [high, low] = [0, 0];
  for (let i = partials.length - 1; i >= 0; i--) {
    const [sum, error] = twoSum(high, partials[i]!);
    high = sum;
    low += error;
  }
  return twoSum(high, low);
}

/** a · b + c · d, rounded once. */
export const sumOfProducts = (a: number, b: number, c: number, d: number): number =>
  exactSum([...twoProduct(a, b), ...twoProduct(c, d)])[0];

export function sum([a, aLow]: DoubleDouble, [b, bLow]: DoubleDouble): DoubleDouble {
  const [high, low] = twoSum(a, b);
  return twoSum(high, low + aLow + bLow);
}
export function product([a, aLow]: DoubleDouble, [b, bLow]: DoubleDouble): DoubleDouble {
  const [high, low] = twoProduct(a, b);
  return twoSum(high, low + a * bLow + aLow * b);
}
export function quotient([a, aLow]: DoubleDouble, b: number): DoubleDouble {
  const high = a / b;
  const [back, backLow] = twoProduct(high, b);
  return twoSum(high, (a - back - backLow + aLow) / b);
}
