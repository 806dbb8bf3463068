// Stochastic gradient descent, with momentum as PyTorch has it.
import type { Builder } from '../hlo/builder.ts';
import type { Value } from '../hlo/program.ts';
import {
  checkSetting,
  checkSettings,
  defaultFormat,
  Optimizer,
  type ParameterGroup,
  type Parameters,
  type StateFormat,
  type UpdateInput,
  wide,
} from './optimizer.ts';

export interface SGDSettings extends StateFormat {
  lr: number;
  momentum: number;
  /** How much of a gradient does not enter the momentum. */
  dampening: number;
  weightDecay: number;
  nesterov: boolean;
}

export class SGD extends Optimizer<SGDSettings> {
  protected override readonly stateNames: readonly string[];
  protected override readonly numberCount = 2;

  constructor(params: Parameters<SGDSettings>, settings: Partial<SGDSettings> = {}) {
    const defaults: SGDSettings = {
      ...defaultFormat,
      lr: 1e-3,
      momentum: 0,
      dampening: 0,
      weightDecay: 0,
      nesterov: false,
    };
    checkSettings(new.target.name, settings, defaults);
    super(params, { ...defaults, ...settings });
    for (const { lr, momentum, dampening, weightDecay, nesterov } of this.groups) {
      checkSetting('SGD', 'lr', lr, lr >= 0, 'a number of at least 0');
      checkSetting('SGD', 'momentum', momentum, momentum >= 0, 'a number of at least 0');
      checkSetting('SGD', 'weightDecay', weightDecay, weightDecay >= 0, 'a number of at least 0');
      checkSetting(
        'SGD',
        'momentum',
        momentum,
        !nesterov || (momentum > 0 && dampening === 0),
        'above 0, and dampening 0, for nesterov',
      );
    }
    this.stateNames = this.groups.some(group => group.momentum !== 0) ? ['momentum_buffer'] : [];
  }

  /** The learning rate, and the share of the gradient in the momentum: all of it at the first step. */
  protected override numbers({ lr, dampening }: ParameterGroup<SGDSettings>, count: number): readonly number[] {
    return [lr, count === 1 ? 1 : 1 - dampening];
  }

  protected override update(
    b: Builder,
    group: ParameterGroup<SGDSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [lr, share] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value];
    let g = gradient;
    if (group.weightDecay !== 0) g = b.add(g, b.multiply(parameter, b.like(g, group.weightDecay)));
    const [momentum] = state;
    let next = momentum;
    if (momentum !== undefined && group.momentum !== 0) {
      const entering = group.dampening === 0 ? g : b.multiply(g, share);
      next = b.add(b.multiply(momentum, b.like(g, group.momentum)), entering);
      g = group.nesterov ? b.add(g, b.multiply(next, b.like(g, group.momentum))) : next;
    }
    const updated = b.subtract(parameter, b.multiply(lr, g));
    return next === undefined ? [updated] : [updated, next];
  }
}
