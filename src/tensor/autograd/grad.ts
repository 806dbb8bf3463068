// Gradients of some tensors with respect to others, returned as values instead of being accumulated in `grad`.
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { wrongArgument } from '../check-arguments.ts';
import { backwardFrom, noGradient, seedsOf } from '../gradients/backward.ts';
import { withGradMode } from '../gradients/grad-mode.ts';
import { cotangentsIn, gradientGraph, isAttached } from '../gradients/gradient-graph.ts';
import { userLocation } from '../location.ts';
import { requiredFirst } from '../settings.ts';
import { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import type { BackwardOptions } from '../traced.ts';

/** Options of `autograd.grad`. */
export interface GradOptions {
  /** The cotangents of the outputs; required for outputs that are not scalars. */
  readonly gradOutputs?: Tensor | readonly (Tensor | undefined | null)[] | undefined;
  /** Makes the results differentiable. */
  readonly createGraph?: boolean;
  /** Accepted for compatibility, without effect: the graph is always retained until the step ends. */
  readonly retainGraph?: boolean;
  /** Returns undefined for inputs that the outputs do not depend on, instead of throwing an error. */
  readonly allowUnused?: boolean;
  /** Returns zeros for them. */
  readonly materializeGrads?: boolean;
  /** Accepted for compatibility, without effect. */
  readonly onlyInputs?: boolean;
}
/** The required arguments of `autograd.grad`, by name. */
export interface GradTensors {
  /** The differentiated tensors. */
  readonly outputs: Tensor | readonly Tensor[];
  /** The tensors with respect to which they are differentiated. */
  readonly inputs: Tensor | readonly Tensor[];
}

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);

/**
 * The gradients of the sum of `outputs` (each weighted by its entry of `gradOutputs`) with respect to each of `inputs`, leaves
 * or not. Nothing is accumulated in `grad`. With `createGraph`, the results can be differentiated again: gradient penalties,
 * Hessian-vector products, steps of an inner loop.
 *
 *     const [dx] = autograd.grad(critic.forward(x).sum(), [x], { createGraph: true });
 *     dx.norm().sub(1).square().backward();
 * @throws {NO_GRADIENT_HERE} where an output or input requires no gradient, or an input was not used
 * @throws {NOT_ONE_ELEMENT} for an output that is not a scalar and has no cotangent
 * @throws {BAD_GRADIENT} for a cotangent of another shape
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * const x = tensor([1, 2], { requiresGrad: true });
 * const [gradient] = autograd.grad(x.square().sum(), [x]); // [2, 4]
 */
export function grad(
  outputs: Tensor | readonly Tensor[],
  inputs: Tensor | readonly Tensor[],
  options: GradOptions & { readonly allowUnused: true; readonly materializeGrads?: false },
): (Tensor | undefined)[];
export function grad(
  outputs: Tensor | readonly Tensor[],
  inputs: Tensor | readonly Tensor[],
  options?: GradOptions,
): Tensor[];
export function grad(options: GradTensors & GradOptions): Tensor[];
export function grad(...args: readonly unknown[]): (Tensor | undefined)[] {
  const [outputs, inputs, options = {}] = requiredFirst(['outputs', 'inputs'], args) as [
    Tensor | readonly Tensor[],
    Tensor | readonly Tensor[],
    GradOptions?,
  ];
  const { createGraph = false, allowUnused = false, materializeGrads = false } = options;
  const tensors = checkedList('autograd.grad', 'the outputs', outputs);
  const wanted = checkedList('autograd.grad', 'the inputs', inputs);
  const { gradOutputs } = options;
  const cotangents = gradOutputs === undefined ? [] : listOf<Tensor | undefined | null>(gradOutputs);
  for (const input of wanted)
    if (!input.requiresGrad) throw noGradient('autograd.grad', 'one of the inputs requires no gradient');
  const [{ device }] = tensors as readonly [Tensor];
  const { trace, builder } = opening(device);
  builder.location = userLocation();
  const seeds = seedsOf('autograd.grad', tensors, cotangents);
  const graph = gradientGraph(
    trace,
    seeds.map(([value]) => value),
  );
  // A leaf that was assigned has several values, and its gradient is the sum of theirs.
  const valuesOf = wanted.map(input =>
    input.leaf ? graph.leaves.flatMap(([value, leaf]) => (leaf === input ? [value] : [])) : [device.valueOf(input)],
  );
  const wrt = [...new Set(valuesOf.flat())];
  const found = new Map(
    withGradMode(createGraph, () => cotangentsIn(device, trace, graph, seeds, wrt)).map((g, i) => [wrt[i]!, g]),
  );
  return wanted.map((input, i) => {
    const parts = valuesOf[i]!.flatMap(value => found.get(value) ?? []);
    if (parts.length === 0) {
      const isUsed = valuesOf[i]!.some(
        value => input.leaf || graph.ops.some(({ results }) => (results as readonly Value[]).includes(value)),
      );
      if (materializeGrads || isUsed) return gradientTensor(device.valueOf(input), input, false, true);
      if (allowUnused) return undefined;
      throw noGradient(
        'autograd.grad',
        `input ${i} was not used in the computation of the outputs (allowUnused: true returns undefined for it)`,
      );
    }
    return gradientTensor(
      parts.reduce((a, b) => builder.add(a, b)),
      input,
      createGraph,
    );
  });
}

/** A gradient as a tensor of the user: a constant unless its graph is needed. */
function gradientTensor(value: Value, of: Tensor, createGraph: boolean, isZero = false): Tensor {
  const { device } = of;
  const { trace } = device;
  const { builder } = trace;
  const own = isZero ? builder.like(value, 0) : builder.reshape(value, tensorTypeOf(value).shape);
  if (!createGraph) trace.stopped.add(own);
  const requiresGrad = createGraph && isAttached(trace, own);
  const type = tensorTypeOf(own);
  const location = builder.location;
  const result = new Tensor({
    device,
    type,
    op: 'grad',
    value: own,
    trace,
    location,
    requiresGrad,
    leaf: !requiresGrad,
  });
  trace.made(result);
  device.computed(result);
  return result;
}

/**
 * One backward pass from several tensors: adds to the `grad` of every leaf that requires a gradient.
 *
 *     autograd.backward([lossA, lossB]);
 *     autograd.backward([y], [tensor([1, 0])], { inputs: [w] });
 * @throws {NO_GRADIENT_HERE} where a tensor requires no gradient
 * @throws {NOT_ONE_ELEMENT} for a tensor that is not a scalar and has no cotangent
 * @throws {BAD_GRADIENT} for a cotangent of another shape
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * const x = tensor([1, 2], { requiresGrad: true });
 * autograd.backward(x.square(), tensor([1, 10]));
 * x.grad // [2, 40]
 */
export function backward(
  tensors: Tensor | readonly Tensor[],
  gradTensors: Tensor | readonly (Tensor | undefined | null)[] = [],
  options: BackwardOptions = {},
): void {
  backwardFrom(
    checkedList('autograd.backward', 'the tensors', tensors),
    listOf<Tensor | undefined | null>(gradTensors),
    options,
  );
}

function checkedList(call: string, argument: string, given: Tensor | readonly Tensor[]): readonly Tensor[] {
  const list = listOf<Tensor>(given);
  if (list.length === 0 || !list.every(one => one instanceof Tensor))
    throw wrongArgument({ call, argument }, given, 'a tensor or a list of tensors');
  return list;
}
