// LAMB (You et al., 2019): Adam whose steps are scaled to the norm of each parameter, for large batches.
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
import { biasCorrection, lerp, meanOfSquares, norm, plus, times, wide } from './arithmetic.ts';

/** Settings of `LAMB`. */
export interface LAMBSettings extends StateFormat {
  /** The learning rate; 1e-3 by default. */
  lr: number;
  /** Decay rates of the mean of gradients and of the mean of their squares; 0.9 and 0.999 by default. */
  betas: readonly [number, number];
  /** Added to the denominator; 1e-6 by default. */
  eps: number;
  /** Weight decay, added to the direction; 0.01 by default. */
  weightDecay: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * LAMB (You et al., "Large Batch Optimization for Deep Learning: Training BERT in 76 minutes", 2019, arXiv 1904.00962):
 *
 *     m ← β₁ m + (1 − β₁) g          v ← β₂ v + (1 − β₂) g²
 *     u = m̂ / (√v̂ + eps) + weightDecay · p
 *     p ← p − lr · ‖p‖ / ‖u‖ · u                  with a ratio of 1 where either norm is 0
 *
 * Settings: see {@link LAMBSettings}.
 *
 *     const optimizer = new LAMB(model.parameters(), { lr: 2e-3, weightDecay: 0.01 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.LAMB([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.8426…, -1.8411…]
 */
export class LAMB extends Optimizer<LAMBSettings> {
  constructor(
    params: Parameters<LAMBSettings>,
    ...rest: SettingsOf<LAMBSettings, ['lr', 'betas', 'eps', 'weightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-3,
      betas: [0.9, 0.999],
      eps: 1e-6,
      weightDecay: 0.01,
      maximize: false,
    });
  }
  protected override checkGroup({ lr, betas, eps, weightDecay }: ParameterGroup<LAMBSettings>): void {
    checkNotNegative('LAMB', { lr, eps, weightDecay });
    checkBetas('LAMB', betas);
  }
  protected override stateOf(_: ParameterGroup<LAMBSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['exp_avg', 'exp_avg_sq']);
  }
  protected override numbers({ lr, betas }: ParameterGroup<LAMBSettings>, count: number): readonly number[] {
    const [beta1, beta2] = betas;
    return [lr, 1 - beta1 ** count, 1 - beta2 ** count, 1 - beta1, beta2, 1 - beta2];
  }
  protected override numbersTaken(
    b: Builder,
    { betas }: ParameterGroup<LAMBSettings>,
    [lr, , , ...rest]: readonly [Value, Value, Value, ...Value[]],
    { taken }: { readonly taken: Value },
  ): readonly Value[] {
    return [lr, biasCorrection(b, betas[0], taken), biasCorrection(b, betas[1], taken), ...rest];
  }
  protected override update(
    b: Builder,
    { eps, weightDecay }: ParameterGroup<LAMBSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const like = (n: Value): Value => wide(b, n, parameter, shape);
    const [lr, ...others] = numbers as readonly [Value, ...Value[]];
    const [correction1, correction2, share1, decay, share2] = others.map(like) as [Value, Value, Value, Value, Value];
    const mean = lerp(b, state[0]!, gradient, share1);
    const square = meanOfSquares(b, state[1]!, gradient, decay, share2);
    const root = b.unary('sqrt', b.divide(square, correction2));
    const adam = b.divide(b.divide(mean, correction1), plus(b, root, eps));
    const direction = weightDecay === 0 ? adam : b.add(adam, times(b, parameter, weightDecay));
    const [size, length] = [norm(b, parameter), norm(b, direction)];
    const zero = b.like(size, 0);
    const both = b.emit1('and', [b.compare('GT', size, zero), b.compare('GT', length, zero)], {});
    const ratio = b.select(both, b.divide(size, length), b.like(size, 1));
    const rate = b.multiply(wide(b, lr, ratio, []), ratio);
    return [b.subtract(parameter, b.multiply(like(rate), direction)), mean, square];
  }
}
