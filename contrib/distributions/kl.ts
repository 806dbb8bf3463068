// The closed forms of Kullback–Leibler divergences between distributions of this folder, registered when it is imported.

import { Normal, Uniform } from '../../src/tensor/distributions/continuous.ts';
import { Bernoulli } from '../../src/tensor/distributions/discrete.ts';
import type { Distribution } from '../../src/tensor/distributions/distribution.ts';
import { type DistributionClass, klDivergence, noClosedForm, registerKl } from '../../src/tensor/distributions/kl.ts';
import { solveTriangular } from '../../src/tensor/generated/linalg.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';
import { Cauchy, Exponential, Gumbel, HalfNormal, Laplace, LogNormal } from './continuous.ts';
import { Binomial, Geometric, Poisson } from './counts.ts';
import { crossDivergence } from './cross-entropy.ts';
import { Beta, Dirichlet, Gamma, logBeta } from './gamma.ts';
import { LowRankMultivariateNormal, logDiagonal, MultivariateNormal, mahalanobis } from './multivariate.ts';
import { Pareto, TransformedDistribution } from './transformed.ts';

const ofDifferentKinds: readonly DistributionClass<Distribution>[] = [
  Normal,
  Laplace,
  Gumbel,
  Exponential,
  Gamma,
  Beta,
  Pareto,
  Uniform,
];
for (const p of ofDifferentKinds) for (const q of ofDifferentKinds) if (p !== q) registerKl(p, q, crossDivergence);
registerKl(LogNormal, LogNormal, (p, q) => klDivergence(p.base, q.base));
registerKl(HalfNormal, HalfNormal, (p, q) => klDivergence(new Normal(0, p.scale), new Normal(0, q.scale)));
registerKl(Bernoulli, Poisson, (p, q) => p.entropy().add(p.probs.mul(q.rate.log())).sub(q.rate).neg());
registerKl(Poisson, Poisson, (p, q) => p.rate.mul(p.rate.log().sub(q.rate.log())).sub(p.rate.sub(q.rate)));
registerKl(Poisson, Bernoulli, p => p.rate.mul(0).add(Number.POSITIVE_INFINITY));
registerKl(Poisson, Binomial, p => p.rate.mul(0).add(Number.POSITIVE_INFINITY));
registerKl(Binomial, Binomial, ofBinomials);
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
registerKl(TransformedDistribution, TransformedDistribution, (p, q) => {
  const isSame =
    p.transforms.length === q.transforms.length && p.transforms.every((transform, i) => transform === q.transforms[i]);
  if (!isSame) throw noClosedForm(p, q);
  return klDivergence(p.base, q.base);
});

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
