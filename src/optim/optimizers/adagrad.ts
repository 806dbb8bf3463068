// Adagrad (Duchi, Hazan and Singer, 2011) as in PyTorch.
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
import { penalized, plus, times, wide } from './arithmetic.ts';

/** Settings of `Adagrad`. */
export interface AdagradSettings extends StateFormat {
  /** The learning rate; 1e-2 by default. */
  lr: number;
  /** The rate of step t is lr / (1 + (t − 1) · lrDecay); 0 by default. */
  lrDecay: number;
  /** Weight decay (L2 penalty), added to the gradient; 0 by default. */
  weightDecay: number;
  /** The initial value of the sums of squares; 0 by default. */
  initialAccumulatorValue: number;
  /** Added to the denominator; 1e-10 by default. */
  eps: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Adagrad (Duchi, Hazan and Singer, "Adaptive Subgradient Methods", 2011), like torch.optim.Adagrad:
 *
 *     g ← g + weightDecay · p
 *     s ← s + g²
 *     p ← p − lr / (1 + (t − 1) · lrDecay) · g / (√s + eps)
 *
 * Settings: see {@link AdagradSettings}.
 *
 *     const optimizer = new Adagrad(model.parameters(), { lr: 0.05 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.Adagrad([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9, -1.9]
 */
export class Adagrad extends Optimizer<AdagradSettings> {
  constructor(
    params: Parameters<AdagradSettings>,
    ...rest: SettingsOf<AdagradSettings, ['lr', 'lrDecay', 'weightDecay', 'initialAccumulatorValue', 'eps']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-2,
      lrDecay: 0,
      weightDecay: 0,
      initialAccumulatorValue: 0,
      eps: 1e-10,
      maximize: false,
    });
  }
  protected override checkGroup(group: ParameterGroup<AdagradSettings>): void {
    const { lr, lrDecay, weightDecay, initialAccumulatorValue, eps } = group;
    checkNotNegative('Adagrad', { lr, lrDecay, weightDecay, initialAccumulatorValue, eps });
  }
  protected override stateOf(
    { initialAccumulatorValue }: ParameterGroup<AdagradSettings>,
    { shape }: Parameter,
  ): readonly StateSpec[] {
    return [{ name: 'sum', shape, fill: initialAccumulatorValue }];
  }
  protected override numbers({ lr, lrDecay }: ParameterGroup<AdagradSettings>, count: number): readonly number[] {
    return [lr / (1 + (count - 1) * lrDecay)];
  }
  protected override numbersTaken(
    b: Builder,
    { lrDecay }: ParameterGroup<AdagradSettings>,
    [rate]: readonly [Value],
    { count, taken }: { readonly count: Value; readonly taken: Value },
  ): readonly Value[] {
    if (lrDecay === 0) return [rate];
    const slowed = (n: Value): Value => plus(b, times(b, plus(b, n, -1), lrDecay), 1);
    return [b.multiply(rate, b.divide(slowed(count), slowed(taken)))];
  }
  protected override update(
    b: Builder,
    { eps, weightDecay }: ParameterGroup<AdagradSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const rate = wide(b, numbers[0]!, parameter, shape);
    const g = penalized(b, gradient, parameter, weightDecay);
    const sum = b.add(state[0]!, b.multiply(g, g));
    const quotient = b.divide(g, plus(b, b.unary('sqrt', sum), eps));
    return [b.subtract(parameter, b.multiply(rate, quotient)), sum];
  }
}
