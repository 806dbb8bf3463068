// Stochastic gradient descent with momentum, as in PyTorch.
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
import { penalized, wide } from './arithmetic.ts';

/** Settings of `SGD`. */
export interface SGDSettings extends StateFormat {
  /** The learning rate; 1e-3 by default. */
  lr: number;
  /** Momentum; 0 by default. */
  momentum: number;
  /** Dampening of the gradient in the momentum; 0 by default. */
  dampening: number;
  /** Weight decay (L2 penalty), added to the gradient; 0 by default. */
  weightDecay: number;
  /** Nesterov momentum; false by default. */
  nesterov: boolean;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Stochastic gradient descent, like torch.optim.SGD:
 *
 *     g ← g + weightDecay · p
 *     m ← momentum · m + (1 − dampening) · g     (m = g at the first step)
 *     p ← p − lr · m                             (with nesterov: lr · (g + momentum · m); without momentum: lr · g)
 *
 * Settings: see {@link SGDSettings}.
 *
 *     const optimizer = new SGD(model.parameters(), { lr: 0.1, momentum: 0.9, nesterov: true });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.SGD([w], { lr: 0.1, momentum: 0.9 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.8, -1.6]
 */
export class SGD extends Optimizer<SGDSettings> {
  constructor(
    params: Parameters<SGDSettings>,
    ...rest: SettingsOf<SGDSettings, ['lr', 'momentum', 'dampening', 'weightDecay', 'nesterov']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-3,
      momentum: 0,
      dampening: 0,
      weightDecay: 0,
      nesterov: false,
      maximize: false,
    });
  }

  protected override checkGroup(group: ParameterGroup<SGDSettings>): void {
    const { lr, momentum, dampening, weightDecay, nesterov } = group;
    checkNotNegative('SGD', { lr, momentum, weightDecay });
    const holds = !nesterov || (momentum > 0 && dampening === 0);
    checkSetting('SGD', 'momentum', momentum, holds, 'above 0, and dampening 0, for nesterov');
  }
  protected override stateOf({ momentum }: ParameterGroup<SGDSettings>, parameter: Parameter): readonly StateSpec[] {
    return momentum === 0 ? [] : likeParameter(parameter, ['momentum_buffer']);
  }
  /** The learning rate, the weight of the gradient in the momentum (all of it at the first step), and the momentum. */
  protected override numbers(
    { lr, dampening, momentum }: ParameterGroup<SGDSettings>,
    count: number,
  ): readonly number[] {
    return [lr, count === 1 ? 1 : 1 - dampening, momentum];
  }
  protected override numbersTaken(
    b: Builder,
    { dampening }: ParameterGroup<SGDSettings>,
    [lr, share, momentum]: readonly [Value, Value, Value],
    { taken }: { readonly taken: Value },
  ): readonly Value[] {
    if (dampening === 0) return [lr, share, momentum];
    const isFirst = b.compare('LE', taken, b.like(taken, 1));
    return [lr, b.select(isFirst, b.like(taken, 1), b.like(taken, 1 - dampening)), momentum];
  }

  protected override update(
    b: Builder,
    { weightDecay, dampening, nesterov }: ParameterGroup<SGDSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [lr, share, momentum] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value, Value];
    const g = penalized(b, gradient, parameter, weightDecay);
    const [buffer] = state;
    if (buffer === undefined) return [b.subtract(parameter, b.multiply(lr, g))];
    const next = b.add(b.multiply(buffer, momentum), dampening === 0 ? g : b.multiply(g, share));
    const step = nesterov ? b.add(g, b.multiply(next, momentum)) : next;
    return [b.subtract(parameter, b.multiply(lr, step)), next];
  }
}
