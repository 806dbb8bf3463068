// One backward pass: from tensors with their cotangents to the gradients of the leaves that they were computed from.
import { TrenioError } from '../../base/errors.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { sameType } from '../../hlo/types.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import { opening, TensorCore } from '../tensor-core.ts';
import { withGradMode } from './grad-mode.ts';
import { cotangentsIn, gradientGraph } from './gradient-graph.ts';

interface BackwardPassOptions {
  readonly createGraph?: boolean;
  /** The leaves to collect gradients for; all that require one by default. */
  readonly inputs?: readonly TensorCore[] | TensorCore;
}

/**
 * One backward pass from several tensors, given their cotangents.
 * @throws {NO_GRADIENT_HERE}
 * @throws {NOT_ONE_ELEMENT}
 * @throws {BAD_GRADIENT}
 * @throws {NOT_DIFFERENTIABLE}
 */
export function backwardFrom(
  tensors: readonly TensorCore[],
  gradients: readonly (TensorCore | undefined | null)[],
  options: BackwardPassOptions,
): void {
  const device = tensors[0]!.device;
  const { createGraph = false } = options;
  const inputs = options.inputs instanceof TensorCore ? [options.inputs] : options.inputs;
  const { trace, builder } = opening(device);
  builder.location = userLocation();
  device.inPhase('backward', () => {
    const seeds = seedsOf('backward', tensors, gradients);
    const start = builder.lastId;
    const graph = gradientGraph(
      trace,
      seeds.map(([value]) => value),
    );
    const others = (inputs ?? []).filter(input => !input.leaf).map(input => [device.valueOf(input), input] as const);
    const wanted = [
      ...graph.leaves.filter(([, leaf]) => inputs === undefined || inputs.includes(leaf as TensorCore)),
      ...others,
    ];
    if (wanted.length === 0)
      throw noGradient('backward', 'this tensor does not depend on anything that requires a gradient');
    withGradMode(createGraph, () => {
      const found = cotangentsIn(
        device,
        trace,
        graph,
        seeds,
        wanted.map(([value]) => value),
      );
      wanted.forEach(([value, leaf], i) => {
        let gradient = found[i] ?? builder.like(value, 0);
        if (gradient.id <= start) gradient = builder.reshape(gradient, tensorTypeOf(gradient).shape);
        (leaf as TensorCore).accumulateGrad(gradient, createGraph);
        for (const hook of [...((leaf as TensorCore).accumulated ?? [])]) hook();
      });
    });
  });
  for (const tensor of tensors) {
    if (tensor.buffer === undefined) trace.kept.add(tensor);
    trace.losses.add(tensor);
  }
  device.endDeferredStep();
}

/** The values of the open trace that a backward pass starts from, with their cotangents. */
export function seedsOf(
  call: string,
  tensors: readonly TensorCore[],
  gradients: readonly (TensorCore | undefined | null)[],
): readonly (readonly [Value, Value])[] {
  return tensors.map((tensor, i) => {
    const gradient = gradients[i] ?? undefined;
    if (!tensor.requiresGrad || !(tensor.leaf || tensor.device.hasHistory(tensor)))
      throw noGradient(call, 'this tensor does not depend on anything that requires a gradient, or its step is over');
    if (gradient !== undefined) checkGradient(tensor, gradient);
    else if (tensor.numel() !== 1)
      throw new TrenioError(
        'NOT_ONE_ELEMENT',
        { op: call, shape: formatShape(tensor.shape) },
        { location: userLocation() },
      );
    const { device } = tensor;
    const value = device.valueOf(tensor);
    return [value, gradient === undefined ? device.trace.builder.like(value, 1) : device.valueOf(gradient)];
  });
}

/** @throws {BAD_GRADIENT} for what cannot be the gradient of a tensor */
export function checkGradient<T extends TensorCore>(tensor: T, gradient: unknown): asserts gradient is T {
  const problem = !(gradient instanceof TensorCore)
    ? 'it is not a tensor'
    : gradient.device !== tensor.device
      ? `the tensor is on ${tensor.device}, its gradient on ${gradient.device}`
      : sameType(gradient.type, tensor.type)
        ? undefined
        : `the tensor is ${formatShape(tensor.shape)} ${tensor.dtype}, its gradient ${formatShape(gradient.shape)} ${gradient.dtype}`;
  if (problem !== undefined) throw new TrenioError('BAD_GRADIENT', { problem }, { location: userLocation() });
}

export const noGradient = (op: string, problem: string): TrenioError =>
  new TrenioError('NO_GRADIENT_HERE', { op, problem }, { location: userLocation() });
