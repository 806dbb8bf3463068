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
  ['nn', 'AdaptiveLogSoftmaxWithLoss FractionalMaxPool2d FractionalMaxPool3d'],
  [
    'nn.functional',
    `fractional_max_pool2d fractional_max_pool2d_with_indices fractional_max_pool3d fractional_max_pool3d_with_indices`,
  ],
  ['nn.utils', 'fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights'],
  ['nn.utils.parametrizations', 'orthogonal'],
  ['optim', 'ASGD Rprop'],
  [
    'special',
    `airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v
     chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p
     modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0
     scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
     shifted_chebyshev_polynomial_w spherical_bessel_j0`,
  ],
];
export const inContrib: readonly AbsentName[] = names.flatMap(([namespace, list]) =>
  list.split(/\s+/).map(name => ({
    name: `torch.${namespace}.${name}`,
    instead: `import { ${namespace.split('.')[0]} } from 'trenio/contrib'`,
  })),
);
