// RAdam: Adam with a rectified variance in the first steps (Liu et al., 2020), as in PyTorch.
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
import { biasCorrection, lerp, meanOfSquares, penalized, plus, times, wide } from './arithmetic.ts';

/** Settings of `RAdam`. */
export interface RAdamSettings extends StateFormat {
  /** The learning rate; 1e-3 by default. */
  lr: number;
  /** Decay rates of the mean of gradients and of the mean of their squares; 0.9 and 0.999 by default. */
  betas: readonly [number, number];
  /** Added to the denominator; 1e-8 by default. */
  eps: number;
  /** Weight decay; 0 by default. */
  weightDecay: number;
  /** Decoupled weight decay as in AdamW, instead of an L2 penalty; false by default. */
  decoupledWeightDecay: boolean;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * RAdam (Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond", 2020), like torch.optim.RAdam:
 *
 *     m ← β₁ m + (1 − β₁) g          v ← β₂ v + (1 − β₂) g²          ρ∞ = 2 / (1 − β₂) − 1
 *     ρₜ = ρ∞ − 2 t β₂ᵗ / (1 − β₂ᵗ)
 *     r = √((ρₜ − 4)(ρₜ − 2) ρ∞ / ((ρ∞ − 4)(ρ∞ − 2) ρₜ))
 *     p ← p − lr · m̂ · r · √(1 − β₂ᵗ) / (√v + eps)      where ρₜ > 5, else p ← p − lr · m̂
 *
 * Settings: see {@link RAdamSettings}.
 *
 *     const optimizer = new RAdam(model.parameters(), { lr: 1e-3 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.RAdam([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.8, -1.6]
 */
export class RAdam extends Optimizer<RAdamSettings> {
  constructor(
    params: Parameters<RAdamSettings>,
    ...rest: SettingsOf<RAdamSettings, ['lr', 'betas', 'eps', 'weightDecay', 'decoupledWeightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-3,
      betas: [0.9, 0.999],
      eps: 1e-8,
      weightDecay: 0,
      decoupledWeightDecay: false,
      maximize: false,
    });
  }
  protected override checkGroup({ lr, betas, eps, weightDecay }: ParameterGroup<RAdamSettings>): void {
    checkNotNegative('RAdam', { lr, eps, weightDecay });
    checkBetas('RAdam', betas);
  }
  protected override stateOf(_: ParameterGroup<RAdamSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['exp_avg', 'exp_avg_sq']);
  }
  /** The rates of the mean of gradients and of the adaptive step; the latter is 0 while the step is not adaptive yet. */
  protected override numbers(group: ParameterGroup<RAdamSettings>, count: number): readonly number[] {
    const { lr, betas, weightDecay } = group;
    const [beta1, beta2] = betas;
    const correction2 = 1 - beta2 ** count;
    const longest = 2 / (1 - beta2) - 1;
    const length = longest - (2 * count * beta2 ** count) / correction2;
    const plain = lr / (1 - beta1 ** count);
    const rectified = Math.sqrt(((length - 4) * (length - 2) * longest) / ((longest - 4) * (longest - 2) * length));
    const adaptive = length > 5 ? plain * rectified * Math.sqrt(correction2) : 0;
    return [plain, adaptive, 1 - lr * weightDecay, lr, 1 - beta1, beta2, 1 - beta2];
  }
  protected override numbersTaken(
    b: Builder,
    { betas }: ParameterGroup<RAdamSettings>,
    numbers: readonly Value[],
    { taken }: { readonly taken: Value },
  ): readonly Value[] {
    const [beta1, beta2] = betas;
    const lr = numbers[3]!;
    const longest = 2 / (1 - beta2) - 1;
    const correction2 = biasCorrection(b, beta2, taken);
    const past = plus(b, times(b, correction2, -1), 1);
    const length = plus(b, times(b, b.divide(b.multiply(taken, past), correction2), -2), longest);
    const plain = b.divide(lr, biasCorrection(b, beta1, taken));
    const product = b.multiply(plus(b, length, -4), plus(b, length, -2));
    const rectified = b.divide(times(b, product, longest / ((longest - 4) * (longest - 2))), length);
    const adaptive = b.multiply(plain, b.unary('sqrt', b.multiply(rectified, correction2)));
    const isLong = b.compare('GT', length, b.like(length, 5));
    return [plain, b.select(isLong, adaptive, b.like(length, 0)), ...numbers.slice(2)];
  }
  protected override update(
    b: Builder,
    { eps, weightDecay, decoupledWeightDecay }: ParameterGroup<RAdamSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [plain, adaptive, keep, , share1, decay, share2] = numbers.map(n => wide(b, n, parameter, shape)) as [
      Value,
      Value,
      Value,
      Value,
      Value,
      Value,
      Value,
    ];
    const p = weightDecay !== 0 && decoupledWeightDecay ? b.multiply(parameter, keep) : parameter;
    const g = decoupledWeightDecay ? gradient : penalized(b, gradient, parameter, weightDecay);
    const mean = lerp(b, state[0]!, g, share1);
    const square = meanOfSquares(b, state[1]!, g, decay, share2);
    const isAdaptive = b.compare('GT', adaptive, b.like(adaptive, 0));
    const rate = b.select(isAdaptive, b.divide(adaptive, plus(b, b.unary('sqrt', square), eps)), plain);
    return [b.subtract(p, b.multiply(mean, rate)), mean, square];
  }
}
