// Adam (Kingma and Ba, 2015) and AdamW (Loshchilov and Hutter, 2019), step by step as PyTorch computes them: bias
// corrections in double precision on the host, everything else on the device, in f32 for narrower parameters.
import type { Builder } from '../hlo/builder.ts';
import type { Value } from '../hlo/program.ts';
import { wrongArgument } from '../tensor/index.ts';
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

export interface AdamSettings extends StateFormat {
  lr: number;
  /** Decay of the mean of gradients, and of their squares. */
  betas: readonly [number, number];
  eps: number;
  weightDecay: number;
}

abstract class AdamBase extends Optimizer<AdamSettings> {
  protected override readonly stateNames = ['exp_avg', 'exp_avg_sq'];
  protected override readonly numberCount = 3;
  protected abstract readonly isDecoupled: boolean;

  constructor(params: Parameters<AdamSettings>, settings: Partial<AdamSettings>, decay: number) {
    const defaults: AdamSettings = {
      ...defaultFormat,
      lr: 1e-3,
      betas: [0.9, 0.999],
      eps: 1e-8,
      weightDecay: decay,
    };
    checkSettings(new.target.name, settings, defaults);
    super(params, { ...defaults, ...settings });
    for (const { lr, betas, eps, weightDecay } of this.groups) {
      const name = this.constructor.name;
      checkSetting(name, 'lr', lr, lr >= 0, 'a number of at least 0');
      checkSetting(name, 'eps', eps, eps >= 0, 'a number of at least 0');
      checkSetting(name, 'weightDecay', weightDecay, weightDecay >= 0, 'a number of at least 0');
      if (!Array.isArray(betas) || betas.length !== 2)
        throw wrongArgument({ call: name, argument: 'betas' }, betas, 'two numbers', 'give both, such as [0.9, 0.999]');
      for (const beta of betas) checkSetting(name, 'betas', beta, beta >= 0 && beta < 1, 'numbers in [0, 1)');
    }
  }

  protected override numbers(
    { lr, betas, weightDecay }: ParameterGroup<AdamSettings>,
    count: number,
  ): readonly number[] {
    const correction1 = 1 - betas[0] ** count;
    const correction2 = 1 - betas[1] ** count;
    return [1 - lr * weightDecay, lr / correction1, Math.sqrt(correction2)];
  }

  protected override numbersTaken(
    b: Builder,
    { betas }: ParameterGroup<AdamSettings>,
    [keep, stepSize, root]: readonly [Value, Value, Value],
    { count, taken }: { readonly count: Value; readonly taken: Value },
  ): readonly Value[] {
    // 1 - βⁿ as -expm1(n ln β): no digits are lost for β near 1
    const correction = (beta: number, n: Value): Value =>
      b.negate(b.unary('exponential_minus_one', b.multiply(n, b.like(n, Math.log(beta)))));
    const ratio = (beta: number): Value => b.divide(correction(beta, count), correction(beta, taken));
    return [
      keep,
      betas[0] === 0 ? stepSize : b.multiply(stepSize, ratio(betas[0])),
      betas[1] === 0 ? root : b.divide(root, b.unary('sqrt', ratio(betas[1]))),
    ];
  }

  protected override update(
    b: Builder,
    { betas, eps, weightDecay }: ParameterGroup<AdamSettings>,
    { parameter, gradient, state, numbers, shape }: UpdateInput,
  ): readonly [Value, ...Value[]] {
    const [keep, stepSize, root] = numbers.map(n => wide(b, n, parameter, shape)) as [Value, Value, Value];
    const [mean, square] = state as readonly [Value, Value];
    let g = gradient;
    let p = parameter;
    if (weightDecay !== 0) {
      if (this.isDecoupled) p = b.multiply(p, keep);
      else g = b.add(g, b.multiply(p, b.like(p, weightDecay)));
    }
    const newMean = b.add(mean, b.multiply(b.subtract(g, mean), b.like(g, 1 - betas[0])));
    const newSquare = b.add(
      b.multiply(square, b.like(g, betas[1])),
      b.multiply(b.multiply(g, g), b.like(g, 1 - betas[1])),
    );
    const denominator = b.add(b.divide(b.unary('sqrt', newSquare), root), b.like(g, eps));
    return [b.subtract(p, b.multiply(stepSize, b.divide(newMean, denominator))), newMean, newSquare];
  }
}

/** Adam with weight decay apart from the gradient. Defaults as PyTorch: lr 1e-3, betas 0.9 and 0.999, decay 0.01. */
export class AdamW extends AdamBase {
  protected override readonly isDecoupled = true;
  constructor(params: Parameters<AdamSettings>, settings: Partial<AdamSettings> = {}) {
    super(params, settings, 0.01);
  }
}
/** Adam; weight decay, if any, is added to the gradient. */
export class Adam extends AdamBase {
  protected override readonly isDecoupled = false;
  constructor(params: Parameters<AdamSettings>, settings: Partial<AdamSettings> = {}) {
    super(params, settings, 0);
  }
}
