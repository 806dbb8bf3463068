// AdamW with moments in 8 bits (Dettmers et al., 2022): its state takes a quarter of the memory.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
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
import { adamNumbers, adamNumbersTaken } from './adam.ts';
import { lerp, meanOfSquares, plus, wide } from './arithmetic.ts';
import { blockSize, decode, encode, zeroCode } from './dynamic-code.ts';

/** Settings of `AdamW8bit`. */
export interface AdamW8bitSettings extends StateFormat {
  /** The learning rate; 1e-3 by default. */
  lr: number;
  /** Decay rates of the mean of gradients and of the mean of their squares; 0.9 and 0.999 by default. */
  betas: readonly [number, number];
  /** Added to the denominator; 1e-8 by default. */
  eps: number;
  /** Decoupled weight decay, multiplied by the learning rate; 0.01 by default. */
  weightDecay: number;
  /** Parameters with fewer elements keep moments in f32; 4096 by default. */
  min8bitSize: number;
  /** Maximizes instead of minimizing; false by default. */
  maximize: boolean;
}

/**
 * AdamW whose moments are kept in 8 bits (Dettmers et al., "8-bit Optimizers via Block-wise Quantization", 2022, arXiv
 * 2110.02861), like AdamW8bit of bitsandbytes: codes of the dynamic tree type in blocks of 256, each with its largest magnitude
 * in f32. Each step decodes them, computes the formula of {@link AdamW} in f32 with the exact new moments, and encodes them
 * again. State of a large parameter: `exp_avg` and `exp_avg_sq` in ui8 [blocks, 256], `exp_avg_absmax` and `exp_avg_sq_absmax`
 * in f32 [blocks].
 *
 * Settings: see {@link AdamW8bitSettings}.
 *
 *     const optimizer = new AdamW8bit(model.parameters(), { lr: 3e-4 });
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = new nn.Linear(64, 64);
 * const optimizer = new optim.AdamW8bit(layer.parameters(), { lr: 1e-3 });
 * layer(ones(1, 64)).square().mean().backward();
 * optimizer.step();
 * layer.weight.isfinite().all() // true
 */
export class AdamW8bit extends Optimizer<AdamW8bitSettings> {
  constructor(
    params: Parameters<AdamW8bitSettings>,
    ...rest: SettingsOf<AdamW8bitSettings, ['lr', 'betas', 'eps', 'weightDecay']>
  ) {
    super(params, rest, {
      ...defaultFormat,
      lr: 1e-3,
      betas: [0.9, 0.999],
      eps: 1e-8,
      weightDecay: 0.01,
      min8bitSize: 4096,
      maximize: false,
    });
  }
  protected override checkGroup(group: ParameterGroup<AdamW8bitSettings>): void {
    const { lr, betas, eps, weightDecay, min8bitSize } = group;
    checkNotNegative('AdamW8bit', { lr, eps, weightDecay, min8bitSize });
    checkBetas('AdamW8bit', betas);
  }
  protected override stateOf(
    { min8bitSize }: ParameterGroup<AdamW8bitSettings>,
    parameter: Parameter,
  ): readonly StateSpec[] {
    const count = elementCount(parameter.shape);
    if (count < min8bitSize) return likeParameter(parameter, ['exp_avg', 'exp_avg_sq']);
    const blocks = Math.ceil(count / blockSize);
    return [
      { name: 'exp_avg', shape: [blocks, blockSize], dtype: 'ui8', fill: zeroCode(true) },
      { name: 'exp_avg_absmax', shape: [blocks], dtype: 'f32' },
      { name: 'exp_avg_sq', shape: [blocks, blockSize], dtype: 'ui8', fill: zeroCode(false) },
      { name: 'exp_avg_sq_absmax', shape: [blocks], dtype: 'f32' },
    ];
  }
  protected override numbers(group: ParameterGroup<AdamW8bitSettings>, count: number): readonly number[] {
    return adamNumbers(group, count);
  }
  protected override numbersTaken(
    b: Builder,
    { betas }: ParameterGroup<AdamW8bitSettings>,
    numbers: readonly Value[],
    steps: { readonly count: Value; readonly taken: Value },
  ): readonly Value[] {
    return adamNumbersTaken(b, betas, numbers, steps);
  }
  protected override update(
    b: Builder,
    { eps }: ParameterGroup<AdamW8bitSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const isCoded = state.length === 4;
    const count = elementCount(shape);
    const layout = isCoded ? [Math.ceil(count / blockSize), blockSize] : shape;
    const p = isCoded ? toBlocks(b, parameter, count) : parameter;
    const g = isCoded ? toBlocks(b, gradient, count) : gradient;
    const [keep, stepSize, root, share1, beta2, share2] = numbers.map(n => wide(b, n, p, layout)) as [
      Value,
      Value,
      Value,
      Value,
      Value,
      Value,
    ];
    const mean = isCoded ? decode(b, state[0]!, state[1]!, true) : state[0]!;
    const square = isCoded ? decode(b, state[2]!, state[3]!, false) : state[1]!;
    const newMean = lerp(b, mean, g, share1);
    const newSquare = meanOfSquares(b, square, g, beta2, share2);
    const denominator = plus(b, b.divide(b.unary('sqrt', newSquare), root), eps);
    const updated = b.subtract(b.multiply(p, keep), b.multiply(stepSize, b.divide(newMean, denominator)));
    if (!isCoded) return [updated, newMean, newSquare];
    return [fromBlocks(b, updated, shape, count), ...encode(b, newMean, true), ...encode(b, newSquare, false)];
  }
}

/** All elements in rows of 256, padded with zeros. */
function toBlocks(b: Builder, x: Value, count: number): Value {
  const blocks = Math.ceil(count / blockSize);
  const missing = blocks * blockSize - count;
  if (missing === 0) return b.reshape(x, [blocks, blockSize]);
  const zero = b.fill(tensorTypeOf(x).elementType, [], 0);
  return b.reshape(b.pad(b.reshape(x, [count]), zero, [0], [missing]), [blocks, blockSize]);
}
function fromBlocks(b: Builder, x: Value, shape: readonly number[], count: number): Value {
  const [blocks, columns] = shapeOf(x) as readonly [number, number];
  if (blocks * columns === count) return b.reshape(x, shape);
  return b.reshape(b.slice(b.reshape(x, [blocks * columns]), [0], [count]), shape);
}
