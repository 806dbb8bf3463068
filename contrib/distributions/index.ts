// All of torch.distributions: those of `trenio`, and the rarer ones.
export * from '../../src/tensor/distributions/index.ts';
export { Cauchy, Exponential, Gumbel, HalfNormal, Laplace, LogNormal } from './continuous.ts';
export { Binomial, Geometric, Multinomial, NegativeBinomial, Poisson } from './counts.ts';
export { Beta, Chi2, Dirichlet, FisherSnedecor, Gamma, InverseGamma, StudentT } from './gamma.ts';

import './kl.ts';

export { MixtureSameFamily, VonMises } from './mixture.ts';
export { LowRankMultivariateNormal, MultivariateNormal, type Spread, Wishart } from './multivariate.ts';
export { OneHotCategoricalStraightThrough, RelaxedBernoulli, RelaxedOneHotCategorical } from './relaxed.ts';
export { HalfCauchy, Kumaraswamy, LogisticNormal, Pareto, TransformedDistribution, Weibull } from './transformed.ts';
export * as transforms from './transforms.ts';
