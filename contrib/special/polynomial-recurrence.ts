// Orthogonal polynomials of degree n by their recurrences, in a loop up to the largest degree; degrees may differ between
// elements.
//
//   P₀ = 1    P₁ = p·x + q    P(k+1) = ((a·k + b)·x·s + (c·k + d))·P(k) - e·P(k-1)      all of it divided by k + 1 for some
//
// The same recurrence gives the derivative. Values of Chebyshev polynomials in [-1, 1] are trigonometric above degree 8, as in
// PyTorch; others of a degree above 100,000 are NaN: the loop ends in any case.
import type { Builder } from '../../src/hlo/builder.ts';
import { Formula } from '../../src/hlo/ops/special-functions/formula.ts';
import { shapeOf, type Value } from '../../src/hlo/program.ts';
import { type Operand, truncated, unify } from '../../src/tensor/lower/elementwise.ts';
import { withGradient } from '../../src/tensor/lower/linalg/batches.ts';
import { inWide, typeOf } from '../../src/tensor/lower/narrow.ts';
import type { Context } from '../../src/tensor/surface/row.ts';

/** Coefficients of the recurrence at k, of x·P(k), P(k) and P(k-1), before the division by `over`. */
interface Family {
  /** P₁ = first[0]·x + first[1]. */
  readonly first: readonly [number, number];
  /** [of k, constant] */
  readonly slope: readonly [number, number];
  readonly offset: readonly [number, number];
  readonly before: readonly [number, number];
  /** Whether each step is divided by k + 1. */
  readonly isDivided: boolean;
}
const plain = { offset: [0, 0], isDivided: false } as const;
const chebyshev = (first: Family['first']): Family => ({ ...plain, first, slope: [0, 2], before: [0, 1] });
export const families = {
  chebyshevT: chebyshev([1, 0]),
  chebyshevU: chebyshev([2, 0]),
  chebyshevV: chebyshev([2, -1]),
  chebyshevW: chebyshev([2, 1]),
  hermiteH: { ...plain, first: [2, 0], slope: [0, 2], before: [2, 0] },
  hermiteHe: { ...plain, first: [1, 0], slope: [0, 1], before: [1, 0] },
  laguerreL: { first: [-1, 1], slope: [0, -1], offset: [2, 1], before: [1, 0], isDivided: true },
  legendreP: { first: [1, 0], slope: [2, 1], offset: [0, 0], before: [1, 0], isDivided: true },
} as const satisfies Readonly<Record<string, Family>>;
export type FamilyName = keyof typeof families;

const largestDegree = 100_000;
const largestPlain = 8;
/** Chebyshev polynomials in [-1, 1], of x = cos θ; undefined for other families. */
function trigonometric(b: Builder, name: FamilyName, x: Value, n: Value): Value | undefined {
  const f = new Formula(b, x);
  const angle = b.emit1('chlo.acos', [x], {});
  const [cos, sin] = [(of: Value) => b.unary('cosine', of), (of: Value) => b.unary('sine', of)];
  const [half, middle] = [f.multiply(angle, 0.5), f.multiply(f.add(n, 0.5), angle)];
  const isEven = f.compare('EQ', b.binary('remainder', n, b.like(n, 2)), 0);
  const sign = f.select(f.compare('GT', x, 0), 1, f.select(isEven, f.value(1), f.value(-1)));
  const [right, left] = [f.compare('EQ', x, 1), f.compare('EQ', x, -1)];
  const atEnds = (inside: Value, one: Value, minusOne: Value): Value =>
    f.select(right, one, f.select(left, f.multiply(minusOne, sign), inside));
  const twice = f.add(f.multiply(2, n), 1);
  switch (name) {
    case 'chebyshevT':
      return cos(f.multiply(n, angle));
    case 'chebyshevU': {
      const next = f.add(n, 1);
      return atEnds(f.divide(sin(f.multiply(next, angle)), sin(angle)), next, next);
    }
    case 'chebyshevV':
      return atEnds(f.divide(cos(middle), cos(half)), f.value(1), twice);
    case 'chebyshevW':
      return atEnds(f.divide(sin(middle), sin(half)), twice, f.value(1));
    default:
      return undefined;
  }
}

/** The polynomial of degree n and its derivative; both 0 for a degree below 0. `isShifted`: of 2·x - 1. */
function recurrence(b: Builder, family: Family, isShifted: boolean, given: Value, degree: Value): [Value, Value] {
  const f = new Formula(b, given);
  const x = isShifted ? f.subtract(f.multiply(2, given), 1) : given;
  const inner = isShifted ? 2 : 1;
  const shape = shapeOf(x);
  const isZero = f.compare('LT', degree, 1);
  const start = f.add(f.multiply(family.first[0], x), family.first[1]);
  const dims = shape.map((_, d) => d);
  const most = dims.length === 0 ? degree : b.reduce('maximum', degree, b.fill(typeOf(x), [], 0), dims);
  const one = b.fill(typeOf(x), [], 1);
  const state = [
    one,
    f.value(1),
    f.select(isZero, 1, start),
    f.value(0),
    f.select(isZero, 0, f.value(family.first[0] * inner)),
    x,
    degree,
    most,
  ];
  const types = state.map(value => value.type);
  const goesOn = b.region(types, (i, [k, , , , , , , end]) => [i.compare('LT', k!, end!)]);
  const turn = b.region(types, (i, [k, before, now, slopeBefore, slopeNow, at, end, last]) => {
    const h = new Formula(i, at!);
    const wide = i.broadcastInDim(k!, [], shape);
    const linear = ([a, c]: readonly [number, number]): Value => h.add(h.multiply(a, wide), c);
    const [slope, factor, behind] = [
      linear(family.slope),
      h.add(h.multiply(linear(family.slope), at!), linear(family.offset)),
      linear(family.before),
    ];
    const over = (value: Value): Value => (family.isDivided ? h.divide(value, h.add(wide, 1)) : value);
    const next = over(h.subtract(h.multiply(factor, now!), h.multiply(behind, before!)));
    const along = h.add(h.multiply(h.multiply(slope, inner), now!), h.multiply(factor, slopeNow!));
    const slopeNext = over(h.subtract(along, h.multiply(behind, slopeBefore!)));
    const isLeft = h.compare('LT', wide, end!);
    return [
      i.add(k!, i.fill(typeOf(at!), [], 1)),
      h.select(isLeft, now!, before!),
      h.select(isLeft, next, now!),
      h.select(isLeft, slopeNow!, slopeBefore!),
      h.select(isLeft, slopeNext, slopeNow!),
      at!,
      end!,
      last!,
    ];
  });
  const results = b.emit('while', state, {}, [goesOn, turn]);
  const isBelow = f.compare('LT', degree, 0);
  return [f.select(isBelow, 0, results[2]!), f.select(isBelow, 0, results[4]!)];
}

export function polynomial(
  c: Context,
  op: string,
  name: FamilyName,
  isShifted: boolean,
  x: Operand,
  n: Operand,
): Value {
  const [wideX, wideN] = unify(c.b, op, x, n, true);
  return inWide(c.b, wideX, inner => {
    const family: Family = families[name];
    const f = new Formula(c.b, inner);
    const given = truncated(c.b, c.b.convert(wideN, typeOf(inner)));
    const x = isShifted ? f.subtract(f.multiply(2, inner), 1) : inner;
    const closed = trigonometric(c.b, name, x, given);
    const isHuge = f.compare('GT', given, largestDegree);
    const degree = f.select(isHuge, 0, given);
    const isClosed =
      closed === undefined
        ? isHuge
        : c.b.binary('and', f.compare('GT', given, largestPlain), f.compare('LE', c.b.unary('abs', x), 1));
    const plain = f.select(isClosed, 0, degree);
    const looped = f.select(isHuge, Number.NaN, recurrence(c.b, family, isShifted, inner, plain)[0]);
    const value = closed === undefined ? looped : f.select(isClosed, closed, looped);
    return withGradient(c, 'Polynomial', [inner], [value], ({ b, cotangents: [g] }) => {
      const [, slope] = recurrence(b, family, isShifted, inner, degree);
      return [b.select(isHuge, b.like(slope, Number.NaN), b.multiply(g!, slope))];
    })[0]!;
  });
}
