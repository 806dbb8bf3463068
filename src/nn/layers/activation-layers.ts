// Activations with parameters or special dims: PReLU learns its slopes, Softmax2d has a fixed dim. The others are generated
// from rows of the tensor surface (generated/modules.ts).

import { prelu } from '../../tensor/generated/functional.ts';
import { full, type Tensor } from '../../tensor/index.ts';
import { type Settings, settle } from '../../tensor/settings.ts';
import { Module } from '../module/module.ts';
import { Parameter } from '../module/parameter.ts';

/**
 * softmax over the channels of images [N, C, H, W] or [C, H, W].
 * @example
 * new nn.Softmax2d()(zeros(1, 4, 2, 2)).sum(1) // [[[1, 1], [1, 1]]]
 */
export class Softmax2d extends Module {
  constructor(...rest: []) {
    super();
    settle('Softmax2d', [], rest);
  }
  override forward(x: Tensor): Tensor {
    return x.softmax(-3);
  }
}

/** Settings of `PReLU`. */
export interface PReLUSettings {
  /** The number of slopes: 1, or one per channel. Default: 1. */
  readonly numParameters?: number;
  /** The initial slope. Default: 0.25. */
  readonly init?: number;
}
/**
 * x above 0, weight · x elsewhere; the slopes are learned: one, or one per channel of [N, C, …].
 * @example
 * new nn.PReLU({ init: 0.1 })(tensor([-1, 0, 2])) // [-0.1, 0, 2]
 */
export class PReLU extends Module {
  /** The number of slopes: 1, or one per channel. */
  readonly numParameters: number;
  /** [numParameters] */
  weight: Parameter;
  constructor(...rest: Settings<PReLUSettings, ['numParameters', 'init']>) {
    super();
    const { numParameters = 1, init = 0.25 } = settle<PReLUSettings>('PReLU', ['numParameters', 'init'], rest);
    this.numParameters = numParameters;
    this.weight = new Parameter(full([numParameters], init), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    return prelu(x, this.weight);
  }
  protected override extraRepr(): string {
    return `num_parameters=${this.numParameters}`;
  }
}
