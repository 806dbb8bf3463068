// The Kullback–Leibler divergence between two distributions, in closed form: a registry of pairs. contrib/distributions adds
// those of its distributions, and pairs of different kinds.
import { wrongArgument } from '../check-arguments.ts';
import type { Tensor } from '../tensor.ts';
import { Normal, Uniform } from './continuous.ts';
import { Bernoulli, Categorical, OneHotCategorical } from './discrete.ts';
import type { Distribution } from './distribution.ts';
import { Independent, sumRightmost } from './independent.ts';

/** A class of distributions. */
export type DistributionClass<D extends Distribution> = abstract new (...args: never) => D;
interface Entry {
  readonly p: DistributionClass<Distribution>;
  readonly q: DistributionClass<Distribution>;
  readonly divergence: (p: Distribution, q: Distribution) => Tensor | undefined;
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
  divergence: (p: P, q: Q) => Tensor | undefined,
): void {
  registered.unshift({ p, q, divergence: divergence as Entry['divergence'] });
}
registerKl(Normal, Normal, ofNormals);
registerKl(Bernoulli, Bernoulli, ofBernoullis);
registerKl(Categorical, Categorical, ofCategoricals);
registerKl(OneHotCategorical, OneHotCategorical, (p, q) => ofCategoricals(p.categorical, q.categorical));
registerKl(Uniform, Uniform, (p, q) => {
  const result = q.high.sub(q.low).div(p.high.sub(p.low)).log();
  const isOutside = q.low.gt(p.low).logicalOr(q.high.lt(p.high));
  return result.maskedFill(isOutside, Number.POSITIVE_INFINITY);
});
registerKl(Independent, Independent, (p, q) => {
  if (p.reinterpretedBatchNdims !== q.reinterpretedBatchNdims) throw noClosedForm(p, q);
  return sumRightmost(klDivergence(p.base, q.base), p.reinterpretedBatchNdims);
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
  const result = entry?.divergence(p, q);
  if (result === undefined) throw noClosedForm(p, q);
  return result;
}
export const noClosedForm = (p: Distribution, q: Distribution): Error =>
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
