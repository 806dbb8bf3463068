// Resilient backpropagation (Riedmiller and Braun, 1993), as in PyTorch.
import type { Builder } from '../../src/hlo/builder.ts';
import type { Value } from '../../src/hlo/program.ts';
import type { Parameter } from '../../src/nn/index.ts';
import { checkNotNegative, checkSetting } from '../../src/optim/update/check-settings.ts';
import { Optimizer } from '../../src/optim/update/optimizer.ts';
import {
  defaultFormat,
  type ParameterGroup,
  type Parameters,
  type SettingsOf,
  type StateFormat,
} from '../../src/optim/update/parameter-group.ts';
import type { StateSpec, UpdateInput } from '../../src/optim/update/update.ts';

/** Settings of `Rprop`. */
export interface RpropSettings extends StateFormat {
  /** The initial step size of each element; 1e-2 by default. */
  lr: number;
  /** The factors of the step size if the gradient changed its sign, and if it did not; 0.5 and 1.2 by default. */
  etas: readonly [number, number];
  /** The smallest and the largest step size; 1e-6 and 50 by default. */
  stepSizes: readonly [number, number];
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * Rprop (Riedmiller and Braun, "A Direct Adaptive Method for Faster Backpropagation Learning", 1993), like torch.optim.Rprop:
 * each element has its own step size, and only the sign of the gradient is used. For full-batch training.
 *
 *     g · previous > 0:  size ← min(size · etas[1], stepSizes[1])
 *     g · previous < 0:  size ← max(size · etas[0], stepSizes[0]), g ← 0
 *     p ← p − sign(g) · size             previous ← g
 *
 * Settings: see {@link RpropSettings}.
 *
 *     const optimizer = new Rprop(model.parameters(), { lr: 0.01 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(tensor([1, -2]));
 * const optimizer = new optim.Rprop([w], { lr: 0.1 });
 * w.square().sum().backward();
 * optimizer.step();
 * w // [0.9, -1.9]
 */
export class Rprop extends Optimizer<RpropSettings> {
  constructor(params: Parameters<RpropSettings>, ...rest: SettingsOf<RpropSettings, ['lr', 'etas', 'stepSizes']>) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-2,
      etas: [0.5, 1.2],
      stepSizes: [1e-6, 50],
      maximize: false,
    });
  }
  protected override checkGroup({ lr, etas, stepSizes }: ParameterGroup<RpropSettings>): void {
    checkNotNegative('Rprop', { lr });
    const [down, up] = etas;
    checkSetting('Rprop', 'etas', down, down > 0 && down < 1 && up > 1, 'one number in (0, 1) and one above 1');
    const [least, most] = stepSizes;
    checkSetting('Rprop', 'stepSizes', least, least >= 0 && least <= most, 'the smallest size, then the largest');
  }
  protected override stateOf({ lr }: ParameterGroup<RpropSettings>, { shape }: Parameter): readonly StateSpec[] {
    return [
      { name: 'prev', shape },
      { name: 'step_size', shape, fill: lr },
    ];
  }
  protected override numbers(): readonly number[] {
    return [];
  }
  protected override update(
    b: Builder,
    { etas, stepSizes }: ParameterGroup<RpropSettings>,
    { parameter, gradient, state }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [previous, size] = state as readonly [Value, Value];
    const product = b.multiply(gradient, previous);
    const zero = b.like(gradient, 0);
    const isTurned = b.compare('LT', product, zero);
    const isSame = b.compare('GT', product, zero);
    const factor = b.select(isSame, b.like(size, etas[1]), b.select(isTurned, b.like(size, etas[0]), b.like(size, 1)));
    const grown = b.multiply(size, factor);
    const newSize = b.minimum(b.maximum(grown, b.like(size, stepSizes[0])), b.like(size, stepSizes[1]));
    const g = b.select(isTurned, zero, gradient);
    return [b.subtract(parameter, b.multiply(b.unary('sign', g), newSize)), g, newSize];
  }
}
