// Spectral normalization (Miyato et al., 2018): a weight divided by its largest singular value σ, which power iteration
// estimates:
//
//   v ← Wᵀu / ‖Wᵀu‖     u ← Wv / ‖Wv‖     σ ≈ uᵀWv
//
// The functions here keep `weight_orig`, `weight_u` and `weight_v` in the module, like PyTorch's older API; for the newer API see
// parametrizations.ts.

import { normalize } from '../../tensor/generated/functional.ts';
import { checkCount, checkOptionNames, noGrad, normal, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from '../layers/convolution-layers.ts';
import { checkOwner, membersOf, ownState, placeComputed, placeMember } from '../module/computed-members.ts';
import type { HookHandle } from '../module/hooks.ts';
import type { Module } from '../module/module.ts';
import { Parameter, StateBuffer } from '../module/parameter.ts';

/** Options of spectral normalization. */
export interface SpectralNormOptions {
  /** Steps of power iteration in each forward while training; 1 by default. */
  readonly nPowerIterations?: number;
  /** Added to the norms in divisors; 1e-12 by default. */
  readonly eps?: number;
  /** The dim of the outputs: 0 by default, 1 for transposed convolutions. */
  readonly dim?: number;
}

/** A weight with the dim of the outputs first, and the others flattened: [out, rest]. */
export function asMatrix(weight: Tensor, dim: number): Tensor {
  const order = [dim, ...weight.shape.map((_, i) => i).filter(i => i !== dim)];
  return (dim === 0 ? weight : weight.permute(order)).flatten(1);
}
/** σ, whose gradient flows only to the weight. */
export const largestSingularValue = (matrix: Tensor, u: Tensor, v: Tensor): Tensor =>
  u.snapshot().mul(matrix.mv(v.snapshot())).sum();
/** A random vector of length 1. */
export const unitVector = (size: number, weight: Tensor, eps: number): Tensor =>
  normalize(normal([size], 0, 1, { dtype: weight.dtype, device: weight.device }), 2, 0, eps);

/** The options with their defaults. @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
export function spectralOptions(
  call: string,
  module: Module,
  weight: Tensor,
  options: SpectralNormOptions,
): Required<SpectralNormOptions> {
  checkOptionNames(call, options, ['nPowerIterations', 'eps', 'dim']);
  const isTransposed = [ConvTranspose1d, ConvTranspose2d, ConvTranspose3d].some(layer => module instanceof layer);
  const { nPowerIterations = 1, eps = 1e-12, dim = isTransposed ? 1 : 0 } = options;
  checkCount(call, 'nPowerIterations', nPowerIterations);
  if (!Number.isInteger(dim) || dim < -weight.ndim || dim >= weight.ndim)
    throw wrongArgument({ call, argument: 'dim' }, dim, `a dim of [${weight.shape}]`);
  return { nPowerIterations, eps, dim: dim < 0 ? dim + weight.ndim : dim };
}

interface Normed {
  readonly handle: HookHandle;
  readonly value: () => Tensor;
}
const normed = new WeakMap<Module, Map<string, Normed>>();

/**
 * Divides the parameter `name` of a module by its largest singular value, which one or more steps of power iteration in each
 * training forward estimate. PyTorch: `torch.nn.utils.spectral_norm`; new code uses `parametrizations.spectralNorm`.
 *
 *     const layer = nn.utils.spectralNorm(new nn.Linear(20, 40)); // weight_orig [40, 20], weight_u [40], weight_v [20]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER} where the module has no such parameter
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = nn.utils.spectralNorm(new nn.Linear(3, 3));
 * layer(randn(2, 3)).shape // [2, 3]
 */
export function spectralNorm<M extends Module>(module: M, name = 'weight', options: SpectralNormOptions = {}): M {
  const call = 'spectralNorm';
  const weight = ownState(call, module, name);
  const { nPowerIterations, eps, dim } = spectralOptions(call, module, weight, options);
  const [rows, columns] = asMatrix(weight.detach(), dim).shape as [number, number];
  placeMember(module, `${name}_orig`, weight);
  placeMember(module, `${name}_u`, new StateBuffer(unitVector(rows, weight, eps)));
  placeMember(module, `${name}_v`, new StateBuffer(unitVector(columns, weight, eps)));
  const members = membersOf(module);
  const part = (suffix: string): Tensor => members[`${name}_${suffix}`] as Tensor;
  const value = (): Tensor => {
    const original = part('orig');
    return original.div(largestSingularValue(asMatrix(original, dim), part('u'), part('v')));
  };
  const handle = module.registerForwardPreHook(self => {
    if (!self.training) return;
    noGrad(() => {
      const matrix = asMatrix(part('orig'), dim);
      for (let i = 0; i < nPowerIterations; i++) {
        part('v').assign_(normalize(matrix.t().mv(part('u')), 2, 0, eps));
        part('u').assign_(normalize(matrix.mv(part('v')), 2, 0, eps));
      }
    });
  });
  placeComputed(module, name, value);
  if (!normed.has(module)) normed.set(module, new Map());
  normed.get(module)!.set(name, { handle, value });
  return module;
}

/**
 * Removes `spectralNorm`: the weight becomes an ordinary parameter again, with its current value.
 *
 *     nn.utils.removeSpectralNorm(layer);
 *
 * @throws {WRONG_ARGUMENT} if the parameter does not use spectral normalization
 * @example
 * const layer = nn.utils.spectralNorm(new nn.Linear(3, 3));
 * nn.utils.removeSpectralNorm(layer);
 * [...layer.stateDict().keys()] // ['bias', 'weight']
 */
export function removeSpectralNorm<M extends Module>(module: M, name = 'weight'): M {
  const call = 'removeSpectralNorm';
  checkOwner(call, module);
  const found = normed.get(module)?.get(name);
  if (found === undefined)
    throw wrongArgument({ call, argument: 'the name' }, name, 'the name of a parameter with spectralNorm');
  const value = found.value().detach();
  found.handle.remove();
  normed.get(module)!.delete(name);
  for (const suffix of ['orig', 'u', 'v']) delete membersOf(module)[`${name}_${suffix}`];
  placeMember(module, name, new Parameter(value));
  return module;
}
