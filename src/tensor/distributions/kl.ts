// The Kullback–Leibler divergence between two distributions of one kind, in closed form.
import { wrongArgument } from '../check-arguments.ts';
import type { Tensor } from '../tensor.ts';
import { Exponential, Gumbel, Laplace, LogNormal, Normal, Uniform } from './continuous.ts';
import { Bernoulli, Categorical, Geometric, OneHotCategorical } from './discrete.ts';
import type { Distribution } from './distribution.ts';
import { Beta, Gamma, logBeta } from './gamma.ts';
import { Independent, sumRightmost } from './independent.ts';

/**
 * The divergence of p from q, for each of the batch. PyTorch: `torch.distributions.kl_divergence`.
 * @throws {WRONG_ARGUMENT} for a pair without a closed form here
 */
export function klDivergence(p: Distribution, q: Distribution): Tensor {
  if (p instanceof Normal && q instanceof Normal) return ofNormals(p, q);
  if (p instanceof LogNormal && q instanceof LogNormal) return ofNormals(p.base, q.base);
  if (p instanceof Bernoulli && q instanceof Bernoulli) return ofBernoullis(p, q);
  if (p instanceof Categorical && q instanceof Categorical) return ofCategoricals(p, q);
  if (p instanceof OneHotCategorical && q instanceof OneHotCategorical)
    return ofCategoricals(p.categorical, q.categorical);
  if (p instanceof Geometric && q instanceof Geometric)
    return p.entropy().neg().sub(q.probs.neg().log1p().div(p.probs)).sub(q.probs.logit());
  if (p instanceof Exponential && q instanceof Exponential) {
    const ratio = q.rate.div(p.rate);
    return ratio.sub(ratio.log()).sub(1);
  }
  if (p instanceof Laplace && q instanceof Laplace) {
    const distance = p.loc.sub(q.loc).abs();
    const ratio = p.scale.div(q.scale);
    return ratio.mul(distance.neg().div(p.scale).exp()).add(distance.div(q.scale)).sub(ratio.log()).sub(1);
  }
  if (p instanceof Uniform && q instanceof Uniform) {
    const result = q.high.sub(q.low).div(p.high.sub(p.low)).log();
    const isOutside = q.low.gt(p.low).logicalOr(q.high.lt(p.high));
    return result.maskedFill(isOutside, Number.POSITIVE_INFINITY);
  }
  if (p instanceof Gumbel && q instanceof Gumbel) return ofGumbels(p, q);
  if (p instanceof Gamma && q instanceof Gamma) return ofGammas(p, q);
  if (p instanceof Beta && q instanceof Beta) return ofBetas(p, q);
  if (p instanceof Independent && q instanceof Independent && p.reinterpretedBatchNdims === q.reinterpretedBatchNdims)
    return sumRightmost(klDivergence(p.base, q.base), p.reinterpretedBatchNdims);
  throw wrongArgument(
    { call: 'klDivergence', argument: 'q' },
    `${q.constructor.name}, with p a ${p.constructor.name}`,
    'a distribution of the kind of p, with a closed form',
    'estimate it from samples: p.logProb(x).sub(q.logProb(x)).mean() for x = p.sample([n])',
  );
}

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
