// Adafactor (Shazeer and Stern, 2018) as in PyTorch: of the second moments of a matrix, only the means of rows and of columns
// are stored.
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
import { lerp, norm, times, toThePower, wide } from './arithmetic.ts';

/** Settings of `Adafactor`. */
export interface AdafactorSettings extends StateFormat {
  /** The learning rate; 1e-2 by default. The rate of step t is at most 1 / √t. */
  lr: number;
  /** The exponent b of the decay rate 1 − tᵇ of second moments at step t; −0.8 by default. */
  beta2Decay: number;
  /**
   * Two lower bounds; null and 1e-3 by default. The first is for second moments, where null is the machine epsilon of the
   * parameter's data type; the second is for the root mean square of a parameter.
   */
  eps: readonly [number | null, number];
  /** An update whose root mean square is larger is scaled down to this; 1 by default. */
  d: number;
  /** Decoupled weight decay, multiplied by the learning rate; 0 by default. */
  weightDecay: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/** The machine epsilon of a data type: the distance from 1 to the next larger number. */
const epsilonOf: { readonly [type in string]?: number } = {
  f64: 2 ** -52,
  f32: 2 ** -23,
  f16: 2 ** -10,
  bf16: 2 ** -7,
};

/**
 * Adafactor (Shazeer and Stern, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost", 2018), as
 * torch.optim.Adafactor. The state of a parameter [n, m] has n + m numbers (leading dims are batch dims); that of a vector has
 * as many as the vector.
 *
 *     ρ = min(lr, 1 / √t)            α = max(eps₂, RMS(p)) · ρ          p ← p · (1 − lr · weightDecay)
 *     R ← R + (mean of g² over columns − R) · tᵇ                         C ← C + (mean of g² over rows − C) · tᵇ
 *     V = R C / max(mean(R), eps₁)   u = g / √max(V, eps₁²)
 *     p ← p − α · u / max(1, RMS(u) / d)
 *
 * Settings: see {@link AdafactorSettings}.
 *
 *     const optimizer = new Adafactor(model.parameters(), { lr: 1e-2 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = new Parameter(ones(2, 3));
 * const optimizer = new optim.Adafactor([w], { lr: 0.01 });
 * w.square().sum().backward();
 * optimizer.step();
 * w.lt(1).all() // true
 */
export class Adafactor extends Optimizer<AdafactorSettings> {
  constructor(
    params: Parameters<AdafactorSettings>,
    ...rest: SettingsOf<AdafactorSettings, ['lr', 'beta2Decay', 'eps', 'd', 'weightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-2,
      beta2Decay: -0.8,
      eps: [null, 1e-3],
      d: 1,
      weightDecay: 0,
      maximize: false,
    });
  }
  protected override checkGroup(group: ParameterGroup<AdafactorSettings>): void {
    const { lr, beta2Decay, eps, d, weightDecay } = group;
    checkNotNegative('Adafactor', { lr, 'eps[0]': eps[0] ?? 0, 'eps[1]': eps[1], weightDecay });
    checkSetting('Adafactor', 'd', d, d >= 1, 'a number of at least 1');
    checkSetting('Adafactor', 'beta2Decay', beta2Decay, beta2Decay <= 0, 'a number of at most 0');
  }
  protected override stateOf(_: ParameterGroup<AdafactorSettings>, { shape }: Parameter): readonly StateSpec[] {
    if (shape.length < 2) return [{ name: 'variance', shape }];
    return [
      { name: 'row_var', shape: shape.with(-1, 1) },
      { name: 'col_var', shape: shape.with(-2, 1) },
    ];
  }
  protected override numbers(group: ParameterGroup<AdafactorSettings>, count: number): readonly number[] {
    const { lr, beta2Decay, weightDecay } = group;
    return [count ** beta2Decay, Math.min(lr, 1 / Math.sqrt(count)), 1 - lr * weightDecay, lr];
  }
  protected override numbersTaken(
    b: Builder,
    { beta2Decay }: ParameterGroup<AdafactorSettings>,
    [, , keep, lr]: readonly [Value, Value, Value, Value],
    { taken }: { readonly taken: Value },
  ): readonly Value[] {
    return [toThePower(b, taken, beta2Decay), b.minimum(lr, b.unary('rsqrt', taken)), keep, lr];
  }
  protected override update(
    b: Builder,
    { eps, d, weightDecay }: ParameterGroup<AdafactorSettings>,
    { parameter, gradient, state, numbers, shape, dtype }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [share, rho, keep] = numbers as readonly [Value, Value, Value];
    const least = eps[0] ?? epsilonOf[dtype] ?? 2 ** -23;
    const count = shape.reduce((n, size) => n * size, 1);
    const size = times(b, norm(b, parameter), 1 / Math.sqrt(count));
    const alpha = b.multiply(b.maximum(size, b.like(size, eps[1])), wide(b, rho, size, []));
    const p = weightDecay === 0 ? parameter : b.multiply(parameter, wide(b, keep, parameter, shape));
    const squares = b.multiply(gradient, gradient);
    const moved = (old: Value, mean: Value, like: readonly number[]): Value =>
      lerp(b, old, b.reshape(mean, like), wide(b, share, old, like));
    let kept: readonly Value[];
    let variance: Value;
    if (shape.length < 2) {
      variance = moved(state[0]!, squares, shape);
      kept = [variance];
    } else {
      const [row, column] = [shape.length - 2, shape.length - 1];
      const [rows, columns] = [shape[row]!, shape[column]!];
      const rowMeans = moved(state[0]!, times(b, b.sum(squares, [column]), 1 / columns), shape.with(-1, 1));
      const columnMeans = moved(state[1]!, times(b, b.sum(squares, [row]), 1 / rows), shape.with(-2, 1));
      const dims = shape.map((_, i) => i);
      const spread = (x: Value, without: readonly number[]): Value =>
        b.broadcastInDim(
          b.reshape(
            x,
            shape.filter((_, i) => !without.includes(i)),
          ),
          dims.filter(i => !without.includes(i)),
          shape,
        );
      const mean = times(b, b.sum(rowMeans, [row, column]), 1 / rows);
      const divisor = b.maximum(mean, b.like(mean, least));
      variance = b.divide(
        b.multiply(spread(rowMeans, [column]), spread(columnMeans, [row])),
        spread(divisor, [row, column]),
      );
      kept = [rowMeans, columnMeans];
    }
    const update = b.multiply(b.unary('rsqrt', b.maximum(variance, b.like(variance, least * least))), gradient);
    const excess = times(b, norm(b, update), 1 / (Math.sqrt(count) * d));
    const rate = b.divide(alpha, b.maximum(excess, b.like(excess, 1)));
    return [b.subtract(p, b.multiply(wide(b, rate, parameter, shape), update)), ...kept];
  }
}
