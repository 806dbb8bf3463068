// Pooling as modules, with PyTorch's arguments.

import * as F from '../../tensor/generated/functional.ts';
import type { Tensor } from '../../tensor/index.ts';
import { requiredFirst, type Settings, settle } from '../../tensor/settings.ts';
import {
  adaptiveMaxPool1dWithIndices,
  adaptiveMaxPool2dWithIndices,
  adaptiveMaxPool3dWithIndices,
} from '../functional/max-pool-indices.ts';
import * as P from '../functional/pooling.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import { type Size, sizesOf } from './sizes.ts';

/** Settings of max pooling layers. */
export interface MaxPoolSettings extends P.MaxPoolOptions {
  /** The result is [maxima, positions]; see `functional.maxPool2dWithIndices`. */
  readonly returnIndices?: boolean;
}
const maxOrder = ['stride', 'padding', 'dilation', 'returnIndices', 'ceilMode'] as const;
/** The arguments of max pooling layers after the kernel size: in PyTorch's order, or by name. */
export type MaxArguments = Settings<MaxPoolSettings, typeof maxOrder>;
const avgOrder = ['stride', 'padding', 'ceilMode', 'countIncludePad', 'divisorOverride'] as const;
/** The arguments of average pooling layers after the kernel size: in PyTorch's order, or by name. */
export type AvgArguments = Settings<P.AvgPoolOptions, typeof avgOrder>;
/** The size that every pooling layer needs, by name. */
export interface KernelSize {
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
}
/** Settings of unpooling layers. */
export interface UnpoolSettings {
  /** The step of the window, for each spatial dim or for all. */
  readonly stride?: Size;
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding?: Size;
}
/** Settings of LP pooling layers. */
export interface LpSettings {
  /** The step of the window, for each spatial dim or for all. */
  readonly stride?: Size | undefined;
  /** Whether the output size is rounded up instead of down. */
  readonly ceilMode?: boolean;
}
/** The arguments of LP pooling layers after norm type and kernel size: in PyTorch's order, or by name. */
export type LpArguments = Settings<LpSettings, ['stride', 'ceilMode']>;
const sizeText = (size: Size): string => (typeof size === 'number' ? String(size) : python(size));

abstract class MaxPool extends Module {
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
  /** The step of the window, for each spatial dim or for all. */
  readonly stride: Size;
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding: Size;
  /** The distance between the elements of the window, for each spatial dim or for all. */
  readonly dilation: Size;
  /** Whether the indices of the maxima are returned, too. */
  readonly returnIndices: boolean;
  /** Whether the output size is rounded up instead of down. */
  readonly ceilMode: boolean;
  constructor(call: string, n: number, args: readonly unknown[]) {
    super();
    const [kernelSize, ...rest] = requiredFirst(['kernelSize'], args) as [Size, ...unknown[]];
    const given = settle<MaxPoolSettings>(call, maxOrder, rest);
    sizesOf(call, 'kernelSize', kernelSize, n);
    this.kernelSize = kernelSize;
    this.stride = given.stride ?? kernelSize;
    this.padding = given.padding ?? 0;
    this.dilation = given.dilation ?? 1;
    this.returnIndices = given.returnIndices ?? false;
    this.ceilMode = given.ceilMode ?? false;
  }
  protected get settings(): P.MaxPoolOptions {
    const { stride, padding, dilation, ceilMode } = this;
    return { stride, padding, dilation, ceilMode };
  }
  protected override extraRepr(): string {
    const { kernelSize, stride, padding, dilation, ceilMode } = this;
    return `kernel_size=${sizeText(kernelSize)}, stride=${sizeText(stride)}, padding=${sizeText(padding)}, dilation=${sizeText(dilation)}, ceil_mode=${python(ceilMode)}`;
  }
}
/** The arguments of adaptive max pooling layers, by position or by name. */
export type AdaptiveMaxArguments =
  | [outputSize: P.OutputSize, ...rest: Settings<{ readonly returnIndices?: boolean }, ['returnIndices']>]
  | [options: { readonly outputSize: P.OutputSize; readonly returnIndices?: boolean }];
abstract class AdaptiveMaxPool extends Module {
  /** The number of windows. */
  readonly outputSize: P.OutputSize;
  /** Whether the indices of the maxima are returned, too. */
  readonly returnIndices: boolean;
  constructor(args: readonly unknown[]) {
    super();
    const [outputSize, ...rest] = requiredFirst(['outputSize'], args) as [P.OutputSize, ...unknown[]];
    const given = settle<{ readonly returnIndices?: boolean }>(this.constructor.name, ['returnIndices'], rest);
    this.outputSize = outputSize;
    this.returnIndices = given.returnIndices ?? false;
  }
  protected override extraRepr(): string {
    return `output_size=${python(this.outputSize)}`;
  }
}
abstract class AvgPool extends Module {
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
  /** The step of the window, for each spatial dim or for all. */
  readonly stride: Size;
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding: Size;
  /** Whether the output size is rounded up instead of down. */
  readonly ceilMode: boolean;
  /** Whether the padding is included in the average. */
  readonly countIncludePad: boolean;
  /** The divisor of the sum; undefined for the number of elements. */
  readonly divisorOverride: number | undefined;
  constructor(call: string, n: number, args: readonly unknown[]) {
    super();
    const [kernelSize, ...rest] = requiredFirst(['kernelSize'], args) as [Size, ...unknown[]];
    const given = settle<P.AvgPoolOptions>(call, n === 1 ? avgOrder.slice(0, 4) : avgOrder, rest);
    sizesOf(call, 'kernelSize', kernelSize, n);
    // PyTorch stores the settings of one-dimensional layers as tuples.
    const sizes = (argument: string, size: Size, least: number): Size =>
      n === 1 ? sizesOf(call, argument, size, 1, least) : size;
    this.kernelSize = sizes('kernelSize', kernelSize, 1);
    this.stride = sizes('stride', given.stride ?? kernelSize, 1);
    this.padding = sizes('padding', given.padding ?? 0, 0);
    this.ceilMode = given.ceilMode ?? false;
    this.countIncludePad = given.countIncludePad ?? true;
    this.divisorOverride = given.divisorOverride;
  }
  protected get settings(): P.AvgPoolOptions {
    const { stride, padding, ceilMode, countIncludePad, divisorOverride } = this;
    const plain = { stride, padding, ceilMode, countIncludePad };
    return divisorOverride === undefined ? plain : { ...plain, divisorOverride };
  }
  protected override extraRepr(): string {
    return `kernel_size=${sizeText(this.kernelSize)}, stride=${sizeText(this.stride)}, padding=${sizeText(this.padding)}`;
  }
}
abstract class LPPool extends Module {
  /** The order of the norm. */
  readonly normType: number;
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
  /** The step of the window, for each spatial dim or for all. */
  readonly stride: Size | undefined;
  /** Whether the output size is rounded up instead of down. */
  readonly ceilMode: boolean;
  constructor(call: string, args: readonly unknown[]) {
    super();
    const [normType, kernelSize, ...rest] = requiredFirst(['normType', 'kernelSize'], args) as [
      number,
      Size,
      ...unknown[],
    ];
    const given = settle<LpSettings>(call, ['stride', 'ceilMode'], rest);
    this.normType = normType;
    this.kernelSize = kernelSize;
    this.stride = given.stride;
    this.ceilMode = given.ceilMode ?? false;
  }
  protected override extraRepr(): string {
    return `norm_type=${this.normType}, kernel_size=${sizeText(this.kernelSize)}, stride=${this.stride === undefined ? 'None' : sizeText(this.stride)}, ceil_mode=${python(this.ceilMode)}`;
  }
}
abstract class MaxUnpool extends Module {
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: readonly number[];
  /** The step of the window, for each spatial dim or for all. */
  readonly stride: readonly number[];
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding: readonly number[];
  constructor(call: string, n: number, args: readonly unknown[]) {
    super();
    const [kernelSize, ...rest] = requiredFirst(['kernelSize'], args) as [Size, ...unknown[]];
    const given = settle<UnpoolSettings>(call, ['stride', 'padding'], rest);
    this.kernelSize = sizesOf(call, 'kernelSize', kernelSize, n);
    this.stride = sizesOf(call, 'stride', given.stride ?? kernelSize, n);
    this.padding = sizesOf(call, 'padding', given.padding ?? 0, n, 0);
  }
  /** Maxima and their indices, as returned by a max pool with `returnIndices`, moved back to their positions. */
  override forward(x: Tensor, indices: Tensor, outputSize?: readonly number[]): Tensor {
    const n = this.stride.length;
    const sizes = this.stride.map((s, i) => (x.shape.at(i - n)! - 1) * s - 2 * this.padding[i]! + this.kernelSize[i]!);
    return P.maxUnpool(x, indices, outputSize === undefined ? sizes : outputSize.slice(-n));
  }
  protected override extraRepr(): string {
    return `kernel_size=${python(this.kernelSize)}, stride=${python(this.stride)}, padding=${python(this.padding)}`;
  }
}

/**
 * The largest element of each window of sequences [N, C, L]. `new MaxPool1d(3, { stride: 2, padding: 1 })` or `new MaxPool1d(3,
 * 2, 1)`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.MaxPool1d(2)(tensor([[1, 5, 2, 4]])) // [[5, 4]]
 */
export class MaxPool1d extends MaxPool {
  constructor(options: KernelSize & MaxPoolSettings);
  constructor(kernelSize: Size, ...rest: MaxArguments);
  constructor(...args: readonly unknown[]) {
    super('MaxPool1d', 1, args);
  }
  override forward(x: Tensor): Tensor {
    // With `returnIndices`, the result is a pair; the type is that of the common case.
    if (this.returnIndices) return P.maxPool1dWithIndices(x, this.kernelSize, this.settings) as unknown as Tensor;
    return F.maxPool1d(x, this.kernelSize, this.settings);
  }
}
/**
 * The mean of each window of sequences [N, C, L]. Errors as `MaxPool1d`.
 * @example
 * new nn.AvgPool1d(2)(tensor([[1, 5, 2, 4]])) // [[3, 3]]
 */
export class AvgPool1d extends AvgPool {
  constructor(options: KernelSize & P.AvgPoolOptions);
  constructor(kernelSize: Size, ...rest: AvgArguments);
  constructor(...args: readonly unknown[]) {
    super('AvgPool1d', 1, args);
  }
  override forward(x: Tensor): Tensor {
    return F.avgPool1d(x, this.kernelSize, this.settings);
  }
}
/**
 * (Σ xᵖ)^(1/p) over the windows of sequences [N, C, L].
 * @example
 * new nn.LPPool1d(2, 2)(tensor([[3, 4, 6, 8]])) // [[5, 10]]
 */
export class LPPool1d extends LPPool {
  constructor(options: KernelSize & LpSettings & { readonly normType: number });
  constructor(normType: number, kernelSize: Size, ...rest: LpArguments);
  constructor(...args: readonly unknown[]) {
    super('LPPool1d', args);
  }
  override forward(x: Tensor): Tensor {
    return P.lpPool1d(x, this.normType, this.kernelSize, this.stride, this.ceilMode);
  }
}
/**
 * Puts the maxima of `MaxPool1d` with `returnIndices` back to their positions, zeros elsewhere.
 * @example
 * const [values, indices] = nn.functional.maxPool1dWithIndices(tensor([[[1, 5, 2, 4]]]), 2);
 * new nn.MaxUnpool1d(2)(values, indices) // [[[0, 5, 0, 4]]]
 */
export class MaxUnpool1d extends MaxUnpool {
  constructor(options: KernelSize & UnpoolSettings);
  constructor(kernelSize: Size, ...rest: Settings<UnpoolSettings, ['stride', 'padding']>);
  constructor(...args: readonly unknown[]) {
    super('MaxUnpool1d', 1, args);
  }
}

/**
 * The largest element of each window of images [N, C, H, W]. `new MaxPool2d(3, { stride: 2, padding: 1 })` or `new MaxPool2d(3,
 * 2, 1)`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.MaxPool2d(3, { stride: 2, padding: 1 })(randn(1, 8, 16, 16)).shape // [1, 8, 8, 8]
 */
export class MaxPool2d extends MaxPool {
  constructor(options: KernelSize & MaxPoolSettings);
  constructor(kernelSize: Size, ...rest: MaxArguments);
  constructor(...args: readonly unknown[]) {
    super('MaxPool2d', 2, args);
  }
  override forward(x: Tensor): Tensor {
    // With `returnIndices`, the result is a pair; the type is that of the common case.
    if (this.returnIndices) return P.maxPool2dWithIndices(x, this.kernelSize, this.settings) as unknown as Tensor;
    return F.maxPool2d(x, this.kernelSize, this.settings);
  }
}
/**
 * The mean of each window of images [N, C, H, W]. Errors as `MaxPool2d`.
 * @example
 * new nn.AvgPool2d(2)(tensor([[[1, 2], [3, 6]]])) // [[[3]]]
 */
export class AvgPool2d extends AvgPool {
  constructor(options: KernelSize & P.AvgPoolOptions);
  constructor(kernelSize: Size, ...rest: AvgArguments);
  constructor(...args: readonly unknown[]) {
    super('AvgPool2d', 2, args);
  }
  override forward(x: Tensor): Tensor {
    return F.avgPool2d(x, this.kernelSize, this.settings);
  }
}
/**
 * (Σ xᵖ)^(1/p) over the windows of images [N, C, H, W].
 * @example
 * new nn.LPPool2d(2, 2)(tensor([[[1, 1], [1, 1]]])) // [[[2]]]
 */
export class LPPool2d extends LPPool {
  constructor(options: KernelSize & LpSettings & { readonly normType: number });
  constructor(normType: number, kernelSize: Size, ...rest: LpArguments);
  constructor(...args: readonly unknown[]) {
    super('LPPool2d', args);
  }
  override forward(x: Tensor): Tensor {
    return P.lpPool2d(x, this.normType, this.kernelSize, this.stride, this.ceilMode);
  }
}
/**
 * Puts the maxima of `MaxPool2d` with `returnIndices` back to their positions, zeros elsewhere.
 * @example
 * const [values, indices] = nn.functional.maxPool2dWithIndices(tensor([[[[1, 5], [2, 4]]]]), 2);
 * new nn.MaxUnpool2d(2)(values, indices) // [[[[0, 5], [0, 0]]]]
 */
export class MaxUnpool2d extends MaxUnpool {
  constructor(options: KernelSize & UnpoolSettings);
  constructor(kernelSize: Size, ...rest: Settings<UnpoolSettings, ['stride', 'padding']>);
  constructor(...args: readonly unknown[]) {
    super('MaxUnpool2d', 2, args);
  }
}

/**
 * The largest element of each window of volumes [N, C, D, H, W]. `new MaxPool3d(3, { stride: 2, padding: 1 })` or `new
 * MaxPool3d(3, 2, 1)`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.MaxPool3d(2)(randn(1, 4, 8, 8, 8)).shape // [1, 4, 4, 4, 4]
 */
export class MaxPool3d extends MaxPool {
  constructor(options: KernelSize & MaxPoolSettings);
  constructor(kernelSize: Size, ...rest: MaxArguments);
  constructor(...args: readonly unknown[]) {
    super('MaxPool3d', 3, args);
  }
  override forward(x: Tensor): Tensor {
    // With `returnIndices`, the result is a pair; the type is that of the common case.
    if (this.returnIndices) return P.maxPool3dWithIndices(x, this.kernelSize, this.settings) as unknown as Tensor;
    return F.maxPool3d(x, this.kernelSize, this.settings);
  }
}
/**
 * The mean of each window of volumes [N, C, D, H, W]. Errors as `MaxPool3d`.
 * @example
 * new nn.AvgPool3d(2)(randn(1, 4, 8, 8, 8)).shape // [1, 4, 4, 4, 4]
 */
export class AvgPool3d extends AvgPool {
  constructor(options: KernelSize & P.AvgPoolOptions);
  constructor(kernelSize: Size, ...rest: AvgArguments);
  constructor(...args: readonly unknown[]) {
    super('AvgPool3d', 3, args);
  }
  override forward(x: Tensor): Tensor {
    return F.avgPool3d(x, this.kernelSize, this.settings);
  }
}
/**
 * (Σ xᵖ)^(1/p) over the windows of volumes [N, C, D, H, W].
 * @example
 * new nn.LPPool3d(2, 2)(randn(1, 4, 8, 8, 8)).shape // [1, 4, 4, 4, 4]
 */
export class LPPool3d extends LPPool {
  constructor(options: KernelSize & LpSettings & { readonly normType: number });
  constructor(normType: number, kernelSize: Size, ...rest: LpArguments);
  constructor(...args: readonly unknown[]) {
    super('LPPool3d', args);
  }
  override forward(x: Tensor): Tensor {
    return P.lpPool3d(x, this.normType, this.kernelSize, this.stride, this.ceilMode);
  }
}
/**
 * Puts the maxima of `MaxPool3d` with `returnIndices` back to their positions, zeros elsewhere.
 * @example
 * const [values, indices] = nn.functional.maxPool3dWithIndices(randn(1, 1, 2, 2, 2), 2);
 * new nn.MaxUnpool3d(2)(values, indices).shape // [1, 1, 2, 2, 2]
 */
export class MaxUnpool3d extends MaxUnpool {
  constructor(options: KernelSize & UnpoolSettings);
  constructor(kernelSize: Size, ...rest: Settings<UnpoolSettings, ['stride', 'padding']>);
  constructor(...args: readonly unknown[]) {
    super('MaxUnpool3d', 3, args);
  }
}
/**
 * The largest element of windows that cover sequences [N, C, L] evenly; with `returnIndices`, [maxima, positions].
 * @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.AdaptiveMaxPool1d(2)(tensor([[1, 5, 2, 4]])) // [[5, 4]]
 */
export class AdaptiveMaxPool1d extends AdaptiveMaxPool {
  constructor(...args: AdaptiveMaxArguments) {
    super(args);
  }
  override forward(x: Tensor): Tensor {
    if (this.returnIndices) return adaptiveMaxPool1dWithIndices(x, this.outputSize) as unknown as Tensor;
    return F.adaptiveMaxPool1d(x, this.outputSize);
  }
}
/**
 * The largest element of windows that cover images [N, C, H, W] evenly; with `returnIndices`, [maxima, positions].
 * @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.AdaptiveMaxPool2d(2)(randn(2, 8, 7, 7)).shape // [2, 8, 2, 2]
 */
export class AdaptiveMaxPool2d extends AdaptiveMaxPool {
  constructor(...args: AdaptiveMaxArguments) {
    super(args);
  }
  override forward(x: Tensor): Tensor {
    if (this.returnIndices) return adaptiveMaxPool2dWithIndices(x, this.outputSize) as unknown as Tensor;
    return F.adaptiveMaxPool2d(x, this.outputSize);
  }
}
/**
 * The largest element of windows that cover volumes [N, C, D, H, W] evenly; with `returnIndices`, [maxima, positions].
 * @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.AdaptiveMaxPool3d(2)(randn(1, 4, 5, 7, 9)).shape // [1, 4, 2, 2, 2]
 */
export class AdaptiveMaxPool3d extends AdaptiveMaxPool {
  constructor(...args: AdaptiveMaxArguments) {
    super(args);
  }
  override forward(x: Tensor): Tensor {
    if (this.returnIndices) return adaptiveMaxPool3dWithIndices(x, this.outputSize) as unknown as Tensor;
    return F.adaptiveMaxPool3d(x, this.outputSize);
  }
}
