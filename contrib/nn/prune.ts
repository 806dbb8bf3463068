// Pruning: parameters multiplied with masks of zeros and ones, like torch.nn.utils.prune. `module.weight` becomes weight_orig ·
// weight_mask; the first is trained, the second a buffer. Masks are computed on the host. Pruning again applies to the elements
// that are not pruned yet.

import { checkOwner, membersOf, ownState, placeComputed, placeMember } from '../../src/nn/module/computed-members.ts';
import type { Module } from '../../src/nn/module/module.ts';
import { Parameter, StateBuffer } from '../../src/nn/module/parameter.ts';
import { checkOptionNames, noGrad, rand, Tensor, tensor, wrongArgument } from '../../src/tensor/index.ts';

/** Options of the functions that select elements by importance. */
export interface ImportanceOptions {
  /** The importance scores, with the shape of the parameter; the parameter by default. */
  readonly importanceScores?: Tensor;
}

const numbersOf = (x: Tensor): Float64Array => Float64Array.from(x.contiguous().data as ArrayLike<number>, Number);

/** How many of `count` to prune: a share below 1, or a number. Halves go to the even number, as Python rounds. */
function countOf(call: string, amount: number, count: number): number {
  const isShare = amount >= 0 && amount < 1;
  if (!isShare && !(Number.isInteger(amount) && amount >= 1 && amount <= count))
    throw wrongArgument(
      { call, argument: 'amount' },
      amount,
      `a share from 0 to 1, below 1, or an integer from 1 to ${count}`,
    );
  if (!isShare) return amount;
  const exact = amount * count;
  const low = Math.floor(exact);
  const rest = exact - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

/** The current parameter, and its mask of earlier prunings. */
function stateOf(call: string, module: Module, name: string, importanceScores: Tensor | undefined) {
  checkOwner(call, module);
  const members = membersOf(module);
  const known = members[`${name}_mask`];
  const present = known instanceof StateBuffer ? (members[name] as Tensor) : ownState(call, module, name);
  if (
    importanceScores !== undefined &&
    !(importanceScores instanceof Tensor && String(importanceScores.shape) === String(present.shape))
  )
    throw wrongArgument(
      { call, argument: 'importanceScores' },
      importanceScores,
      `a tensor of shape [${present.shape}]`,
    );
  const scores = numbersOf(importanceScores ?? present);
  return {
    shape: present.shape,
    scores,
    mask: known instanceof StateBuffer ? numbersOf(known) : new Float64Array(scores.length).fill(1),
  };
}

/** Replaces a parameter by its product with a mask. */
function apply(module: Module, name: string, mask: Float64Array): void {
  const members = membersOf(module);
  const [origName, maskName] = [`${name}_orig`, `${name}_mask`];
  if (!(members[maskName] instanceof StateBuffer)) placeMember(module, origName, members[name]);
  const original = members[origName] as Parameter;
  const made = tensor(mask, { shape: original.shape, dtype: original.dtype, device: original.device });
  placeMember(module, maskName, new StateBuffer(made));
  placeComputed(module, name, () => (members[maskName] as Tensor).mul(members[origName] as Tensor));
}

/** Indices from the smallest key to the largest; equal ones in their order. */
const ascending = (indices: readonly number[], key: (i: number) => number): number[] =>
  [...indices].sort((a, b) => key(a) - key(b) || a - b);

function pruneElements(
  call: string,
  module: Module,
  name: string,
  amount: number,
  importanceScores: Tensor | undefined,
  keyOf: (scores: Float64Array) => (i: number) => number,
): void {
  const { scores, mask } = stateOf(call, module, name, importanceScores);
  const open = Array.from(mask.keys()).filter(i => mask[i] !== 0);
  const count = countOf(call, amount, open.length);
  for (const i of ascending(open, keyOf(scores)).slice(0, count)) mask[i] = 0;
  apply(module, name, mask);
}
const bySize = (scores: Float64Array) => (i: number) => Math.abs(scores[i]!);
const byChance = (scores: Float64Array): ((i: number) => number) => {
  const sampled = numbersOf(rand([Math.max(1, scores.length)]));
  return i => sampled[i]!;
};

/**
 * Prunes nothing: multiplies a parameter by a mask of ones.
 * @example
 * const layer = nn.utils.prune.identity(new nn.Linear(2, 2), 'weight');
 * nn.utils.prune.isPruned(layer) // true
 */
export function identity<M extends Module>(module: M, name: string): M {
  apply(module, name, stateOf('prune.identity', module, name, undefined).mask);
  return module;
}

/**
 * Prunes the elements of a parameter that are smallest in absolute value: the fraction `amount` of them if it is below 1, else
 * that number.
 *
 *     nn.utils.prune.l1Unstructured(layer, 'weight', 0.3); // weight_orig, weight_mask
 *     nn.utils.prune.remove(layer, 'weight'); // makes it permanent
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = nn.utils.prune.l1Unstructured(new nn.Linear(4, 4), 'weight', 0.5);
 * layer.weight.eq(0).sum() // 8
 */
export function l1Unstructured<M extends Module>(
  module: M,
  name: string,
  amount: number,
  options: ImportanceOptions = {},
): M {
  checkOptionNames('prune.l1Unstructured', options, ['importanceScores']);
  pruneElements('prune.l1Unstructured', module, name, amount, options.importanceScores, bySize);
  return module;
}

/**
 * Prunes random elements of a parameter: the fraction `amount` if it is below 1, else that number. Errors as `l1Unstructured`.
 * @example
 * const layer = nn.utils.prune.randomUnstructured(new nn.Linear(4, 4), 'weight', 3);
 * layer.weight.eq(0).sum() // 3
 */
export function randomUnstructured<M extends Module>(module: M, name: string, amount: number): M {
  pruneElements('prune.randomUnstructured', module, name, amount, undefined, byChance);
  return module;
}

function pruneChannels(
  call: string,
  module: Module,
  name: string,
  amount: number,
  dim: number,
  importanceScores: Tensor | undefined,
  keyOf: (channels: readonly Float64Array[]) => (i: number) => number,
): void {
  const { shape, scores, mask } = stateOf(call, module, name, importanceScores);
  if (shape.length < 2) throw wrongArgument({ call, argument: name }, `[${shape}]`, 'a tensor of two or more dims');
  if (!Number.isInteger(dim) || dim < -shape.length || dim >= shape.length)
    throw wrongArgument({ call, argument: 'dim' }, dim, `a dim of [${shape}]`);
  const along = dim < 0 ? dim + shape.length : dim;
  const size = shape[along]!;
  const inner = shape.slice(along + 1).reduce((n, d) => n * d, 1);
  const positions = Array.from({ length: size }, (): number[] => []);
  scores.forEach((_, i) => {
    positions[Math.floor(i / inner) % size]!.push(i);
  });
  const open = [...positions.keys()].filter(c => positions[c]!.some(i => mask[i] !== 0));
  const count = countOf(call, amount, open.length);
  const channels = positions.map(list => Float64Array.from(list, i => scores[i]!));
  for (const c of ascending(open, keyOf(channels)).slice(0, count)) for (const i of positions[c]!) mask[i] = 0;
  apply(module, name, mask);
}

function normOf(values: Float64Array, n: number): number {
  if (n === Infinity) return values.reduce((top, x) => Math.max(top, Math.abs(x)), 0);
  if (n === -Infinity) return values.reduce((least, x) => Math.min(least, Math.abs(x)), Infinity);
  if (n === 0) return values.reduce((sum, x) => sum + (x === 0 ? 0 : 1), 0);
  return values.reduce((sum, x) => sum + Math.abs(x) ** n, 0) ** (1 / n);
}

/**
 * Prunes whole channels of a parameter along a dim: those with the smallest n-norm.
 *
 *     nn.utils.prune.lnStructured(conv, 'weight', 0.5, 2, 0); // half of the outputs, by their 2-norm
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = nn.utils.prune.lnStructured(new nn.Linear(4, 4), 'weight', 1, 2, 0);
 * layer.weight.eq(0).all(1).sum() // 1
 */
export function lnStructured<M extends Module>(
  module: M,
  name: string,
  amount: number,
  n: number,
  dim: number,
  options: ImportanceOptions = {},
): M {
  const call = 'prune.lnStructured';
  checkOptionNames(call, options, ['importanceScores']);
  if (typeof n !== 'number' || Number.isNaN(n))
    throw wrongArgument({ call, argument: 'n' }, n, 'the p of a p-norm, such as 1, 2 or Infinity');
  pruneChannels(call, module, name, amount, dim, options.importanceScores, channels => {
    const norms = channels.map(values => normOf(values, n));
    return c => norms[c]!;
  });
  return module;
}

/**
 * Prunes random channels of a parameter along a dim. Errors as `lnStructured`.
 * @example
 * const layer = nn.utils.prune.randomStructured(new nn.Linear(4, 4), 'weight', 2, 0);
 * layer.weight.eq(0).all(1).sum() // 2
 */
export function randomStructured<M extends Module>(module: M, name: string, amount: number, dim = -1): M {
  pruneChannels('prune.randomStructured', module, name, amount, dim, undefined, channels =>
    byChance(new Float64Array(channels.length)),
  );
  return module;
}

/**
 * Prunes the elements of a parameter where a mask of its shape is 0.
 *
 *     nn.utils.prune.customFromMask(layer, 'bias', tensor([0, 1, 0]));
 *
 * @throws {WRONG_ARGUMENT} for a mask of another shape
 * @throws {UNKNOWN_MEMBER}
 * @example
 * const layer = nn.utils.prune.customFromMask(new nn.Linear(2, 1), 'weight', tensor([[1, 0]]));
 * layer.weight.ne(0) // [[true, false]]
 */
export function customFromMask<M extends Module>(module: M, name: string, mask: Tensor): M {
  const call = 'prune.customFromMask';
  const { shape, mask: earlier } = stateOf(call, module, name, undefined);
  if (!(mask instanceof Tensor) || String(mask.shape) !== String(shape))
    throw wrongArgument({ call, argument: 'the mask' }, mask, `a tensor of shape [${shape}]`);
  const given = numbersOf(mask.ne(0).float());
  apply(
    module,
    name,
    earlier.map((m, i) => m * given[i]!),
  );
  return module;
}

/**
 * Prunes several parameters as if they were one: with `l1Unstructured` the smallest elements of all of them.
 *
 *     const { prune } = nn.utils;
 *     prune.globalUnstructured([[net.fc1, 'weight'], [net.fc2, 'weight']], prune.l1Unstructured, 0.2);
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_MEMBER}
 * @example
 * const a = new nn.Linear(4, 4), b = new nn.Linear(4, 4);
 * nn.utils.prune.globalUnstructured([[a, 'weight'], [b, 'weight']], nn.utils.prune.l1Unstructured, 0.5);
 * a.weight.eq(0).sum().add(b.weight.eq(0).sum()) // 16
 */
export function globalUnstructured(
  parameters: readonly (readonly [module: Module, name: string])[],
  pruningMethod: typeof l1Unstructured | typeof randomUnstructured,
  amount: number,
): void {
  const call = 'prune.globalUnstructured';
  if (!Array.isArray(parameters) || parameters.length === 0 || !parameters.every(one => Array.isArray(one)))
    throw wrongArgument({ call, argument: 'the parameters' }, parameters, "an array such as [[layer, 'weight']]");
  if (pruningMethod !== l1Unstructured && pruningMethod !== randomUnstructured)
    throw wrongArgument(
      { call, argument: 'pruningMethod' },
      pruningMethod,
      'prune.l1Unstructured or prune.randomUnstructured',
    );
  const states = parameters.map(([module, name]) => stateOf(call, module, name, undefined));
  const scores = Float64Array.from(states.flatMap(state => [...state.scores]));
  const open: [state: number, at: number, key: number][] = [];
  const key = (pruningMethod === l1Unstructured ? bySize : byChance)(scores);
  let start = 0;
  states.forEach((state, s) => {
    for (let i = 0; i < state.mask.length; i++) if (state.mask[i] !== 0) open.push([s, i, key(start + i)]);
    start += state.mask.length;
  });
  const count = countOf(call, amount, open.length);
  for (const [s, i] of open.sort((a, b) => a[2] - b[2]).slice(0, count)) states[s]!.mask[i] = 0;
  parameters.forEach(([module, name], s) => {
    apply(module, name, states[s]!.mask);
  });
}

/**
 * Whether a parameter of this module or of one below it is pruned.
 * @example
 * nn.utils.prune.isPruned(new nn.Linear(2, 2)) // false
 */
export const isPruned = (module: Module): boolean =>
  [...module.modules()].some(one =>
    Object.keys(one).some(
      name => name.endsWith('_mask') && membersOf(one)[name.replace(/_mask$/, '_orig')] instanceof Parameter,
    ),
  );

/**
 * Turns a pruned parameter back into an ordinary one, with zeros where it was pruned.
 * @throws {WRONG_ARGUMENT} if it is not pruned
 * @example
 * const layer = nn.utils.prune.l1Unstructured(new nn.Linear(4, 4), 'weight', 0.5);
 * nn.utils.prune.remove(layer, 'weight');
 * nn.utils.prune.isPruned(layer) // false
 */
export function remove<M extends Module>(module: M, name: string): M {
  const call = 'prune.remove';
  checkOwner(call, module);
  const members = membersOf(module);
  const original = members[`${name}_orig`];
  if (!(original instanceof Parameter && members[`${name}_mask`] instanceof StateBuffer))
    throw wrongArgument({ call, argument: 'the name' }, name, 'the name of a pruned parameter');
  noGrad(() => original.assign_((members[name] as Tensor).detach()));
  delete members[`${name}_orig`];
  delete members[`${name}_mask`];
  placeMember(module, name, original);
  return module;
}
