// Adamax: Adam with the infinity norm of gradients instead of the mean of squares (Kingma and Ba, 2015), as in PyTorch.
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
import { biasCorrection, lerp, penalized, plus, wide } from './arithmetic.ts';

/** Settings of `Adamax`. */
export interface AdamaxSettings extends StateFormat {
  /** The learning rate; 2e-3 by default. */
  lr: number;
  /** Decay rates of the mean of gradients and of their infinity norm; 0.9 and 0.999 by default. */
  betas: readonly [number, number];
  /** Added to the magnitudes of gradients; 1e-8 by default. */
  eps: number;
  /** Weight decay (L2 penalty), added to the gradient; 0 by default. */
  weightDecay: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Adamax (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, section 7), like torch.optim.Adamax:
 *
 *     g ← g + weightDecay · p
 *     m ← β₁ m + (1 − β₁) g
 *     u ← max(β₂ u, |g| + eps)
 *     p ← p − lr / (1 − β₁ᵗ) · m / u
 *
 * Settings: see {@link AdamaxSettings}.
 *
 *     const optimizer = new Adamax(model.parameters(), { lr: 2e-3 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.Adamax([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9, -1.9]
 */
export class Adamax extends Optimizer<AdamaxSettings> {
  constructor(
    params: Parameters<AdamaxSettings>,
    ...rest: SettingsOf<AdamaxSettings, ['lr', 'betas', 'eps', 'weightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 2e-3,
      betas: [0.9, 0.999],
      eps: 1e-8,
      weightDecay: 0,
      maximize: false,
    });
  }
  protected override checkGroup({ lr, betas, eps, weightDecay }: ParameterGroup<AdamaxSettings>): void {
    checkNotNegative('Adamax', { lr, eps, weightDecay });
    checkBetas('Adamax', betas);
  }
  protected override stateOf(_: ParameterGroup<AdamaxSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['exp_avg', 'exp_inf']);
  }
  protected override numbers({ lr, betas }: ParameterGroup<AdamaxSettings>, count: number): readonly number[] {
    return [lr / (1 - betas[0] ** count), 1 - betas[0], betas[1]];
  }
  protected override numbersTaken(
    b: Builder,
    { betas }: ParameterGroup<AdamaxSettings>,
    [rate, ...rest]: readonly [Value, ...Value[]],
    { count, taken }: { readonly count: Value; readonly taken: Value },
  ): readonly Value[] {
    const ratio = b.divide(biasCorrection(b, betas[0], count), biasCorrection(b, betas[0], taken));
    return [b.multiply(rate, ratio), ...rest];
  }
  protected override update(
    b: Builder,
    { eps, weightDecay }: ParameterGroup<AdamaxSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [rate, share, decay] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value, Value];
    const g = penalized(b, gradient, parameter, weightDecay);
    const mean = lerp(b, state[0]!, g, share);
    const largest = b.maximum(b.multiply(state[1]!, decay), plus(b, b.unary('abs', g), eps));
    return [b.subtract(parameter, b.multiply(rate, b.divide(mean, largest))), mean, largest];
  }
}
