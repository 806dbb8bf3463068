// Resolution as modules: upsampling, pixels and channels, patches.
import { channelShuffle, pixelShuffle, pixelUnshuffle, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { requiredFirst, type Settings, settle } from '../../tensor/settings.ts';
import * as F from '../functional/resample.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import type { Size } from './sizes.ts';

const upsampleOrder = ['size', 'scaleFactor', 'mode', 'alignCorners', 'recomputeScaleFactor'] as const;
const factorText = (factor: number | readonly number[]): string =>
  typeof factor === 'number' ? floatText(factor) : `(${factor.map(floatText).join(', ')})`;
const floatText = (x: number): string => (Number.isInteger(x) ? `${x}.0` : String(x));

/**
 * [N, C, …] in another resolution. `new Upsample({ scaleFactor: 2, mode: 'bilinear' })`; see `functional.interpolate`.
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.Upsample({ scaleFactor: 2, mode: 'nearest' })(tensor([[[[1, 2]]]])) // [[[[1, 1, 2, 2], [1, 1, 2, 2]]]]
 */
export class Upsample extends Module {
  /** The options of `functional.interpolate`. */
  readonly options: F.InterpolateOptions;
  constructor(...rest: Settings<F.InterpolateOptions, typeof upsampleOrder>) {
    super();
    this.options = settle<F.InterpolateOptions>(this.constructor.name, upsampleOrder, rest);
  }
  override forward(x: Tensor): Tensor {
    return F.interpolate(x, this.options);
  }
  protected override extraRepr(): string {
    const { size, scaleFactor, mode = 'nearest' } = this.options;
    const what = scaleFactor === undefined ? `size=${python(size)}` : `scale_factor=${factorText(scaleFactor)}`;
    return `${what}, mode=${python(mode)}`;
  }
}
/**
 * Images with each element repeated.
 * @example
 * new nn.UpsamplingNearest2d({ scaleFactor: 2 })(tensor([[[[1, 2]]]])) // [[[[1, 1, 2, 2], [1, 1, 2, 2]]]]
 */
export class UpsamplingNearest2d extends Upsample {
  constructor(options: Pick<F.InterpolateOptions, 'size' | 'scaleFactor'>) {
    super({ ...options, mode: 'nearest' });
  }
}
/**
 * Images interpolated, with corners aligned.
 * @example
 * new nn.UpsamplingBilinear2d({ scaleFactor: 2 })(randn(1, 3, 4, 4)).shape // [1, 3, 8, 8]
 */
export class UpsamplingBilinear2d extends Upsample {
  constructor(options: Pick<F.InterpolateOptions, 'size' | 'scaleFactor'>) {
    super({ ...options, mode: 'bilinear', alignCorners: true });
  }
}

/**
 * [.., C · r², H, W] → [.., C, H · r, W · r] (Shi et al., 2016).
 * @example
 * new nn.PixelShuffle(2)(tensor([[[[1]], [[2]], [[3]], [[4]]]])) // [[[[1, 2], [3, 4]]]]
 */
export class PixelShuffle extends Module {
  /** The factor by which height and width grow. */
  readonly upscaleFactor: number;
  constructor(options: { readonly upscaleFactor: number });
  constructor(upscaleFactor: number);
  constructor(...args: readonly unknown[]) {
    super();
    const [upscaleFactor, ...rest] = requiredFirst(['upscaleFactor'], args) as [number, ...unknown[]];
    settle(this.constructor.name, [], rest);
    this.upscaleFactor = upscaleFactor;
  }
  override forward(x: Tensor): Tensor {
    return pixelShuffle(x, this.upscaleFactor);
  }
  protected override extraRepr(): string {
    return `upscale_factor=${this.upscaleFactor}`;
  }
}
/**
 * The inverse of `PixelShuffle`.
 * @example
 * new nn.PixelUnshuffle(2)(randn(1, 1, 4, 4)).shape // [1, 4, 2, 2]
 */
export class PixelUnshuffle extends Module {
  /** The factor by which height and width shrink. */
  readonly downscaleFactor: number;
  constructor(options: { readonly downscaleFactor: number });
  constructor(downscaleFactor: number);
  constructor(...args: readonly unknown[]) {
    super();
    const [downscaleFactor, ...rest] = requiredFirst(['downscaleFactor'], args) as [number, ...unknown[]];
    settle(this.constructor.name, [], rest);
    this.downscaleFactor = downscaleFactor;
  }
  override forward(x: Tensor): Tensor {
    return pixelUnshuffle(x, this.downscaleFactor);
  }
  protected override extraRepr(): string {
    return `downscale_factor=${this.downscaleFactor}`;
  }
}
/**
 * The channels [g, C / g] of [N, C, …] as [C / g, g].
 * @example
 * new nn.ChannelShuffle(2)(tensor([[[[1]], [[2]], [[3]], [[4]]]])).flatten() // [1, 3, 2, 4]
 */
export class ChannelShuffle extends Module {
  /** The number of groups that channels are divided into. */
  readonly groups: number;
  constructor(options: { readonly groups: number });
  constructor(groups: number);
  constructor(...args: readonly unknown[]) {
    super();
    const [groups, ...rest] = requiredFirst(['groups'], args) as [number, ...unknown[]];
    settle(this.constructor.name, [], rest);
    this.groups = groups;
  }
  override forward(x: Tensor): Tensor {
    return channelShuffle(x, this.groups);
  }
  protected override extraRepr(): string {
    return `groups=${this.groups}`;
  }
}

const patchOrder = ['dilation', 'padding', 'stride'] as const;
const sizeText = (size: Size): string => (typeof size === 'number' ? String(size) : python(size));
const patchText = (kernel: Size, { dilation = 1, padding = 0, stride = 1 }: F.UnfoldOptions): string =>
  `kernel_size=${sizeText(kernel)}, dilation=${sizeText(dilation)}, padding=${sizeText(padding)}, stride=${sizeText(stride)}`;
/**
 * The patches of images as columns: [N, C, H, W] → [N, C · kh · kw, patches].
 * @example
 * new nn.Unfold(2)(tensor([[[[1, 2], [3, 4]]]])) // [[[1], [2], [3], [4]]]
 */
export class Unfold extends Module {
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
  /** The options of `functional.unfold`. */
  readonly options: F.UnfoldOptions;
  constructor(options: { readonly kernelSize: Size } & F.UnfoldOptions);
  constructor(kernelSize: Size, ...rest: Settings<F.UnfoldOptions, typeof patchOrder>);
  constructor(...args: readonly unknown[]) {
    super();
    const [kernelSize, ...rest] = requiredFirst(['kernelSize'], args) as [Size, ...unknown[]];
    this.kernelSize = kernelSize;
    this.options = settle<F.UnfoldOptions>('Unfold', patchOrder, rest);
  }
  override forward(x: Tensor): Tensor {
    return F.unfold(x, this.kernelSize, this.options);
  }
  protected override extraRepr(): string {
    return patchText(this.kernelSize, this.options);
  }
}
/**
 * The sum of patches at their positions: [N, C · kh · kw, patches] → [N, C, …outputSize].
 * @example
 * new nn.Fold(3, 2)(ones(1, 4, 4)) // [[[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]]
 */
export class Fold extends Module {
  /** The size of the output, for each spatial dim or for all. */
  readonly outputSize: Size;
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
  /** The options of `functional.fold`. */
  readonly options: F.UnfoldOptions;
  constructor(options: Readonly<Record<'outputSize' | 'kernelSize', Size>> & F.UnfoldOptions);
  constructor(outputSize: Size, options: { readonly kernelSize: Size } & F.UnfoldOptions);
  constructor(outputSize: Size, kernelSize: Size, ...rest: Settings<F.UnfoldOptions, typeof patchOrder>);
  constructor(...args: readonly unknown[]) {
    super();
    const [outputSize, kernelSize, ...rest] = requiredFirst(['outputSize', 'kernelSize'], args) as [
      Size,
      Size,
      ...unknown[],
    ];
    this.outputSize = outputSize;
    this.kernelSize = kernelSize;
    this.options = settle<F.UnfoldOptions>('Fold', patchOrder, rest);
  }
  override forward(x: Tensor): Tensor {
    return F.fold(x, this.outputSize, this.kernelSize, this.options);
  }
  protected override extraRepr(): string {
    return `output_size=${sizeText(this.outputSize)}, ${patchText(this.kernelSize, this.options)}`;
  }
}

/** Settings of `Flatten`. */
export interface FlattenSettings {
  /** The first flattened dim. */
  readonly startDim?: number;
  /** The last flattened dim. */
  readonly endDim?: number;
}
/**
 * The dims from startDim to endDim as one; by default all but the first. `new Flatten()`
 * @example
 * new nn.Flatten()(zeros(2, 3, 4)).shape // [2, 12]
 */
export class Flatten extends Module {
  /** The first flattened dim. */
  readonly startDim: number;
  /** The last flattened dim. */
  readonly endDim: number;
  constructor(...rest: Settings<FlattenSettings, ['startDim', 'endDim']>) {
    super();
    const { startDim = 1, endDim = -1 } = settle<FlattenSettings>('Flatten', ['startDim', 'endDim'], rest);
    this.startDim = startDim;
    this.endDim = endDim;
  }
  override forward(x: Tensor): Tensor {
    return x.flatten(this.startDim, this.endDim);
  }
  protected override extraRepr(): string {
    return `start_dim=${this.startDim}, end_dim=${this.endDim}`;
  }
}
/**
 * One dim as several: `new Unflatten(1, [2, 5])`; one size may be -1.
 * @example
 * new nn.Unflatten(1, [3, 4])(zeros(2, 12)).shape // [2, 3, 4]
 */
export class Unflatten extends Module {
  /** The dim that is split. */
  readonly dim: number;
  /** The sizes that it is split into. */
  readonly unflattenedSize: readonly number[];
  constructor(options: { readonly dim: number; readonly unflattenedSize: readonly number[] });
  constructor(dim: number, unflattenedSize: readonly number[] | { readonly unflattenedSize: readonly number[] });
  constructor(...args: readonly unknown[]) {
    super();
    const [dim, unflattenedSize, ...rest] = requiredFirst(['dim', 'unflattenedSize'], args) as [
      number,
      readonly number[],
      ...unknown[],
    ];
    settle('Unflatten', [], rest);
    if (!Array.isArray(unflattenedSize))
      throw wrongArgument({ call: 'Unflatten', argument: 'unflattenedSize' }, unflattenedSize, 'an array of sizes');
    this.dim = dim;
    this.unflattenedSize = unflattenedSize;
  }
  override forward(x: Tensor): Tensor {
    const at = this.dim < 0 ? this.dim + x.ndim : this.dim;
    const size = x.size(at);
    const known = this.unflattenedSize.filter(s => s !== -1).reduce((a, c) => a * c, 1);
    const sizes = this.unflattenedSize.map(s => (s === -1 ? size / known : s));
    return x.reshape([...x.shape.slice(0, at), ...sizes, ...x.shape.slice(at + 1)]);
  }
  protected override extraRepr(): string {
    return `dim=${this.dim}, unflattened_size=${python(this.unflattenedSize)}`;
  }
}
