// Lion (Chen et al., 2023): the sign of a momentum, found by a search over programs.
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
import { lerp, wide } from './arithmetic.ts';

/** Settings of `Lion`. */
export interface LionSettings extends StateFormat {
  /** The learning rate; 1e-4 by default: 3 to 10 times smaller than for AdamW. */
  lr: number;
  /** The weight of the momentum in a step, and its decay rate; 0.9 and 0.99 by default. */
  betas: readonly [number, number];
  /** Decoupled weight decay, multiplied by the learning rate; 0 by default. */
  weightDecay: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Lion (Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023, arXiv 2302.06675):
 *
 *     p ← p · (1 − lr · weightDecay)
 *     p ← p − lr · sign(β₁ m + (1 − β₁) g)
 *     m ← β₂ m + (1 − β₂) g
 *
 * Settings: see {@link LionSettings}.
 *
 *     const optimizer = new Lion(model.parameters(), { lr: 1e-4, weightDecay: 0.1 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.Lion([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9, -1.9]
 */
export class Lion extends Optimizer<LionSettings> {
  constructor(params: Parameters<LionSettings>, ...rest: SettingsOf<LionSettings, ['lr', 'betas', 'weightDecay']>) {
    super(params, rest, { ...defaultFormat, lr: 1e-4, betas: [0.9, 0.99], weightDecay: 0, maximize: false });
  }
  protected override checkGroup({ lr, betas, weightDecay }: ParameterGroup<LionSettings>): void {
    checkNotNegative('Lion', { lr, weightDecay });
    checkBetas('Lion', betas);
  }
  protected override stateOf(_: ParameterGroup<LionSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['exp_avg']);
  }
  protected override numbers({ lr, betas, weightDecay }: ParameterGroup<LionSettings>): readonly number[] {
    return [lr, 1 - lr * weightDecay, 1 - betas[0], 1 - betas[1]];
  }
  protected override update(
    b: Builder,
    { weightDecay }: ParameterGroup<LionSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [lr, keep, share1, share2] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value, Value, Value];
    const p = weightDecay === 0 ? parameter : b.multiply(parameter, keep);
    const direction = b.unary('sign', lerp(b, state[0]!, gradient, share1));
    return [b.subtract(p, b.multiply(lr, direction)), lerp(b, state[0]!, gradient, share2)];
  }
}
