// Averaged stochastic gradient descent (Polyak and Juditsky, 1992), as in PyTorch.
import type { Builder } from '../../src/hlo/builder.ts';
import type { Value } from '../../src/hlo/program.ts';
import type { Parameter } from '../../src/nn/index.ts';
import { lerp, penalized, plus, times, toThePower, wide } from '../../src/optim/optimizers/arithmetic.ts';
import { checkNotNegative } from '../../src/optim/update/check-settings.ts';
import { Optimizer } from '../../src/optim/update/optimizer.ts';
import {
  defaultFormat,
  type ParameterGroup,
  type Parameters,
  type SettingsOf,
  type StateFormat,
} from '../../src/optim/update/parameter-group.ts';
import type { StateSpec, UpdateInput } from '../../src/optim/update/update.ts';

/** Settings of `ASGD`. */
export interface ASGDSettings extends StateFormat {
  /** The learning rate of the first step; 1e-2 by default. */
  lr: number;
  /** Decay of the parameter, multiplied by the rate of the step; 1e-4 by default. */
  lambd: number;
  /** The power of the decay of rates; 0.75 by default. */
  alpha: number;
  /** The step at which averaging starts; 1e6 by default. */
  t0: number;
  /** Weight decay (L2 penalty), added to the gradient; 0 by default. */
  weightDecay: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Averaged SGD (Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992), like torch.optim.ASGD:
 *
 *     g ← g + weightDecay · p
 *     p ← p · (1 − lambd · η) − η · g                 η = lr at the first step
 *     ax ← ax + μ · (p − ax)                          μ = 1 at the first step
 *     η ← lr / (1 + lambd · lr · t)^alpha             μ ← 1 / max(1, t − t0)
 *
 * The average is the state `ax`: `optimizer.state.get(parameter).ax`. Settings: see {@link ASGDSettings}.
 *
 *     const optimizer = new ASGD(model.parameters(), { lr: 0.05, t0: 1000 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.ASGD([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.7999…, -1.5999…]
 */
export class ASGD extends Optimizer<ASGDSettings> {
  constructor(
    params: Parameters<ASGDSettings>,
    ...rest: SettingsOf<ASGDSettings, ['lr', 'lambd', 'alpha', 't0', 'weightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-2,
      lambd: 1e-4,
      alpha: 0.75,
      t0: 1e6,
      weightDecay: 0,
      maximize: false,
    });
  }
  protected override checkGroup({ lr, lambd, alpha, t0, weightDecay }: ParameterGroup<ASGDSettings>): void {
    checkNotNegative('ASGD', { lr, lambd, alpha, t0, weightDecay });
  }
  protected override stateOf({ lr }: ParameterGroup<ASGDSettings>, { shape }: Parameter): readonly StateSpec[] {
    return [
      { name: 'ax', shape },
      { name: 'eta', shape: [], dtype: 'f32', fill: lr },
      { name: 'mu', shape: [], dtype: 'f32', fill: 1 },
    ];
  }
  /** The rate and the weight of the average at the next step. */
  protected override numbers(group: ParameterGroup<ASGDSettings>, count: number): readonly number[] {
    const { lr, lambd, alpha, t0 } = group;
    return [lr / (1 + lambd * lr * count) ** alpha, 1 / Math.max(1, count - t0), lr];
  }
  protected override numbersTaken(
    b: Builder,
    { lambd, alpha, t0 }: ParameterGroup<ASGDSettings>,
    [, , lr]: readonly [Value, Value, Value],
    { taken }: { readonly taken: Value },
  ): readonly Value[] {
    const slowed = plus(b, times(b, b.multiply(lr, taken), lambd), 1);
    const since = b.maximum(plus(b, taken, -t0), b.like(taken, 1));
    return [b.divide(lr, toThePower(b, slowed, alpha)), b.divide(b.like(taken, 1), since), lr];
  }
  protected override update(
    b: Builder,
    { lambd, weightDecay }: ParameterGroup<ASGDSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [ax, eta, mu] = state as readonly [Value, Value, Value];
    const [rate, share] = [eta, mu].map(n => wide(b, n, parameter, shape)) as [Value, Value];
    const keep = plus(b, times(b, rate, -lambd), 1);
    const g = penalized(b, gradient, parameter, weightDecay);
    const p = b.subtract(b.multiply(parameter, keep), b.multiply(rate, g));
    const isAll = b.compare('EQ', share, b.like(share, 1));
    const average = b.select(isAll, p, lerp(b, ax, p, share));
    const [nextRate, nextShare] = numbers.map(n => wide(b, n, eta, [])) as [Value, Value];
    return [p, average, nextRate, nextShare];
  }
}
