// The parametrizations of torch.nn.utils.parametrizations. See parametrize.ts for the mechanism.
import { isFloat } from '../../hlo/types.ts';
import { normalize } from '../../tensor/generated/functional.ts';
import { noGrad, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { ownState } from '../module/computed-members.ts';
import { Module } from '../module/module.ts';
import { StateBuffer } from '../module/parameter.ts';
import { registerParametrization } from './parametrize.ts';
import {
  asMatrix,
  largestSingularValue,
  type SpectralNormOptions,
  spectralOptions,
  unitVector,
} from './spectral-norm.ts';
import { checkNormDim, normExceptDim, weightOf } from './weight-norm.ts';

export * from '../generated/absent-parametrizations.ts';
export type { SpectralNormOptions };

/** g · v / ‖v‖ from g and v. */
class _WeightNorm extends Module {
  readonly #dim: number | undefined;
  constructor(dim: number | undefined) {
    super();
    this.#dim = dim;
  }
  override forward(g: Tensor, v: Tensor): Tensor {
    return weightOf(g, v, this.#dim);
  }
  rightInverse(weight: Tensor): readonly Tensor[] {
    return [normExceptDim(weight, this.#dim), weight];
  }
}

/** A weight divided by its largest singular value. */
class _SpectralNorm extends Module {
  /** [out] */
  declare readonly _u: StateBuffer;
  /** [rest] */
  declare readonly _v: StateBuffer;
  readonly #options: Required<SpectralNormOptions>;
  constructor(weight: Tensor, options: Required<SpectralNormOptions>) {
    super();
    this.#options = options;
    if (weight.ndim === 1) return;
    const { dim, eps } = options;
    const matrix = asMatrix(weight.detach(), dim);
    const [rows, columns] = matrix.shape as [number, number];
    this.registerBuffer('_u', new StateBuffer(unitVector(rows, weight, eps)));
    this.registerBuffer('_v', new StateBuffer(unitVector(columns, weight, eps)));
    this.#iterate(matrix, 15);
  }
  #iterate(matrix: Tensor, steps: number): void {
    const { eps } = this.#options;
    noGrad(() => {
      for (let i = 0; i < steps; i++) {
        this._u.assign_(normalize(matrix.mv(this._v), 2, 0, eps));
        this._v.assign_(normalize(matrix.t().mv(this._u), 2, 0, eps));
      }
    });
  }
  override forward(weight: Tensor): Tensor {
    const { dim, eps, nPowerIterations } = this.#options;
    if (weight.ndim === 1) return normalize(weight, 2, 0, eps);
    const matrix = asMatrix(weight, dim);
    if (this.training) this.#iterate(matrix, nPowerIterations);
    return weight.div(largestSingularValue(matrix, this._u, this._v));
  }
  rightInverse(value: Tensor): Tensor {
    return value;
  }
}

/**
 * Weight normalization (Salimans and Kingma, 2016): `module[name]` is g · v / ‖v‖, with the magnitude g, `original0`, along
 * `dim` (one for everything with `null`) and the direction v, `original1`. States that the older `weightNorm` saved can be
 * loaded.
 *
 *     const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(20, 40));
 *     // parametrizations.weight.original0 [40, 1], parametrizations.weight.original1 [40, 20]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER} if the module has no such parameter
 * @example
 * const layer = nn.utils.parametrizations.weightNorm(new nn.Linear(3, 2));
 * layer.weight.shape // [2, 3]
 */
export function weightNorm<M extends Module>(module: M, name = 'weight', dim: number | null = 0): M {
  const call = 'parametrizations.weightNorm';
  const along = checkNormDim(call, ownState(call, module, name), dim);
  registerParametrization(module, name, new _WeightNorm(along), { unsafe: true });
  module.registerLoadStateDictPreHook((_, state, prefix) => {
    const [g, v] = [state.get(`${prefix}${name}_g`), state.get(`${prefix}${name}_v`)];
    if (g === undefined || v === undefined) return;
    for (const suffix of ['g', 'v']) state.delete(`${prefix}${name}_${suffix}`);
    state.set(`${prefix}parametrizations.${name}.original0`, g);
    state.set(`${prefix}parametrizations.${name}.original1`, v);
  });
  return module;
}

/**
 * Spectral normalization (Miyato et al., 2018): `module[name]` divided by its largest singular value, which power iteration
 * estimates: `nPowerIterations` steps at each use while training. A vector is divided by its length.
 *
 *     const layer = nn.utils.parametrizations.spectralNorm(new nn.Linear(20, 40));
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER} if the module has no such parameter
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = nn.utils.parametrizations.spectralNorm(new nn.Linear(3, 3));
 * layer.weight.shape // [3, 3]
 */
export function spectralNorm<M extends Module>(module: M, name = 'weight', options: SpectralNormOptions = {}): M {
  const call = 'parametrizations.spectralNorm';
  const weight = ownState(call, module, name);
  if (!isFloat(weight.type.elementType))
    throw wrongArgument({ call, argument: name }, weight, 'a tensor of floating-point numbers');
  const norm = new _SpectralNorm(weight, spectralOptions(call, module, weight, options));
  return registerParametrization(module, name, norm);
}
