// Dropout as modules; see dropout.ts.
import type { Tensor } from '../../tensor/index.ts';
import { type Settings, settle } from '../../tensor/settings.ts';
import * as F from '../functional/dropout.ts';
import { Module } from '../module/module.ts';
import { python, pythonFloat } from '../module/module-text.ts';

/** Settings of dropout layers. */
export interface DropoutSettings {
  /** The probability that an element is set to zero. */
  readonly p?: number;
  /** Accepted for compatibility with PyTorch; the compiler plans memory. */
  readonly inplace?: boolean;
}
const order = ['p', 'inplace'] as const;
/** The arguments of dropout layers: in PyTorch's order, or by name. */
export type DropoutArguments = Settings<DropoutSettings, typeof order>;

abstract class AnyDropout extends Module {
  /** The probability that an element is set to zero. */
  readonly p: number;
  /** Accepted for compatibility with PyTorch; it has no effect. */
  readonly inplace: boolean;
  constructor(...rest: DropoutArguments) {
    super();
    const { p = 0.5, inplace = false } = settle<DropoutSettings>(this.constructor.name, order, rest);
    F.checkProbability(p);
    this.p = p;
    this.inplace = inplace;
  }
  protected override extraRepr(): string {
    return `p=${pythonFloat(this.p)}, inplace=${python(this.inplace)}`;
  }
}

/**
 * Zeros elements with probability p in training, and scales the others by 1/(1 - p). `new Dropout(0.1)` @throws {INVALID_OPTION} for a p outside [0, 1]
 * @example
 * const dropout = new nn.Dropout(0.5);
 * dropout.eval()(ones(3)) // [1, 1, 1]
 * dropout.train()(ones(1000)).eq(0).float().mean().mul(10).round() // 5
 */
export class Dropout extends AnyDropout {
  override forward(x: Tensor): Tensor {
    return F.dropout(x, this.p, this.training);
  }
}

/**
 * Zeros whole channels of sequences [N, C, L] in training.
 * @throws {INVALID_OPTION} for a p outside [0, 1]
 * @example
 * new nn.Dropout1d(0.5).eval()(ones(1, 2, 2)) // [[[1, 1], [1, 1]]]
 */
export class Dropout1d extends AnyDropout {
  override forward(x: Tensor): Tensor {
    return F.dropout1d(x, this.p, this.training);
  }
}

/**
 * Zeros whole channels of images [N, C, H, W] in training.
 * @throws {INVALID_OPTION} for a p outside [0, 1]
 * @example
 * new nn.Dropout2d(0.5)(ones(1, 8, 4, 4)).shape // [1, 8, 4, 4]
 */
export class Dropout2d extends AnyDropout {
  override forward(x: Tensor): Tensor {
    return F.dropout2d(x, this.p, this.training);
  }
}

/**
 * Zeros whole channels of volumes [N, C, D, H, W] in training.
 * @throws {INVALID_OPTION} for a p outside [0, 1]
 * @example
 * new nn.Dropout3d(0.5)(ones(1, 8, 2, 4, 4)).shape // [1, 8, 2, 4, 4]
 */
export class Dropout3d extends AnyDropout {
  override forward(x: Tensor): Tensor {
    return F.dropout3d(x, this.p, this.training);
  }
}

/**
 * Dropout that preserves the mean and variance of SELU outputs.
 * @throws {INVALID_OPTION} for a p outside [0, 1]
 * @example
 * new nn.AlphaDropout(0.5).eval()(ones(3)) // [1, 1, 1]
 */
export class AlphaDropout extends AnyDropout {
  override forward(x: Tensor): Tensor {
    return F.alphaDropout(x, this.p, this.training);
  }
}

/**
 * AlphaDropout of whole channels.
 * @throws {INVALID_OPTION} for a p outside [0, 1]
 * @example
 * new nn.FeatureAlphaDropout(0.5).eval()(ones(1, 2, 2)) // [[[1, 1], [1, 1]]]
 */
export class FeatureAlphaDropout extends AnyDropout {
  override forward(x: Tensor): Tensor {
    return F.featureAlphaDropout(x, this.p, this.training);
  }
}
