// Parameters and buffers of lazy modules (lazy.ts) before their shape is known. Using one before it has a shape is an error.
import { TrenioError } from '../../base/errors.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import {
  type Device,
  type DType,
  type DTypeName,
  dtypeName,
  elementTypeOf,
  type Tensor,
  userLocation,
  zeros,
} from '../../tensor/index.ts';
import { Parameter, StateBuffer } from './parameter.ts';

/** Options of tensors without a shape. */
export interface UninitializedOptions {
  /** Whether `backward()` collects its gradient. */
  readonly requiresGrad?: boolean;
  /** The data type. */
  readonly dtype?: DType;
  /** The device. */
  readonly device?: Device;
}
const made = ({ dtype, device }: UninitializedOptions): Tensor =>
  zeros([0], { ...(dtype === undefined ? {} : { dtype }), ...(device === undefined ? {} : { device }) });

/** Makes every access to the type of a tensor, and thus to its shape and elements, throw. */
function hideType(x: Parameter): void {
  Object.defineProperty(x, 'type', {
    configurable: true,
    get(): never {
      throw uninitialized('this parameter');
    },
  });
}
/**
 * The error for a tensor without a shape.
 * @example
 * nn.uninitialized('weight').code // 'UNINITIALIZED_PARAMETER'
 */
export const uninitialized = (what: string): TrenioError =>
  new TrenioError('UNINITIALIZED_PARAMETER', { what }, { location: userLocation() });

function giveType(x: Parameter, shape: readonly number[], dtype: DTypeName, prototype: object): void {
  const { device } = x;
  Object.defineProperty(x, 'type', {
    value: tensorType(elementTypeOf(dtype), shape),
    configurable: true,
    enumerable: true,
    writable: true,
  });
  Object.setPrototypeOf(x, prototype);
  x.moveFrom(zeros(shape, { dtype, device }));
}

/**
 * A parameter without a shape, until `materialize`, after which it is a plain `Parameter`.
 *
 *     const weight = new nn.UninitializedParameter();
 *     weight.materialize([8, 2]);
 * @example
 * nn.isUninitialized(new nn.LazyLinear(8).weight) // true
 */
export class UninitializedParameter extends Parameter {
  #dtype: DTypeName;
  constructor(options: UninitializedOptions = {}) {
    const data = made(options);
    super(data, { requiresGrad: options.requiresGrad ?? true });
    this.#dtype = data.dtype;
    hideType(this);
  }
  override get dtype(): DTypeName {
    return this.#dtype;
  }
  /** Initializes it with a shape and zeros. */
  materialize(shape: readonly number[]): void {
    giveType(this, shape, this.#dtype, Parameter.prototype);
  }
  /** @internal */
  override moveTo_(device: Device): void {
    this.device = device;
  }
  /** @internal */
  override castTo_(type: ElementType): void {
    this.#dtype = dtypeName(type);
  }
  /** @internal */
  override toEmpty_(device: Device): void {
    this.device = device;
  }
  override toString(): string {
    return '<UninitializedParameter>';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }
}

/**
 * A buffer without a shape, until `materialize`, after which it is a plain `Buffer`.
 * @example
 * nn.isUninitialized(new nn.LazyBatchNorm1d().running_mean!) // true
 */
export class UninitializedBuffer extends StateBuffer {
  #dtype: DTypeName;
  constructor(options: UninitializedOptions & { readonly persistent?: boolean } = {}) {
    const data = made(options);
    super(data, { persistent: options.persistent ?? true });
    this.#dtype = data.dtype;
    hideType(this);
  }
  override get dtype(): DTypeName {
    return this.#dtype;
  }
  /** Initializes it with a shape and zeros. */
  materialize(shape: readonly number[]): void {
    giveType(this, shape, this.#dtype, StateBuffer.prototype);
  }
  /** @internal */
  override moveTo_(device: Device): void {
    this.device = device;
  }
  /** @internal */
  override castTo_(type: ElementType): void {
    this.#dtype = dtypeName(type);
  }
  /** @internal */
  override toEmpty_(device: Device): void {
    this.device = device;
  }
  override toString(): string {
    return '<UninitializedBuffer>';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }
}

/**
 * Whether it has no shape yet.
 * @example
 * nn.isUninitialized(new nn.LazyLinear(8).weight) // true
 * nn.isUninitialized(new nn.Linear(4, 8).weight) // false
 */
export const isUninitialized = (x: unknown): x is UninitializedParameter | UninitializedBuffer =>
  x instanceof UninitializedParameter || x instanceof UninitializedBuffer;
