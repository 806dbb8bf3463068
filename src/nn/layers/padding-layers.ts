// Padding as modules: [N, C, …] or [C, …]; `padding` is one number for all sides, or [left, right, top, bottom, front, back].
import { type Tensor, wrongArgument } from '../../tensor/index.ts';
import { requiredFirst, settle } from '../../tensor/settings.ts';
import { type PadMode, pad } from '../functional/padding.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';

type PaddingSize = number | readonly number[];
/** The argument of padding layers, by position or by name. */
export type PaddingArguments = [padding: PaddingSize] | [options: { readonly padding: PaddingSize }];
/** The arguments of constant padding layers, by position or by name. */
export type ConstantPaddingArguments =
  | [padding: PaddingSize, value: number | { readonly value: number }]
  | [options: { readonly padding: PaddingSize; readonly value: number }];

abstract class Padding extends Module {
  /** The padding before and after each dim, from the last dim to the first. */
  readonly padding: readonly number[];
  readonly #mode: PadMode;
  constructor(n: number, mode: PadMode, args: readonly unknown[]) {
    super();
    const [padding, ...rest] = requiredFirst(['padding'], args);
    settle(this.constructor.name, [], rest);
    const list = typeof padding === 'number' ? new Array<number>(2 * n).fill(padding) : (padding as readonly number[]);
    if (!Array.isArray(list) || list.length !== 2 * n || !list.every(Number.isInteger))
      throw wrongArgument(
        { call: this.constructor.name, argument: 'padding' },
        padding,
        `an integer, or ${2 * n} of them`,
      );
    this.padding = list;
    this.#mode = mode;
  }
  protected get value(): number {
    return 0;
  }
  override forward(x: Tensor): Tensor {
    return pad(x, this.padding, this.#mode, this.value);
  }
  protected override extraRepr(): string {
    return python(this.padding);
  }
}
abstract class ConstantPad extends Padding {
  readonly #value: number;
  constructor(n: number, args: readonly unknown[]) {
    const [padding, value, ...rest] = requiredFirst(['padding', 'value'], args);
    super(n, 'constant', [padding, ...rest]);
    if (typeof value !== 'number')
      throw wrongArgument({ call: this.constructor.name, argument: 'value' }, value, 'a number');
    this.#value = value;
  }
  protected override get value(): number {
    return this.#value;
  }
  protected override extraRepr(): string {
    return `padding=${python(this.padding)}, value=${python(this.#value)}`;
  }
}

/**
 * The input mirrored at its edges, around 1 spatial dim.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ReflectionPad1d(2)(tensor([[0, 1, 2, 3]])) // [[2, 1, 0, 1, 2, 3, 2, 1]]
 */
export class ReflectionPad1d extends Padding {
  constructor(...args: PaddingArguments) {
    super(1, 'reflect', args);
  }
}

/**
 * The edges of the input repeated, around 1 spatial dim.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ReplicationPad1d(2)(tensor([[0, 1, 2]])) // [[0, 0, 0, 1, 2, 2, 2]]
 */
export class ReplicationPad1d extends Padding {
  constructor(...args: PaddingArguments) {
    super(1, 'replicate', args);
  }
}

/**
 * The input continued from its other end, around 1 spatial dim.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.CircularPad1d(1)(tensor([[0, 1, 2]])) // [[2, 0, 1, 2, 0]]
 */
export class CircularPad1d extends Padding {
  constructor(...args: PaddingArguments) {
    super(1, 'circular', args);
  }
}

/**
 * Zeros, around 1 spatial dim.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ZeroPad1d([1, 2])(tensor([[5, 6]])) // [[0, 5, 6, 0, 0]]
 */
export class ZeroPad1d extends Padding {
  constructor(...args: PaddingArguments) {
    super(1, 'constant', args);
  }
}

/**
 * A value around 1 spatial dim.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ConstantPad1d(1, 9)(tensor([[5, 6]])) // [[9, 5, 6, 9]]
 */
export class ConstantPad1d extends ConstantPad {
  constructor(...args: ConstantPaddingArguments) {
    super(1, args);
  }
}

/**
 * The input mirrored at its edges, around 2 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ReflectionPad2d(1)(tensor([[[1, 2], [3, 4]]])) // [[[4, 3, 4, 3], [2, 1, 2, 1], [4, 3, 4, 3], [2, 1, 2, 1]]]
 */
export class ReflectionPad2d extends Padding {
  constructor(...args: PaddingArguments) {
    super(2, 'reflect', args);
  }
}

/**
 * The edges of the input repeated, around 2 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ReplicationPad2d([1, 0, 0, 1])(tensor([[[1, 2], [3, 4]]])) // [[[1, 1, 2], [3, 3, 4], [3, 3, 4]]]
 */
export class ReplicationPad2d extends Padding {
  constructor(...args: PaddingArguments) {
    super(2, 'replicate', args);
  }
}

/**
 * The input continued from its other end, around 2 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.CircularPad2d([1, 0, 0, 1])(tensor([[[1, 2], [3, 4]]])) // [[[2, 1, 2], [4, 3, 4], [2, 1, 2]]]
 */
export class CircularPad2d extends Padding {
  constructor(...args: PaddingArguments) {
    super(2, 'circular', args);
  }
}

/**
 * Zeros, around 2 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ZeroPad2d([1, 0, 0, 1])(tensor([[[1, 2], [3, 4]]])) // [[[0, 1, 2], [0, 3, 4], [0, 0, 0]]]
 */
export class ZeroPad2d extends Padding {
  constructor(...args: PaddingArguments) {
    super(2, 'constant', args);
  }
}

/**
 * A value around 2 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ConstantPad2d([1, 0, 0, 1], 9)(tensor([[[1, 2], [3, 4]]])) // [[[9, 1, 2], [9, 3, 4], [9, 9, 9]]]
 */
export class ConstantPad2d extends ConstantPad {
  constructor(...args: ConstantPaddingArguments) {
    super(2, args);
  }
}

/**
 * The input mirrored at its edges, around 3 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ReflectionPad3d(1)(randn(1, 2, 3, 4, 5)).shape // [1, 2, 5, 6, 7]
 */
export class ReflectionPad3d extends Padding {
  constructor(...args: PaddingArguments) {
    super(3, 'reflect', args);
  }
}

/**
 * The edges of the input repeated, around 3 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ReplicationPad3d(1)(randn(1, 2, 3, 4, 5)).shape // [1, 2, 5, 6, 7]
 */
export class ReplicationPad3d extends Padding {
  constructor(...args: PaddingArguments) {
    super(3, 'replicate', args);
  }
}

/**
 * The input continued from its other end, around 3 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.CircularPad3d(1)(randn(1, 2, 3, 4, 5)).shape // [1, 2, 5, 6, 7]
 */
export class CircularPad3d extends Padding {
  constructor(...args: PaddingArguments) {
    super(3, 'circular', args);
  }
}

/**
 * Zeros, around 3 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ZeroPad3d([1, 1, 0, 0, 0, 0])(randn(1, 2, 3, 4, 5)).shape // [1, 2, 3, 4, 7]
 */
export class ZeroPad3d extends Padding {
  constructor(...args: PaddingArguments) {
    super(3, 'constant', args);
  }
}

/**
 * A value around 3 spatial dims.
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.ConstantPad3d(2, 1)(randn(1, 2, 3, 4, 5)).shape // [1, 2, 7, 8, 9]
 */
export class ConstantPad3d extends ConstantPad {
  constructor(...args: ConstantPaddingArguments) {
    super(3, args);
  }
}
