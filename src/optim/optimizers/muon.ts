// Muon (Jordan et al., 2024) as in PyTorch: momentum whose matrix is orthogonalized by a Newton-Schulz iteration.
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { Parameter } from '../../nn/index.ts';
import { checkChoice, checkNotNegative, checkSetting } from '../update/check-settings.ts';
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
import { lerp, norm, times, wide } from './arithmetic.ts';

/** Settings of `Muon`. */
export interface MuonSettings extends StateFormat {
  /** The learning rate; 1e-3 by default. */
  lr: number;
  /** Decoupled weight decay, multiplied by the learning rate; 0.1 by default. */
  weightDecay: number;
  /** Momentum; 0.95 by default. */
  momentum: number;
  /** Nesterov momentum; true by default. */
  nesterov: boolean;
  /** The polynomial of the iteration; 3.4445, -4.775 and 2.0315 by default. */
  nsCoefficients: readonly [number, number, number];
  /** A lower bound for the norm that matrices are divided by; 1e-7 by default. */
  eps: number;
  /** The number of iterations; 5 by default. */
  nsSteps: number;
  /**
   * `original` (the default) scales rates by √max(1, n/m), `match_rms_adamw` by 0.2 · √max(n, m), so that the rates of AdamW can
   * be used.
   */
  adjustLrFn: 'original' | 'match_rms_adamw' | null;
}

/**
 * Muon (Jordan et al., "Muon: An optimizer for hidden layers in neural networks", 2024), like torch.optim.Muon. It is for
 * matrices only: biases, norms, embeddings and the last layer go to another optimizer, such as AdamW. The iteration is computed
 * in bf16.
 *
 *     m ← momentum · m + (1 − momentum) · g
 *     u = m, or g + (m − g) · momentum with nesterov
 *     X = u / ‖u‖;   nsSteps times:  A = X Xᵀ,  X ← a X + (b A + c A²) X
 *     p ← p · (1 − lr · weightDecay) − lr · scale · X
 *
 * Settings: see {@link MuonSettings}.
 *
 *     const [matrices, others] = [p => p.ndim === 2, p => p.ndim !== 2].map(is => model.parameters().filter(is));
 *     const optimizers = [new Muon(matrices, { lr: 0.02 }), new AdamW(others, { lr: 3e-4 })];
 *
 * @throws {INVALID_OPTION} if a setting is out of range, or a parameter that is not a matrix
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = new nn.Linear(4, 4, { bias: false });
 * const optimizer = new optim.Muon(layer.parameters(), { lr: 0.02 });
 * layer(ones(1, 4)).square().mean().backward();
 * optimizer.step();
 * layer.weight.isfinite().all() // true
 */
export class Muon extends Optimizer<MuonSettings> {
  constructor(
    params: Parameters<MuonSettings>,
    ...rest: SettingsOf<
      MuonSettings,
      ['lr', 'weightDecay', 'momentum', 'nesterov', 'nsCoefficients', 'eps', 'nsSteps', 'adjustLrFn']
    >
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-3,
      weightDecay: 0.1,
      momentum: 0.95,
      nesterov: true,
      nsCoefficients: [3.4445, -4.775, 2.0315],
      eps: 1e-7,
      nsSteps: 5,
      adjustLrFn: null,
    });
  }
  protected override checkGroup(group: ParameterGroup<MuonSettings>): void {
    const { lr, weightDecay, momentum, eps, nsSteps, nsCoefficients, adjustLrFn, params } = group;
    checkNotNegative('Muon', { lr, weightDecay, momentum, eps });
    const isCount = Number.isInteger(nsSteps) && nsSteps >= 0 && nsSteps < 100;
    checkSetting('Muon', 'nsSteps', nsSteps, isCount, 'an integer from 0 to 99');
    const { length } = nsCoefficients;
    checkSetting('Muon', 'nsCoefficients', length, length === 3, 'three numbers');
    checkChoice('Muon', 'adjustLrFn', adjustLrFn, [null, 'original', 'match_rms_adamw']);
    for (const { shape } of params)
      checkSetting('Muon', 'the number of dims of a parameter', shape.length, shape.length === 2, '2');
  }
  protected override stateOf(_: ParameterGroup<MuonSettings>, parameter: Parameter): readonly StateSpec[] {
    return likeParameter(parameter, ['momentum_buffer']);
  }
  protected override numbers({ lr, weightDecay, momentum }: ParameterGroup<MuonSettings>): readonly number[] {
    return [lr, 1 - lr * weightDecay, momentum, 1 - momentum];
  }
  protected override update(
    b: Builder,
    group: ParameterGroup<MuonSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [lr, keep, momentum, share] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value, Value, Value];
    const buffer = lerp(b, state[0]!, gradient, share);
    const direction = orthogonal(b, group.nesterov ? lerp(b, gradient, buffer, momentum) : buffer, shape, group);
    const [rows, columns] = shape as readonly [number, number];
    const scale =
      group.adjustLrFn === 'match_rms_adamw'
        ? 0.2 * Math.sqrt(Math.max(rows, columns))
        : Math.sqrt(Math.max(1, rows / columns));
    const step = b.multiply(times(b, lr, scale), b.convert(direction, tensorTypeOf(parameter).elementType));
    return [b.subtract(b.multiply(parameter, keep), step), buffer];
  }
}

/**
 * The nearest orthogonal matrix, roughly: singular values become 0.7 to 1.2. Computed in bf16, with products accumulated
 * in f32.
 */
function orthogonal(
  b: Builder,
  x: Value,
  [rows, columns]: readonly number[],
  { nsCoefficients, nsSteps, eps }: MuonSettings,
): Value {
  const isTall = rows! > columns!;
  const rounded = (v: Value): Value => b.convert(v, 'bf16');
  const exact = (v: Value): Value => b.convert(v, 'f32');
  const narrow = rounded(x);
  const length = rounded(norm(b, exact(narrow)));
  const least = b.maximum(length, b.like(length, eps));
  const scaled = rounded(b.divide(exact(narrow), b.broadcastInDim(exact(least), [], [rows!, columns!])));
  let matrix: Value = isTall ? b.transpose(scaled, [1, 0]) : scaled;
  const [first, second, third] = nsCoefficients;
  for (let i = 0; i < nsSteps; i++) {
    const wideMatrix = exact(matrix);
    const gram = exact(rounded(product(b, wideMatrix, wideMatrix, true)));
    const update = rounded(b.add(times(b, gram, second), times(b, product(b, gram, gram, false), third)));
    matrix = rounded(b.add(times(b, wideMatrix, first), product(b, exact(update), wideMatrix, false)));
  }
  return isTall ? b.transpose(matrix, [1, 0]) : matrix;
}
const product = (b: Builder, x: Value, y: Value, isTransposed: boolean): Value =>
  b.dotGeneral(x, y, {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [isTransposed ? 1 : 0],
  });
