// Layers that infer the number of their inputs from the first input. Until then their parameters have no shape
// (uninitialized.ts).
//
//   LazyLinear(8)  ── first forward, x [4, 3] ──▶  Linear(3, 8): the same object, now with that class
//
// The final layer is created normally, and its initial values are moved to the lazy layer's parameters.

import type { Tensor } from '../../tensor/index.ts';
import { requiredFirst, type Settings } from '../../tensor/settings.ts';
import * as init from '../init.ts';
import type { Module } from '../module/module.ts';
import { Parameter, StateBuffer } from '../module/parameter.ts';
import { isUninitialized, UninitializedBuffer, UninitializedParameter } from '../module/uninitialized.ts';
import type {
  ConvArguments,
  ConvSettings,
  ConvSizes,
  ConvTransposeArguments,
  ConvTransposeSettings,
} from './convolution-layers.ts';
import { Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from './convolution-layers.ts';
import { type BiasSettings, Linear } from './layers.ts';
import {
  BatchNorm1d,
  BatchNorm2d,
  BatchNorm3d,
  InstanceNorm1d,
  InstanceNorm2d,
  InstanceNorm3d,
  type NormArguments,
} from './normalization-layers.ts';
import type { Size } from './sizes.ts';

/** How a lazy layer is converted to its final class. */
interface Plan<M extends Module> {
  readonly becomes: { readonly prototype: object };
  /** The layer for a number of inputs. */
  readonly make: (size: number) => M;
  /** The dim of the input that has this number; for images, `dims` without the batch. */
  readonly dimOf: (x: Tensor) => number;
  /** The fields that hold the number; 0 until it is known. */
  readonly fields: readonly string[];
}
type Fields = Record<string, unknown>;

/** Removes the shapes of a layer's parameters until it first runs. */
function makeLazy<M extends Module>(layer: M, { becomes, make, dimOf, fields }: Plan<M>): void {
  const own = layer as unknown as Fields;
  for (const name of fields) own[name] = 0;
  for (const [name, value] of Object.entries(layer)) {
    if (value instanceof StateBuffer) {
      if (value.ndim > 0) own[name] = new UninitializedBuffer({ persistent: value.persistent });
    } else if (value instanceof Parameter) own[name] = new UninitializedParameter();
  }
  const handle = layer.registerForwardPreHook((_, [x]) => {
    const size = (x as Tensor).shape.at(dimOf(x as Tensor))!;
    const isLoaded = !Object.values(layer).some(isUninitialized);
    const made = (isLoaded ? init.skipInit(() => make(size)) : make(size)) as unknown as Fields;
    for (const [name, value] of Object.entries(made)) {
      const target = own[name];
      if (isUninitialized(target)) {
        const { device, dtype } = target;
        const start = value as Parameter;
        target.materialize(start.shape);
        target.moveFrom(start.to(dtype).to(device));
      } else if (!(target instanceof Parameter) && name !== 'training') own[name] = value;
    }
    handle.remove();
    Object.setPrototypeOf(layer, becomes.prototype);
  });
}
/** The channels of a batch of images, or of one image. */
const channels = (spatial: number) => (x: Tensor) => x.ndim - spatial - 1;
const second = (): number => 1;
/** The arguments of lazy convolutions: sizes and settings by position or by name. */
type LazyArguments<O extends object, A extends readonly unknown[]> =
  | [outChannels: number, kernelSize: Size, ...rest: A]
  | [outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & O]
  | [options: Omit<ConvSizes, 'inChannels'> & O];
/** The arguments of `LazyConv1d` to `LazyConv3d`. */
export type LazyConvArguments = LazyArguments<ConvSettings, ConvArguments>;
/** The arguments of `LazyConvTranspose1d` to `LazyConvTranspose3d`. */
export type LazyConvTransposeArguments = LazyArguments<ConvTransposeSettings, ConvTransposeArguments>;
const sizesFirst = <A extends readonly unknown[]>(args: readonly unknown[]): [number, Size, ...A] =>
  requiredFirst(['outChannels', 'kernelSize'], args) as [number, Size, ...A];
/** The groups among the arguments of a convolution: they must divide the channels, also those of the replaced layer. */
function groupsOf(rest: readonly unknown[]): number {
  const last = rest.at(-1);
  const named = typeof last === 'object' && last !== null && !Array.isArray(last) ? (last as Fields).groups : undefined;
  const groups = named ?? rest[3];
  return typeof groups === 'number' && Number.isInteger(groups) && groups > 0 ? groups : 1;
}

/**
 * `Linear` that infers the number of its inputs from the first input: [..., in] → [..., out]. Create the optimizer after the
 * first forward.
 *
 *     const layer = new nn.LazyLinear(8);
 *     layer(randn(4, 3)); // Linear(3, 8) from now on
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {UNINITIALIZED_PARAMETER} if parameters are used before the first forward
 * @example
 * const layer = new nn.LazyLinear(8);
 * layer(randn(2, 5)).shape // [2, 8]
 * layer.weight.shape // [8, 5]
 */
export class LazyLinear extends Linear {
  constructor(outFeatures: number, ...rest: Settings<BiasSettings, ['bias']>) {
    super(1, outFeatures, ...rest);
    makeLazy<Linear>(this, {
      becomes: Linear,
      make: size => new Linear(size, outFeatures, ...rest),
      dimOf: () => -1,
      fields: ['inFeatures'],
    });
  }
}

/**
 * `Conv1d` that takes the number of its input channels from the first input [N, C, L] or [C, L]. Errors as `LazyLinear`.
 *
 *     new nn.LazyConv1d(16, 3, { stride: 2 })
 * @example
 * new nn.LazyConv1d(8, 3)(randn(2, 5, 10)).shape // [2, 8, 8]
 */
export class LazyConv1d extends Conv1d {
  constructor(...args: LazyConvArguments) {
    const [outChannels, kernelSize, ...rest] = sizesFirst<ConvArguments>(args);
    super(groupsOf(rest), outChannels, kernelSize, ...rest);
    makeLazy<Conv1d>(this, {
      becomes: Conv1d,
      make: size => new Conv1d(size, outChannels, kernelSize, ...rest),
      dimOf: channels(1),
      fields: ['inChannels'],
    });
  }
}

/**
 * `ConvTranspose1d` that takes the number of its input channels from the first input [N, C, L] or [C, L]. Errors as `LazyLinear`.
 *
 *     new nn.LazyConvTranspose1d(16, 3, { stride: 2 })
 * @example
 * new nn.LazyConvTranspose1d(8, 3)(randn(2, 5, 10)).shape // [2, 8, 12]
 */
export class LazyConvTranspose1d extends ConvTranspose1d {
  constructor(...args: LazyConvTransposeArguments) {
    const [outChannels, kernelSize, ...rest] = sizesFirst<ConvTransposeArguments>(args);
    super(groupsOf(rest), outChannels, kernelSize, ...rest);
    makeLazy<ConvTranspose1d>(this, {
      becomes: ConvTranspose1d,
      make: size => new ConvTranspose1d(size, outChannels, kernelSize, ...rest),
      dimOf: channels(1),
      fields: ['inChannels'],
    });
  }
}

/**
 * `Conv2d` that takes the number of its input channels from the first input [N, C, H, W] or [C, H, W]. Errors as `LazyLinear`.
 *
 *     new nn.LazyConv2d(16, 3, { stride: 2 })
 * @example
 * new nn.LazyConv2d(8, 3)(randn(2, 5, 10, 10)).shape // [2, 8, 8, 8]
 */
export class LazyConv2d extends Conv2d {
  constructor(...args: LazyConvArguments) {
    const [outChannels, kernelSize, ...rest] = sizesFirst<ConvArguments>(args);
    super(groupsOf(rest), outChannels, kernelSize, ...rest);
    makeLazy<Conv2d>(this, {
      becomes: Conv2d,
      make: size => new Conv2d(size, outChannels, kernelSize, ...rest),
      dimOf: channels(2),
      fields: ['inChannels'],
    });
  }
}

/**
 * `ConvTranspose2d` that takes the number of its input channels from the first input [N, C, H, W] or [C, H, W]. Errors as
 * `LazyLinear`.
 *
 *     new nn.LazyConvTranspose2d(16, 3, { stride: 2 })
 * @example
 * new nn.LazyConvTranspose2d(8, 3)(randn(2, 5, 10, 10)).shape // [2, 8, 12, 12]
 */
export class LazyConvTranspose2d extends ConvTranspose2d {
  constructor(...args: LazyConvTransposeArguments) {
    const [outChannels, kernelSize, ...rest] = sizesFirst<ConvTransposeArguments>(args);
    super(groupsOf(rest), outChannels, kernelSize, ...rest);
    makeLazy<ConvTranspose2d>(this, {
      becomes: ConvTranspose2d,
      make: size => new ConvTranspose2d(size, outChannels, kernelSize, ...rest),
      dimOf: channels(2),
      fields: ['inChannels'],
    });
  }
}

/**
 * `Conv3d` that takes the number of its input channels from the first input [N, C, D, H, W] or [C, D, H, W]. Errors as
 * `LazyLinear`.
 *
 *     new nn.LazyConv3d(16, 3, { stride: 2 })
 * @example
 * new nn.LazyConv3d(8, 3)(randn(2, 5, 4, 4, 4)).shape // [2, 8, 2, 2, 2]
 */
export class LazyConv3d extends Conv3d {
  constructor(...args: LazyConvArguments) {
    const [outChannels, kernelSize, ...rest] = sizesFirst<ConvArguments>(args);
    super(groupsOf(rest), outChannels, kernelSize, ...rest);
    makeLazy<Conv3d>(this, {
      becomes: Conv3d,
      make: size => new Conv3d(size, outChannels, kernelSize, ...rest),
      dimOf: channels(3),
      fields: ['inChannels'],
    });
  }
}

/**
 * `ConvTranspose3d` that takes the number of its input channels from the first input [N, C, D, H, W] or [C, D, H, W]. Errors as
 * `LazyLinear`.
 *
 *     new nn.LazyConvTranspose3d(16, 3, { stride: 2 })
 * @example
 * new nn.LazyConvTranspose3d(8, 3)(randn(2, 5, 4, 4, 4)).shape // [2, 8, 6, 6, 6]
 */
export class LazyConvTranspose3d extends ConvTranspose3d {
  constructor(...args: LazyConvTransposeArguments) {
    const [outChannels, kernelSize, ...rest] = sizesFirst<ConvTransposeArguments>(args);
    super(groupsOf(rest), outChannels, kernelSize, ...rest);
    makeLazy<ConvTranspose3d>(this, {
      becomes: ConvTranspose3d,
      make: size => new ConvTranspose3d(size, outChannels, kernelSize, ...rest),
      dimOf: channels(3),
      fields: ['inChannels'],
    });
  }
}

/**
 * `BatchNorm1d` that takes the number of channels from the first input [N, C, L]. Errors as `LazyLinear`.
 * @example
 * const norm = new nn.LazyBatchNorm1d();
 * norm(randn(4, 5)).shape // [4, 5]
 * norm.numFeatures // 5
 */
export class LazyBatchNorm1d extends BatchNorm1d {
  constructor(...rest: NormArguments) {
    super(1, ...rest);
    makeLazy<BatchNorm1d>(this, {
      becomes: BatchNorm1d,
      make: size => new BatchNorm1d(size, ...rest),
      dimOf: second,
      fields: ['numFeatures'],
    });
  }
}

/**
 * `BatchNorm2d` that takes the number of channels from the first input [N, C, H, W]. Errors as `LazyLinear`.
 * @example
 * new nn.LazyBatchNorm2d()(randn(4, 5, 3, 3)).shape // [4, 5, 3, 3]
 */
export class LazyBatchNorm2d extends BatchNorm2d {
  constructor(...rest: NormArguments) {
    super(1, ...rest);
    makeLazy<BatchNorm2d>(this, {
      becomes: BatchNorm2d,
      make: size => new BatchNorm2d(size, ...rest),
      dimOf: second,
      fields: ['numFeatures'],
    });
  }
}

/**
 * `BatchNorm3d` that takes the number of channels from the first input [N, C, D, H, W]. Errors as `LazyLinear`.
 * @example
 * new nn.LazyBatchNorm3d()(randn(4, 5, 3, 3, 3)).shape // [4, 5, 3, 3, 3]
 */
export class LazyBatchNorm3d extends BatchNorm3d {
  constructor(...rest: NormArguments) {
    super(1, ...rest);
    makeLazy<BatchNorm3d>(this, {
      becomes: BatchNorm3d,
      make: size => new BatchNorm3d(size, ...rest),
      dimOf: second,
      fields: ['numFeatures'],
    });
  }
}

/**
 * `InstanceNorm1d` that takes the number of channels from the first input [N, C, L]. Errors as `LazyLinear`.
 * @example
 * new nn.LazyInstanceNorm1d()(randn(4, 5, 3)).shape // [4, 5, 3]
 */
export class LazyInstanceNorm1d extends InstanceNorm1d {
  constructor(...rest: NormArguments) {
    super(1, ...rest);
    makeLazy<InstanceNorm1d>(this, {
      becomes: InstanceNorm1d,
      make: size => new InstanceNorm1d(size, ...rest),
      dimOf: channels(1),
      fields: ['numFeatures'],
    });
  }
}

/**
 * `InstanceNorm2d` that takes the number of channels from the first input [N, C, H, W]. Errors as `LazyLinear`.
 * @example
 * new nn.LazyInstanceNorm2d()(randn(4, 5, 3, 3)).shape // [4, 5, 3, 3]
 */
export class LazyInstanceNorm2d extends InstanceNorm2d {
  constructor(...rest: NormArguments) {
    super(1, ...rest);
    makeLazy<InstanceNorm2d>(this, {
      becomes: InstanceNorm2d,
      make: size => new InstanceNorm2d(size, ...rest),
      dimOf: channels(2),
      fields: ['numFeatures'],
    });
  }
}

/**
 * `InstanceNorm3d` that takes the number of channels from the first input [N, C, D, H, W]. Errors as `LazyLinear`.
 * @example
 * new nn.LazyInstanceNorm3d()(randn(4, 5, 3, 3, 3)).shape // [4, 5, 3, 3, 3]
 */
export class LazyInstanceNorm3d extends InstanceNorm3d {
  constructor(...rest: NormArguments) {
    super(1, ...rest);
    makeLazy<InstanceNorm3d>(this, {
      becomes: InstanceNorm3d,
      make: size => new InstanceNorm3d(size, ...rest),
      dimOf: channels(3),
      fields: ['numFeatures'],
    });
  }
}
