// Convolutions as modules, with PyTorch's names and layouts.

import * as F from '../../tensor/generated/functional.ts';
import {
  type Conv2dOptions,
  type ConvTranspose2dOptions,
  checkCount,
  lower,
  type Tensor,
  wrongArgument,
} from '../../tensor/index.ts';
import { checkWord, requiredFirst, type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { type PadMode, pad } from '../functional/padding.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { Parameter } from '../module/parameter.ts';
import { type Size, sizesOf, tupleText } from './sizes.ts';

/** Settings of convolution layers. */
export interface ConvSettings extends Pick<Conv2dOptions<Tensor>, 'stride' | 'padding' | 'dilation' | 'groups'> {
  /** True by default. */
  readonly bias?: boolean;
  /** The kind of padding: zeros by default. */
  readonly paddingMode?: 'zeros' | Exclude<PadMode, 'constant'>;
}
/** Settings of transposed convolution layers. */
export interface ConvTransposeSettings extends Omit<ConvTranspose2dOptions<Tensor>, 'bias'> {
  /** Whether there is a bias. */
  readonly bias?: boolean;
  /** Zeros: there is no other kind. */
  readonly paddingMode?: 'zeros';
}
const convOrder = ['stride', 'padding', 'dilation', 'groups', 'bias', 'paddingMode'] as const;
const transposeOrder = ['stride', 'padding', 'outputPadding', 'groups', 'bias', 'dilation', 'paddingMode'] as const;
/** The arguments of a convolution layer after the kernel size: in PyTorch's order, or by name. */
export type ConvArguments = Settings<ConvSettings, typeof convOrder>;
/** The arguments of a transposed convolution layer after the kernel size: in PyTorch's order, or by name. */
export type ConvTransposeArguments = Settings<ConvTransposeSettings, typeof transposeOrder>;
/** The sizes that every convolution layer needs, by name. */
export interface ConvSizes {
  /** The number of channels of the input. */
  readonly inChannels: number;
  /** The number of channels of the output. */
  readonly outChannels: number;
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: Size;
}
const sizeNames = ['inChannels', 'outChannels', 'kernelSize'] as const;

/** The common part of all convolutions: sizes, weight and bias, and PyTorch's initial values. */
abstract class Convolution extends Module {
  /** The number of channels of the input. */
  readonly inChannels: number;
  /** The number of channels of the output. */
  readonly outChannels: number;
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: readonly number[];
  /** The step of the window, for each spatial dim or for all. */
  readonly stride: readonly number[];
  /** The distance between the elements of the window, for each spatial dim or for all. */
  readonly dilation: readonly number[];
  /** The number of groups that channels are divided into. */
  readonly groups: number;
  /** [out, in / groups, …kernel]; of a transpose, [in, out / groups, …kernel]. */
  weight: Parameter;
  /** The bias, [outChannels]; null without one. */
  bias: Parameter | null;

  constructor(
    call: string,
    n: number,
    inChannels: number,
    outChannels: number,
    kernelSize: Size,
    given: ConvSettings,
    transposed: boolean,
  ) {
    super();
    checkCount(call, 'inChannels', inChannels);
    checkCount(call, 'outChannels', outChannels);
    this.inChannels = inChannels;
    this.outChannels = outChannels;
    this.kernelSize = sizesOf(call, 'kernelSize', kernelSize, n);
    this.stride = sizesOf(call, 'stride', given.stride ?? 1, n);
    this.dilation = sizesOf(call, 'dilation', given.dilation ?? 1, n);
    this.groups = given.groups ?? 1;
    checkCount(call, 'groups', this.groups);
    if (inChannels % this.groups !== 0 || outChannels % this.groups !== 0)
      throw wrongArgument(
        { call, argument: 'groups' },
        this.groups,
        `a divisor of ${inChannels} and of ${outChannels} channels`,
      );
    const [rows, columns] = transposed ? [inChannels, outChannels] : [outChannels, inChannels];
    const shape = [rows, columns / this.groups, ...this.kernelSize];
    this.weight = new Parameter(init.defaultWeight(shape), { fresh: true });
    const bound = 1 / Math.sqrt(init.fans(shape).fanIn);
    this.bias =
      given.bias === false ? null : new Parameter(init.uniform([outChannels], -bound, bound), { fresh: true });
  }
  protected text(padding: string, isPadded: boolean, outputPadding?: readonly number[]): string {
    const isOne = (sizes: readonly number[]): boolean => sizes.every(size => size === 1);
    return [
      `${this.inChannels}, ${this.outChannels}, kernel_size=${tupleText(this.kernelSize)}, stride=${tupleText(this.stride)}`,
      ...(isPadded ? [`padding=${padding}`] : []),
      ...(isOne(this.dilation) ? [] : [`dilation=${tupleText(this.dilation)}`]),
      ...(outputPadding?.some(size => size !== 0) ? [`output_padding=${tupleText(outputPadding)}`] : []),
      ...(this.groups === 1 ? [] : [`groups=${this.groups}`]),
      ...(this.bias === null ? ['bias=False'] : []),
    ].join(', ');
  }
}

abstract class PlainConvolution extends Convolution {
  /** The padding on both sides, for each spatial dim or for all; `same` keeps the size, `valid` pads nothing. */
  readonly padding: Size | 'same' | 'valid';
  /** The kind of padding. */
  readonly paddingMode: 'zeros' | Exclude<PadMode, 'constant'>;
  readonly #call: string;
  readonly #run: typeof F.conv1d;
  constructor(call: string, n: number, run: typeof F.conv1d, args: readonly unknown[]) {
    const [inChannels, outChannels, kernelSize, ...rest] = requiredFirst(sizeNames, args) as [
      number,
      number,
      Size,
      ...unknown[],
    ];
    const given = settle<ConvSettings>(call, convOrder, rest);
    super(call, n, inChannels, outChannels, kernelSize, given, false);
    this.#call = call;
    this.#run = run;
    const padding = given.padding ?? 0;
    this.padding =
      typeof padding === 'string'
        ? checkWord<'same' | 'valid'>(call, 'padding', padding, ['same', 'valid'])
        : sizesOf(call, 'padding', padding, n, 0);
    lower.convPadding(call, this.padding, this.kernelSize, this.stride, this.dilation);
    this.paddingMode = checkWord(call, 'paddingMode', given.paddingMode ?? 'zeros', [
      'zeros',
      'reflect',
      'replicate',
      'circular',
    ]);
  }
  override forward(x: Tensor): Tensor {
    const { stride, padding, dilation, groups, paddingMode } = this;
    if (paddingMode === 'zeros') return this.#run(x, this.weight, this.bias, { stride, padding, dilation, groups });
    const around = lower.convPadding(this.#call, padding, this.kernelSize, stride, dilation);
    return this.#run(pad(x, around.toReversed().flat(), paddingMode), this.weight, this.bias, {
      stride,
      dilation,
      groups,
    });
  }
  protected override extraRepr(): string {
    const { padding } = this;
    const isPadded = typeof padding === 'string' || (padding as readonly number[]).some(p => p !== 0);
    const text = this.text(typeof padding === 'string' ? padding : tupleText(padding as readonly number[]), isPadded);
    return this.paddingMode === 'zeros' ? text : `${text}, padding_mode=${this.paddingMode}`;
  }
}

abstract class TransposedConvolution extends Convolution {
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding: readonly number[];
  /** The size added to one side of the output, for each spatial dim. */
  readonly outputPadding: readonly number[];
  readonly #call: string;
  readonly #run: typeof F.convTranspose1d;
  constructor(call: string, n: number, run: typeof F.convTranspose1d, args: readonly unknown[]) {
    const [inChannels, outChannels, kernelSize, ...rest] = requiredFirst(sizeNames, args) as [
      number,
      number,
      Size,
      ...unknown[],
    ];
    const given = settle<ConvTransposeSettings>(call, transposeOrder, rest);
    checkWord(call, 'paddingMode', given.paddingMode ?? 'zeros', ['zeros']);
    super(call, n, inChannels, outChannels, kernelSize, given, true);
    this.#call = call;
    this.#run = run;
    this.padding = sizesOf(call, 'padding', given.padding ?? 0, n, 0);
    this.outputPadding = sizesOf(call, 'outputPadding', given.outputPadding ?? 0, n, 0);
  }
  /** `outputSize` [..., H, W] chooses among the sizes that the stride allows. @throws {WRONG_ARGUMENT} for any other size */
  override forward(x: Tensor, outputSize?: readonly number[]): Tensor {
    const { stride, padding, dilation, groups, kernelSize } = this;
    const n = stride.length;
    const outputPadding =
      outputSize === undefined
        ? this.outputPadding
        : stride.map((s, i) => {
            const least = (x.shape.at(i - n)! - 1) * s - 2 * padding[i]! + dilation[i]! * (kernelSize[i]! - 1) + 1;
            const extra = outputSize.at(i - n)! - least;
            if (extra >= 0 && extra < s) return extra;
            throw wrongText(
              { call: this.#call, argument: 'outputSize' },
              `[${outputSize}]`,
              `${least} to ${least + s - 1} for spatial dim ${i}`,
            );
          });
    return this.#run(x, this.weight, this.bias, { stride, padding, outputPadding, groups, dilation });
  }
  protected override extraRepr(): string {
    return this.text(
      tupleText(this.padding),
      this.padding.some(p => p !== 0),
      this.outputPadding,
    );
  }
}

/**
 * Convolution over sequences [N, C, L].
 *
 *     new Conv1d(16, 33, 3, { stride: 2, padding: 1 })       // or, by position: new Conv1d(16, 33, 3, 2, 1)
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} where it is called with other channels
 * @example
 * new nn.Conv1d(16, 33, 3, { stride: 2 })(randn(20, 16, 50)).shape // [20, 33, 24]
 */
export class Conv1d extends PlainConvolution {
  constructor(options: ConvSizes & ConvSettings);
  constructor(inChannels: number, outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & ConvSettings);
  constructor(inChannels: number, outChannels: number, kernelSize: Size, ...rest: ConvArguments);
  constructor(...args: readonly unknown[]) {
    super('Conv1d', 1, F.conv1d, args);
  }
}
/**
 * The transpose of `Conv1d`: x [N, C, L] → sequences that are `stride` times as large. Errors as `Conv1d`.
 * @example
 * new nn.ConvTranspose1d(16, 33, 3, { stride: 2 })(randn(20, 16, 50)).shape // [20, 33, 101]
 */
export class ConvTranspose1d extends TransposedConvolution {
  constructor(options: ConvSizes & ConvTransposeSettings);
  constructor(inChannels: number, outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & ConvTransposeSettings);
  constructor(inChannels: number, outChannels: number, kernelSize: Size, ...rest: ConvTransposeArguments);
  constructor(...args: readonly unknown[]) {
    super('ConvTranspose1d', 1, F.convTranspose1d, args);
  }
}

/**
 * Convolution over images [N, C, H, W].
 *
 *     new Conv2d(16, 33, 3, { stride: 2, padding: 1 })       // or, by position: new Conv2d(16, 33, 3, 2, 1)
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} where it is called with other channels
 * @example
 * const conv = new nn.Conv2d(3, 8, 3, { stride: 2, padding: 1 });
 * conv(randn(1, 3, 32, 32)).shape // [1, 8, 16, 16]
 */
export class Conv2d extends PlainConvolution {
  constructor(options: ConvSizes & ConvSettings);
  constructor(inChannels: number, outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & ConvSettings);
  constructor(inChannels: number, outChannels: number, kernelSize: Size, ...rest: ConvArguments);
  constructor(...args: readonly unknown[]) {
    super('Conv2d', 2, F.conv2d, args);
  }
}
/**
 * The transpose of `Conv2d`: x [N, C, H, W] → images that are `stride` times as large. Errors as `Conv2d`.
 * @example
 * const upsample = new nn.ConvTranspose2d(8, 3, 2, { stride: 2 });
 * upsample(randn(1, 8, 16, 16)).shape // [1, 3, 32, 32]
 */
export class ConvTranspose2d extends TransposedConvolution {
  constructor(options: ConvSizes & ConvTransposeSettings);
  constructor(inChannels: number, outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & ConvTransposeSettings);
  constructor(inChannels: number, outChannels: number, kernelSize: Size, ...rest: ConvTransposeArguments);
  constructor(...args: readonly unknown[]) {
    super('ConvTranspose2d', 2, F.convTranspose2d, args);
  }
}

/**
 * Convolution over volumes [N, C, D, H, W].
 *
 *     new Conv3d(16, 33, 3, { stride: 2, padding: 1 })       // or, by position: new Conv3d(16, 33, 3, 2, 1)
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} where it is called with other channels
 * @example
 * new nn.Conv3d(2, 4, 3, { padding: 1 })(randn(1, 2, 4, 8, 8)).shape // [1, 4, 4, 8, 8]
 */
export class Conv3d extends PlainConvolution {
  constructor(options: ConvSizes & ConvSettings);
  constructor(inChannels: number, outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & ConvSettings);
  constructor(inChannels: number, outChannels: number, kernelSize: Size, ...rest: ConvArguments);
  constructor(...args: readonly unknown[]) {
    super('Conv3d', 3, F.conv3d, args);
  }
}
/**
 * The transpose of `Conv3d`: x [N, C, D, H, W] → volumes that are `stride` times as large. Errors as `Conv3d`.
 * @example
 * new nn.ConvTranspose3d(4, 2, 2, { stride: 2 })(randn(1, 4, 2, 4, 4)).shape // [1, 2, 4, 8, 8]
 */
export class ConvTranspose3d extends TransposedConvolution {
  constructor(options: ConvSizes & ConvTransposeSettings);
  constructor(inChannels: number, outChannels: number, options: Pick<ConvSizes, 'kernelSize'> & ConvTransposeSettings);
  constructor(inChannels: number, outChannels: number, kernelSize: Size, ...rest: ConvTransposeArguments);
  constructor(...args: readonly unknown[]) {
    super('ConvTranspose3d', 3, F.convTranspose3d, args);
  }
}
