// torch.distributions: distributions with samples, densities, moments, divergences. See `distribution.ts`.
export * as constraints from './constraints.ts';
export { Cauchy, Exponential, Gumbel, HalfNormal, Laplace, LogNormal, Normal, Uniform } from './continuous.ts';
export { Binomial, Multinomial, NegativeBinomial, Poisson } from './counts.ts';
export { Bernoulli, Categorical, type Chances, Geometric, OneHotCategorical } from './discrete.ts';
export { Distribution, type Parameter, type Shape } from './distribution.ts';
export { Beta, Chi2, Dirichlet, FisherSnedecor, Gamma, InverseGamma, StudentT } from './gamma.ts';
export { Independent } from './independent.ts';
export { type DistributionClass, klDivergence, registerKl } from './kl.ts';
export { MixtureSameFamily, VonMises } from './mixture.ts';
export { LowRankMultivariateNormal, MultivariateNormal, type Spread, Wishart } from './multivariate.ts';
export { OneHotCategoricalStraightThrough, RelaxedBernoulli, RelaxedOneHotCategorical } from './relaxed.ts';
export { HalfCauchy, Kumaraswamy, LogisticNormal, Pareto, TransformedDistribution, Weibull } from './transformed.ts';
export * as transforms from './transforms.ts';
