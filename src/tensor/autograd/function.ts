// Functions whose gradient the user writes. The forward is recorded like any other calls; in the graph of gradients
// it is one node, and the user's backward is recorded when that node is reached. So both are part of the compiled
// step, and a backward that consists of differentiable calls can be differentiated again.
import { TrenioError } from '../../base/errors.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isContinuous } from '../../hlo/types.ts';
import { notATensor } from '../check-arguments.ts';
import { isGradEnabled, noGrad } from '../gradients/grad-mode.ts';
import { isAttached } from '../gradients/gradient-graph.ts';
import type { GradientNode } from '../gradients/gradient-node.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';

/** The gradient of one input or output; undefined or null where there is none. */
export type Gradient = Tensor | undefined | null;
/** The result of `backward`: a gradient for each input. */
export type Gradients = Gradient | readonly Gradient[];

/**
 * Carries values from `forward` to `backward`. Other fields may be set on it: `ctx.alpha = alpha`. PyTorch:
 * `torch.autograd.function.FunctionCtx`.
 * @example
 * class Scale extends autograd.Function {
 *   static override forward(ctx: autograd.FunctionContext, x: Tensor) {
 *     ctx.saveForBackward(x);
 *     return x.mul(3);
 *   }
 *   static override backward(ctx: autograd.FunctionContext, gradient: Tensor) {
 *     return gradient.mul(3);
 *   }
 * }
 * Scale.apply(tensor([1, 2])) // [3, 6]
 */
export class FunctionContext {
  [field: string]: unknown;
  /** For each argument of `apply`, whether its gradient is needed: a backward may return undefined for the others. */
  needsInputGrad: readonly boolean[] = [];
  #saved: readonly Gradient[] = [];
  readonly #outputs = new Map<Tensor, Tensor>();
  readonly #constants = new Set<Tensor>();
  #materializes = true;

  /** Keeps inputs and outputs of forward for `savedTensors`; `undefined` is allowed. */
  saveForBackward(...tensors: readonly Gradient[]): void {
    this.#saved = tensors;
  }
  /** The saved tensors, in the same order. */
  get savedTensors(): Tensor[] {
    return this.#saved.map(tensor => (tensor && this.#outputs.get(tensor)) ?? tensor) as Tensor[];
  }
  /** No gradient flows through these outputs. */
  markNonDifferentiable(...outputs: readonly Tensor[]): void {
    for (const output of outputs) this.#constants.add(output);
  }
  /** With false, backward receives undefined for outputs without a gradient, instead of zeros. */
  setMaterializeGrads(materializes: boolean): void {
    this.#materializes = materializes;
  }
  /** @internal */
  isConstant(output: Tensor): boolean {
    return this.#constants.has(output);
  }
  /** @internal A saved output refers to the caller's tensor. */
  bindOutput(output: Tensor, given: Tensor): void {
    this.#outputs.set(output, given);
  }
  /** @internal */
  get materializes(): boolean {
    return this.#materializes;
  }
}

/** The static members of a subclass of `autograd.Function`. */
export interface Definition<C extends FunctionContext, A extends readonly unknown[], R> {
  /** The name in messages and in `gradFn`. */
  readonly name: string;
  /** Computes the result; `ctx` keeps what `backward` needs. */
  forward(ctx: C, ...args: A): R;
  /** The gradients of the inputs, given those of the results. */
  backward(ctx: C, ...gradients: Tensor[]): Gradients;
}

/**
 * A function with a custom gradient. `forward` computes the results, `backward` returns a gradient for each argument of `forward`
 * (undefined for arguments that are not tensors), given the gradients of the results. Forward runs as under `noGrad`.
 *
 *     class Scale extends autograd.Function {
 *       static override forward(ctx: FunctionContext, x: Tensor, factor: number) {
 *         ctx.factor = factor;
 *         return x.mul(factor);
 *       }
 *       static override backward(ctx: FunctionContext, g: Tensor) {
 *         return [g.mul(ctx.factor as number), undefined];
 *       }
 *     }
 *     const y = Scale.apply(x, 3);
 * @example
 * class Square extends autograd.Function {
 *   static override forward(ctx: autograd.FunctionContext, x: Tensor) {
 *     ctx.saveForBackward(x);
 *     return x.mul(x);
 *   }
 *   static override backward(ctx: autograd.FunctionContext, gradient: Tensor) {
 *     return gradient.mul(ctx.savedTensors[0]!).mul(2);
 *   }
 * }
 * const x = tensor([1, 3], { requiresGrad: true });
 * Square.apply(x).sum().backward();
 * x.grad // [2, 6]
 */
// biome-ignore lint/complexity/noStaticOnlyClass: subclasses are PyTorch's way to write one.
export abstract class CustomFunction {
  /** Computes the result; `ctx` keeps what `backward` needs. A subclass defines it. */
  declare static forward: (ctx: never, ...args: never[]) => Tensor | readonly Tensor[];
  /** The gradients of the inputs, given those of the results. A subclass defines it. */
  declare static backward: (ctx: never, ...gradients: never[]) => Gradients;
  /**
   * Calls the function.
   * @throws {CUSTOM_FUNCTION} if forward returns something other than tensors; later, if the number or shapes of
   *   the gradients of backward differ from the arguments of forward
   */
  static apply<C extends FunctionContext, A extends readonly unknown[], R extends Tensor | readonly Tensor[]>(
    this: Definition<C, A, R>,
    ...args: A
  ): R {
    // biome-ignore lint/complexity/noThisInStatic: it is the subclass.
    return applyFunction(this, args);
  }
}

function applyFunction<C extends FunctionContext, A extends readonly unknown[], R extends Tensor | readonly Tensor[]>(
  definition: Definition<C, A, R>,
  args: A,
): R {
  const { name } = definition;
  const location = userLocation();
  const tensors = args.filter(arg => arg instanceof Tensor);
  const ctx = new FunctionContext() as C;
  ctx.needsInputGrad = args.map(arg => arg instanceof Tensor && arg.requiresGrad);
  const isRecorded = isGradEnabled() && tensors.some(tensor => tensor.requiresGrad);
  const inputs = isRecorded ? tensors.map(tensor => tensor.device.valueOf(tensor)) : [];
  const result = noGrad(() => definition.forward(ctx, ...args));
  const outputs: readonly Tensor[] = Array.isArray(result) ? result : [result as Tensor];
  for (const output of outputs)
    if (!(output instanceof Tensor)) throw notATensor({ call: `${name}.forward`, argument: 'its result' }, output);
  if (!isRecorded) return result;

  const { device } = tensors[0]!;
  const { trace, builder } = opening(device);
  builder.location = location;
  const values = outputs.map(output => builder.reshape(device.valueOf(output), output.shape));
  const node: GradientNode = {
    name,
    location,
    inputs,
    outputs: values,
    gradient: ({ cotangents, needs }) => {
      const given = values.map((value, i) => {
        const cotangent = cotangents[i] ?? (ctx.materializes ? builder.like(value, 0) : undefined);
        return cotangent && tensorOf(device, cotangent, 'backward');
      });
      const returned = definition.backward(ctx, ...(given as Tensor[]));
      const gradients: readonly Gradient[] = Array.isArray(returned) ? returned : [returned as Gradient];
      const extra = gradients.slice(args.length).some(gradient => gradient !== undefined && gradient !== null);
      if (gradients.length < args.length || extra)
        throw badFunction(name, `backward must return ${args.length} gradients, got ${gradients.length}`);
      let next = 0;
      return args.flatMap((arg, i): (Value | undefined)[] => {
        if (!(arg instanceof Tensor)) return [];
        const input = inputs[next++]!;
        const gradient = gradients[i] ?? undefined;
        return [gradient === undefined || !needs(input) ? undefined : fitted(name, i, gradient, input)];
      });
    },
  };
  const wrapped = outputs.map((output, i) => {
    const value = values[i]!;
    const requiresGrad = isContinuous(output.type.elementType) && !ctx.isConstant(output);
    if (requiresGrad) trace.nodes.set(value, node);
    else trace.stopped.add(value);
    trace.used(output);
    const made = new Tensor({
      device,
      type: output.type,
      op: name,
      value,
      trace,
      location,
      requiresGrad,
      leaf: !requiresGrad,
    });
    ctx.bindOutput(output, made);
    trace.made(made);
    device.computed(made);
    return made;
  });
  return (Array.isArray(result) ? wrapped : wrapped[0]) as R;
}

/** A value of the open trace as a tensor. */
export function tensorOf(device: Tensor['device'], value: Value, op: string, requires?: boolean): Tensor {
  const { trace } = device;
  const type = tensorTypeOf(value);
  const requiresGrad = requires ?? (isContinuous(type.elementType) && isGradEnabled() && isAttached(trace, value));
  const made = new Tensor({ device, type, op, value, trace, requiresGrad, leaf: !requiresGrad });
  device.computed(made);
  return made;
}

/** A gradient in the type and shape of its input, summed over the dims that it was broadcast along. */
function fitted(name: string, position: number, gradient: Tensor, input: Value): Value {
  if (!(gradient instanceof Tensor)) throw notATensor({ call: `${name}.backward`, argument: 'a gradient' }, gradient);
  const { shape, elementType } = tensorTypeOf(input);
  const { builder } = gradient.device.trace;
  let value = gradient.device.valueOf(gradient);
  const got = shapeOf(value);
  const lead = got.length - shape.length;
  const fits = lead >= 0 && shape.every((size, d) => got[lead + d] === size || size === 1);
  if (!fits)
    throw badFunction(
      name,
      `backward returns a gradient of shape ${formatShape(got)} for argument ${position}, which has shape ${formatShape(shape)}`,
    );
  const summed = got.flatMap((size, d) => (d < lead || (shape[d - lead] === 1 && size !== 1) ? [d] : []));
  if (summed.length > 0) value = builder.reshape(builder.sum(value, summed), shape);
  return builder.convert(value, elementType);
}

const badFunction = (name: string, problem: string): TrenioError =>
  new TrenioError('CUSTOM_FUNCTION', { name, problem }, { location: userLocation() });

/**
 * A backward that must not be differentiated again: it runs as under `noGrad`, and asking for the gradient of its results is
 * an error.
 *
 *     static override backward = onceDifferentiable((ctx: FunctionContext, g: Tensor) => g.mul(2));
 * @example
 * class Double extends autograd.Function {
 *   static override forward(ctx: autograd.FunctionContext, x: Tensor) {
 *     return x.mul(2);
 *   }
 *   static override backward = autograd.onceDifferentiable((ctx: autograd.FunctionContext, gradient: Tensor) => gradient.mul(2));
 * }
 * const x = tensor([1, 3], { requiresGrad: true });
 * Double.apply(x).sum().backward();
 * x.grad // [2, 2]
 */
export function onceDifferentiable<C extends FunctionContext, A extends readonly Tensor[]>(
  backward: (ctx: C, ...gradients: A) => Gradients,
): (ctx: C, ...gradients: A) => Gradients {
  return (ctx, ...gradients) => {
    const returned = noGrad(() => backward(ctx, ...gradients));
    if (!isGradEnabled()) return returned;
    const location = userLocation();
    const refused = (gradient: Gradient): Gradient => {
      if (!(gradient instanceof Tensor)) return gradient;
      const { device } = gradient;
      const { trace, builder } = opening(device);
      const value = builder.reshape(device.valueOf(gradient), gradient.shape);
      trace.nodes.set(value, {
        name: 'onceDifferentiable',
        location,
        inputs: [...gradients, ...ctx.savedTensors].flatMap(t => (t instanceof Tensor ? [device.valueOf(t)] : [])),
        outputs: [value],
        gradient: () => {
          throw new TrenioError(
            'NOT_DIFFERENTIABLE',
            { op: 'a backward marked onceDifferentiable', reason: 'it can be differentiated only once' },
            { location },
          );
        },
      });
      return tensorOf(device, value, 'backward');
    };
    return Array.isArray(returned) ? returned.map(refused) : refused(returned as Gradient);
  };
}
