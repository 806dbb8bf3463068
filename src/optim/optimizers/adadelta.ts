// Adadelta (Zeiler, 2012) as in PyTorch.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import type { Parameter } from '../../nn/index.ts';
import { checkNotNegative, checkSetting } from '../update/check-settings.ts';
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
import { meanOfSquares, penalized, plus, wide } from './arithmetic.ts';

/** Settings of `Adadelta`. */
export interface AdadeltaSettings extends StateFormat {
  /** The factor of each step; 1 by default. */
  lr: number;
  /** Decay rate of the means of squares; 0.9 by default. */
  rho: number;
  /** Added to the means before their square roots are taken; 1e-6 by default. */
  eps: number;
  /** Weight decay (L2 penalty), added to the gradient; 0 by default. */
  weightDecay: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Adadelta (Zeiler, "ADADELTA: An Adaptive Learning Rate Method", 2012), like torch.optim.Adadelta:
 *
 *     g ← g + weightDecay · p
 *     v ← rho · v + (1 − rho) · g²
 *     d = √(u + eps) / √(v + eps) · g
 *     u ← rho · u + (1 − rho) · d²
 *     p ← p − lr · d
 *
 * Settings: see {@link AdadeltaSettings}.
 *
 *     const optimizer = new Adadelta(model.parameters());
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.Adadelta([w], { lr: 1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9968…, -1.9968…]
 */
export class Adadelta extends Optimizer<AdadeltaSettings> {
  constructor(
    params: Parameters<AdadeltaSettings>,
    ...rest: SettingsOf<AdadeltaSettings, ['lr', 'rho', 'eps', 'weightDecay']>
  ) {
    super(params, rest, { ...defaultFormat, lr: 1, rho: 0.9, eps: 1e-6, weightDecay: 0, maximize: false });
  }
  protected override checkGroup({ lr, rho, eps, weightDecay }: ParameterGroup<AdadeltaSettings>): void {
    checkNotNegative('Adadelta', { lr, eps, weightDecay });
    checkSetting('Adadelta', 'rho', rho, rho >= 0 && rho <= 1, 'a number in [0, 1]');
  }
  protected override stateOf(_: ParameterGroup<AdadeltaSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['square_avg', 'acc_delta']);
  }
  protected override numbers({ lr }: ParameterGroup<AdadeltaSettings>): readonly number[] {
    return [lr];
  }
  protected override update(
    b: Builder,
    { rho, eps, weightDecay }: ParameterGroup<AdadeltaSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const lr = wide(b, numbers[0]!, parameter, shape);
    const g = penalized(b, gradient, parameter, weightDecay);
    const [decay, share] = [b.like(g, rho), b.like(g, 1 - rho)];
    const square = meanOfSquares(b, state[0]!, g, decay, share);
    const root = (x: Value): Value => b.unary('sqrt', plus(b, x, eps));
    const delta = b.multiply(b.divide(root(state[1]!), root(square)), g);
    const accumulated = meanOfSquares(b, state[1]!, delta, decay, share);
    return [b.subtract(parameter, b.multiply(lr, delta)), square, accumulated];
  }
}
