// RMSprop (Hinton, 2012), with momentum and centering as in PyTorch.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import type { Parameter } from '../../nn/index.ts';
import { checkNotNegative } from '../update/check-settings.ts';
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
import { lerp, meanOfSquares, penalized, plus, wide } from './arithmetic.ts';

/** Settings of `RMSprop`. */
export interface RMSpropSettings extends StateFormat {
  /** The learning rate; 1e-2 by default. */
  lr: number;
  /** Decay of the mean of squares; 0.99 by default. */
  alpha: number;
  /** Added to the denominator; 1e-8 by default. */
  eps: number;
  /** Weight decay (L2), added to the gradient; 0 by default. */
  weightDecay: number;
  /** Momentum; 0 by default. */
  momentum: number;
  /** Divides by the estimated standard deviation instead of the root mean square; false by default. */
  centered: boolean;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * RMSprop (Hinton, "Neural Networks for Machine Learning", lecture 6, 2012), like torch.optim.RMSprop:
 *
 *     g ← g + weightDecay · p
 *     v ← alpha · v + (1 − alpha) · g²
 *     d = √v + eps                           with centered: √(v − a²) + eps, where a ← alpha · a + (1 − alpha) · g
 *     p ← p − lr · g / d                     with momentum: b ← momentum · b + g / d; p ← p − lr · b
 *
 * Settings: see {@link RMSpropSettings}.
 *
 *     const optimizer = new RMSprop(model.parameters(), { lr: 1e-3, momentum: 0.9 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.RMSprop([w], { lr: 0.1, alpha: 0.75 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.8, -1.8]
 */
export class RMSprop extends Optimizer<RMSpropSettings> {
  constructor(
    params: Parameters<RMSpropSettings>,
    ...rest: SettingsOf<RMSpropSettings, ['lr', 'alpha', 'eps', 'weightDecay', 'momentum', 'centered']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-2,
      alpha: 0.99,
      eps: 1e-8,
      weightDecay: 0,
      momentum: 0,
      centered: false,
      maximize: false,
    });
  }
  protected override checkGroup(group: ParameterGroup<RMSpropSettings>): void {
    const { lr, alpha, eps, weightDecay, momentum } = group;
    checkNotNegative('RMSprop', { lr, alpha, eps, weightDecay, momentum });
  }
  protected override stateOf(
    { momentum, centered }: ParameterGroup<RMSpropSettings>,
    parameter: Parameter,
  ): readonly StateSpec[] {
    const names = ['square_avg', ...(centered ? ['grad_avg'] : []), ...(momentum > 0 ? ['momentum_buffer'] : [])];
    return likeParameter(parameter, names);
  }
  protected override numbers({ lr, momentum }: ParameterGroup<RMSpropSettings>): readonly number[] {
    return [lr, momentum];
  }
  protected override update(
    b: Builder,
    { alpha, eps, weightDecay, momentum, centered }: ParameterGroup<RMSpropSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [lr, factor] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value];
    const g = penalized(b, gradient, parameter, weightDecay);
    const [decay, share] = [b.like(g, alpha), b.like(g, 1 - alpha)];
    const square = meanOfSquares(b, state[0]!, g, decay, share);
    const mean = centered ? lerp(b, state[1]!, g, share) : undefined;
    const variance = mean === undefined ? square : b.subtract(square, b.multiply(mean, mean));
    const quotient = b.divide(g, plus(b, b.unary('sqrt', variance), eps));
    const kept = mean === undefined ? [square] : [square, mean];
    if (momentum === 0) return [b.subtract(parameter, b.multiply(lr, quotient)), ...kept];
    const buffer = b.add(b.multiply(state.at(-1)!, factor), quotient);
    return [b.subtract(parameter, b.multiply(lr, buffer)), ...kept, buffer];
  }
}
