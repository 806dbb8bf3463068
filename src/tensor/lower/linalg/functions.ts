// Powers and exponentials of matrices.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { matmul } from '../matmul.ts';
import { typeOf } from '../narrow.ts';
import { mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { factor, inverse, solveFactored } from './lu.ts';

/** An integer power, by squaring; negative powers are those of the inverse. */
export function power(c: Context, op: string, a: Value, n: number): Value {
  const { b } = c;
  const shape = shapeOf(a);
  if (shape.length < 2 || shape.at(-1) !== shape.at(-2))
    throw mismatch(b, op, shape, shape, 'square matrices are needed');
  if (n < 0) return power(c, op, inverse(c, op, a), -n);
  if (n === 0) return of.withGradient(c, 'MatrixPower', [a], [of.identityLike(b, a)], () => [undefined])[0]!;
  const half = n > 1 ? power(c, op, a, Math.floor(n / 2)) : undefined;
  if (half === undefined) return a;
  const square = matmul(b, half, half);
  return n % 2 === 0 ? square : matmul(b, square, a);
}

// Padé's approximant of degree 13, and the 1-norm up to which it is exact in f64 (Higham, 2005)
const pade = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
  670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
].map(x => x / 64764752532480000);
const largestNorm = 5.371920351148152;
const mostSquarings = 1100;

/** exp(A) = exp(A / 2ˢ) to the power 2ˢ: approximated, then squared s times; s is each matrix's own. */
export function exponential(c: Context, op: string, a: Value): Value {
  const { b } = c;
  of.checkMatrix(b, op, a, true);
  if (shapeOf(a).includes(0)) return a;
  return of.unflat(b, exponentialFlat(c, of.flat(b, a)), of.batchOf(a));
}
function exponentialFlat(c: Context, x: Value): Value {
  const [result] = of.withGradient(c, 'LinalgMatrixExp', [x], [computed(c.b, x)], ({ c: back, b, cotangents: [g] }) => {
    // exp of [[Aᵀ, g], [0, Aᵀ]] has the gradient in its upper right block (Mathias, 1996)
    const [count, n] = shapeOf(x) as [number, number];
    const turned = of.swapped(b, x);
    const top = b.concatenate([turned, g!], 2);
    const bottom = b.concatenate([b.like(turned, 0), turned], 2);
    const whole = exponentialFlat(back, b.concatenate([top, bottom], 1));
    return [b.slice(whole, [0, 0, n], [count, n, 2 * n])];
  });
  return result!;
}
function computed(b: Builder, x: Value): Value {
  const [count] = shapeOf(x) as [number];
  const type = typeOf(x);
  const zero = b.fill(type, [], 0);
  const norm = b.reduce('maximum', b.sum(b.unary('abs', x), [1]), zero, [1]);
  const excess = b.divide(b.unary('log', b.divide(norm, b.like(norm, largestNorm))), b.like(norm, Math.LN2));
  const squarings = b.unary('ceil', b.maximum(excess, b.like(excess, 0)));
  const isBounded = b.compare('LT', squarings, b.like(squarings, mostSquarings));
  const times = b.select(isBounded, squarings, b.like(squarings, 0));
  const scale = b.unary('exponential', of.scaled(b, times, -Math.LN2));
  // 2⁻ˢ exactly
  const exact = b.emit1('reduce_precision', [scale], { exponentBits: type === 'f64' ? 11 : 8, mantissaBits: 2 });
  const small = b.multiply(x, of.spread(b, exact, [0], shapeOf(x)));
  const identity = of.identityLike(b, x);
  const [two, weights] = [of.product(b, small, small), pade];
  const four = of.product(b, two, two);
  const six = of.product(b, four, two);
  const sum = (...terms: readonly (readonly [Value, number])[]): Value =>
    terms.map(([value, i]) => of.scaled(b, value, weights[i]!)).reduce((l, r) => b.add(l, r));
  const oddHigh = of.product(b, six, sum([six, 13], [four, 11], [two, 9]));
  const odd = of.product(b, small, b.add(oddHigh, sum([six, 7], [four, 5], [two, 3], [identity, 1])));
  const evenHigh = of.product(b, six, sum([six, 12], [four, 10], [two, 8]));
  const even = b.add(evenHigh, sum([six, 6], [four, 4], [two, 2], [identity, 0]));
  const start = solveFactored(b, factor(b, b.subtract(even, odd)), b.add(even, odd), false);
  const [powered] = of.loop(
    b,
    mostSquarings,
    [start, times],
    (inner, _, [value, left]) => {
      const isOpen = inner.compare('GT', left!, inner.like(left!, 0));
      const square = of.product(inner, value!, value!);
      return [
        inner.select(of.spread(inner, isOpen, [0], shapeOf(value!)), square, value!),
        inner.subtract(left!, inner.like(left!, 1)),
      ];
    },
    (inner, [, left]) =>
      inner.compare('GT', inner.reduce('maximum', left!, inner.fill(type, [], 0), [0]), inner.fill(type, [], 0)),
  ) as [Value];
  return count === 0 ? x : powered;
}
