// Padding as modules: [N, C, …] or [C, …]; `padding` is one number for all sides, or [left, right, top, bottom, front, back].
import { type Tensor, wrongArgument } from '../tensor/index.ts';
import { Module } from './module.ts';
import { python } from './module-text.ts';
import { type PadMode, pad } from './padding.ts';
import { settle } from './settings.ts';

abstract class Padding extends Module {
  /** The padding before and after each dim, from the last dim to the first. */
  readonly padding: readonly number[];
  readonly #mode: PadMode;
  constructor(n: number, mode: PadMode, padding: number | readonly number[]) {
    super();
    const list = typeof padding === 'number' ? new Array<number>(2 * n).fill(padding) : padding;
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
  constructor(n: number, padding: number | readonly number[], value: number) {
    super(n, 'constant', padding);
    this.#value = value;
  }
  protected override get value(): number {
    return this.#value;
  }
  protected override extraRepr(): string {
    return `padding=${python(this.padding)}, value=${python(this.#value)}`;
  }
}

/** The input mirrored at its edges, around 1 spatial dim. @throws {WRONG_ARGUMENT} */
export class ReflectionPad1d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(1, 'reflect', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** The edges of the input repeated, around 1 spatial dim. @throws {WRONG_ARGUMENT} */
export class ReplicationPad1d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(1, 'replicate', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** The input continued from its other end, around 1 spatial dim. @throws {WRONG_ARGUMENT} */
export class CircularPad1d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(1, 'circular', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** Zeros, around 1 spatial dim. @throws {WRONG_ARGUMENT} */
export class ZeroPad1d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(1, 'constant', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** A value around 1 spatial dim. @throws {WRONG_ARGUMENT} */
export class ConstantPad1d extends ConstantPad {
  constructor(padding: number | readonly number[], value: number, ...rest: []) {
    super(1, padding, value);
    settle(this.constructor.name, [], rest);
  }
}

/** The input mirrored at its edges, around 2 spatial dims. @throws {WRONG_ARGUMENT} */
export class ReflectionPad2d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(2, 'reflect', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** The edges of the input repeated, around 2 spatial dims. @throws {WRONG_ARGUMENT} */
export class ReplicationPad2d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(2, 'replicate', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** The input continued from its other end, around 2 spatial dims. @throws {WRONG_ARGUMENT} */
export class CircularPad2d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(2, 'circular', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** Zeros, around 2 spatial dims. @throws {WRONG_ARGUMENT} */
export class ZeroPad2d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(2, 'constant', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** A value around 2 spatial dims. @throws {WRONG_ARGUMENT} */
export class ConstantPad2d extends ConstantPad {
  constructor(padding: number | readonly number[], value: number, ...rest: []) {
    super(2, padding, value);
    settle(this.constructor.name, [], rest);
  }
}

/** The input mirrored at its edges, around 3 spatial dims. @throws {WRONG_ARGUMENT} */
export class ReflectionPad3d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(3, 'reflect', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** The edges of the input repeated, around 3 spatial dims. @throws {WRONG_ARGUMENT} */
export class ReplicationPad3d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(3, 'replicate', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** The input continued from its other end, around 3 spatial dims. @throws {WRONG_ARGUMENT} */
export class CircularPad3d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(3, 'circular', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** Zeros, around 3 spatial dims. @throws {WRONG_ARGUMENT} */
export class ZeroPad3d extends Padding {
  constructor(padding: number | readonly number[], ...rest: []) {
    super(3, 'constant', padding);
    settle(this.constructor.name, [], rest);
  }
}

/** A value around 3 spatial dims. @throws {WRONG_ARGUMENT} */
export class ConstantPad3d extends ConstantPad {
  constructor(padding: number | readonly number[], value: number, ...rest: []) {
    super(3, padding, value);
    settle(this.constructor.name, [], rest);
  }
}
