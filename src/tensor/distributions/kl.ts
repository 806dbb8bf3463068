// The Kullback–Leibler divergence between two distributions, in closed form: a registry of pairs. `cross-entropy.ts` has the
// pairs of different kinds.
import { wrongArgument } from '../check-arguments.ts';
import { solveTriangular } from '../generated/linalg.ts';
import type { Tensor } from '../tensor.ts';
import { Cauchy, Exponential, Gumbel, HalfNormal, Laplace, LogNormal, Normal, Uniform } from './continuous.ts';
import { Binomial, Poisson } from './counts.ts';
import { crossDivergence } from './cross-entropy.ts';
import { Bernoulli, Categorical, Geometric, OneHotCategorical } from './discrete.ts';
import type { Distribution } from './distribution.ts';
import { Beta, Dirichlet, Gamma, logBeta } from './gamma.ts';
import { Independent, sumRightmost } from './independent.ts';
import { LowRankMultivariateNormal, logDiagonal, MultivariateNormal, mahalanobis } from './multivariate.ts';
import { Pareto, TransformedDistribution } from './transformed.ts';

/** A class of distributions. */
export type DistributionClass<D extends Distribution> = abstract new (...args: never) => D;
interface Entry {
  readonly p: DistributionClass<Distribution>;
  readonly q: DistributionClass<Distribution>;
  readonly divergence: (p: Distribution, q: Distribution) => Tensor;
}
const registered: Entry[] = [];
/**
 * Registers the divergence of distributions of one class from those of another. The last registered pair takes precedence,
 * and subclasses are included. PyTorch: `torch.distributions.register_kl`.
 * @example
 * class Fixed extends distributions.Normal {}
 * distributions.registerKl(Fixed, Fixed, p => zerosLike(p.mean));
 * distributions.klDivergence(new Fixed(0, 1), new Fixed(0, 1)) // 0
 */
export function registerKl<P extends Distribution, Q extends Distribution>(
  p: DistributionClass<P>,
  q: DistributionClass<Q>,
  divergence: (p: P, q: Q) => Tensor,
): void {
  registered.unshift({ p, q, divergence: divergence as Entry['divergence'] });
}
registerKl(Normal, Normal, ofNormals);
registerKl(LogNormal, LogNormal, (p, q) => ofNormals(p.base, q.base));
registerKl(HalfNormal, HalfNormal, (p, q) => ofNormals(new Normal(0, p.scale), new Normal(0, q.scale)));
registerKl(Bernoulli, Bernoulli, ofBernoullis);
registerKl(Bernoulli, Poisson, (p, q) => p.entropy().add(p.probs.mul(q.rate.log())).sub(q.rate).neg());
registerKl(Poisson, Poisson, (p, q) => p.rate.mul(p.rate.log().sub(q.rate.log())).sub(p.rate.sub(q.rate)));
registerKl(Poisson, Bernoulli, p => p.rate.mul(0).add(Number.POSITIVE_INFINITY));
registerKl(Poisson, Binomial, p => p.rate.mul(0).add(Number.POSITIVE_INFINITY));
registerKl(Binomial, Binomial, ofBinomials);
registerKl(Categorical, Categorical, ofCategoricals);
registerKl(OneHotCategorical, OneHotCategorical, (p, q) => ofCategoricals(p.categorical, q.categorical));
registerKl(Geometric, Geometric, (p, q) =>
  p.entropy().neg().sub(q.probs.neg().log1p().div(p.probs)).sub(q.probs.logit()),
);
registerKl(Exponential, Exponential, (p, q) => {
  const ratio = q.rate.div(p.rate);
  return ratio.sub(ratio.log()).sub(1);
});
registerKl(Laplace, Laplace, (p, q) => {
  const distance = p.loc.sub(q.loc).abs();
  const ratio = p.scale.div(q.scale);
  return ratio.mul(distance.neg().div(p.scale).exp()).add(distance.div(q.scale)).sub(ratio.log()).sub(1);
});
registerKl(Uniform, Uniform, (p, q) => {
  const result = q.high.sub(q.low).div(p.high.sub(p.low)).log();
  const isOutside = q.low.gt(p.low).logicalOr(q.high.lt(p.high));
  return result.maskedFill(isOutside, Number.POSITIVE_INFINITY);
});
registerKl(Cauchy, Cauchy, (p, q) => {
  const squares = p.scale.add(q.scale).square().add(p.loc.sub(q.loc).square());
  return squares.log().sub(p.scale.mul(q.scale).mul(4).log());
});
registerKl(Gumbel, Gumbel, ofGumbels);
registerKl(Gamma, Gamma, ofGammas);
registerKl(Beta, Beta, ofBetas);
registerKl(Dirichlet, Dirichlet, ofDirichlets);
registerKl(Pareto, Pareto, (p, q) => {
  const ratio = q.alpha.div(p.alpha);
  const result = q.alpha.mul(p.scale.div(q.scale).log()).sub(ratio.log()).add(ratio).sub(1);
  return result.maskedFill(p.scale.lt(q.scale), Number.POSITIVE_INFINITY);
});
for (const first of [MultivariateNormal, LowRankMultivariateNormal])
  for (const second of [MultivariateNormal, LowRankMultivariateNormal])
    registerKl<Vectors, Vectors>(first, second, ofVectors);
registerKl(Independent, Independent, (p, q) => {
  if (p.reinterpretedBatchNdims !== q.reinterpretedBatchNdims) throw noClosedForm(p, q);
  return sumRightmost(klDivergence(p.base, q.base), p.reinterpretedBatchNdims);
});
registerKl(TransformedDistribution, TransformedDistribution, (p, q) => {
  const isSame =
    p.transforms.length === q.transforms.length && p.transforms.every((transform, i) => transform === q.transforms[i]);
  if (!isSame) throw noClosedForm(p, q);
  return klDivergence(p.base, q.base);
});

/**
 * The divergence of p from q, for each of the batch. PyTorch: `torch.distributions.kl_divergence`.
 * @throws {WRONG_ARGUMENT} for a pair without a closed form here
 * @example
 * const p = new distributions.Normal(1, 1), q = new distributions.Normal(0, 1);
 * distributions.klDivergence(p, q) // 0.5
 */
export function klDivergence(p: Distribution, q: Distribution): Tensor {
  const entry = registered.find(one => p instanceof one.p && q instanceof one.q);
  const result = entry === undefined ? crossDivergence(p, q) : entry.divergence(p, q);
  if (result === undefined) throw noClosedForm(p, q);
  return result;
}
const noClosedForm = (p: Distribution, q: Distribution): Error =>
  wrongArgument(
    { call: 'klDivergence', argument: 'q' },
    `${q.constructor.name}, with p a ${p.constructor.name}`,
    'a distribution of the kind of p, or another pair with a closed form',
    'estimate it from samples: p.logProb(x).sub(q.logProb(x)).mean() for x = p.sample([n]); or register the closed form with registerKl',
  );

function ofNormals(p: Normal, q: Normal): Tensor {
  const ratio = p.scale.div(q.scale).square();
  const distance = p.loc.sub(q.loc).div(q.scale).square();
  return ratio.add(distance).sub(1).sub(ratio.log()).mul(0.5);
}
function ofBernoullis(p: Bernoulli, q: Bernoulli): Tensor {
  const failure = p.probs.neg().add(1);
  const cross = p.probs.mul(q.logits.neg().exp().log1p()).add(failure.mul(q.logits.exp().log1p()));
  return cross.sub(p.entropy());
}
function ofCategoricals(p: Categorical, q: Categorical): Tensor {
  const each = p.probs.mul(p.logits.sub(q.logits));
  const infinite = each.maskedFill(q.probs.eq(0), Number.POSITIVE_INFINITY);
  return infinite.maskedFill(p.probs.eq(0), 0).sum(-1);
}
function ofGumbels(p: Gumbel, q: Gumbel): Tensor {
  const eulerGamma = 0.5772156649015329;
  const [first, second, third] = [p.scale.div(q.scale), q.loc.div(q.scale), p.loc.div(q.scale)];
  const moved = second.add(first.add(1).lgamma()).sub(third).exp();
  return first
    .mul(eulerGamma)
    .sub(first.log())
    .sub(second)
    .add(third)
    .add(moved)
    .sub(1 + eulerGamma);
}
function ofGammas(p: Gamma, q: Gamma): Tensor {
  return q.concentration
    .mul(p.rate.div(q.rate).log())
    .add(q.concentration.lgamma().sub(p.concentration.lgamma()))
    .add(p.concentration.sub(q.concentration).mul(p.concentration.digamma()))
    .add(q.rate.sub(p.rate).mul(p.concentration.div(p.rate)));
}
function ofBetas(p: Beta, q: Beta): Tensor {
  const [a, b, c, d] = [p.concentration1, p.concentration0, q.concentration1, q.concentration0];
  return logBeta(c, d)
    .sub(logBeta(a, b))
    .add(a.sub(c).mul(a.digamma()))
    .add(b.sub(d).mul(b.digamma()))
    .add(c.add(d).sub(a.add(b)).mul(a.add(b).digamma()));
}

function ofBinomials(p: Binomial, q: Binomial): Tensor {
  const rest = p.probs.neg().log1p().sub(q.probs.neg().log1p());
  const result = p.totalCount.mul(p.probs.mul(p.logits.sub(q.logits)).add(rest));
  const larger = result.maskedFill(p.totalCount.gt(q.totalCount), Number.POSITIVE_INFINITY);
  // without a closed form
  return larger.maskedFill(p.totalCount.lt(q.totalCount), Number.NaN);
}
function ofDirichlets(p: Dirichlet, q: Dirichlet): Tensor {
  const [a, b] = [p.concentration, q.concentration];
  const [sumA, sumB] = [a.sum(-1), b.sum(-1)];
  const each = a.sub(b).mul(a.digamma().sub(sumA.digamma().unsqueeze(-1)));
  return sumA.lgamma().sub(sumB.lgamma()).sub(a.lgamma().sub(b.lgamma()).sum(-1)).add(each.sum(-1));
}
type Vectors = MultivariateNormal | LowRankMultivariateNormal;
function ofVectors(p: Vectors, q: Vectors): Tensor {
  const n = p.eventShape[0]!;
  const [a, b] = [p.scaleTril, q.scaleTril];
  const batch = p.loc.sub(q.loc).shape.slice(0, -1);
  const wide = (x: Tensor): Tensor => x.expand([...batch, n, n]);
  const solved = solveTriangular(wide(b), wide(a), false) as Tensor;
  const spread = solved.square().sum([-2, -1]);
  const distance = mahalanobis(b, q.loc.sub(p.loc));
  return logDiagonal(b).sub(logDiagonal(a)).add(spread.add(distance).sub(n).mul(0.5));
}
