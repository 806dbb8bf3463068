// The public tensor: PyTorch's names and semantics, recorded instead of run. Methods define what is computed, `lower/` how,
// and `device.ts` when. In-place methods (their names end in _) bind the tensor to a new value: values computed from the old one
// keep it, and tensors that share its elements change with it (`views/`).
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { bytesOf, type LiteralData, literal } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';
import { isFloat, sameShape, type TensorType, tensorType } from '../hlo/types.ts';
import type { NumberFormat, Rounding } from '../numerics/index.ts';
import type { Content } from '../runtime/execution/executable.ts';
import { addAbsentNames } from './absent/absent-names.ts';
import { checkTensors, wrongArgument } from './check-arguments.ts';
import { converted } from './convert.ts';
import type { Device } from './device.ts';
import { type DeviceName, device as defaultDevice, targetOf } from './devices.ts';
import { TensorMethods } from './generated/methods.ts';
import type { IscloseOptions } from './generated/options.ts';
import { type Making, readAt, writeAt } from './indexing/at.ts';
import type { Index } from './indexing/index-spec.ts';
import { nonzeroIndices } from './indexing/nonzero.ts';
import { userLocation } from './location.ts';
import * as move from './lower/move.ts';
import { roundTo } from './lower/round-to.ts';
import { formatShape } from './lower/shapes.ts';
import { isLoss, markLoss } from './observed.ts';
import type { Generator } from './random/generator.ts';
import { randomBits } from './random/random-bits.ts';
import { type RecordOptions, record as recordTraced } from './record.ts';
import type { Trace } from './step/trace.ts';
import { call, changeInPlace, checkOptionNames } from './surface/call.ts';
import { binaryRows } from './surface/rows/binary.ts';
import type { TensorInit } from './tensor-core.ts';
import { share } from './tensor-impl.ts';
import { type DType, elementTypeOf } from './types/dtype.ts';
import { literalFrom, type NestedNumbers } from './types/host-data.ts';
import { isContiguous, layoutOf, shareDetached, shareState } from './views/view.ts';

/** A tensor, or a JavaScript number that takes the data type of the other operand. */
export type TensorLike = Tensor | number | bigint | boolean;

/**
 * An array of numbers with a shape and a data type. Ops on it are recorded and run when a value is read. Methods have PyTorch's
 * names in camelCase.
 *
 * @example
 * const x = tensor([[1, 2], [3, 4]], { requiresGrad: true });
 * x.square().sum().backward();
 * x.grad // [[2, 4], [6, 8]]
 */
export class Tensor extends TensorMethods<Tensor> {
  declare gradOf: Tensor | undefined;

  /** The same as `tensor(data)`, in float32. PyTorch: `torch.Tensor`. @throws {BAD_TENSOR_DATA} @throws {WRONG_ARGUMENT} */
  constructor(data: readonly NestedNumbers[]);
  /** @internal */
  constructor(init: TensorInit);
  constructor(init: TensorInit | readonly NestedNumbers[]) {
    super(isInit(init) ? init : ofData(init));
  }

  /** @internal */
  override make(init: TensorInit): Tensor {
    return new Tensor(init);
  }
  override get grad(): Tensor | undefined {
    return super.grad as Tensor | undefined;
  }
  override set grad(gradient: Tensor | undefined | null) {
    this.setGrad(gradient);
  }

  // shape
  /** This tensor, or a copy if its elements would not be contiguous in PyTorch's memory. PyTorch: `Tensor.contiguous`. */
  contiguous(): Tensor {
    return isContiguous(this) ? this : this.clone();
  }
  /**
   * Whether the elements would be contiguous in PyTorch's memory: false for a transposed view. PyTorch:
   * `Tensor.is_contiguous`.
   */
  isContiguous(): boolean {
    return isContiguous(this);
  }
  /**
   * The distance, in elements, between adjacent indices of a dim in PyTorch's memory; of all dims if none is given. PyTorch:
   * `Tensor.stride`.
   */
  stride(): readonly number[];
  stride(dim: number): number;
  stride(dim?: number): readonly number[] | number {
    const { strides } = layoutOf(this);
    if (dim === undefined) return strides;
    const stride = strides.at(dim);
    if (stride !== undefined) return stride;
    throw new TrenioError(
      'BAD_DIM',
      { op: 'stride', dim, shape: formatShape(this.shape), rank: this.ndim },
      { location: userLocation() },
    );
  }
  /** The first element of a view in the elements that it shares. PyTorch: `Tensor.storage_offset`. */
  storageOffset(): number {
    return layoutOf(this).offset;
  }
  /** The size of the first dim: Python's `len(x)`. A tensor without dims has none. */
  get length(): number {
    // Undefined instead of an error: code that looks for arrays asks every object for its length.
    return this.shape[0] as number;
  }
  /** The number of dims; `ndim` is the same. PyTorch: `Tensor.dim`. */
  dim(): number {
    return this.ndim;
  }
  /** The number of elements; `numel()` is the same. PyTorch: `Tensor.nelement`. */
  nelement(): number {
    return this.numel();
  }
  /** The dims in reverse order: the transpose of a matrix. PyTorch: `Tensor.T`. */
  get T(): Tensor {
    return this.permute(this.shape.map((_, i) => i).reverse());
  }
  /** The transposes of a batch of matrices: the last two dims swapped. PyTorch: `Tensor.mT`. */
  get mT(): Tensor {
    return this.transpose(-2, -1);
  }

  /** The conjugate transposes of a batch of matrices. PyTorch: `Tensor.mH`. */
  get mH(): Tensor {
    return this.adjoint();
  }
  /** The conjugate transpose of a matrix. PyTorch: `Tensor.H`. */
  get H(): Tensor {
    return this.adjoint();
  }

  // parts
  /** The parts along the first dim: `for (const row of x)`. A tensor without dims is not iterable, as in PyTorch. */
  get [Symbol.iterator](): () => IterableIterator<Tensor> {
    // A getter: code that asks whether something is iterable, such as test runners comparing values, gets the true answer.
    return this.ndim === 0 ? (undefined as never) : this.#parts;
  }
  *#parts(): IterableIterator<Tensor> {
    for (let i = 0; i < this.shape[0]!; i++) yield this.select(0, i);
  }
  /** Elements start ≤ i < end along `dim`, every step-th, as in Python's slices. */
  slice(dim: number, start = 0, end = Number.MAX_SAFE_INTEGER, step = 1): Tensor {
    return record('slice', [this], (b, [x]) => move.slice(b, x!, dim, start, end, step), { view: 'view' });
  }
  /**
   * The part that an index names, as `x[…]` in PyTorch. Numbers, slices and new dims give a view; index tensors and masks a copy.
   *
   *     x.at(0, slice(1, 5), null) // x[0, 1:5, None]
   *     x.at('...', '::2') // x[..., ::2]
   *     x.at(rows, columns) // x[rows, columns], with index tensors or arrays
   *     x.at(x.gt(0)) // x[x > 0]
   *
   * A mask is read when this is called, because the shape of the result depends on it.
   * @throws {BAD_INDEX}
   * @throws {OUT_OF_RANGE} for a number that is out of range
   */
  at(...index: readonly Index[]): Tensor {
    return readAt(this, index, making(this.device));
  }
  /**
   * Writes a number, or a tensor that is broadcast, to the elements selected by an index, like `x[…] = value` in PyTorch. If an
   * element gets several values, the last one wins.
   *
   *     x.setAt([0, '1:5'], 0) // x[0, 1:5] = 0
   *     x.setAt([x.lt(0)], 0) // x[x < 0] = 0
   * @throws {BAD_INDEX}
   * @throws {SHAPE_MISMATCH}
   * @throws {LEAF_CHANGED} for a leaf that requires a gradient, outside noGrad
   */
  setAt(index: readonly Index[], value: TensorLike): this {
    return writeAt('setAt', this, index, value, making(this.device));
  }
  /**
   * Writes values at index tensors, one for each of the first dims; adds them with `accumulate`. PyTorch: `Tensor.index_put_`.
   *
   *     x.indexPut_([rows, columns], values, { accumulate: true })
   * @throws {BAD_INDEX}
   * @throws {SHAPE_MISMATCH}
   */
  indexPut_(
    indices: readonly Index[],
    values: TensorLike,
    options: { readonly accumulate?: boolean } | boolean = {},
  ): this {
    if (typeof options === 'object') checkOptionNames('indexPut_', options, ['accumulate']);
    const { accumulate = false } = typeof options === 'boolean' ? { accumulate: options } : options;
    return writeAt('indexPut_', this, indices, values, making(this.device), accumulate);
  }
  /** `indexPut_` of a copy. PyTorch: `Tensor.index_put`. @throws {BAD_INDEX} @throws {SHAPE_MISMATCH} */
  indexPut(
    indices: readonly Index[],
    values: TensorLike,
    options: { readonly accumulate?: boolean } | boolean = {},
  ): Tensor {
    return this.clone().indexPut_(indices, values, options);
  }
  /**
   * The elements where a mask (broadcast) is true, in one dim. The mask is read when this is called, because the shape of the
   * result depends on it. PyTorch: `Tensor.masked_select`.
   *
   *     x.maskedSelect(x.gt(0)) // as x.at(x.gt(0))
   * @throws {SHAPE_MISMATCH}
   */
  maskedSelect(mask: Tensor): Tensor {
    checkTensors('maskedSelect', { mask });
    const shape = this.logicalAnd(mask).shape;
    return this.expand(shape).at(mask.to('i1').expand(shape));
  }
  /**
   * Where elements are not zero: a row of indices for each, int64 [n, dims], in row-major order; with `asTuple`, an index
   * tensor for each dim. The tensor is read when this is called, because the shape of the result depends on it. PyTorch:
   * `Tensor.nonzero`.
   *
   *     tensor([0, 3, 4]).nonzero() // [[1], [2]]
   */
  nonzero(options: { readonly asTuple: true }): Tensor[];
  nonzero(options?: { readonly asTuple?: false }): Tensor;
  nonzero(options: { readonly asTuple?: boolean } = {}): Tensor | Tensor[] {
    checkOptionNames('nonzero', options, ['asTuple']);
    const { device, ndim } = this;
    const indices = nonzeroIndices(this.literal());
    const count = indices[0]?.length ?? (this.bool().item() ? 1 : 0);
    if (options.asTuple === true) return indices.map(indicesOn(device));
    const rows = BigInt64Array.from({ length: count * ndim }, (_, i) => indices[i % ndim]![Math.floor(i / ndim)]!);
    return uploadTo(
      device,
      tensorType('i64', [count, ndim]),
      bytesOf({ type: tensorType('i64', [count, ndim]), data: rows }),
      'nonzero',
    );
  }
  /** `nonzero()`. PyTorch: `Tensor.argwhere`. */
  argwhere(): Tensor {
    return this.nonzero();
  }
  /** Writes `source` at indices into the flattened tensor. PyTorch: `Tensor.put_`. @throws {BAD_INDEX} @throws {SHAPE_MISMATCH} */
  put_(index: Tensor, source: Tensor, options: { readonly accumulate?: boolean } = {}): this {
    checkTensors('put_', { index, source });
    this.view(-1).indexPut_([index.flatten()], source.flatten(), options);
    return this;
  }

  // data type, device, gradient
  /** This tensor in another data type, or (a copy of its elements, without history) on another device. */
  to(target: DType | Device | DeviceName): Tensor {
    const to = targetOf('tensor.to', target);
    return typeof to === 'string' ? converted(this as Tensor, elementTypeOf(to)) : this.#toDevice(to);
  }
  /**
   * This tensor's numbers rounded to a format (`cfp8({ exponentBits: 4, bias: 11 })`, `numberFormat('i8')`), stored in its own
   * type: the inputs of a computation in that format. Uses the device's rounding mode by default. Gradients pass as
   * if nothing had been rounded (straight-through, Bengio et al., 2013).
   */
  roundTo(format: NumberFormat, options: { readonly rounding?: Rounding } = {}): Tensor {
    const { device } = this;
    const rounding = options.rounding ?? device.precision.rounding.mode;
    if (rounding !== 'nearest-even' && rounding !== 'stochastic')
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'roundTo', option: 'rounding', got: String(rounding), expected: 'nearest-even or stochastic' },
        { location: userLocation() },
      );
    const rounded = record(
      'roundTo',
      [this],
      (b, [x]) => {
        const bits = rounding === 'stochastic' ? randomBits(b, device.trace, device, this.shape) : undefined;
        return b.convert(roundTo(b, b.convert(x!, 'f32'), format, bits), this.type.elementType);
      },
      { differentiable: false },
    );
    if (!this.requiresGrad) return rounded;
    // zeros with this tensor's gradient
    const passed = this.sub(this.detach());
    return rounded.add(passed.where(passed.eq(0), 0));
  }
  /** Whether the data type is a floating-point one. PyTorch: `Tensor.is_floating_point`. */
  isFloatingPoint(): boolean {
    return isFloat(this.type.elementType);
  }
  /** Whether the elements are complex numbers. PyTorch: `Tensor.is_complex`. */
  isComplex(): boolean {
    return this.dtype.startsWith('complex');
  }
  /** This tensor: elements can be read from any device. PyTorch: `Tensor.cpu`. */
  cpu(): Tensor {
    return this;
  }
  /** The elements in a typed array, row by row, as `data`. PyTorch: `Tensor.numpy`. @throws {TENSOR_RELEASED} */
  numpy(): LiteralData {
    return this.data;
  }
  /**
   * The elements as nested arrays, as `toArray()`. A type may be given: `x.tolist<number[]>()`. PyTorch: `Tensor.tolist`.
   * @throws {TENSOR_RELEASED}
   */
  tolist<T extends NestedNumbers = NestedNumbers>(): T {
    return this.toArray() as T;
  }
  /** Whether both have the same shape and elements; reads them. PyTorch: `Tensor.equal`. @throws {WRONG_ARGUMENT} */
  equal(other: Tensor): boolean {
    checkTensors('equal', { other });
    return sameShape(this.shape, other.shape) && this.eq(other).all().item<boolean>();
  }
  /**
   * Whether all elements are nearly equal (see `isclose`); reads them. PyTorch: `Tensor.allclose`.
   * @throws {SHAPE_MISMATCH}
   */
  allclose(other: Tensor, rtol?: number | IscloseOptions, atol?: number | IscloseOptions, equalNan?: boolean): boolean {
    return (call(binaryRows.isclose, this, [other, rtol, atol, equalNan]) as Tensor).all().item<boolean>();
  }

  #toDevice(device: Device): Tensor {
    if (device === this.device) return this;
    const copy = uploadTo(device, this.type, bytesOf(this.literal()), 'to');
    copy.requiresGrad = this.requiresGrad && this.leaf;
    return copy;
  }

  /** The same elements, through which no gradient flows. Changing them in place changes this tensor too. */
  detach(): Tensor {
    const detached = this.snapshot();
    if (isLoss(this)) markLoss(detached);
    shareDetached(this, detached);
    return detached;
  }
  /** @internal A tensor of a state dict, which shows the elements of this one and has no gradient. */
  inState(): Tensor {
    const { device, type, location } = this;
    const state = new Tensor({ device, type, op: 'stateDict', location });
    shareState(this, state);
    return state;
  }
  /** @internal A copy of the current elements, through which no gradient flows: PyTorch's `detach().clone()`. */
  snapshot(): Tensor {
    if (!this.requiresGrad && this.buffer !== undefined) {
      share(this.buffer);
      return new Tensor({
        device: this.device,
        type: this.type,
        op: 'detach',
        buffer: this.buffer,
        location: userLocation(),
      });
    }
    return record('detach', [this], (b, [x]) => b.reshape(x!, this.shape), { differentiable: false });
  }

  // in place
  /** Sets each element to 1 with this probability, or those of a tensor, else to 0. PyTorch: `Tensor.bernoulli_`. @throws {BAD_DTYPE} */
  bernoulli_(p: number | Tensor = 0.5, options: { readonly generator?: Generator } = {}): this {
    return changeInPlace('bernoulli_', this, this.bernoulli(p, options));
  }
  /** Sets every element to 0. PyTorch: `Tensor.zero_`. */
  zero_(): this {
    return this.fill_(0);
  }
  /**
   * Copies the elements of another tensor, which is converted to this data type and broadcast to this shape; gradients flow to
   * it. PyTorch: `Tensor.copy_`.
   * @throws {WRONG_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {LEAF_CHANGED}
   */
  copy_(source: Tensor): this {
    checkTensors('copy_', { source });
    return changeInPlace('copy_', this, source.to(this.device).to(this.dtype).expand(this.shape));
  }
}

addAbsentNames(Tensor.prototype);

const isInit = (init: object): init is TensorInit => typeof init === 'object' && init !== null && 'op' in init;
function ofData(data: unknown): TensorInit {
  if (!Array.isArray(data))
    throw wrongArgument(
      { call: 'Tensor', argument: 'the data' },
      data,
      'an array of numbers',
      'use tensor(data), or empty(shape)',
    );
  const { type, data: elements } = literalFrom(data as readonly NestedNumbers[], 'f32', undefined);
  const device = defaultDevice();
  const buffer = device.backend.upload(type, bytesOf({ type, data: elements }));
  return { device, type, op: 'tensor', buffer, location: userLocation() };
}

/** A leaf with these elements. */
export function uploadTo(device: Device, type: TensorType, content: Content, op: string): Tensor {
  return new Tensor({ device, type, op, buffer: device.upload(type, content), location: userLocation() });
}

/** How arrays and masks of an index become tensors. */
const making = (device: Device): Making => ({
  fromArray: (data, dtype) => {
    const type = tensorType(dtype, [data.length]);
    return uploadTo(device, type, bytesOf(literal(dtype, [data.length], data)), 'at');
  },
  fromIndices: indicesOn(device),
});
const indicesOn =
  (device: Device) =>
  (data: BigInt64Array): Tensor => {
    const type = tensorType('i64', [data.length]);
    return uploadTo(device, type, bytesOf({ type, data }), 'at');
  };

/** Records one call on tensors: see `record.ts`. */
export const record: (
  op: string,
  inputs: readonly Tensor[],
  lower: (b: Builder, values: readonly Value[], trace: Trace) => Value,
  options?: RecordOptions,
) => Tensor = recordTraced;
