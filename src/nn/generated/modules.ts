// The modules that are rows of the table with settings. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar, Tensor } from '../../tensor/index.ts';
import { activations } from '../../tensor/surface/rows/activations.ts';
import { moreActivations } from '../../tensor/surface/rows/activations-more.ts';
import { classLossRows } from '../../tensor/surface/rows/class-losses.ts';
import { lossRows } from '../../tensor/surface/rows/losses.ts';
import { poolingRows } from '../../tensor/surface/rows/pooling.ts';
import { unary } from '../../tensor/surface/rows/unary.ts';
import type { StateBuffer } from '../parameter.ts';
import { RowModule } from '../row-module.ts';

/**
 * The hyperbolic tangent of each element.
 *
 * PyTorch: `torch.nn.Tanh`. The function: `functional.tanh`.
 * @example
 * new nn.Tanh()(tensor([-1, 0, 1])) // [-0.7615…, 0, 0.7615…]
 */
export class Tanh extends RowModule {
  /** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
  constructor();
  constructor(...settings: readonly unknown[]) {
    super(unary.tanh, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * 1 / (1 + exp(−x)).
 *
 * PyTorch: `torch.nn.Sigmoid`. The function: `functional.sigmoid`.
 * @example
 * new nn.Sigmoid()(tensor([-1, 0, 1])) // [0.2689…, 0.5, 0.731…]
 */
export class Sigmoid extends RowModule {
  /** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
  constructor();
  constructor(...settings: readonly unknown[]) {
    super(unary.sigmoid, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `ReLU`. */
export interface ReLUSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * max(x, 0): negative elements become 0.
 *
 * PyTorch: `torch.nn.ReLU`. The function: `functional.relu`.
 * @example
 * new nn.ReLU()(tensor([-1, 0, 2])) // [0, 0, 2]
 */
export class ReLU extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | ReLUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(activations.relu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `GELU`. */
export interface GELUSettings {
  /** `tanh` for the approximation of Hendrycks and Gimpel (2016). Default: "none". */
  readonly approximate?: 'none' | 'tanh' | undefined;
}

/**
 * x · Φ(x), where Φ is the cumulative distribution function of the standard normal distribution.
 *
 * PyTorch: `torch.nn.GELU`. The function: `functional.gelu`.
 * @example
 * new nn.GELU()(tensor([-1, 0, 1])) // [-0.1586…, 0, 0.8413…]
 */
export class GELU extends RowModule {
  /** `tanh` for the approximation of Hendrycks and Gimpel (2016). */
  declare readonly approximate: 'none' | 'tanh';
  /**
   * @param approximate - `tanh` for the approximation of Hendrycks and Gimpel (2016). Default: "none".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(approximate?: 'none' | 'tanh' | GELUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(activations.gelu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `SiLU`. */
export interface SiLUSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x · sigmoid(x).
 *
 * PyTorch: `torch.nn.SiLU`. The function: `functional.silu`.
 * @example
 * new nn.SiLU()(tensor([-1, 0, 1])) // [-0.2689…, 0, 0.731…]
 */
export class SiLU extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | SiLUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(activations.silu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Softmax`. */
export interface SoftmaxSettings {
  /** The dim along which the results sum to 1. Default: -1. */
  readonly dim?: number | undefined;
}

/**
 * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
 *
 * PyTorch: `torch.nn.Softmax`. The function: `functional.softmax`.
 * @example
 * new nn.Softmax(1)(tensor([[0, 0], [0, Math.log(3)]])) // [[0.5, 0.5], [0.25, 0.75]]
 */
export class Softmax extends RowModule {
  /** The dim along which the results sum to 1. */
  declare readonly dim: number;
  /**
   * @param dim - The dim along which the results sum to 1. Default: -1.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(dim?: number | SoftmaxSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(activations.softmax, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `LogSoftmax`. */
export interface LogSoftmaxSettings {
  /** The dim along which the results sum to 1. Default: -1. */
  readonly dim?: number | undefined;
}

/**
 * The logarithm of softmax, accurate where softmax underflows.
 *
 * PyTorch: `torch.nn.LogSoftmax`. The function: `functional.logSoftmax`.
 * @example
 * new nn.LogSoftmax(1)(tensor([[0, 0]])) // [[-0.6931…, -0.6931…]]
 */
export class LogSoftmax extends RowModule {
  /** The dim along which the results sum to 1. */
  declare readonly dim: number;
  /**
   * @param dim - The dim along which the results sum to 1. Default: -1.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(dim?: number | LogSoftmaxSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(activations.logSoftmax, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `ReLU6`. */
export interface ReLU6Settings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * min(max(x, 0), 6).
 *
 * PyTorch: `torch.nn.ReLU6`. The function: `functional.relu6`.
 * @example
 * new nn.ReLU6()(tensor([-1, 3, 8])) // [0, 3, 6]
 */
export class ReLU6 extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | ReLU6Settings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.relu6, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Mish`. */
export interface MishSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x · tanh(softplus(x)).
 *
 * PyTorch: `torch.nn.Mish`. The function: `functional.mish`.
 * @example
 * new nn.Mish()(tensor([-1, 0, 1])) // [-0.3034…, 0, 0.865…]
 */
export class Mish extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | MishSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.mish, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `SELU`. */
export interface SELUSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * The self-normalizing activation of Klambauer et al., 2017.
 *
 * PyTorch: `torch.nn.SELU`. The function: `functional.selu`.
 * @example
 * new nn.SELU()(tensor([-1, 0, 1])) // [-1.1113…, 0, 1.0507]
 */
export class SELU extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | SELUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.selu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Hardsigmoid`. */
export interface HardsigmoidSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * relu6(x + 3) / 6.
 *
 * PyTorch: `torch.nn.Hardsigmoid`. The function: `functional.hardsigmoid`.
 * @example
 * new nn.Hardsigmoid()(tensor([-4, 0, 3])) // [0, 0.5, 1]
 */
export class Hardsigmoid extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | HardsigmoidSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.hardsigmoid, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Hardswish`. */
export interface HardswishSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x · relu6(x + 3) / 6.
 *
 * PyTorch: `torch.nn.Hardswish`. The function: `functional.hardswish`.
 * @example
 * new nn.Hardswish()(tensor([-4, 1.5, 4])) // [0, 1.125, 4]
 */
export class Hardswish extends RowModule {
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(inplace?: boolean | HardswishSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.hardswish, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * x - tanh(x).
 *
 * PyTorch: `torch.nn.Tanhshrink`. The function: `functional.tanhshrink`.
 * @example
 * new nn.Tanhshrink()(tensor([-1, 0, 1])) // [-0.2384…, 0, 0.2384…]
 */
export class Tanhshrink extends RowModule {
  /** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
  constructor();
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.tanhshrink, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * x / (1 + |x|).
 *
 * PyTorch: `torch.nn.Softsign`. The function: `functional.softsign`.
 * @example
 * new nn.Softsign()(tensor([-1, 0, 3])) // [-0.5, 0, 0.75]
 */
export class Softsign extends RowModule {
  /** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
  constructor();
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.softsign, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * log(sigmoid(x)), without overflow.
 *
 * PyTorch: `torch.nn.LogSigmoid`. The function: `functional.logsigmoid`.
 * @example
 * new nn.LogSigmoid()(tensor([-1, 0, 1])) // [-1.3132…, -0.6931…, -0.3132…]
 */
export class LogSigmoid extends RowModule {
  /** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
  constructor();
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.logsigmoid, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `ELU`. */
export interface ELUSettings {
  /** The limit for small x, negated. Default: 1. */
  readonly alpha?: number | undefined;
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x where x > 0, alpha · (exp(x) - 1) elsewhere.
 *
 * PyTorch: `torch.nn.ELU`. The function: `functional.elu`.
 * @example
 * new nn.ELU({ alpha: 0.5 })(tensor([-1, 0, 1])) // [-0.316…, 0, 1]
 */
export class ELU extends RowModule {
  /** The limit for small x, negated. */
  declare readonly alpha: number;
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param alpha - The limit for small x, negated. Default: 1.
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(alpha?: number | ELUSettings | undefined, inplace?: boolean | ELUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.elu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `CELU`. */
export interface CELUSettings {
  /** The limit for small x, negated. Default: 1. */
  readonly alpha?: number | undefined;
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x where x > 0, alpha · (exp(x / alpha) - 1) elsewhere.
 *
 * PyTorch: `torch.nn.CELU`. The function: `functional.celu`.
 * @example
 * new nn.CELU({ alpha: 0.5 })(tensor([-1, 0, 1])) // [-0.4323…, 0, 1]
 */
export class CELU extends RowModule {
  /** The limit for small x, negated. */
  declare readonly alpha: number;
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param alpha - The limit for small x, negated. Default: 1.
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(alpha?: number | CELUSettings | undefined, inplace?: boolean | CELUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.celu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `LeakyReLU`. */
export interface LeakyReLUSettings {
  /** The slope for negative x. Default: 0.01. */
  readonly negativeSlope?: number | undefined;
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x where x > 0, negativeSlope · x elsewhere.
 *
 * PyTorch: `torch.nn.LeakyReLU`. The function: `functional.leakyRelu`.
 * @example
 * new nn.LeakyReLU({ negativeSlope: 0.1 })(tensor([-1, 0, 1])) // [-0.1, 0, 1]
 */
export class LeakyReLU extends RowModule {
  /** The slope for negative x. */
  declare readonly negativeSlope: number;
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param negativeSlope - The slope for negative x. Default: 0.01.
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    negativeSlope?: number | LeakyReLUSettings | undefined,
    inplace?: boolean | LeakyReLUSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.leakyRelu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `RReLU`. */
export interface RReLUSettings {
  /** The smallest slope. Default: 0.125. */
  readonly lower?: number | undefined;
  /** The largest slope. Default: 0.3333333333333333. */
  readonly upper?: number | undefined;
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * leakyRelu with slopes sampled from [lower, upper] during training, and the mean of the bounds otherwise.
 *
 * Xu et al., 2015.
 *
 * PyTorch: `torch.nn.RReLU`. The function: `functional.rrelu`.
 * @example
 * const activation = new nn.RReLU(0.25, 0.75).eval();
 * activation(tensor([-8, 4])) // [-4, 4]
 */
export class RReLU extends RowModule {
  /** The smallest slope. */
  declare readonly lower: number;
  /** The largest slope. */
  declare readonly upper: number;
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param lower - The smallest slope. Default: 0.125.
   * @param upper - The largest slope. Default: 0.3333333333333333.
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    lower?: number | RReLUSettings | undefined,
    upper?: number | RReLUSettings | undefined,
    inplace?: boolean | RReLUSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.rrelu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Hardtanh`. */
export interface HardtanhSettings {
  /** The smallest result. Default: -1. */
  readonly minVal?: number | undefined;
  /** The largest result. Default: 1. */
  readonly maxVal?: number | undefined;
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x clamped to [minVal, maxVal].
 *
 * PyTorch: `torch.nn.Hardtanh`. The function: `functional.hardtanh`.
 * @example
 * new nn.Hardtanh(-2, 2)(tensor([-3, 0, 3])) // [-2, 0, 2]
 */
export class Hardtanh extends RowModule {
  /** The smallest result. */
  declare readonly minVal: number;
  /** The largest result. */
  declare readonly maxVal: number;
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param minVal - The smallest result. Default: -1.
   * @param maxVal - The largest result. Default: 1.
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    minVal?: number | HardtanhSettings | undefined,
    maxVal?: number | HardtanhSettings | undefined,
    inplace?: boolean | HardtanhSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.hardtanh, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Hardshrink`. */
export interface HardshrinkSettings {
  /** Half the width of the gap. Default: 0.5. */
  readonly lambda?: number | undefined;
}

/**
 * x outside [-lambda, lambda], 0 inside.
 *
 * PyTorch: `torch.nn.Hardshrink`. The function: `functional.hardshrink`.
 * @example
 * new nn.Hardshrink(0.5)(tensor([-1, 0.2, 1])) // [-1, 0, 1]
 */
export class Hardshrink extends RowModule {
  /** Half the width of the gap. */
  declare readonly lambda: number;
  /**
   * @param lambda - Half the width of the gap. Default: 0.5.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(lambda?: number | HardshrinkSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.hardshrink, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Softshrink`. */
export interface SoftshrinkSettings {
  /** How far, at least 0. Default: 0.5. */
  readonly lambda?: number | undefined;
}

/**
 * x shrunk towards 0 by lambda; 0 inside [-lambda, lambda].
 *
 * PyTorch: `torch.nn.Softshrink`. The function: `functional.softshrink`.
 * @example
 * new nn.Softshrink(0.5)(tensor([-1, 0.2, 1])) // [-0.5, 0, 0.5]
 */
export class Softshrink extends RowModule {
  /** How far, at least 0. */
  declare readonly lambda: number;
  /**
   * @param lambda - How far, at least 0. Default: 0.5.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(lambda?: number | SoftshrinkSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.softshrink, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Softplus`. */
export interface SoftplusSettings {
  /** The sharpness of the bend. Default: 1. */
  readonly beta?: number | undefined;
  /** Above this value of beta · x, the result is x. Default: 20. */
  readonly threshold?: number | undefined;
}

/**
 * log(1 + exp(beta · x)) / beta; x where beta · x is above the threshold.
 *
 * PyTorch: `torch.nn.Softplus`. The function: `functional.softplus`.
 * @example
 * new nn.Softplus()(tensor([-1, 0, 1])) // [0.3132…, 0.6931…, 1.3132…]
 */
export class Softplus extends RowModule {
  /** The sharpness of the bend. */
  declare readonly beta: number;
  /** Above this value of beta · x, the result is x. */
  declare readonly threshold: number;
  /**
   * @param beta - The sharpness of the bend. Default: 1.
   * @param threshold - Above this value of beta · x, the result is x. Default: 20.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(beta?: number | SoftplusSettings | undefined, threshold?: number | SoftplusSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.softplus, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Threshold`. */
export interface ThresholdSettings {
  /** Accepted, as in PyTorch: the compiler plans memory. Default: false. */
  readonly inplace?: boolean | undefined;
}

/**
 * x where x is above the threshold, `value` elsewhere.
 *
 * PyTorch: `torch.nn.Threshold`. The function: `functional.threshold`.
 * @example
 * new nn.Threshold(1, 20)(tensor([0, 1, 2])) // [20, 20, 2]
 */
export class Threshold extends RowModule {
  /** The threshold. */
  declare readonly threshold: number;
  /** The replacement. */
  declare readonly value: number;
  /** Accepted, as in PyTorch: the compiler plans memory. */
  declare readonly inplace: boolean;
  /**
   * @param threshold - The threshold.
   * @param value - The replacement.
   * @param inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(threshold: number, value: number, inplace?: boolean | ThresholdSettings | undefined);
  /**
   * @param named.threshold - The threshold.
   * @param named.value - The replacement.
   * @param named.inplace - Accepted, as in PyTorch: the compiler plans memory. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly threshold: number; readonly value: number } & ThresholdSettings);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.threshold, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `GLU`. */
export interface GLUSettings {
  /** The dim to split in half. Default: -1. */
  readonly dim?: number | undefined;
}

/**
 * The first half along a dim times the sigmoid of the second half.
 *
 * PyTorch: `torch.nn.GLU`. The function: `functional.glu`.
 * @example
 * new nn.GLU()(tensor([[2, 4, 0, 0]])) // [[1, 2]]
 */
export class GLU extends RowModule {
  /** The dim to split in half. */
  declare readonly dim: number;
  /**
   * @param dim - The dim to split in half. Default: -1.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(dim?: number | GLUSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.glu, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `Softmin`. */
export interface SoftminSettings {
  /** The dim along which the results sum to 1. Default: -1. */
  readonly dim?: number | undefined;
}

/**
 * softmax(-x) along a dim.
 *
 * PyTorch: `torch.nn.Softmin`. The function: `functional.softmin`.
 * @example
 * new nn.Softmin(1)(tensor([[0, Math.log(3)]])) // [[0.75, 0.25]]
 */
export class Softmin extends RowModule {
  /** The dim along which the results sum to 1. */
  declare readonly dim: number;
  /**
   * @param dim - The dim along which the results sum to 1. Default: -1.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(dim?: number | SoftminSettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(moreActivations.softmin, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * The mean of windows that cover sequences evenly.
 *
 * PyTorch: `torch.nn.AdaptiveAvgPool1d`. The function: `functional.adaptiveAvgPool1d`.
 * @example
 * new nn.AdaptiveAvgPool1d(2)(tensor([[1, 5, 2, 4]])) // [[3, 3]]
 */
export class AdaptiveAvgPool1d extends RowModule {
  /** The number of windows. */
  declare readonly outputSize: number | readonly (number | null | undefined)[];
  /**
   * @param outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(outputSize: number | readonly (number | null | undefined)[]);
  /**
   * @param named.outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly outputSize: number | readonly (number | null | undefined)[] });
  constructor(...settings: readonly unknown[]) {
    super(poolingRows.adaptiveAvgPool1d, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * The mean of windows that cover images evenly.
 *
 * PyTorch: `torch.nn.AdaptiveAvgPool2d`. The function: `functional.adaptiveAvgPool2d`.
 * @example
 * const x = randn(2, 8, 7, 7);
 * new nn.AdaptiveAvgPool2d([1, 1])(x).shape // [2, 8, 1, 1]
 */
export class AdaptiveAvgPool2d extends RowModule {
  /** The number of windows. */
  declare readonly outputSize: number | readonly (number | null | undefined)[];
  /**
   * @param outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(outputSize: number | readonly (number | null | undefined)[]);
  /**
   * @param named.outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly outputSize: number | readonly (number | null | undefined)[] });
  constructor(...settings: readonly unknown[]) {
    super(poolingRows.adaptiveAvgPool2d, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * The mean of windows that cover volumes evenly.
 *
 * PyTorch: `torch.nn.AdaptiveAvgPool3d`. The function: `functional.adaptiveAvgPool3d`.
 * @example
 * new nn.AdaptiveAvgPool3d(2)(randn(1, 4, 5, 7, 9)).shape // [1, 4, 2, 2, 2]
 */
export class AdaptiveAvgPool3d extends RowModule {
  /** The number of windows. */
  declare readonly outputSize: number | readonly (number | null | undefined)[];
  /**
   * @param outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(outputSize: number | readonly (number | null | undefined)[]);
  /**
   * @param named.outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly outputSize: number | readonly (number | null | undefined)[] });
  constructor(...settings: readonly unknown[]) {
    super(poolingRows.adaptiveAvgPool3d, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * The largest element of windows that cover sequences evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.AdaptiveMaxPool1d`. The function: `functional.adaptiveMaxPool1d`.
 * @example
 * new nn.AdaptiveMaxPool1d(2)(tensor([[1, 5, 2, 4]])) // [[5, 4]]
 */
export class AdaptiveMaxPool1d extends RowModule {
  /** The number of windows. */
  declare readonly outputSize: number | readonly (number | null | undefined)[];
  /**
   * @param outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(outputSize: number | readonly (number | null | undefined)[]);
  /**
   * @param named.outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly outputSize: number | readonly (number | null | undefined)[] });
  constructor(...settings: readonly unknown[]) {
    super(poolingRows.adaptiveMaxPool1d, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * The largest element of windows that cover images evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.AdaptiveMaxPool2d`. The function: `functional.adaptiveMaxPool2d`.
 * @example
 * new nn.AdaptiveMaxPool2d(2)(randn(2, 8, 7, 7)).shape // [2, 8, 2, 2]
 */
export class AdaptiveMaxPool2d extends RowModule {
  /** The number of windows. */
  declare readonly outputSize: number | readonly (number | null | undefined)[];
  /**
   * @param outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(outputSize: number | readonly (number | null | undefined)[]);
  /**
   * @param named.outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly outputSize: number | readonly (number | null | undefined)[] });
  constructor(...settings: readonly unknown[]) {
    super(poolingRows.adaptiveMaxPool2d, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/**
 * The largest element of windows that cover volumes evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.AdaptiveMaxPool3d`. The function: `functional.adaptiveMaxPool3d`.
 * @example
 * new nn.AdaptiveMaxPool3d(2)(randn(1, 4, 5, 7, 9)).shape // [1, 4, 2, 2, 2]
 */
export class AdaptiveMaxPool3d extends RowModule {
  /** The number of windows. */
  declare readonly outputSize: number | readonly (number | null | undefined)[];
  /**
   * @param outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(outputSize: number | readonly (number | null | undefined)[]);
  /**
   * @param named.outputSize - The number of windows.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(named: { readonly outputSize: number | readonly (number | null | undefined)[] });
  constructor(...settings: readonly unknown[]) {
    super(poolingRows.adaptiveMaxPool3d, 0, settings);
  }
  override forward(input: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `MSELoss`. */
export interface MSELossSettings {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * The squared difference: the mean squared error.
 *
 * With `weight`, the mean divides by the sum of the weights. Different shapes are broadcast, which is rarely
 * intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.MSELoss`. The function: `functional.mseLoss`.
 * @example
 * const lossFn = new nn.MSELoss();
 * lossFn(tensor([1, 2]), tensor([1, 4])) // 2
 */
export class MSELoss extends RowModule {
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: MSELossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.mseLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `L1Loss`. */
export interface L1LossSettings {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * The absolute difference.
 *
 * With `weight`, the mean divides by the sum of the weights. Different shapes are broadcast, which is rarely
 * intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.L1Loss`. The function: `functional.l1Loss`.
 * @example
 * new nn.L1Loss()(tensor([1, 2]), tensor([1, 4])) // 1
 */
export class L1Loss extends RowModule {
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: L1LossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.l1Loss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `SmoothL1Loss`. */
export interface SmoothL1LossSettings {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The difference at which the loss changes from quadratic to linear; 0 gives `l1Loss`. Default: 1. */
  readonly beta?: number | undefined;
}

/**
 * The squared difference / (2 · beta) below beta, and |difference| - beta / 2 above.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.SmoothL1Loss`. The function: `functional.smoothL1Loss`.
 * @example
 * new nn.SmoothL1Loss()(tensor([1, 2]), tensor([1, 4])) // 0.75
 */
export class SmoothL1Loss extends RowModule {
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /** The difference at which the loss changes from quadratic to linear; 0 gives `l1Loss`. */
  declare readonly beta: number;
  /**
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @param options.beta - The difference at which the loss changes from quadratic to linear; 0 gives `l1Loss`.
   * Default: 1.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: SmoothL1LossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.smoothL1Loss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `HuberLoss`. */
export interface HuberLossSettings {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The difference at which the loss changes from quadratic to linear. Default: 1. */
  readonly delta?: number | undefined;
}

/**
 * The squared difference / 2 below delta, and delta · (|difference| - delta / 2) above.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.HuberLoss`. The function: `functional.huberLoss`.
 * @example
 * new nn.HuberLoss({ delta: 0.5 })(tensor([1, 2]), tensor([1, 4])) // 0.4375
 */
export class HuberLoss extends RowModule {
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /** The difference at which the loss changes from quadratic to linear. */
  declare readonly delta: number;
  /**
   * @param reduction - How the losses are reduced of the elements. Default: "mean".
   * @param delta - The difference at which the loss changes from quadratic to linear. Default: 1.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    reduction?: 'mean' | 'sum' | 'none' | HuberLossSettings | undefined,
    delta?: number | HuberLossSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(lossRows.huberLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `BCELoss`. */
export interface BCELossSettings {
  /** A weight for each element; broadcasts. */
  readonly weight?: Tensor | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * Binary cross-entropy of probabilities, for targets in [0, 1]: -(y · log x + (1 - y) · log(1 - x)).
 *
 * Logarithms are clamped to at least -100. See `binaryCrossEntropyWithLogits` for a form that is accurate for
 * large inputs.
 *
 * PyTorch: `torch.nn.BCELoss`. The function: `functional.binaryCrossEntropy`.
 * @example
 * new nn.BCELoss()(tensor([0.5, 0.5]), tensor([0, 1])) // 0.6931…
 */
export class BCELoss extends RowModule {
  /** A weight for each element; broadcasts. */
  declare weight: StateBuffer | undefined;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param weight - A weight for each element; broadcasts.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(weight?: Tensor | null | BCELossSettings | undefined, options?: BCELossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.binaryCrossEntropy, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `BCEWithLogitsLoss`. */
export interface BCEWithLogitsLossSettings {
  /** A weight for each element; broadcasts. */
  readonly weight?: Tensor | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The weight of positive targets; broadcasts over the last dims. */
  readonly posWeight?: Tensor | null | undefined;
}

/**
 * Binary cross-entropy of logits, for targets in [0, 1]: max(x, 0) - x · y + log(1 + exp(-|x|)).
 *
 * The same as `binaryCrossEntropy` of `sigmoid(x)`, without overflow.
 *
 * PyTorch: `torch.nn.BCEWithLogitsLoss`. The function: `functional.binaryCrossEntropyWithLogits`.
 * @example
 * new nn.BCEWithLogitsLoss()(tensor([0, 0]), tensor([0, 1])) // 0.6931…
 */
export class BCEWithLogitsLoss extends RowModule {
  /** A weight for each element; broadcasts. */
  declare weight: StateBuffer | undefined;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /** The weight of positive targets; broadcasts over the last dims. */
  declare posWeight: StateBuffer | undefined;
  /**
   * @param weight - A weight for each element; broadcasts.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @param options.posWeight - The weight of positive targets; broadcasts over the last dims.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(weight?: Tensor | null | BCEWithLogitsLossSettings | undefined, options?: BCEWithLogitsLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.binaryCrossEntropyWithLogits, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `SoftMarginLoss`. */
export interface SoftMarginLossSettings {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * log(1 + exp(-y · x)), for targets 1 and -1.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.SoftMarginLoss`. The function: `functional.softMarginLoss`.
 * @example
 * new nn.SoftMarginLoss()(tensor([0, 0]), tensor([-1, 1])) // 0.6931…
 */
export class SoftMarginLoss extends RowModule {
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: SoftMarginLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.softMarginLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `HingeEmbeddingLoss`. */
export interface HingeEmbeddingLossSettings {
  /** The margin for targets -1. Default: 1. */
  readonly margin?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * x for targets 1, max(0, margin - x) for targets -1.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.HingeEmbeddingLoss`. The function: `functional.hingeEmbeddingLoss`.
 * @example
 * new nn.HingeEmbeddingLoss()(tensor([0.5, 0.25]), tensor([1, -1])) // 0.625
 */
export class HingeEmbeddingLoss extends RowModule {
  /** The margin for targets -1. */
  declare readonly margin: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param margin - The margin for targets -1. Default: 1.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(margin?: number | HingeEmbeddingLossSettings | undefined, options?: HingeEmbeddingLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.hingeEmbeddingLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `KLDivLoss`. */
export interface KLDivLossSettings {
  /** How the losses are reduced of the elements; `batchmean` divides their sum by the first dim. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined;
  /** Whether the target is given as a logarithm. Default: false. */
  readonly logTarget?: boolean | undefined;
}

/**
 * target · (log target - input), for an input of log-probabilities.
 *
 * The Kullback-Leibler divergence with `reduction` batchmean. Different shapes are broadcast, which is rarely
 * intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.KLDivLoss`. The function: `functional.klDiv`.
 * @example
 * const lossFn = new nn.KLDivLoss({ reduction: 'batchmean' });
 * lossFn(tensor([[0.5, 0.5]]).log(), tensor([[0.25, 0.75]])) // 0.1308…
 */
export class KLDivLoss extends RowModule {
  /** How the losses are reduced of the elements; `batchmean` divides their sum by the first dim. */
  declare readonly reduction: 'mean' | 'sum' | 'none' | 'batchmean';
  /** Whether the target is given as a logarithm. */
  declare readonly logTarget: boolean;
  /**
   * @param options.reduction - How the losses are reduced of the elements; `batchmean` divides their sum by the
   * first dim. Default: "mean".
   * @param options.logTarget - Whether the target is given as a logarithm. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: KLDivLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(lossRows.klDiv, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `PoissonNLLLoss`. */
export interface PoissonNLLLossSettings {
  /** Whether the input is the logarithm of the rate. Default: true. */
  readonly logInput?: boolean | undefined;
  /** Whether to add Stirling’s approximation of the constant term. Default: false. */
  readonly full?: boolean | undefined;
  /** Added to the rate before its logarithm is taken. Default: 1e-8. */
  readonly eps?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * The negative log-likelihood of counts under Poisson distributions.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.PoissonNLLLoss`. The function: `functional.poissonNllLoss`.
 * @example
 * new nn.PoissonNLLLoss()(tensor([0]), tensor([2])) // 1
 */
export class PoissonNLLLoss extends RowModule {
  /** Whether the input is the logarithm of the rate. */
  declare readonly logInput: boolean;
  /** Whether to add Stirling’s approximation of the constant term. */
  declare readonly full: boolean;
  /** Added to the rate before its logarithm is taken. */
  declare readonly eps: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param logInput - Whether the input is the logarithm of the rate. Default: true.
   * @param full - Whether to add Stirling’s approximation of the constant term. Default: false.
   * @param options.eps - Added to the rate before its logarithm is taken. Default: 1e-8.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    logInput?: boolean | PoissonNLLLossSettings | undefined,
    full?: boolean | PoissonNLLLossSettings | undefined,
    options?: PoissonNLLLossSettings,
  );
  constructor(...settings: readonly unknown[]) {
    super(lossRows.poissonNllLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `GaussianNLLLoss`. */
export interface GaussianNLLLossSettings {
  /** Whether to add the constant term. Default: false. */
  readonly full?: boolean | undefined;
  /** The smallest variance. Default: 0.000001. */
  readonly eps?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * The negative log-likelihood of a target under normal distributions.
 *
 * PyTorch: `torch.nn.GaussianNLLLoss`. The function: `functional.gaussianNllLoss`.
 * @example
 * new nn.GaussianNLLLoss()(tensor([0]), tensor([2]), tensor([1])) // 2
 */
export class GaussianNLLLoss extends RowModule {
  /** Whether to add the constant term. */
  declare readonly full: boolean;
  /** The smallest variance. */
  declare readonly eps: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param full - Whether to add the constant term. Default: false.
   * @param eps - The smallest variance. Default: 0.000001.
   * @param reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    full?: boolean | GaussianNLLLossSettings | undefined,
    eps?: number | GaussianNLLLossSettings | undefined,
    reduction?: 'mean' | 'sum' | 'none' | GaussianNLLLossSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(lossRows.gaussianNllLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor, variance: Tensor | Scalar): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `CrossEntropyLoss`. */
export interface CrossEntropyLossSettings {
  /** A weight for each class, [C]. */
  readonly weight?: Tensor | null | undefined;
  /** Targets of this class are ignored. Default: -100. */
  readonly ignoreIndex?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The share of the target probability that is spread over all classes. Default: 0. */
  readonly labelSmoothing?: number | undefined;
}

/**
 * The negative log-probability of the target: classes, or probabilities with the shape of the logits.
 *
 * The mean is weighted, over the targets that are not ignored. Classes may be floats with integer values. A class
 * that is out of range raises an error when a value is read.
 *
 * PyTorch: `torch.nn.CrossEntropyLoss`. The function: `functional.crossEntropy`.
 * @example
 * const lossFn = new nn.CrossEntropyLoss();
 * lossFn(tensor([[0, Math.log(3)]]), tensor([1], { dtype: 'int64' })) // 0.2876…
 */
export class CrossEntropyLoss extends RowModule {
  /** A weight for each class, [C]. */
  declare weight: StateBuffer | undefined;
  /** Targets of this class are ignored. */
  declare readonly ignoreIndex: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /** The share of the target probability that is spread over all classes. */
  declare readonly labelSmoothing: number;
  /**
   * @param weight - A weight for each class, [C].
   * @param options.ignoreIndex - Targets of this class are ignored. Default: -100.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @param options.labelSmoothing - The share of the target probability that is spread over all classes. Default: 0.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(weight?: Tensor | null | CrossEntropyLossSettings | undefined, options?: CrossEntropyLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.crossEntropy, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `NLLLoss`. */
export interface NLLLossSettings {
  /** A weight for each class, [C]. */
  readonly weight?: Tensor | null | undefined;
  /** Targets of this class are ignored. Default: -100. */
  readonly ignoreIndex?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * The negative log-probabilities at the target classes.
 *
 * The mean is weighted, over the targets that are not ignored. Classes may be floats with integer values. A class
 * that is out of range raises an error when a value is read.
 *
 * PyTorch: `torch.nn.NLLLoss`. The function: `functional.nllLoss`.
 * @example
 * const logProbabilities = tensor([[0.25, 0.75]]).log();
 * new nn.NLLLoss()(logProbabilities, tensor([1], { dtype: 'int64' })) // 0.2876…
 */
export class NLLLoss extends RowModule {
  /** A weight for each class, [C]. */
  declare weight: StateBuffer | undefined;
  /** Targets of this class are ignored. */
  declare readonly ignoreIndex: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param weight - A weight for each class, [C].
   * @param options.ignoreIndex - Targets of this class are ignored. Default: -100.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(weight?: Tensor | null | NLLLossSettings | undefined, options?: NLLLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.nllLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `CosineSimilarity`. */
export interface CosineSimilaritySettings {
  /** The dim of the vectors. Default: 1. */
  readonly dim?: number | undefined;
  /** The smallest norm. Default: 1e-8. */
  readonly eps?: number | undefined;
}

/**
 * The cosine similarity of vectors along a dim: x · y / (max(‖x‖, eps) · max(‖y‖, eps)).
 *
 * PyTorch: `torch.nn.CosineSimilarity`. The function: `functional.cosineSimilarity`.
 * @example
 * new nn.CosineSimilarity()(tensor([[1, 0]]), tensor([[1, 1]])) // [0.7071…]
 */
export class CosineSimilarity extends RowModule {
  /** The dim of the vectors. */
  declare readonly dim: number;
  /** The smallest norm. */
  declare readonly eps: number;
  /**
   * @param dim - The dim of the vectors. Default: 1.
   * @param eps - The smallest norm. Default: 1e-8.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(dim?: number | CosineSimilaritySettings | undefined, eps?: number | CosineSimilaritySettings | undefined);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.cosineSimilarity, 0, settings);
  }
  override forward(x1: Tensor, x2: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `PairwiseDistance`. */
export interface PairwiseDistanceSettings {
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
  /** Added to the differences. Default: 0.000001. */
  readonly eps?: number | undefined;
  /** Keeps the last dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/**
 * ‖x - y + eps‖ₚ over the last dim.
 *
 * PyTorch: `torch.nn.PairwiseDistance`. The function: `functional.pairwiseDistance`.
 * @example
 * new nn.PairwiseDistance()(tensor([[0, 0]]), tensor([[3, 4]])) // [5]
 */
export class PairwiseDistance extends RowModule {
  /** The order of the norm. */
  declare readonly p: number;
  /** Added to the differences. */
  declare readonly eps: number;
  /** Keeps the last dim, with size 1. */
  declare readonly keepDim: boolean;
  /**
   * @param p - The order of the norm. Default: 2.
   * @param eps - Added to the differences. Default: 0.000001.
   * @param keepDim - Keeps the last dim, with size 1. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    p?: number | PairwiseDistanceSettings | undefined,
    eps?: number | PairwiseDistanceSettings | undefined,
    keepDim?: boolean | PairwiseDistanceSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.pairwiseDistance, 0, settings);
  }
  override forward(x1: Tensor, x2: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `MarginRankingLoss`. */
export interface MarginRankingLossSettings {
  /** The margin between the scores. Default: 0. */
  readonly margin?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * max(0, -y · (x1 - x2) + margin): y is 1 where x1 should be ranked higher, -1 where x2.
 *
 * PyTorch: `torch.nn.MarginRankingLoss`. The function: `functional.marginRankingLoss`.
 * @example
 * new nn.MarginRankingLoss({ margin: 1 })(tensor([1, 2]), tensor([0, 4]), tensor([1, 1])) // 1.5
 */
export class MarginRankingLoss extends RowModule {
  /** The margin between the scores. */
  declare readonly margin: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param margin - The margin between the scores. Default: 0.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(margin?: number | MarginRankingLossSettings | undefined, options?: MarginRankingLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.marginRankingLoss, 0, settings);
  }
  override forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `CosineEmbeddingLoss`. */
export interface CosineEmbeddingLossSettings {
  /** For targets -1, cosines below this give no loss. Default: 0. */
  readonly margin?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * 1 - cos(x1, x2) for targets 1, max(0, cos(x1, x2) - margin) for targets -1.
 *
 * PyTorch: `torch.nn.CosineEmbeddingLoss`. The function: `functional.cosineEmbeddingLoss`.
 * @example
 * new nn.CosineEmbeddingLoss()(tensor([[1, 0]]), tensor([[0, 1]]), tensor([1])) // 1
 */
export class CosineEmbeddingLoss extends RowModule {
  /** For targets -1, cosines below this give no loss. */
  declare readonly margin: number;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param margin - For targets -1, cosines below this give no loss. Default: 0.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(margin?: number | CosineEmbeddingLossSettings | undefined, options?: CosineEmbeddingLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.cosineEmbeddingLoss, 0, settings);
  }
  override forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `TripletMarginLoss`. */
export interface TripletMarginLossSettings {
  /** The margin: how much farther the negative should be. Default: 1. */
  readonly margin?: number | undefined;
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
  /** Added to the differences. Default: 0.000001. */
  readonly eps?: number | undefined;
  /** Uses the distance between positive and negative where it is smaller (Balntas et al., 2016). Default: false. */
  readonly swap?: boolean | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * max(0, d(anchor, positive) - d(anchor, negative) + margin), where d is the distance of order p.
 *
 * PyTorch: `torch.nn.TripletMarginLoss`. The function: `functional.tripletMarginLoss`.
 * @example
 * new nn.TripletMarginLoss({ margin: 4 })(tensor([[0, 0]]), tensor([[0, 1]]), tensor([[0, 3]])) // 2
 */
export class TripletMarginLoss extends RowModule {
  /** The margin: how much farther the negative should be. */
  declare readonly margin: number;
  /** The order of the norm. */
  declare readonly p: number;
  /** Added to the differences. */
  declare readonly eps: number;
  /** Uses the distance between positive and negative where it is smaller (Balntas et al., 2016). */
  declare readonly swap: boolean;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param margin - The margin: how much farther the negative should be. Default: 1.
   * @param p - The order of the norm. Default: 2.
   * @param eps - Added to the differences. Default: 0.000001.
   * @param swap - Uses the distance between positive and negative where it is smaller (Balntas et al., 2016).
   * Default: false.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    margin?: number | TripletMarginLossSettings | undefined,
    p?: number | TripletMarginLossSettings | undefined,
    eps?: number | TripletMarginLossSettings | undefined,
    swap?: boolean | TripletMarginLossSettings | undefined,
    options?: TripletMarginLossSettings,
  );
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.tripletMarginLoss, 0, settings);
  }
  override forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `TripletMarginWithDistanceLoss`. */
export interface TripletMarginWithDistanceLossSettings {
  /** The distance between two tensors [N, D], as [N]. Default: `pairwiseDistance`. */
  readonly distanceFunction?: (x: Tensor, y: Tensor) => Tensor | undefined;
  /** The margin: how much farther the negative should be. Default: 1. */
  readonly margin?: number | undefined;
  /** Uses the distance between positive and negative where it is smaller (Balntas et al., 2016). Default: false. */
  readonly swap?: boolean | undefined;
  /** How the losses are reduced. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * `tripletMarginLoss` with any distance function.
 *
 * PyTorch: `torch.nn.TripletMarginWithDistanceLoss`. The function: `functional.tripletMarginWithDistanceLoss`.
 * @example
 * const distanceFunction = (x: Tensor, y: Tensor) => x.sub(y).abs().amax(-1);
 * const lossFn = new nn.TripletMarginWithDistanceLoss({ distanceFunction, margin: 4 });
 * lossFn(tensor([[0, 0]]), tensor([[0, 1]]), tensor([[0, 3]])) // 2
 */
export class TripletMarginWithDistanceLoss extends RowModule {
  /** The distance between two tensors [N, D], as [N]. */
  declare readonly distanceFunction: (x: Tensor, y: Tensor) => Tensor | undefined;
  /** The margin: how much farther the negative should be. */
  declare readonly margin: number;
  /** Uses the distance between positive and negative where it is smaller (Balntas et al., 2016). */
  declare readonly swap: boolean;
  /** How the losses are reduced. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param options.distanceFunction - The distance between two tensors [N, D], as [N]. Default: `pairwiseDistance`.
   * @param options.margin - The margin: how much farther the negative should be. Default: 1.
   * @param options.swap - Uses the distance between positive and negative where it is smaller (Balntas et al.,
   * 2016). Default: false.
   * @param options.reduction - How the losses are reduced. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: TripletMarginWithDistanceLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.tripletMarginWithDistanceLoss, 0, settings);
  }
  override forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `MultiMarginLoss`. */
export interface MultiMarginLossSettings {
  /** 1 or 2. Default: 1. */
  readonly p?: number | undefined;
  /** The margin by which the target should score higher. Default: 1. */
  readonly margin?: number | undefined;
  /** A weight for each class, [C]. */
  readonly weight?: Tensor | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * Σ over other classes of max(0, margin - x[y] + x[i])ᵖ / C.
 *
 * PyTorch: `torch.nn.MultiMarginLoss`. The function: `functional.multiMarginLoss`.
 * @example
 * new nn.MultiMarginLoss()(tensor([[0, 0.5]]), tensor([1], { dtype: 'int64' })) // 0.25
 */
export class MultiMarginLoss extends RowModule {
  /** 1 or 2. */
  declare readonly p: number;
  /** The margin by which the target should score higher. */
  declare readonly margin: number;
  /** A weight for each class, [C]. */
  declare weight: StateBuffer | undefined;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param p - 1 or 2. Default: 1.
   * @param margin - The margin by which the target should score higher. Default: 1.
   * @param weight - A weight for each class, [C].
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    p?: number | MultiMarginLossSettings | undefined,
    margin?: number | MultiMarginLossSettings | undefined,
    weight?: Tensor | null | MultiMarginLossSettings | undefined,
    options?: MultiMarginLossSettings,
  );
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.multiMarginLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `MultiLabelMarginLoss`. */
export interface MultiLabelMarginLossSettings {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * Multi-label hinge loss: each row of the target lists classes, up to the first -1.
 *
 * PyTorch: `torch.nn.MultiLabelMarginLoss`. The function: `functional.multilabelMarginLoss`.
 * @example
 * new nn.MultiLabelMarginLoss()(tensor([[0, 0.5]]), tensor([[1, -1]], { dtype: 'int64' })) // 0.25
 */
export class MultiLabelMarginLoss extends RowModule {
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(options?: MultiLabelMarginLossSettings);
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.multilabelMarginLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `MultiLabelSoftMarginLoss`. */
export interface MultiLabelSoftMarginLossSettings {
  /** A weight for each class; broadcasts. */
  readonly weight?: Tensor | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/**
 * The mean over classes of the binary cross-entropy of logits, for targets 0 and 1.
 *
 * PyTorch: `torch.nn.MultiLabelSoftMarginLoss`. The function: `functional.multilabelSoftMarginLoss`.
 * @example
 * new nn.MultiLabelSoftMarginLoss()(tensor([[0, 0]]), tensor([[0, 1]])) // 0.6931…
 */
export class MultiLabelSoftMarginLoss extends RowModule {
  /** A weight for each class; broadcasts. */
  declare weight: StateBuffer | undefined;
  /** How the losses are reduced of the elements. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /**
   * @param weight - A weight for each class; broadcasts.
   * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    weight?: Tensor | null | MultiLabelSoftMarginLossSettings | undefined,
    options?: MultiLabelSoftMarginLossSettings,
  );
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.multilabelSoftMarginLoss, 0, settings);
  }
  override forward(input: Tensor, target: Tensor): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}

/** Settings of `CTCLoss`. */
export interface CTCLossSettings {
  /** The class of the blank label. Default: 0. */
  readonly blank?: number | undefined;
  /** How the losses are reduced; the mean first divides each by its number of labels. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** Infinite losses, which occur for targets that are too long, count as zero. Default: false. */
  readonly zeroInfinity?: boolean | undefined;
}

/**
 * Connectionist temporal classification (Graves et al., 2006); the recursion over time is unrolled.
 *
 * PyTorch: `torch.nn.CTCLoss`. The function: `functional.ctcLoss`.
 * @example
 * const lossFn = new nn.CTCLoss({ reduction: 'sum' });
 * lossFn(zeros(4, 1, 3).logSoftmax(2), tensor([[1, 2]], { dtype: 'int64' }), [4], [2]) // 1.6864
 */
export class CTCLoss extends RowModule {
  /** The class of the blank label. */
  declare readonly blank: number;
  /** How the losses are reduced; the mean first divides each by its number of labels. */
  declare readonly reduction: 'mean' | 'sum' | 'none';
  /** Infinite losses, which occur for targets that are too long, count as zero. */
  declare readonly zeroInfinity: boolean;
  /**
   * @param blank - The class of the blank label. Default: 0.
   * @param reduction - How the losses are reduced; the mean first divides each by its number of labels. Default:
   * "mean".
   * @param zeroInfinity - Infinite losses, which occur for targets that are too long, count as zero. Default: false.
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  constructor(
    blank?: number | CTCLossSettings | undefined,
    reduction?: 'mean' | 'sum' | 'none' | CTCLossSettings | undefined,
    zeroInfinity?: boolean | CTCLossSettings | undefined,
  );
  constructor(...settings: readonly unknown[]) {
    super(classLossRows.ctcLoss, 0, settings);
  }
  override forward(
    logProbs: Tensor,
    targets: Tensor,
    inputLengths: readonly number[] | Tensor,
    targetLengths: readonly number[] | Tensor,
  ): Tensor;
  override forward(...inputs: readonly unknown[]): Tensor {
    return this.run(inputs);
  }
}
