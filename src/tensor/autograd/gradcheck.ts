// Compares gradients with finite differences, for functions with custom gradients.
import { TrenioError } from '../../base/errors.ts';
import { isFloat } from '../../hlo/types.ts';
import { checkFunction, wrongArgument } from '../check-arguments.ts';
import { tensor } from '../functions/create.ts';
import { enableGrad, noGrad } from '../gradients/grad-mode.ts';
import { userLocation } from '../location.ts';
import { Tensor } from '../tensor.ts';
import { grad } from './grad.ts';

/** Options of `gradcheck` and `gradgradcheck`. */
export interface GradcheckOptions {
  /** The step of the differences: 1e-6 by default, for f64. */
  readonly eps?: number;
  /** The allowed error is atol + rtol · |difference|: 1e-5 and 1e-3 by default. */
  readonly atol?: number;
  /** The relative tolerance. */
  readonly rtol?: number;
  /** With false, a disagreement returns false instead of being thrown. */
  readonly raiseException?: boolean;
}
/** A function of tensors to tensors. */
export type TensorFunction = (...inputs: Tensor[]) => Tensor | readonly Tensor[];

const floats = (outputs: Tensor | readonly Tensor[]): Tensor[] =>
  (outputs instanceof Tensor ? [outputs] : outputs).filter(output => isFloat(output.type.elementType));

/**
 * Compares the gradients of `fn` with central differences, for every element of the inputs that require a gradient (make
 * them f64), and returns true if they agree.
 *
 *     autograd.gradcheck(x => MyExp.apply(x), [tensor([0.1, 2], { dtype: 'f64', requiresGrad: true })]);
 * @throws {GRADCHECK_FAILED} with the first element at which they do not agree
 * @throws {WRONG_ARGUMENT} where no input requires a gradient
 * @example
 * const x = tensor([1, 2], { dtype: 'float64', requiresGrad: true });
 * autograd.gradcheck((x: Tensor) => x.exp(), [x]) // true
 */
export function gradcheck(
  fn: TensorFunction,
  inputs: Tensor | readonly Tensor[],
  options: GradcheckOptions = {},
): boolean {
  checkFunction('gradcheck', 'its first argument', fn);
  const given = inputs instanceof Tensor ? [inputs] : inputs;
  const { eps = 1e-6, atol = 1e-5, rtol = 1e-3, raiseException = true } = options;
  const checked = given.flatMap((input, i) => (input.requiresGrad ? [i] : []));
  if (checked.length === 0)
    throw wrongArgument({ call: 'gradcheck', argument: 'the inputs' }, inputs, 'tensors that require a gradient');
  const numbers = given.map(input => Float64Array.from(input.data as Float64Array));
  const again = (data: readonly Float64Array[]): Tensor[] =>
    given.map((input, i) =>
      isFloat(input.type.elementType)
        ? tensor(data[i]!, {
            shape: input.shape,
            dtype: input.dtype,
            device: input.device,
            requiresGrad: input.requiresGrad,
          })
        : input,
    );
  const wanted = again(numbers);
  const outputs = enableGrad(() => floats(fn(...wanted)));
  for (const [o, output] of outputs.entries()) {
    const rows: Float64Array[][] = [];
    for (let e = 0; e < output.numel(); e++) {
      const seed = new Float64Array(output.numel());
      seed[e] = 1;
      const cotangent = tensor(seed, { shape: output.shape, dtype: output.dtype, device: output.device });
      const found = output.requiresGrad
        ? grad(
            [output],
            checked.map(i => wanted[i]!),
            { gradOutputs: [cotangent], materializeGrads: true },
          )
        : [];
      rows.push(found.map(g => Float64Array.from(g.data as Float64Array)));
    }
    for (const [k, i] of checked.entries())
      for (let at = 0; at < numbers[i]!.length; at++) {
        const [up, down] = [eps, -eps].map(step => {
          const data = numbers.map(x => x.slice());
          data[i]![at]! += step;
          const result = noGrad(() => floats(fn(...again(data)))[o]!);
          return Float64Array.from(result.data as Float64Array);
        }) as [Float64Array, Float64Array];
        for (let e = 0; e < output.numel(); e++) {
          const numeric = (up[e]! - down[e]!) / (2 * eps);
          const analytic = rows[e]![k]?.[at] ?? 0;
          if (Math.abs(numeric - analytic) <= atol + rtol * Math.abs(numeric)) continue;
          if (!raiseException) return false;
          throw new TrenioError(
            'GRADCHECK_FAILED',
            { output: o, element: e, input: i, position: at, numeric, analytic },
            { location: userLocation() },
          );
        }
      }
  }
  return true;
}

/**
 * Like `gradcheck`, for the gradient of the gradient.
 *
 *     autograd.gradgradcheck(x => MyExp.apply(x), [tensor([0.1, 2], { dtype: 'f64', requiresGrad: true })]);
 * @throws {GRADCHECK_FAILED} with the first element at which they do not agree
 * @throws {WRONG_ARGUMENT} where no input requires a gradient
 * @example
 * const x = tensor([1, 2], { dtype: 'float64', requiresGrad: true });
 * autograd.gradgradcheck((x: Tensor) => x.exp(), [x]) // true
 */
export function gradgradcheck(
  fn: TensorFunction,
  inputs: Tensor | readonly Tensor[],
  options: GradcheckOptions = {},
): boolean {
  const gradients: TensorFunction = (...given) => {
    const outputs = enableGrad(() => floats(fn(...given)));
    const wanted = given.filter(input => input.requiresGrad);
    // Different weights, so that elements do not cancel.
    const loss = enableGrad(() =>
      outputs
        .map((output, i) =>
          output
            .mul(i + 1)
            .square()
            .sum(),
        )
        .reduce((a, b) => a.add(b)),
    );
    return enableGrad(() => grad([loss], wanted, { createGraph: true, materializeGrads: true }));
  };
  return gradcheck(gradients, inputs, options);
}
