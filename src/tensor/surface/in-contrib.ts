// PyTorch's names that are in `trenio/contrib` (contrib/): in `trenio`, calling one throws an error that says so.
import type { AbsentName } from './absent-name.ts';

const names: readonly (readonly [namespace: string, names: string])[] = [
  [
    'distributions',
    `Beta Binomial Cauchy Chi2 Dirichlet Exponential FisherSnedecor Gamma Geometric Gumbel HalfCauchy HalfNormal InverseGamma
     Kumaraswamy Laplace LogisticNormal LogNormal LowRankMultivariateNormal MixtureSameFamily Multinomial MultivariateNormal
     NegativeBinomial OneHotCategoricalStraightThrough Pareto Poisson RelaxedBernoulli RelaxedOneHotCategorical StudentT
     TransformedDistribution VonMises Weibull Wishart`,
  ],
];
export const inContrib: readonly AbsentName[] = names.flatMap(([namespace, list]) =>
  list.split(/\s+/).map(name => ({
    name: `torch.${namespace}.${name}`,
    instead: `import { ${namespace.split('.')[0]} } from 'trenio/contrib'`,
  })),
);
