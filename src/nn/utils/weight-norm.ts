// Weight normalization (Salimans and Kingma, 2016): a weight as a magnitude and a direction, w = g · v / ‖v‖. The functions
// here keep both as parameters of the module, `weight_g` and `weight_v`, like PyTorch's older API; for the newer API see
// parametrizations.ts.
import { type Tensor, wrongArgument } from '../../tensor/index.ts';
import { checkOwner, membersOf, ownState, placeComputed, placeMember } from '../module/computed-members.ts';
import type { Module } from '../module/module.ts';
import { Parameter } from '../module/parameter.ts';

/** ‖v‖ over all dims except `dim`, which is kept: [1, …, d, …, 1]; over all dims for `undefined` or, as in PyTorch, -1: []. */
export function normExceptDim(v: Tensor, dim: number | undefined): Tensor {
  if (dim === undefined || dim === -1) return v.square().sum().sqrt();
  const kept = dim < 0 ? dim + v.ndim : dim;
  const others = v.shape.map((_, i) => i).filter(i => i !== kept);
  return (others.length === 0 ? v.square() : v.square().sum(others, true)).sqrt();
}
/** g · v / ‖v‖. */
export const weightOf = (g: Tensor, v: Tensor, dim: number | undefined): Tensor => v.mul(g.div(normExceptDim(v, dim)));

/** A dim of a tensor, or undefined. @throws {WRONG_ARGUMENT} */
export function checkNormDim(call: string, v: Tensor, dim: number | undefined | null): number | undefined {
  if (dim === undefined || dim === null) return undefined;
  if (!Number.isInteger(dim) || dim < -v.ndim || dim >= v.ndim)
    throw wrongArgument({ call, argument: 'dim' }, dim, `a dim of [${v.shape}], or null for all`);
  return dim;
}

/**
 * Computes the parameter `name` of a module as g · v / ‖v‖ from `…_g`, its norm along `dim` (over all elements with `null`),
 * and `…_v`, its direction. PyTorch: `torch.nn.utils.weight_norm`; new code uses `parametrizations.weightNorm`.
 *
 *     const layer = nn.utils.weightNorm(new nn.Linear(20, 40)); // weight_g [40, 1], weight_v [40, 20]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER} if the module has no such parameter
 * @example
 * const layer = nn.utils.weightNorm(new nn.Linear(3, 2));
 * [...layer.stateDict().keys()] // ['bias', 'weight_g', 'weight_v']
 */
export function weightNorm<M extends Module>(module: M, name = 'weight', dim: number | null = 0): M {
  const call = 'weightNorm';
  const weight = ownState(call, module, name);
  const along = checkNormDim(call, weight, dim);
  const g = new Parameter(normExceptDim(weight.detach(), along));
  placeMember(module, `${name}_g`, g);
  placeMember(module, `${name}_v`, weight);
  const members = membersOf(module);
  placeComputed(module, name, () => weightOf(members[`${name}_g`] as Tensor, members[`${name}_v`] as Tensor, along));
  return module;
}

/**
 * Undoes `weightNorm`: restores the parameter with its current value.
 *
 *     nn.utils.removeWeightNorm(layer);
 *
 * @throws {WRONG_ARGUMENT} if the parameter does not use weight normalization
 * @example
 * const layer = nn.utils.weightNorm(new nn.Linear(3, 2));
 * nn.utils.removeWeightNorm(layer);
 * [...layer.stateDict().keys()] // ['bias', 'weight']
 */
export function removeWeightNorm<M extends Module>(module: M, name = 'weight'): M {
  const call = 'removeWeightNorm';
  checkOwner(call, module);
  const members = membersOf(module);
  const v = members[`${name}_v`];
  if (!(members[`${name}_g`] instanceof Parameter && v instanceof Parameter))
    throw wrongArgument({ call, argument: 'the name' }, name, 'the name of a parameter with weightNorm');
  const value = (members[name] as Tensor).detach();
  delete members[`${name}_g`];
  delete members[`${name}_v`];
  placeMember(module, name, new Parameter(value));
  return module;
}
