// torch.distributions: distributions with samples, densities, moments, divergences. See `distribution.ts`. The rarer ones are in
// contrib/distributions.
import { absentNamespace } from '../absent/absent-functions.ts';

export * from '../generated/absent-distributions.ts';
export * as constraints from './constraints.ts';
export { Normal, Uniform } from './continuous.ts';
export { Bernoulli, Categorical, type Chances, OneHotCategorical } from './discrete.ts';
export { Distribution, type Parameter, type Shape } from './distribution.ts';
export { Independent } from './independent.ts';
export { type DistributionClass, klDivergence, registerKl } from './kl.ts';
/** @deprecated It is in `trenio/contrib`. */
export const transforms: never = absentNamespace(
  'distributions.transforms',
  "import { distributions } from 'trenio/contrib'",
);
