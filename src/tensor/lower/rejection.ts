// Rejection sampling, in a loop of the program that runs until every element has a sample: the gamma distribution (Marsaglia
// and Tsang, 2000), Poisson and binomial numbers (Hörmann, 1993; by inversion where the mean is below 10) and the von Mises
// distribution (Best and Fisher, 1979).
//
// The program generates 64 random bits for each element, as elsewhere. Attempt i hashes them with i (SplitMix64), so an
// element's sample is a function of its bits only, and does not depend on the number of attempts of others.
import type { Builder } from '../../hlo/builder.ts';
import { Formula } from '../../hlo/ops/special-functions/formula.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import type { Context } from '../surface/row.ts';
import { sampleSlope } from './incomplete-gamma.ts';
import { loop, withGradient } from './linalg/batches.ts';
import { typeOf } from './narrow.ts';
import { bits, type Source } from './random.ts';

const mostAttempts = 1000;
const golden = 0x9e3779b97f4a7c15n;

/** 64 random bits for each element of a shape. */
function keys(source: Source, shape: readonly number[]): Value {
  const { b } = source;
  const words = b.convert(bits(source, [...shape, 2]), 'ui64');
  const word = (i: number): Value => b.reshape(b.slice(words, [...shape.map(() => 0), i], [...shape, i + 1]), shape);
  const high = b.binary('shift_left', word(0), b.fill('ui64', shape, 32n));
  return b.binary('or', high, word(1));
}
function mixed(b: Builder, x: Value): Value {
  const shape = shapeOf(x);
  const shifted = (z: Value, by: bigint): Value =>
    b.binary('xor', z, b.binary('shift_right_logical', z, b.fill('ui64', shape, by)));
  const times = (z: Value, factor: bigint): Value => b.multiply(z, b.fill('ui64', shape, factor));
  const first = times(shifted(x, 30n), 0xbf58476d1ce4e5b9n);
  return shifted(times(shifted(first, 27n), 0x94d049bb133111ebn), 31n);
}
/** Two uniform numbers in (0, 1) from 64 bits. */
function uniforms(b: Builder, word: Value, like: Value): readonly [Value, Value] {
  const shape = shapeOf(word);
  const [type, digits] = typeOf(like) === 'f64' ? (['f64', 31n] as const) : (['f32', 23n] as const);
  const part = (z: Value): Value => {
    const high = b.convert(b.binary('shift_right_logical', z, b.fill('ui64', shape, 64n - digits)), type);
    return b.convert(b.multiply(b.add(high, b.like(high, 0.5)), b.like(high, 2 ** -Number(digits))), typeOf(like));
  };
  return [part(word), part(b.binary('shift_left', word, b.fill('ui64', shape, 32n)))];
}
const anyOf = (b: Builder, x: Value): Value =>
  b.reduce(
    'or',
    x,
    b.fill('i1', [], false),
    shapeOf(x).map((_, d) => d),
  );
/** Attempts until each element is accepted; `parameters` are passed on, two uniform numbers are new in each. */
function untilAccepted(
  source: Source,
  parameters: readonly Value[],
  attempt: (
    b: Builder,
    parameters: readonly Value[],
    u: Value,
    v: Value,
  ) => { readonly candidate: Value; readonly isAccepted: Value },
): Value {
  const { b } = source;
  const [like] = parameters as [Value, ...Value[]];
  const shape = shapeOf(like);
  const [, , found] = loop(
    b,
    mostAttempts,
    [keys(source, shape), b.fill('i1', shape, false), b.like(like, 0), ...parameters],
    (inner, _, [key, isFound, before, ...passed]) => {
      const next = inner.add(key!, inner.fill('ui64', shape, golden));
      const [u, v] = uniforms(inner, mixed(inner, next), like);
      const { candidate, isAccepted } = attempt(inner, passed, u, v);
      return [next, inner.binary('or', isFound!, isAccepted), inner.select(isFound!, before!, candidate), ...passed];
    },
    (inner, [, isFound]) => anyOf(inner, inner.unary('not', isFound!)),
  );
  return found!;
}

/** Samples of the gamma distribution with rate 1; gradients flow to the concentration. */
export function standardGamma(c: Context & Source, concentration: Value): Value {
  const { b } = c;
  const f = new Formula(b, concentration);
  const isSmall = f.compare('LT', concentration, 1);
  const d = f.subtract(f.select(isSmall, f.add(concentration, 1), concentration), 1 / 3);
  const found = untilAccepted(c, [d], (inner, [shape], u, v) => {
    const h = new Formula(inner, shape!);
    const x = h.multiply(Math.SQRT2, inner.emit1('chlo.erf_inv', [h.subtract(h.multiply(2, u), 1)], {}));
    const root = h.add(1, h.divide(x, h.sqrt(h.multiply(9, shape!))));
    const cube = h.maximum(h.multiply(h.square(root), root), 1e-30);
    const limit = h.add(h.multiply(0.5, h.square(x)), h.multiply(shape!, h.add(h.subtract(1, cube), h.log(cube))));
    const isAccepted = inner.binary('and', h.compare('GT', root, 0), h.compare('LT', h.log(v), limit));
    return { candidate: h.multiply(shape!, cube), isAccepted };
  });
  // Gamma(a) is Gamma(a + 1) · u^(1/a)
  const [u] = uniforms(b, mixed(b, keys(c, shapeOf(concentration))), concentration);
  const boost = f.exp(f.divide(f.log(u), f.select(isSmall, concentration, 1)));
  const tiny = f.elementType === 'f64' ? 1e-300 : 1e-37;
  const sample = f.maximum(f.multiply(found, f.select(isSmall, boost, 1)), tiny);
  return withGradient(c, 'StandardGamma', [concentration], [sample], ({ b: back, cotangents: [g] }) => [
    back.multiply(g!, sampleSlope(back, concentration, sample)),
  ])[0]!;
}
const lgamma = (b: Builder, x: Value): Value => b.emit1('chlo.lgamma', [x], {});
/** The first k for which the sum of probabilities 0 … k exceeds u; `ratio` is the ratio of probability k to the previous one. */
function byInversion(
  source: Source,
  first: Value,
  parameters: readonly Value[],
  ratio: (b: Builder, k: Value, parameters: readonly Value[]) => Value,
): Value {
  const { b } = source;
  const shape = shapeOf(first);
  const [u] = uniforms(b, mixed(b, keys(source, shape)), first);
  const [found] = loop(
    b,
    mostAttempts,
    [b.like(first, 0), first, b.subtract(u, first), ...parameters],
    (inner, _, [k, probability, left, ...passed]) => {
      const isOpen = inner.compare('GE', left!, inner.like(left!, 0));
      const next = inner.add(k!, inner.like(k!, 1));
      const p = inner.multiply(probability!, ratio(inner, next, passed));
      return [
        inner.select(isOpen, next, k!),
        inner.select(isOpen, p, probability!),
        inner.select(isOpen, inner.subtract(left!, p), left!),
        ...passed,
      ];
    },
    (inner, [, probability, left]) =>
      anyOf(
        inner,
        inner.binary(
          'and',
          inner.compare('GE', left!, inner.like(left!, 0)),
          inner.compare('GT', probability!, inner.like(probability!, 0)),
        ),
      ),
  );
  return found!;
}
const leastMean = 10;
/** Poisson numbers, in f64; NaN where the rate is negative. */
export function poisson(source: Source, given: Value): Value {
  const { b } = source;
  const rate = b.convert(given, 'f64');
  const f = new Formula(b, rate);
  const isLarge = f.compare('GE', rate, leastMean);
  const [small, large] = [f.select(isLarge, 1, f.maximum(rate, 0)), f.select(isLarge, rate, leastMean)];
  const few = byInversion(source, f.exp(f.negate(small)), [small], (inner, k, [r]) => inner.divide(r!, k));
  const many = untilAccepted(source, [large], (inner, [r], first, second) => {
    const h = new Formula(inner, r!);
    const slope = h.add(0.931, h.multiply(2.53, h.sqrt(r!)));
    const a = h.add(-0.059, h.multiply(0.02483, slope));
    const inverse = h.add(1.1239, h.divide(1.1328, h.subtract(slope, 3.4)));
    const u = h.subtract(first, 0.5);
    const us = h.subtract(0.5, h.abs(u));
    const k = h.floor(h.add(h.add(h.multiply(h.add(h.divide(h.multiply(2, a), us), slope), u), r!), 0.43));
    const quick = h.subtract(0.9277, h.divide(3.6224, h.subtract(slope, 2)));
    const isQuick = inner.binary('and', h.compare('GE', us, 0.07), h.compare('LE', second, quick));
    const isOut = h.or(
      h.compare('LT', k, 0),
      inner.binary('and', h.compare('LT', us, 0.013), h.compare('GT', second, us)),
    );
    const weight = h.log(h.divide(h.multiply(second, inverse), h.add(h.divide(a, h.square(us)), slope)));
    const density = h.subtract(h.subtract(h.multiply(k, h.log(r!)), r!), lgamma(inner, h.add(h.maximum(k, 0), 1)));
    const isSlow = inner.binary('and', inner.unary('not', isOut), h.compare('LE', weight, density));
    return { candidate: k, isAccepted: inner.binary('or', isQuick, isSlow) };
  });
  const isValid = f.compare('GE', rate, 0);
  return f.select(isValid, f.select(isLarge, many, few), Number.NaN);
}
/** Numbers of successes, in f64. */
export function binomial(source: Source, givenCount: Value, givenChance: Value): Value {
  const { b } = source;
  const [count, chance] = [b.convert(givenCount, 'f64'), b.convert(givenChance, 'f64')];
  const f = new Formula(b, count);
  const isTurned = f.compare('GT', chance, 0.5);
  const p = f.select(isTurned, f.subtract(1, chance), chance);
  const isLarge = f.compare('GE', f.multiply(count, p), leastMean);
  const smallP = f.select(isLarge, 0.1, p);
  const odds = f.divide(smallP, f.subtract(1, smallP));
  const few = byInversion(
    source,
    f.exp(f.multiply(count, f.log1p(f.negate(smallP)))),
    [count, odds],
    (inner, k, [n, o]) => {
      const h = new Formula(inner, k);
      return h.multiply(h.divide(h.add(h.subtract(n!, k), 1), k), o!);
    },
  );
  const n = f.select(isLarge, count, 100);
  const many = untilAccepted(source, [n, f.select(isLarge, p, 0.25)], (inner, [size, q], first, second) => {
    const h = new Formula(inner, size!);
    const failure = h.subtract(1, q!);
    const deviation = h.sqrt(h.multiply(h.multiply(size!, q!), failure));
    const slope = h.add(1.15, h.multiply(2.53, deviation));
    const a = h.add(h.add(-0.0873, h.multiply(0.0248, slope)), h.multiply(0.01, q!));
    const center = h.add(h.multiply(size!, q!), 0.5);
    const alpha = h.multiply(h.add(2.83, h.divide(5.1, slope)), deviation);
    const u = h.subtract(first, 0.5);
    const us = h.subtract(0.5, h.abs(u));
    const k = h.floor(h.add(h.multiply(h.add(h.divide(h.multiply(2, a), us), slope), u), center));
    const quick = h.subtract(0.92, h.divide(4.2, slope));
    const isQuick = inner.binary('and', h.compare('GE', us, 0.07), h.compare('LE', second, quick));
    const isInside = inner.binary('and', h.compare('GE', k, 0), h.compare('LE', k, size!));
    const mode = h.floor(h.multiply(h.add(size!, 1), q!));
    const weight = h.log(h.divide(h.multiply(second, alpha), h.add(h.divide(a, h.square(us)), slope)));
    const safe = h.maximum(h.minimum(k, size!), 0);
    const ways = (x: Value): Value => h.add(lgamma(inner, h.add(x, 1)), lgamma(inner, h.add(h.subtract(size!, x), 1)));
    const density = h.add(
      h.subtract(ways(mode), ways(safe)),
      h.multiply(h.subtract(safe, mode), h.log(h.divide(q!, failure))),
    );
    const isSlow = inner.binary('and', isInside, h.compare('LE', weight, density));
    return { candidate: k, isAccepted: inner.binary('or', inner.binary('and', isQuick, isInside), isSlow) };
  });
  const found = f.select(isLarge, many, f.minimum(few, count));
  return f.select(isTurned, f.subtract(count, found), found);
}
/** Angles around 0 of the von Mises distribution with this concentration. */
export function vonMises(source: Source, concentration: Value): Value {
  const { b } = source;
  const f = new Formula(b, concentration);
  const kappa = f.maximum(concentration, f.elementType === 'f64' ? 1e-8 : 1e-3);
  const tau = f.add(1, f.sqrt(f.add(1, f.multiply(4, f.square(kappa)))));
  const rho = f.divide(f.subtract(tau, f.sqrt(f.multiply(2, tau))), f.multiply(2, kappa));
  const r = f.divide(f.add(1, f.square(rho)), f.multiply(2, rho));
  const cosine = untilAccepted(source, [kappa, r], (inner, [k, proposal], u, v) => {
    const h = new Formula(inner, k!);
    const z = h.cosine(h.multiply(Math.PI, u));
    const w = h.divide(h.add(1, h.multiply(proposal!, z)), h.add(proposal!, z));
    const excess = h.multiply(k!, h.subtract(proposal!, w));
    const isQuick = h.compare('GT', h.multiply(excess, h.subtract(2, excess)), v);
    const isSlow = h.compare('GE', h.subtract(h.add(h.log(h.divide(excess, v)), 1), excess), 0);
    return { candidate: w, isAccepted: inner.binary('or', isQuick, isSlow) };
  });
  const [u] = uniforms(b, mixed(b, keys(source, shapeOf(concentration))), concentration);
  const w = f.maximum(f.minimum(cosine, 1), -1);
  return f.multiply(f.sign(f.subtract(u, 0.5)), b.emit1('chlo.acos', [w], {}));
}
