// NAdam: Adam with Nesterov momentum (Dozat, 2016), as in PyTorch.
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
import { biasCorrection, lerp, meanOfSquares, penalized, plus, powerOf, times, wide } from './arithmetic.ts';

/** Settings of `NAdam`. */
export interface NAdamSettings extends StateFormat {
  /** The learning rate; 2e-3 by default. */
  lr: number;
  /** Decay rates of the mean of gradients and of the mean of their squares; 0.9 and 0.999 by default. */
  betas: readonly [number, number];
  /** Added to the denominator; 1e-8 by default. */
  eps: number;
  /** Weight decay; 0 by default. */
  weightDecay: number;
  /** How fast the momentum rises to β₁; 4e-3 by default. */
  momentumDecay: number;
  /** Decoupled weight decay as in AdamW, instead of an L2 penalty; false by default. */
  decoupledWeightDecay: boolean;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * NAdam (Dozat, "Incorporating Nesterov Momentum into Adam", 2016), like torch.optim.NAdam:
 *
 *     μₜ = β₁ (1 − ½ · 0.96^(t · momentumDecay))      M ← M · μₜ
 *     m ← β₁ m + (1 − β₁) g                          v ← β₂ v + (1 − β₂) g²
 *     d = √(v / (1 − β₂ᵗ)) + eps
 *     p ← p − lr · (1 − μₜ) / (1 − M) · g / d − lr · μₜ₊₁ / (1 − M · μₜ₊₁) · m / d
 *
 * Settings: see {@link NAdamSettings}.
 *
 *     const optimizer = new NAdam(model.parameters(), { weightDecay: 0.01, decoupledWeightDecay: true });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.NAdam([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.8943…, -1.8943…]
 */
export class NAdam extends Optimizer<NAdamSettings> {
  constructor(
    params: Parameters<NAdamSettings>,
    ...rest: SettingsOf<NAdamSettings, ['lr', 'betas', 'eps', 'weightDecay', 'momentumDecay', 'decoupledWeightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 2e-3,
      betas: [0.9, 0.999],
      eps: 1e-8,
      weightDecay: 0,
      momentumDecay: 4e-3,
      decoupledWeightDecay: false,
      maximize: false,
    });
  }
  protected override checkGroup(group: ParameterGroup<NAdamSettings>): void {
    const { lr, betas, eps, weightDecay, momentumDecay } = group;
    checkNotNegative('NAdam', { lr, eps, weightDecay, momentumDecay });
    checkBetas('NAdam', betas);
  }
  protected override stateOf(_: ParameterGroup<NAdamSettings>, parameter: Parameter): readonly StateSpec[] {
    return [
      ...likeParameter(parameter, ['exp_avg', 'exp_avg_sq']),
      { name: 'mu_product', shape: [], dtype: 'f32', fill: 1 },
    ];
  }
  protected override numbers(group: ParameterGroup<NAdamSettings>, count: number): readonly number[] {
    const { lr, betas, weightDecay, momentumDecay } = group;
    const momentum = (t: number): number => betas[0] * (1 - 0.5 * 0.96 ** (t * momentumDecay));
    return [
      momentum(count),
      momentum(count + 1),
      1 - betas[1] ** count,
      1 - lr * weightDecay,
      lr,
      1 - betas[0],
      betas[1],
      1 - betas[1],
    ];
  }
  protected override numbersTaken(
    b: Builder,
    { betas, momentumDecay }: ParameterGroup<NAdamSettings>,
    numbers: readonly Value[],
    { taken }: { readonly taken: Value },
  ): readonly Value[] {
    const momentum = (t: Value): Value =>
      times(b, plus(b, times(b, powerOf(b, 0.96, times(b, t, momentumDecay)), -0.5), 1), betas[0]);
    return [momentum(taken), momentum(plus(b, taken, 1)), biasCorrection(b, betas[1], taken), ...numbers.slice(3)];
  }
  protected override update(
    b: Builder,
    { eps, weightDecay, decoupledWeightDecay }: ParameterGroup<NAdamSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [mean, square, product] = state as readonly [Value, Value, Value];
    const like = (n: Value): Value => wide(b, n, parameter, shape);
    const [momentum, nextMomentum] = numbers.map(n => wide(b, n, product, [])) as [Value, Value];
    const [correction, keep, , share1, decay, share2] = numbers.slice(2).map(like) as [
      Value,
      Value,
      Value,
      Value,
      Value,
      Value,
    ];
    const lr = wide(b, numbers[4]!, product, []);
    const p = weightDecay !== 0 && decoupledWeightDecay ? b.multiply(parameter, keep) : parameter;
    const g = decoupledWeightDecay ? gradient : penalized(b, gradient, parameter, weightDecay);
    const newProduct = b.multiply(product, momentum);
    const newMean = lerp(b, mean, g, share1);
    const newSquare = meanOfSquares(b, square, g, decay, share2);
    const denominator = plus(b, b.unary('sqrt', b.divide(newSquare, correction)), eps);
    const one = b.like(product, 1);
    const ofGradient = b.divide(b.multiply(lr, b.subtract(one, momentum)), b.subtract(one, newProduct));
    const ofMean = b.divide(b.multiply(lr, nextMomentum), b.subtract(one, b.multiply(newProduct, nextMomentum)));
    const step = b.add(
      b.multiply(like(ofGradient), b.divide(g, denominator)),
      b.multiply(like(ofMean), b.divide(newMean, denominator)),
    );
    return [b.subtract(p, step), newMean, newSquare, newProduct];
  }
}
