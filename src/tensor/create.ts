// Making tensors from data on the host: given, constant, counted, or random. All are leaves with memory of their own.
// Random numbers here come from counter-based bits on the host: the same for the same seed, on every rank and device.

import { TrenioError } from '../base/errors.ts';
import { bytesOf, literal, splat } from '../hlo/literal.ts';
import { elementBytes, elementCount, isFloat, type TensorType, tensorType } from '../hlo/types.ts';
import type { Draw, NormalDraw, UniformDraw } from '../numerics/draw.ts';
import { philoxWords } from '../numerics/philox.ts';
import type { Content } from '../runtime/execution/executable.ts';
import { checkDevice, checkScalar, wrongArgument } from './check-arguments.ts';
import type { Device } from './device.ts';
import { device as defaultDevice, manualSeedOf } from './devices.ts';
import { type DType, elementTypeOf } from './dtype.ts';
import { literalFrom, type TensorData } from './host-data.ts';
import { userLocation } from './location.ts';
import { mix64 } from './random.ts';
import { Tensor, uploadTo } from './tensor.ts';

export interface TensorOptions {
  readonly dtype?: DType | undefined;
  readonly device?: Device | undefined;
  readonly requiresGrad?: boolean | undefined;
}
type Shape = readonly number[];

function finish(made: Tensor, options: TensorOptions): Tensor {
  return options.requiresGrad ? made.requiresGrad_() : made;
}

/**
 * A tensor of numbers, nested arrays of numbers, a typed array, or a literal; `shape` gives flat data a shape. Plain numbers
 * become f32, booleans i1, bigints i64; typed arrays keep their type.
 * @throws {BAD_TENSOR_DATA}
 */
export function tensor(data: TensorData | Tensor, options: TensorOptions & { readonly shape?: Shape } = {}): Tensor {
  if (data instanceof Tensor) return data.detach();
  const value = literalFrom(
    data,
    options.dtype === undefined ? undefined : elementTypeOf(options.dtype),
    options.shape,
  );
  return finish(uploadTo(deviceOf('tensor', options), value.type, bytesOf(value), 'tensor'), options);
}

export function full(shape: Shape, value: number | bigint | boolean, options: TensorOptions = {}): Tensor {
  checkScalar('full', value);
  const type = tensorType(
    elementTypeOf(options.dtype ?? (typeof value === 'boolean' ? 'i1' : 'f32')),
    checkedShape('full', shape),
  );
  const content: Content = isZero(type, value) ? { kind: 'zeros' } : bytesOf(splat(type, value));
  return finish(uploadTo(deviceOf('full', options), type, content, 'full'), options);
}
/** Whether every bit is 0: not so of −0, nor in the one type that has no zero. */
const isZero = ({ elementType }: TensorType, value: number | bigint | boolean): boolean =>
  elementType !== 'f8E8M0FNU' && (Object.is(value, 0) || value === 0n || value === false);
export const zeros = (shape: Shape, options: TensorOptions = {}): Tensor => full(shape, 0, options);
export const ones = (shape: Shape, options: TensorOptions = {}): Tensor => full(shape, 1, options);

/** The type, shape and device of another tensor. */
const like = (t: Tensor, options: TensorOptions): TensorOptions => ({ dtype: t.dtype, device: t.device, ...options });
export const zerosLike = (t: Tensor, options: TensorOptions = {}): Tensor => full(t.shape, 0, like(t, options));
export const onesLike = (t: Tensor, options: TensorOptions = {}): Tensor => full(t.shape, 1, like(t, options));
export const fullLike = (t: Tensor, value: number, options: TensorOptions = {}): Tensor =>
  full(t.shape, value, like(t, options));

/** start, start + step, … below end; i32 unless a number is not whole. `arange(n)` counts from 0. */
export function arange(start: number, end?: number, step = 1, options: TensorOptions = {}): Tensor {
  const [from, to] = end === undefined ? [0, start] : [start, end];
  for (const [argument, value] of Object.entries({ start, end: to, step }))
    if (!Number.isFinite(value) || (argument === 'step' && step === 0))
      throw wrongArgument({ call: 'arange', argument }, value, 'a number');
  const count = Math.max(0, Math.ceil((to - from) / step));
  const values = Array.from({ length: count }, (_, i) => from + i * step);
  const dtype = options.dtype ?? (Number.isInteger(from) && Number.isInteger(step) ? 'i32' : 'f32');
  return tensor(literal(elementTypeOf(dtype), [count], values), options);
}
export function linspace(start: number, end: number, count: number, options: TensorOptions = {}): Tensor {
  const values = Array.from({ length: count }, (_, i) =>
    count === 1 ? start : start + ((end - start) * i) / (count - 1),
  );
  return tensor(literal(elementTypeOf(options.dtype ?? 'f32'), [count], values), options);
}
/** The identity matrix. */
export function eye(n: number, m = n, options: TensorOptions = {}): Tensor {
  const values = Array.from({ length: n * m }, (_, i) => (i % m === Math.floor(i / m) ? 1 : 0));
  return tensor(literal(elementTypeOf(options.dtype ?? 'f32'), [n, m], values), options);
}

/** The stream of numbers of a draw from the host's seed; each draw after `manualSeed` is another one. */
function nextStream(): { readonly key: bigint; readonly counter: bigint } {
  const { seed, draw } = manualSeedOf();
  return { key: mix64(BigInt(seed)), counter: BigInt(draw) << 64n };
}

/** The device of some options, or the default one. */
function deviceOf(op: string, { device }: TensorOptions): Device {
  if (device === undefined) return defaultDevice();
  checkDevice({ call: op, argument: 'the device' }, device);
  return device;
}
function checkedShape(op: string, shape: Shape): Shape {
  if (!Array.isArray(shape))
    throw wrongArgument(
      { call: op, argument: 'the shape' },
      shape,
      'an array of sizes',
      `give an array, such as [2, 3]`,
    );
  if (shape.every(d => Number.isInteger(d) && d >= 0)) return shape;
  throw new TrenioError(
    'BAD_TENSOR_DATA',
    { problem: `${op}: [${shape.join(', ')}] is not a shape` },
    { location: userLocation() },
  );
}
type Distribution = Omit<UniformDraw, 'key' | 'counter'> | Omit<NormalDraw, 'key' | 'counter'>;

function random(
  op: string,
  shape: Shape,
  options: TensorOptions,
  distribution: Distribution,
  zeros?: Draw['zeros'],
): Tensor {
  const elementType = elementTypeOf(options.dtype ?? 'f32');
  if (!isFloat(elementType) || elementBytes(elementType) === 1)
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: elementType, expected: 'a floating-point type' },
      { location: userLocation() },
    );
  const type = tensorType(elementType, checkedShape(op, shape));
  const content: Draw = { ...distribution, ...nextStream(), ...(zeros === undefined ? {} : { zeros }) };
  return finish(uploadTo(deviceOf(op, options), type, content, op), options);
}

/** Uniform in [low, high). */
export const uniform = (shape: Shape, low = 0, high = 1, options: TensorOptions = {}): Tensor =>
  random('uniform', shape, options, { kind: 'uniform', low, high });
export const rand = (shape: Shape, options: TensorOptions = {}): Tensor => uniform(shape, 0, 1, options);

/** Normal with this mean and standard deviation, by the quantile of a uniform number. */
export const normal = (shape: Shape, mean = 0, std = 1, options: TensorOptions = {}): Tensor =>
  random('normal', shape, options, { kind: 'normal', mean, std, from: 0, to: 1 });
/** @internal Rows of a table [count, width], normal, but for one row of zeros. */
export const normalTable = (shape: readonly [number, number], mean: number, std: number, zeroRow: number): Tensor =>
  random('normal', shape, {}, { kind: 'normal', mean, std, from: 0, to: 1 }, [zeroRow * shape[1], shape[1]]);
export const randn = (shape: Shape, options: TensorOptions = {}): Tensor => normal(shape, 0, 1, options);

/** Normal, within two standard deviations of the mean: the quantile of what lies between them. */
export function truncatedNormal(shape: Shape, mean = 0, std = 1, options: TensorOptions = {}): Tensor {
  const outside = 0.02275013194817921; // P(X < −2)
  return random('truncatedNormal', shape, options, { kind: 'normal', mean, std, from: outside, to: 1 - outside });
}
/** Whole numbers in [low, high), as i32. */
export function randint(low: number, high: number, shape: Shape, options: TensorOptions = {}): Tensor {
  const { key, counter } = nextStream();
  const bits = philoxWords(key, counter, elementCount(checkedShape('randint', shape)));
  const values = Array.from(bits, word => low + Math.floor((word / 2 ** 32) * (high - low)));
  return tensor(literal(elementTypeOf(options.dtype ?? 'i32'), shape, values), options);
}
