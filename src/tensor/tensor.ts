// The tensor of the user: PyTorch's names and semantics, recorded instead of run. Each method says what is computed;
// how is in `lower/`, when in `device.ts`. In-place methods (their names end in _) bind the tensor to a new value:
// other tensors made from the old one keep it.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { bytesOf } from '../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { isFloat, type TensorType } from '../hlo/types.ts';
import type { NumberFormat, Rounding } from '../numerics/index.ts';
import type { Content } from '../runtime/execution/executable.ts';
import { share } from './cell.ts';
import { checkScalar, checkTarget, checkTensors, isScalar, notATensor, wrongArgument } from './check-arguments.ts';
import type { Device } from './device.ts';
import { type DType, elementTypeOf } from './dtype.ts';
import { gradEnabled } from './grad-mode.ts';
import { userLocation } from './location.ts';
import * as elementwise from './lower/elementwise.ts';
import * as matrix from './lower/matmul.ts';
import * as move from './lower/move.ts';
import { inFull, inWide } from './lower/narrow.ts';
import * as reductions from './lower/reduce.ts';
import { roundTo } from './lower/round-to.ts';
import { randomBits } from './random-bits.ts';
import type { Trace } from './trace.ts';
import { opening, type TensorInit, Traced } from './traced.ts';

/** A tensor, or a JavaScript number that takes the data type of the tensor beside it. */
export type TensorLike = Tensor | number | bigint | boolean;
type Dims = number | readonly number[] | undefined;
type Lowering = (b: Builder, values: readonly Value[], trace: Trace) => Value;

export class Tensor extends Traced {
  declare gradOf: Tensor | undefined;

  protected override make(init: TensorInit): Tensor {
    return new Tensor(init);
  }
  override get grad(): Tensor | undefined {
    return super.grad as Tensor | undefined;
  }
  override set grad(gradient: Tensor | undefined | null) {
    this.setGrad(gradient);
  }

  // arithmetic; both operands broadcast
  add(other: TensorLike): Tensor {
    return binary('add', 'add', this, other);
  }
  sub(other: TensorLike): Tensor {
    return binary('subtract', 'sub', this, other);
  }
  mul(other: TensorLike): Tensor {
    return binary('multiply', 'mul', this, other);
  }
  /** The quotient, always of floats. */
  div(other: TensorLike): Tensor {
    return binary('divide', 'div', this, other, true);
  }
  maximum(other: TensorLike): Tensor {
    return binary('maximum', 'maximum', this, other);
  }
  minimum(other: TensorLike): Tensor {
    return binary('minimum', 'minimum', this, other);
  }
  pow(exponent: TensorLike): Tensor {
    return combine('pow', [this, exponent], (b, [x, y]) => elementwise.power(b, x!, y!));
  }
  floorDivide(other: TensorLike): Tensor {
    return combine('floorDivide', [this, other], (b, [x, y]) => elementwise.floorDivide(b, x!, y!));
  }
  remainder(other: TensorLike): Tensor {
    return combine('remainder', [this, other], (b, [x, y]) => elementwise.remainder(b, x!, y!));
  }
  clamp(min: number = -Infinity, max: number = Infinity): Tensor {
    checkScalar('clamp', min);
    checkScalar('clamp', max);
    return record('clamp', [this], (b, [x]) => b.minimum(b.maximum(x!, b.like(x!, min)), b.like(x!, max)));
  }

  // comparisons give i1
  eq(other: TensorLike): Tensor {
    return compare('EQ', 'eq', this, other);
  }
  ne(other: TensorLike): Tensor {
    return compare('NE', 'ne', this, other);
  }
  lt(other: TensorLike): Tensor {
    return compare('LT', 'lt', this, other);
  }
  le(other: TensorLike): Tensor {
    return compare('LE', 'le', this, other);
  }
  gt(other: TensorLike): Tensor {
    return compare('GT', 'gt', this, other);
  }
  ge(other: TensorLike): Tensor {
    return compare('GE', 'ge', this, other);
  }
  logicalAnd(other: Tensor): Tensor {
    return record('logicalAnd', [this.to('i1'), other.to('i1')], (b, [x, y]) =>
      elementwise.binary(b, 'and', 'logicalAnd', x!, y!),
    );
  }
  logicalOr(other: Tensor): Tensor {
    return record('logicalOr', [this.to('i1'), other.to('i1')], (b, [x, y]) =>
      elementwise.binary(b, 'or', 'logicalOr', x!, y!),
    );
  }
  logicalNot(): Tensor {
    return record('logicalNot', [this], (b, [x]) => b.unary('not', b.convert(x!, 'i1')));
  }
  /** This where the condition holds, `other` elsewhere. */
  where(condition: Tensor, other: TensorLike): Tensor {
    checkTensors('where', { 'the condition': condition });
    return combine('where', [condition, this, other], (b, [c, x, y]) => elementwise.where(b, c as Value, x!, y!));
  }
  maskedFill(mask: Tensor, value: number): Tensor {
    checkScalar('maskedFill', value);
    return record('maskedFill', [mask, this], (b, [m, x]) => elementwise.where(b, m!, value, x!));
  }

  // elementwise functions
  neg(): Tensor {
    return record('neg', [this], (b, [x]) => b.negate(x!));
  }
  abs(): Tensor {
    return record('abs', [this], (b, [x]) => b.unary('abs', x!));
  }
  sign(): Tensor {
    return record('sign', [this], (b, [x]) => b.unary('sign', x!));
  }
  exp(): Tensor {
    return unary('exponential', 'exp', this);
  }
  expm1(): Tensor {
    return unary('exponential_minus_one', 'expm1', this);
  }
  log(): Tensor {
    return unary('log', 'log', this);
  }
  log1p(): Tensor {
    return unary('log_plus_one', 'log1p', this);
  }
  sqrt(): Tensor {
    return unary('sqrt', 'sqrt', this);
  }
  rsqrt(): Tensor {
    return unary('rsqrt', 'rsqrt', this);
  }
  sin(): Tensor {
    return unary('sine', 'sin', this);
  }
  cos(): Tensor {
    return unary('cosine', 'cos', this);
  }
  tanh(): Tensor {
    return unary('tanh', 'tanh', this);
  }
  sigmoid(): Tensor {
    return unary('logistic', 'sigmoid', this);
  }
  erf(): Tensor {
    return unary('chlo.erf', 'erf', this);
  }
  floor(): Tensor {
    return unary('floor', 'floor', this);
  }
  ceil(): Tensor {
    return unary('ceil', 'ceil', this);
  }
  /** To the nearest whole number, halves to the even one. */
  round(): Tensor {
    return unary('round_nearest_even', 'round', this);
  }
  square(): Tensor {
    return record('square', [this], (b, [x]) => b.multiply(x!, x!));
  }
  reciprocal(): Tensor {
    return record('reciprocal', [this], (b, [x]) => elementwise.binary(b, 'divide', 'reciprocal', 1, x!, true));
  }
  relu(): Tensor {
    return record('relu', [this], (b, [x]) => elementwise.relu(b, x!));
  }
  /** x · Φ(x); 'tanh' for the approximation. */
  gelu(approximate: 'none' | 'tanh' = 'none'): Tensor {
    return record('gelu', [this], (b, [x]) =>
      (approximate === 'tanh' ? elementwise.geluTanh : elementwise.geluErf)(b, elementwise.toFloat(b, x!)),
    );
  }

  // reductions; without a dim, over all of them
  sum(dim?: Dims, keepDim = false): Tensor {
    return record('sum', [this], (b, [x]) => reductions.sum(b, x!, dim, keepDim));
  }
  mean(dim?: Dims, keepDim = false): Tensor {
    return record('mean', [this], (b, [x]) => reductions.mean(b, x!, dim, keepDim));
  }
  /** Variance, with `correction` taken off the count. */
  var(dim?: Dims, correction = 1, keepDim = false): Tensor {
    return record('var', [this], (b, [x]) => reductions.variance(b, x!, dim, keepDim, correction));
  }
  std(dim?: Dims, correction = 1, keepDim = false): Tensor {
    return this.var(dim, correction, keepDim).sqrt();
  }
  /** The largest element over dims (PyTorch's `amax`); see `argmax` for where it is. */
  max(dim?: Dims, keepDim = false): Tensor {
    return record('max', [this], (b, [x]) => reductions.extreme(b, 'maximum', x!, dim, keepDim));
  }
  min(dim?: Dims, keepDim = false): Tensor {
    return record('min', [this], (b, [x]) => reductions.extreme(b, 'minimum', x!, dim, keepDim));
  }
  /** The place of the first largest element, as i32; without a dim, in the flattened tensor. */
  argmax(dim?: number, keepDim = false): Tensor {
    return record('argmax', [this], (b, [x]) => reductions.argExtreme(b, 'maximum', x!, dim, keepDim));
  }
  argmin(dim?: number, keepDim = false): Tensor {
    return record('argmin', [this], (b, [x]) => reductions.argExtreme(b, 'minimum', x!, dim, keepDim));
  }
  all(dim?: Dims, keepDim = false): Tensor {
    return record('all', [this], (b, [x]) => reductions.logical(b, 'and', x!, dim, keepDim));
  }
  any(dim?: Dims, keepDim = false): Tensor {
    return record('any', [this], (b, [x]) => reductions.logical(b, 'or', x!, dim, keepDim));
  }
  /** The Euclidean norm of all elements. */
  norm(): Tensor {
    return record('norm', [this], (b, [x]) => inFull(b, x!, w => b.unary('sqrt', b.sum(b.multiply(w, w)))));
  }
  softmax(dim: number): Tensor {
    return record('softmax', [this], (b, [x], t) => reductions.softmax(b, x!, dim, v => t.stopped.add(v)));
  }
  logSoftmax(dim: number): Tensor {
    return record('logSoftmax', [this], (b, [x], t) => reductions.logSoftmax(b, x!, dim, v => t.stopped.add(v)));
  }

  // products
  /** The matrix product over the last dim of this and the last but one of `other`; leading dims broadcast. */
  matmul(other: Tensor): Tensor {
    return record('matmul', [this, other], (b, [x, y]) => matrix.matmul(b, x!, y!));
  }

  // shape
  /** The same elements in another shape; one size may be -1. */
  reshape(...shape: readonly number[] | readonly [readonly number[]]): Tensor {
    return record('reshape', [this], (b, [x]) => move.reshape(b, x!, sizes(shape)));
  }
  view(...shape: readonly number[] | readonly [readonly number[]]): Tensor {
    return this.reshape(...shape);
  }
  flatten(from = 0, to = -1): Tensor {
    return record('flatten', [this], (b, [x]) => move.flatten(b, x!, from, to));
  }
  transpose(dim0: number, dim1: number): Tensor {
    return record('transpose', [this], (b, [x]) => move.transpose(b, x!, dim0, dim1));
  }
  /** The transpose of a matrix. */
  t(): Tensor {
    return this.transpose(-2, -1);
  }
  permute(...dims: readonly number[] | readonly [readonly number[]]): Tensor {
    return record('permute', [this], (b, [x]) => move.permute(b, x!, sizes(dims)));
  }
  unsqueeze(dim: number): Tensor {
    return record('unsqueeze', [this], (b, [x]) => move.unsqueeze(b, x!, dim));
  }
  squeeze(dim?: number): Tensor {
    return record('squeeze', [this], (b, [x]) => move.squeeze(b, x!, dim));
  }
  /** Repeats dims of size 1, and new leading ones; -1 keeps a size. */
  expand(...shape: readonly number[] | readonly [readonly number[]]): Tensor {
    return record('expand', [this], (b, [x]) => move.expand(b, x!, sizes(shape)));
  }
  expandAs(other: Tensor): Tensor {
    return this.expand(other.shape);
  }
  contiguous(): Tensor {
    return this;
  }

  // parts
  narrow(dim: number, start: number, length: number): Tensor {
    return record('narrow', [this], (b, [x]) => move.narrow(b, x!, dim, start, length));
  }
  /** Elements start ≤ i < end along `dim`, each step-th, as Python's slices have it. */
  slice(dim: number, start = 0, end = Number.MAX_SAFE_INTEGER, step = 1): Tensor {
    return record('slice', [this], (b, [x]) => move.slice(b, x!, dim, start, end, step));
  }
  /** The entry `index` of `dim`, without that dim. */
  select(dim: number, index: number): Tensor {
    return record('select', [this], (b, [x]) => move.select(b, x!, dim, index));
  }
  indexSelect(dim: number, index: Tensor): Tensor {
    return record('indexSelect', [this, index], (b, [x, i]) => move.indexSelect(b, 'indexSelect', x!, dim, i!));
  }
  gather(dim: number, index: Tensor): Tensor {
    return record('gather', [this, index], (b, [x, i]) => move.gather(b, x!, dim, i!));
  }
  split(size: number, dim = 0): Tensor[] {
    const total = this.size(dim);
    return Array.from({ length: Math.ceil(total / size) }, (_, i) =>
      this.narrow(dim, i * size, Math.min(size, total - i * size)),
    );
  }
  chunk(count: number, dim = 0): Tensor[] {
    return this.split(Math.ceil(this.size(dim) / count), dim);
  }
  tril(diagonal = 0): Tensor {
    return record('tril', [this], (b, [x]) => move.triangle(b, x!, true, diagonal));
  }
  triu(diagonal = 0): Tensor {
    return record('triu', [this], (b, [x]) => move.triangle(b, x!, false, diagonal));
  }

  // data type, device, gradient
  /** This tensor in another data type, or (a copy of its elements, without history) on another device. */
  to(target: DType | Device): Tensor {
    checkTarget('tensor.to', target);
    if (typeof target !== 'string') return this.#toDevice(target);
    const type = elementTypeOf(target);
    return type === this.dtype
      ? this
      : record('to', [this], (b, [x]) => (type === 'i1' ? b.compare('NE', x!, b.like(x!, 0)) : b.convert(x!, type)));
  }
  /**
   * This tensor's numbers as a format has them (`cfp8({ exponentBits: 4, bias: 11 })`, `numberFormat('i8')`), stored as they
   * were: what a computation in that format would start from. Rounds as the device does unless told. Gradients pass as
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
        return b.convert(roundTo(b, b.convert(x!, 'f32'), format, bits), this.dtype);
      },
      { differentiable: false },
    );
    if (!this.requiresGrad) return rounded;
    // zeros, but with this tensor's gradient
    const passed = this.sub(this.detach());
    return rounded.add(passed.where(passed.eq(0), 0));
  }
  float(): Tensor {
    return this.to('f32');
  }
  bfloat16(): Tensor {
    return this.to('bf16');
  }
  half(): Tensor {
    return this.to('f16');
  }
  long(): Tensor {
    return this.to('i64');
  }
  int(): Tensor {
    return this.to('i32');
  }
  bool(): Tensor {
    return this.to('i1');
  }
  #toDevice(device: Device): Tensor {
    if (device === this.device) return this;
    const copy = uploadTo(device, this.type, bytesOf(this.literal()), 'to');
    copy.requiresGrad = this.requiresGrad && this.leaf;
    return copy;
  }

  /** The same elements, through which no gradient flows: a snapshot, as PyTorch's `detach().clone()`. */
  detach(): Tensor {
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
  /** A copy that gradients flow through. */
  clone(): Tensor {
    return record('clone', [this], (b, [x]) => b.reshape(x!, this.shape));
  }

  // in place
  add_(other: TensorLike): this {
    return this.assign_(this.add(other));
  }
  sub_(other: TensorLike): this {
    return this.assign_(this.sub(other));
  }
  mul_(other: TensorLike): this {
    return this.assign_(this.mul(other));
  }
  div_(other: TensorLike): this {
    return this.assign_(this.div(other));
  }
  zero_(): this {
    return this.fill_(0);
  }
  fill_(value: number): this {
    checkScalar('fill_', value);
    return this.assign_(record('fill_', [this], (b, [x]) => b.like(x!, value), { differentiable: false }));
  }
}

const sizes = (list: readonly number[] | readonly [readonly number[]]): readonly number[] =>
  (Array.isArray(list[0]) ? list[0] : list) as readonly number[];

/** @internal A leaf with these elements. */
export function uploadTo(device: Device, type: TensorType, content: Content, op: string): Tensor {
  return new Tensor({ device, type, op, buffer: device.backend.upload(type, content), location: userLocation() });
}

/**
 * Records one call on tensors: `lower` appends the ops that compute it and returns the result. Everything the user can
 * do to tensors goes through here; layers with several ops use it too, which spares them the tensors in between.
 */
export function record(
  op: string,
  inputs: readonly Tensor[],
  lower: Lowering,
  options: { differentiable?: boolean; device?: Device } = {},
): Tensor {
  if (!Array.isArray(inputs)) throw wrongArgument({ call: op, argument: 'the list' }, inputs, 'an array of tensors');
  for (const input of inputs)
    if (!(input instanceof Tensor)) throw notATensor({ call: op, argument: 'an operand' }, input);
  const device = options.device ?? inputs[0]?.device;
  if (device === undefined) throw new TrenioError('NO_TENSORS', { op }, { location: userLocation() });
  const { trace, builder } = opening(device);
  const location = userLocation();
  let needsGrad = false;
  const values: Value[] = [];
  for (const input of inputs) {
    if (input.device !== device)
      throw new TrenioError('DEVICE_MISMATCH', { op, left: String(device), right: String(input.device) }, { location });
    values.push(device.valueOf(input));
    needsGrad ||= input.requiresGrad;
  }
  builder.location = location;
  let value = lower(builder, values, trace);
  const type = tensorTypeOf(value);
  const requiresGrad = needsGrad && gradEnabled() && options.differentiable !== false && isFloat(type.elementType);
  if (needsGrad && !requiresGrad && isFloat(type.elementType)) {
    if (values.includes(value)) value = builder.reshape(value, shapeOf(value));
    trace.stopped.add(value);
  }
  for (const input of inputs) trace.used(input);
  const result = new Tensor({ device, type, op, value, trace, location, requiresGrad, leaf: !requiresGrad });
  trace.made(result);
  device.computed(result);
  return result;
}

/** `record` where operands may be JavaScript numbers; at least one is a tensor. */
export function combine(
  op: string,
  operands: readonly TensorLike[],
  lower: (b: Builder, xs: readonly elementwise.Operand[]) => Value,
): Tensor {
  const inputs = operands.filter(x => x instanceof Tensor);
  for (const x of operands)
    if (!(x instanceof Tensor) && !isScalar(x))
      throw notATensor({ call: op, argument: 'an operand' }, x, 'a tensor or a number');
  return record(op, inputs, (b, values) => {
    let next = 0;
    return lower(
      b,
      operands.map(x => (x instanceof Tensor ? values[next++]! : x)),
    );
  });
}
export const binary = (
  name: Parameters<Builder['binary']>[0],
  op: string,
  x: TensorLike,
  y: TensorLike,
  floats = false,
): Tensor => combine(op, [x, y], (b, [p, q]) => elementwise.binary(b, name, op, p!, q!, floats));
export const compare = (
  direction: Parameters<Builder['compare']>[0],
  op: string,
  x: TensorLike,
  y: TensorLike,
): Tensor => combine(op, [x, y], (b, [p, q]) => elementwise.compare(b, direction, op, p!, q!));
const unary = (name: Parameters<Builder['unary']>[0], op: string, x: Tensor): Tensor =>
  record(op, [x], (b, [v]) => inWide(b, elementwise.toFloat(b, v!), wide => b.unary(name, wide)));
