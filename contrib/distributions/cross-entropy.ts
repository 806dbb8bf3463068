// Divergences between distributions of different kinds: the cross entropy minus the entropy. The log-density of q is a sum of a
// few functions of x (x, x², log x …), whose expected values under p have closed forms.

import { Normal, Uniform } from '../../src/tensor/distributions/continuous.ts';
import type { Distribution } from '../../src/tensor/distributions/distribution.ts';
import type { WithEntropy } from '../../src/tensor/distributions/independent.ts';
import { where } from '../../src/tensor/generated/functions.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';
import { Exponential, Gumbel, Laplace } from './continuous.ts';
import { Beta, Gamma, logBeta } from './gamma.ts';
import { Pareto } from './transformed.ts';

const eulerGamma = 0.5772156649015329;
const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

/** The known expected values of a distribution p. */
interface Expectations {
  /** The support of its values. */
  readonly low: Tensor | number;
  readonly high: Tensor | number;
  readonly log?: () => Tensor;
  /** The expectation of log(1 - x). */
  readonly logRest?: () => Tensor;
  /** The expectation of exp(t · x). */
  readonly exponential?: (t: Tensor) => Tensor;
  /** The expectation of |x - m|. */
  readonly distance?: (m: Tensor) => Tensor;
}
const xLogX = (x: Tensor): Tensor => x.xlogy(x);
function expectationsOf(p: Distribution): Expectations | undefined {
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (p instanceof Normal)
    return {
      low,
      high,
      exponential: t => p.loc.mul(t).add(p.scale.mul(t).square().mul(0.5)).exp(),
      distance: m => {
        const z = p.loc.sub(m).div(p.scale);
        const near = z
          .square()
          .mul(-0.5)
          .exp()
          .mul(p.scale)
          .mul(Math.sqrt(2 / Math.PI));
        return near.add(p.loc.sub(m).mul(z.mul(Math.SQRT1_2).erf()));
      },
    };
  if (p instanceof Laplace || p instanceof Gumbel) return { low, high };
  if (p instanceof Exponential)
    return {
      low: 0,
      high,
      log: () => p.rate.log().add(eulerGamma).neg(),
      exponential: t => p.rate.div(p.rate.sub(t)),
    };
  if (p instanceof Gamma)
    return {
      low: 0,
      high,
      log: () => p.concentration.digamma().sub(p.rate.log()),
      exponential: t => t.div(p.rate).neg().add(1).pow(p.concentration.neg()),
    };
  if (p instanceof Beta) {
    const total = p.concentration1.add(p.concentration0);
    return {
      low: 0,
      high: 1,
      log: () => p.concentration1.digamma().sub(total.digamma()),
      logRest: () => p.concentration0.digamma().sub(total.digamma()),
    };
  }
  if (p instanceof Pareto) return { low: p.scale, high, log: () => p.scale.log().add(p.alpha.reciprocal()) };
  if (p instanceof Uniform) {
    const width = p.high.sub(p.low);
    const meanLog = (a: Tensor, b: Tensor): Tensor => xLogX(b).sub(xLogX(a)).div(b.sub(a)).sub(1);
    return {
      low: p.low,
      high: p.high,
      log: () => meanLog(p.low, p.high),
      logRest: () => meanLog(p.high.neg().add(1), p.low.neg().add(1)),
      exponential: t => p.high.mul(t).exp().sub(p.low.mul(t).exp()).div(t.mul(width)),
    };
  }
  return undefined;
}
/** E log q(x) for x sampled from p, if there is a closed form. */
function meanLogDensity(p: Distribution, of: Expectations, q: Distribution): Tensor | undefined {
  if (q instanceof Exponential) return q.rate.log().sub(q.rate.mul(p.mean));
  if (q instanceof Gamma && of.log !== undefined)
    return q.concentration
      .mul(q.rate.log())
      .sub(q.concentration.lgamma())
      .add(q.concentration.sub(1).mul(of.log()))
      .sub(q.rate.mul(p.mean));
  if (q instanceof Normal) {
    const square = p.variance.add(p.mean.sub(q.loc).square());
    return square.div(q.scale.square()).mul(-0.5).sub(q.scale.log()).sub(halfLogTwoPi);
  }
  if (q instanceof Uniform) return q.high.sub(q.low).log().neg();
  if (q instanceof Gumbel && of.exponential !== undefined) {
    const moved = of.exponential(q.scale.reciprocal().neg()).mul(q.loc.div(q.scale).exp());
    return q.scale.log().add(p.mean.sub(q.loc).div(q.scale)).add(moved).neg();
  }
  if (q instanceof Beta && of.log !== undefined && of.logRest !== undefined)
    return q.concentration1
      .sub(1)
      .mul(of.log())
      .add(q.concentration0.sub(1).mul(of.logRest()))
      .sub(logBeta(q.concentration1, q.concentration0));
  if (q instanceof Pareto && of.log !== undefined)
    return q.alpha.log().add(q.alpha.mul(q.scale.log())).sub(q.alpha.add(1).mul(of.log()));
  if (q instanceof Laplace && of.distance !== undefined)
    return of.distance(q.loc).div(q.scale).add(q.scale.mul(2).log()).neg();
  return undefined;
}
/** The support of q. */
const boundsOf = (q: Distribution): readonly [low: Tensor | number, high: Tensor | number] => {
  const of = expectationsOf(q);
  return of === undefined ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [of.low, of.high];
};
/** The divergence of p from q; undefined without a closed form. Infinite where p has values that q does not have. */
export function crossDivergence(p: Distribution, q: Distribution): Tensor | undefined {
  const of = expectationsOf(p);
  if (of === undefined || expectationsOf(q) === undefined) return undefined;
  const [low, high] = boundsOf(q);
  const isBelow = typeof of.low === 'number' && typeof low === 'number' ? of.low < low : undefined;
  const isAbove = typeof of.high === 'number' && typeof high === 'number' ? of.high > high : undefined;
  const infinite = (): Tensor => p.mean.add(q.mean).mul(0).nanToNum(0, 0, 0).add(Number.POSITIVE_INFINITY);
  const isUnbounded =
    (typeof of.low === 'number' && !Number.isFinite(of.low) && low !== Number.NEGATIVE_INFINITY) ||
    (of.high === Number.POSITIVE_INFINITY && high !== Number.POSITIVE_INFINITY);
  if (isBelow === true || isAbove === true || isUnbounded) return infinite();
  const log = meanLogDensity(p, of, q);
  if (log === undefined) return undefined;
  let result = (p as WithEntropy).entropy().add(log).neg();
  const refuse = (condition: Tensor | boolean): void => {
    if (typeof condition !== 'boolean')
      result = where(
        condition,
        result.detach().mul(0).nanToNum(0, 0, 0).add(Number.POSITIVE_INFINITY),
        result,
      ) as Tensor;
  };
  if (low !== Number.NEGATIVE_INFINITY && isBelow === undefined) refuse(isLess(of.low, low));
  if (high !== Number.POSITIVE_INFINITY && isAbove === undefined) refuse(isLess(high, of.high));
  return result;
}
function isLess(x: Tensor | number, y: Tensor | number): Tensor | boolean {
  if (typeof x !== 'number') return x.lt(y);
  return typeof y === 'number' ? x < y : y.gt(x);
}
