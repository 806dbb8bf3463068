// torch.distributions: distributions with samples, densities, moments, divergences. See `distribution.ts`.
export { Cauchy, Exponential, Gumbel, HalfNormal, Laplace, LogNormal, Normal, Uniform } from './continuous.ts';
export { Bernoulli, Categorical, type Chances, Geometric, OneHotCategorical } from './discrete.ts';
export { Distribution, type Parameter, type Shape } from './distribution.ts';
export { Beta, Gamma } from './gamma.ts';
export { Independent } from './independent.ts';
export { klDivergence } from './kl.ts';
