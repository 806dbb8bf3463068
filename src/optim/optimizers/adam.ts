// Adam (Kingma and Ba, 2015) and AdamW (Loshchilov and Hutter, 2019), step by step as PyTorch computes them: bias
// corrections in double precision on the host, everything else on the device, in f32 for parameters of lower precision.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import type { Parameter } from '../../nn/index.ts';
import { checkBetas, checkNotNegative } from '../update/check-settings.ts';
import { Optimizer } from '../update/optimizer.ts';
import {
  defaultFormat,
  type ParameterGroup,
  type Parameters,
  type SettingsOf,
  type StateFormat,
} from '../update/parameter-group.ts';
import type { StateSpec, UpdateInput } from '../update/update.ts';
import { likeParameter } from '../update/update.ts';
import { biasCorrection, lerp, meanOfSquares, penalized, plus, wide } from './arithmetic.ts';

/** Settings of `Adam` and `AdamW`. */
export interface AdamSettings extends StateFormat {
  /** The learning rate; 1e-3 by default. */
  lr: number;
  /** Decay rates of the mean of gradients and of the mean of their squares; 0.9 and 0.999 by default. */
  betas: readonly [number, number];
  /** Added to the denominator; 1e-8 by default. */
  eps: number;
  /** Weight decay: 0 by default for Adam, 0.01 for AdamW. */
  weightDecay: number;
  /** Divides by the root of the largest mean of squares so far (Reddi et al., 2018); false by default. */
  amsgrad: boolean;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
  /** Multiplies the parameter by 1 − lr · weightDecay, instead of adding to the gradient: true for AdamW, false for Adam. */
  decoupledWeightDecay: boolean;
}

/** The step scalars of Adam and its variants: the factor of weight decay, step size, root of the second correction, betas. */
export function adamNumbers(
  { lr, betas, weightDecay }: Pick<AdamSettings, 'lr' | 'betas' | 'weightDecay'>,
  count: number,
): readonly number[] {
  const [beta1, beta2] = betas;
  return [1 - lr * weightDecay, lr / (1 - beta1 ** count), Math.sqrt(1 - beta2 ** count), 1 - beta1, beta2, 1 - beta2];
}
/** The same if some steps were skipped. */
export function adamNumbersTaken(
  b: Builder,
  betas: readonly [number, number],
  numbers: readonly Value[],
  { count, taken }: { readonly count: Value; readonly taken: Value },
): readonly Value[] {
  const [keep, stepSize, root, ...rest] = numbers as readonly [Value, Value, Value, ...Value[]];
  const ratio = (beta: number): Value => b.divide(biasCorrection(b, beta, count), biasCorrection(b, beta, taken));
  return [
    keep,
    betas[0] === 0 ? stepSize : b.multiply(stepSize, ratio(betas[0])),
    betas[1] === 0 ? root : b.divide(root, b.unary('sqrt', ratio(betas[1]))),
    ...rest,
  ];
}

abstract class AdamBase extends Optimizer<AdamSettings> {
  constructor(
    params: Parameters<AdamSettings>,
    given: readonly unknown[],
    defaults: Pick<AdamSettings, 'weightDecay' | 'decoupledWeightDecay'>,
  ) {
    super(params, given, {
      ...defaultFormat,
      lr: 1e-3,
      betas: [0.9, 0.999],
      eps: 1e-8,
      weightDecay: defaults.weightDecay,
      amsgrad: false,
      maximize: false,
      decoupledWeightDecay: defaults.decoupledWeightDecay,
    });
  }

  protected override checkGroup({ lr, betas, eps, weightDecay }: ParameterGroup<AdamSettings>): void {
    checkNotNegative(this.constructor.name, { lr, eps, weightDecay });
    checkBetas(this.constructor.name, betas);
  }
  protected override stateOf({ amsgrad }: ParameterGroup<AdamSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['exp_avg', 'exp_avg_sq', ...(amsgrad ? ['max_exp_avg_sq'] : [])]);
  }
  protected override numbers(group: ParameterGroup<AdamSettings>, count: number): readonly number[] {
    return adamNumbers(group, count);
  }
  protected override numbersTaken(
    b: Builder,
    { betas }: ParameterGroup<AdamSettings>,
    numbers: readonly Value[],
    steps: { readonly count: Value; readonly taken: Value },
  ): readonly Value[] {
    return adamNumbersTaken(b, betas, numbers, steps);
  }

  protected override update(
    b: Builder,
    { eps, weightDecay, decoupledWeightDecay }: ParameterGroup<AdamSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [keep, stepSize, root, share1, beta2, share2] = numbers.map(n => wide(b, n, parameter, shape)) as [
      Value,
      Value,
      Value,
      Value,
      Value,
      Value,
    ];
    const [mean, square, largest] = state as readonly [Value, Value, Value?];
    const isDecayed = weightDecay !== 0;
    const p = isDecayed && decoupledWeightDecay ? b.multiply(parameter, keep) : parameter;
    const g = isDecayed && !decoupledWeightDecay ? penalized(b, gradient, parameter, weightDecay) : gradient;
    const newMean = lerp(b, mean, g, share1);
    const newSquare = meanOfSquares(b, square, g, beta2, share2);
    const newLargest = largest === undefined ? [] : [b.maximum(largest, newSquare)];
    const denominator = plus(b, b.divide(b.unary('sqrt', newLargest[0] ?? newSquare), root), eps);
    return [b.subtract(p, b.multiply(stepSize, b.divide(newMean, denominator))), newMean, newSquare, ...newLargest];
  }
}

/**
 * Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019), as
 * torch.optim.AdamW:
 *
 *     p ← p · (1 − lr · weightDecay)
 *     m ← β₁ m + (1 − β₁) g          v ← β₂ v + (1 − β₂) g²
 *     p ← p − lr · m̂ / (√v̂ + eps)   with m̂ = m / (1 − β₁ᵗ), v̂ = v / (1 − β₂ᵗ), or the largest v so far with `amsgrad`
 *
 * Settings: see {@link AdamSettings}; `weightDecay` is 0.01 by default.
 *
 *     const optimizer = new AdamW(model.parameters(), { lr: 3e-4, weightDecay: 0.1 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.AdamW([w], { lr: 0.1, weightDecay: 0 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9, -1.9]
 */
export class AdamW extends AdamBase {
  constructor(
    params: Parameters<AdamSettings>,
    ...rest: SettingsOf<AdamSettings, ['lr', 'betas', 'eps', 'weightDecay', 'amsgrad']>
  ) {
    super(params, rest, { weightDecay: 0.01, decoupledWeightDecay: true });
  }
}
/**
 * Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015), like torch.optim.Adam: the formula of {@link AdamW},
 * but weight decay, 0 by default, is added to the gradient: g ← g + weightDecay · p.
 *
 *     const optimizer = new Adam(model.parameters(), { lr: 1e-3, amsgrad: true });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.Adam([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9, -1.9]
 */
export class Adam extends AdamBase {
  constructor(
    params: Parameters<AdamSettings>,
    ...rest: SettingsOf<AdamSettings, ['lr', 'betas', 'eps', 'weightDecay', 'amsgrad']>
  ) {
    super(params, rest, { weightDecay: 0, decoupledWeightDecay: false });
  }
}
