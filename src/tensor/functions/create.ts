// Creates tensors from data on the host: given data, constants, ranges, or random numbers. All are leaves with separate memory.
// Random numbers are counter-based and sampled on the host: the same for the same seed, on every rank and device.

import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type LiteralData, literal } from '../../hlo/literal.ts';
import { elementBytes, elementCount, isFloat, isInteger, tensorType } from '../../hlo/types.ts';
import { philoxWords } from '../../numerics/philox.ts';
import type { NormalSamples, Samples, UniformSamples } from '../../numerics/samples.ts';
import { wrongArgument } from '../check-arguments.ts';
import type { Device } from '../device.ts';
import { type DeviceName, device as defaultDevice, deviceFrom, manualSeedOf } from '../devices.ts';
import { userLocation } from '../location.ts';
import type { Generator } from '../random/generator.ts';
import { mix64 } from '../random/random.ts';
import { checkOptionNames, isPlainObject } from '../surface/call.ts';
import { Tensor, uploadTo } from '../tensor.ts';
import { type DType, dtypeName, elementTypeOf } from '../types/dtype.ts';
import { literalFrom, type TensorData } from '../types/host-data.ts';

/** Options of the functions that create tensors. */
export interface TensorOptions {
  /** The data type. */
  readonly dtype?: DType | undefined;
  /** The device. */
  readonly device?: Device | DeviceName | undefined;
  /** Whether `backward()` accumulates its gradient. */
  readonly requiresGrad?: boolean | undefined;
  /** Where random numbers come from, instead of `manualSeed`; for random functions. */
  readonly generator?: Generator | undefined;
}
/** The sizes of the dims, outermost first. */
export type Shape = readonly number[];

function finish(made: Tensor, options: TensorOptions): Tensor {
  return options.requiresGrad ? made.requiresGrad_() : made;
}

/**
 * A tensor of numbers, nested arrays of numbers, a typed array, or a literal; `shape` gives flat data a shape. Plain numbers
 * become float32, bigints int64, booleans bool, and a mix of them the first of these; typed arrays keep their type.
 * @throws {BAD_TENSOR_DATA}
 * @example
 * tensor([[1, 2], [3, 4]]).shape // [2, 2]
 * tensor([1, 2], { dtype: 'int64' }).dtype // 'int64'
 */
export function tensor(data: TensorData | Tensor, options: TensorOptions & { readonly shape?: Shape } = {}): Tensor {
  if (data instanceof Tensor) {
    deviceOf('tensor', options);
    const copy = asTensor(data.snapshot(), options);
    return finish(options.shape === undefined ? copy : copy.reshape(options.shape), options);
  }
  const value = literalFrom(
    data,
    options.dtype === undefined ? undefined : elementTypeOf(options.dtype),
    options.shape,
  );
  return finish(uploadTo(deviceOf('tensor', options), value.type, bytesOf(value), 'tensor'), options);
}

/** Sizes as an array or as separate arguments, then options. */
export type SizeArguments = readonly [shape: Shape, options?: TensorOptions] | readonly (number | TensorOptions)[];
function sized(args: SizeArguments): readonly [Shape, TensorOptions] {
  const last = args.at(-1);
  const options = isPlainObject(last) ? (last as TensorOptions) : {};
  const sizes = isPlainObject(last) ? args.slice(0, -1) : args;
  return [(Array.isArray(sizes[0]) ? sizes[0] : sizes) as Shape, options];
}
/** The type, shape and device of another tensor. */
const like = (t: Tensor, options: TensorOptions): TensorOptions => ({ dtype: t.dtype, device: t.device, ...options });
/**
 * Uniform in [0, 1), in the shape of another tensor. PyTorch: `torch.rand_like`.
 * @example
 * randLike(zeros(2, 3)).shape // [2, 3]
 */
export const randLike = (t: Tensor, options: TensorOptions = {}): Tensor => uniform(t.shape, 0, 1, like(t, options));
/**
 * Standard normal, in the shape of another tensor. PyTorch: `torch.randn_like`.
 * @example
 * randnLike(zeros(2, 3)).shape // [2, 3]
 */
export const randnLike = (t: Tensor, options: TensorOptions = {}): Tensor => normal(t.shape, 0, 1, like(t, options));

/**
 * Whether a value is a tensor. PyTorch: `torch.is_tensor`.
 * @example
 * isTensor(tensor([1])) // true
 * isTensor([1]) // false
 */
export const isTensor = (value: unknown): value is Tensor => value instanceof Tensor;
/**
 * Returns a tensor unchanged if its data type and device match; converts other data like `tensor`. PyTorch: `torch.as_tensor`.
 * @example
 * asTensor([1, 2]) // [1, 2]
 */
export function asTensor(data: TensorData | Tensor, options: TensorOptions = {}): Tensor {
  if (!(data instanceof Tensor)) return tensor(data, options);
  const typed = options.dtype === undefined ? data : data.to(options.dtype);
  return options.device == null ? typed : typed.to(options.device);
}
/**
 * A tensor of a typed array's elements and type. PyTorch: `torch.from_numpy`.
 * @throws {BAD_TENSOR_DATA}
 * @example
 * fromNumpy(Float32Array.of(1, 2)) // [1, 2]
 */
export const fromNumpy = (data: LiteralData): Tensor => tensor(data);
/**
 * Whether both have the same shape and elements; reads them. PyTorch: `torch.equal`.
 * @example
 * equal(tensor([1, 2]), tensor([1, 2])) // true
 */
export const equal = (x: Tensor, y: Tensor): boolean => x.equal(y);
/**
 * Whether all elements are nearly equal; reads them. PyTorch: `torch.allclose`.
 * @example
 * allclose(tensor([1, 2]), tensor([1, 2.000001])) // true
 */
export const allclose = (
  x: Tensor,
  y: Tensor,
  ...rest: Parameters<Tensor['allclose']> extends [Tensor, ...infer R] ? R : never
): boolean => x.allclose(y, ...rest);

/**
 * start, start + step, … below end; int64 unless a number is not an integer. `arange(n)` counts from 0; options come last.
 * PyTorch: `torch.arange`.
 * @example
 * arange(4) // [0, 1, 2, 3]
 * arange(1, 2, 0.25) // [1, 1.25, 1.5, 1.75]
 */
export function arange(start: number, end?: number, step?: number, options?: TensorOptions): Tensor;
export function arange(...args: readonly (number | TensorOptions | undefined)[]): Tensor;
export function arange(...args: readonly (number | TensorOptions | undefined)[]): Tensor {
  const given = args.findLast(arg => arg !== undefined);
  const options = (isPlainObject(given) ? given : {}) as TensorOptions;
  const [start, end, step = 1] = args.filter(arg => !isPlainObject(arg)) as [number, number?, number?];
  const [from, to] = end === undefined ? [0, start] : [start, end];
  for (const [argument, value] of Object.entries({ start, end: to, step }))
    if (!Number.isFinite(value) || (argument === 'step' && step === 0))
      throw wrongArgument({ call: 'arange', argument }, value, 'a number');
  const dtype = options.dtype ?? ([from, to, step].every(Number.isInteger) ? 'i64' : 'f32');
  const isWhole = isInteger(elementTypeOf(dtype));
  const [first, last, by] = [from, to, step].map(value => (isWhole ? Math.trunc(value) : value)) as [
    number,
    number,
    number,
  ];
  if (by === 0)
    throw wrongArgument(
      { call: 'arange', argument: 'step' },
      step,
      `at least 1 for ${dtypeName(elementTypeOf(dtype))}`,
    );
  const count = Math.max(0, Math.ceil((last - first) / by));
  const values = Array.from({ length: count }, (_, i) => first + i * by);
  return tensor(literal(elementTypeOf(dtype), [count], values), options);
}
/** The random stream of a host-side sample, from the host's seed; each sample after `manualSeed` uses a different stream. */
function nextStream({ generator }: TensorOptions): { readonly key: bigint; readonly counter: bigint } {
  if (generator !== undefined) return generator.nextStream();
  const { seed, index } = manualSeedOf();
  return { key: mix64(BigInt(seed)), counter: BigInt(index) << 64n };
}

const optionNames = ['dtype', 'device', 'requiresGrad'];
const moreOptions: Readonly<Record<string, readonly string[]>> = {
  tensor: ['shape'],
  ...Object.fromEntries(['uniform', 'normal', 'truncatedNormal'].map(op => [op, ['generator']])),
};
/** Without the generator, for distributions computed from random numbers. */
const withoutGenerator = ({ generator: _generator, ...options }: TensorOptions): TensorOptions => options;
/** The device of some options, or the default one. @throws {UNKNOWN_ARGUMENT} */
function deviceOf(op: string, options: TensorOptions): Device {
  checkOptionNames(op, options, [...optionNames, ...(moreOptions[op] ?? [])]);
  return options.device == null ? defaultDevice() : deviceFrom(op, options.device);
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
type Distribution = Omit<UniformSamples, 'key' | 'counter'> | Omit<NormalSamples, 'key' | 'counter'>;

function random(
  op: string,
  shape: Shape,
  options: TensorOptions,
  distribution: Distribution,
  zeros?: Samples['zeros'],
): Tensor {
  const elementType = elementTypeOf(options.dtype ?? 'f32');
  if (!isFloat(elementType) || elementBytes(elementType) === 1)
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: dtypeName(elementType), expected: 'a floating-point type' },
      { location: userLocation() },
    );
  const type = tensorType(elementType, checkedShape(op, shape));
  const content: Samples = { ...distribution, ...nextStream(options), ...(zeros === undefined ? {} : { zeros }) };
  return finish(uploadTo(deviceOf(op, options), type, content, op), options);
}

/**
 * Uniform in [low, high).
 * @example
 * uniform([1000], 2, 4).mean().round() // 3
 */
export const uniform = (shape: Shape, low = 0, high = 1, options: TensorOptions = {}): Tensor =>
  random('uniform', shape, options, { kind: 'uniform', low, high });
/**
 * Uniform in [0, 1): `rand([2, 3])` or `rand(2, 3)`, options last. PyTorch: `torch.rand`.
 * @example
 * rand(2, 3).shape // [2, 3]
 */
export function rand(...args: SizeArguments): Tensor {
  const [shape, options] = sized(args);
  return uniform(shape, 0, 1, options);
}

/**
 * Normal with this mean and standard deviation, by the quantile of a uniform number.
 * @example
 * normal([1000], 5, 2).mean().round() // 5
 */
export const normal = (shape: Shape, mean = 0, std = 1, options: TensorOptions = {}): Tensor =>
  random('normal', shape, options, { kind: 'normal', mean, std, from: 0, to: 1 });
/** Normally distributed rows of a table [count, width], except for one row of zeros. */
export const normalTable = (shape: readonly [number, number], mean: number, std: number, zeroRow: number): Tensor =>
  random('normal', shape, {}, { kind: 'normal', mean, std, from: 0, to: 1 }, [zeroRow * shape[1], shape[1]]);
/**
 * Standard normal: `randn([2, 3])` or `randn(2, 3)`, options last. PyTorch: `torch.randn`.
 * @example
 * randn(2, 3).shape // [2, 3]
 */
export function randn(...args: SizeArguments): Tensor {
  const [shape, options] = sized(args);
  return normal(shape, 0, 1, options);
}

/**
 * Normal, truncated to two standard deviations around the mean.
 * @example
 * truncatedNormal([2, 3], 0, 0.02).shape // [2, 3]
 */
export function truncatedNormal(shape: Shape, mean = 0, std = 1, options: TensorOptions = {}): Tensor {
  const outside = 0.02275013194817921; // P(X < −2)
  return random('truncatedNormal', shape, options, { kind: 'normal', mean, std, from: outside, to: 1 - outside });
}
/**
 * Integers in [low, high), as int64; `randint(high, shape)` counts from 0. PyTorch: `torch.randint`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * randint(0, 10, [2, 3]).shape // [2, 3]
 */
export function randint(high: number, shape: Shape, options?: TensorOptions): Tensor;
export function randint(low: number, high: number, shape: Shape, options?: TensorOptions): Tensor;
export function randint(...args: readonly (number | Shape | TensorOptions | undefined)[]): Tensor {
  const [low, high, shape, options = {}] = (typeof args[1] === 'number' ? args : [0, ...args]) as [
    number,
    number,
    Shape,
    TensorOptions?,
  ];
  for (const [argument, value] of Object.entries({ low, high }))
    if (!Number.isSafeInteger(value)) throw wrongArgument({ call: 'randint', argument }, value, 'an integer');
  if (high <= low) throw wrongArgument({ call: 'randint', argument: 'high' }, high, `an integer above low, ${low}`);
  const { key, counter } = nextStream(options);
  const bits = philoxWords(key, counter, elementCount(checkedShape('randint', shape)));
  const values = Array.from(bits, word => low + Math.floor((word / 2 ** 32) * (high - low)));
  return tensor(literal(elementTypeOf(options.dtype ?? 'i64'), shape, values), withoutGenerator(options));
}
/**
 * The integers from 0 to n - 1 in random order, as int64. PyTorch: `torch.randperm`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * randperm(4).sort().values // [0, 1, 2, 3]
 */
export function randperm(n: number, options: TensorOptions = {}): Tensor {
  if (!Number.isSafeInteger(n) || n < 0)
    throw wrongArgument({ call: 'randperm', argument: 'n' }, n, 'an integer of at least 0');
  const { key, counter } = nextStream(options);
  const words = philoxWords(key, counter, n);
  const order = Array.from({ length: n }, (_, i) => i);
  // Fisher and Yates (1938), from the end
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor((words[i]! / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return tensor(literal(elementTypeOf(options.dtype ?? 'i64'), [n], order), withoutGenerator(options));
}
