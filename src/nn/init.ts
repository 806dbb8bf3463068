// Initial values of parameters, sampled on the host: the same for a seed on every rank, device and number of threads.
// Functions that end in _ fill a tensor in place, like torch.nn.init; the others create a tensor of a shape.
import { elementCount } from '../hlo/types.ts';
import {
  eye,
  full,
  noGrad,
  normalTable,
  normal as normalTensor,
  type Tensor,
  tensor,
  truncatedNormal as truncatedTensor,
  uniform as uniformTensor,
  zeros,
} from '../tensor/index.ts';
import { checkWord, type Settings, settle, wrongText } from '../tensor/settings.ts';
import { Parameter } from './module/parameter.ts';

/** The sizes of the dims, outermost first. */
export type Shape = readonly number[];
// If a model is built only to be loaded, sampling initial values is a waste of time: 110 million take seconds.
let skipping = false;

/**
 * Builds modules whose parameters start as zeros, because they will be loaded.
 * @example
 * nn.init.skipInit(() => new nn.Linear(1000, 1000)).weight.shape // [1000, 1000]
 */
export function skipInit<T>(build: () => T): T {
  const before = skipping;
  skipping = true;
  try {
    return build();
  } finally {
    skipping = before;
  }
}

/**
 * Initial values from a normal distribution.
 * @example
 * nn.init.normal([3, 5], 0, 0.02).shape // [3, 5]
 */
export const normal = (shape: Shape, mean = 0, std = 1): Tensor =>
  skipping ? zeros(shape) : normalTensor(shape, mean, std);
/**
 * A table [count, width] of normal vectors; row `zeroRow`, if given, is zero.
 * @example
 * nn.init.table([10, 4], 0.02, 0).at(0) // [0, 0, 0, 0]
 */
export const table = (shape: readonly [number, number], std: number, zeroRow: number | undefined): Tensor =>
  skipping || zeroRow === undefined || !(zeroRow >= 0 && zeroRow < shape[0])
    ? normal(shape, 0, std)
    : normalTable(shape, 0, std, zeroRow);
/**
 * Initial values from a uniform distribution in [low, high).
 * @example
 * nn.init.uniform([3, 5], -0.1, 0.1).shape // [3, 5]
 */
export const uniform = (shape: Shape, low: number, high: number): Tensor =>
  skipping ? zeros(shape) : uniformTensor(shape, low, high);
/**
 * Normal, truncated at two standard deviations.
 * @example
 * nn.init.truncatedNormal([3, 5], 0, 0.02).shape // [3, 5]
 */
export const truncatedNormal = (shape: Shape, mean = 0, std = 1): Tensor =>
  skipping ? zeros(shape) : truncatedTensor(shape, mean, std);

/**
 * Inputs and outputs of a weight [out, in, ...kernel].
 * @example
 * nn.init.fans([8, 3, 3, 3]) // { fanIn: 27, fanOut: 72 }
 */
export function fans(shape: Shape): {
  /** The number of inputs of a unit. */
  readonly fanIn: number;
  /** The number of outputs that use an input. */
  readonly fanOut: number;
} {
  const kernel = elementCount(shape.slice(2));
  return { fanIn: (shape[1] ?? 1) * kernel, fanOut: (shape[0] ?? 1) * kernel };
}
/**
 * PyTorch's initialization of linear and convolution layers: uniform in ±1/√fanIn, for weights and biases.
 * @example
 * nn.init.defaultWeight([8, 4]).shape // [8, 4]
 */
export function defaultWeight(shape: Shape): Tensor {
  const bound = 1 / Math.sqrt(fans(shape).fanIn);
  return uniform(shape, -bound, bound);
}
/**
 * Glorot and Bengio's: uniform in ±gain·√(6 / (fanIn + fanOut)).
 * @example
 * nn.init.xavierUniform([3, 5]).shape // [3, 5]
 */
export function xavierUniform(shape: Shape, gain = 1): Tensor {
  const { fanIn, fanOut } = fans(shape);
  const bound = gain * Math.sqrt(6 / (fanIn + fanOut));
  return uniform(shape, -bound, bound);
}
/**
 * He et al.'s, for layers before a ReLU: normal with standard deviation √(2 / fan).
 * @example
 * nn.init.kaimingNormal([3, 5]).shape // [3, 5]
 */
export function kaimingNormal(shape: Shape, mode: 'fanIn' | 'fanOut' = 'fanIn'): Tensor {
  return normal(shape, 0, Math.sqrt(2 / fans(shape)[mode]));
}

// in place

/** New elements for a tensor, in its data type and on its device. */
function set<T extends Tensor>(x: T, made: Tensor): T {
  if (x instanceof Parameter) x.moveFrom(made);
  else noGrad(() => x.assign_(made));
  return x;
}
const options = (x: Tensor) => ({ dtype: x.dtype, device: x.device });
function fansOf(call: string, x: Tensor): { readonly fanIn: number; readonly fanOut: number } {
  if (x.ndim < 2)
    throw wrongText({ call, argument: 'the tensor' }, `a tensor of ${x.ndim} dims`, 'one of two or more dims');
  return fans(x.shape);
}
interface UniformInit {
  /** The lower bound; 0 by default. */
  readonly a?: number;
  /** The upper bound; 1 by default. */
  readonly b?: number;
}
interface NormalInit {
  /** The mean; 0 by default. */
  readonly mean?: number;
  /** The standard deviation. */
  readonly std?: number;
}
interface GainOptions {
  /** The factor of the weights; 1 by default. */
  readonly gain?: number;
}
/** Elements from the host, row by row. */
const setElements = <T extends Tensor>(x: T, values: Float64Array | readonly number[]): T =>
  set(x, tensor(Float64Array.from(values), { shape: x.shape, ...options(x) }));

/**
 * Uniform in [a, b). `init.uniform_(layer.weight, -0.1, 0.1)`
 * @example
 * nn.init.uniform_(empty(2, 3), -0.1, 0.1).abs().max().item() <= 0.1 // true
 */
export function uniform_<T extends Tensor>(x: T, ...rest: Settings<UniformInit, ['a', 'b']>): T {
  const { a = 0, b = 1 } = settle<UniformInit>('init.uniform_', ['a', 'b'], rest);
  return set(x, uniformTensor(x.shape, a, b, options(x)));
}
/**
 * Normal with this mean and standard deviation. `init.normal_(layer.weight, 0, 0.02)`
 * @example
 * nn.init.normal_(empty(2, 3), 0, 0.02).shape // [2, 3]
 */
export function normal_<T extends Tensor>(x: T, ...rest: Settings<NormalInit, ['mean', 'std']>): T {
  const { mean = 0, std = 1 } = settle<NormalInit>('init.normal_', ['mean', 'std'], rest);
  return set(x, normalTensor(x.shape, mean, std, options(x)));
}
/** Options of `truncNormal_`. */
export interface TruncNormalOptions {
  /** The mean before truncation; 0 by default. */
  readonly mean?: number;
  /** The standard deviation before truncation; 1 by default. */
  readonly std?: number;
  /** The lower bound; -2 by default. */
  readonly a?: number;
  /** The upper bound; 2 by default. */
  readonly b?: number;
  /** The same as `a`. */
  readonly low?: number;
  /** The same as `b`. */
  readonly high?: number;
}
/**
 * Normal, truncated to [a, b], -2 and 2 by default. `init.truncNormal_(layer.weight, { std: 0.02 })`
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const w = nn.init.truncNormal_(empty(3, 4), { low: -1, high: 1 });
 * w.abs().max().item() <= 1 // true
 */
export function truncNormal_<T extends Tensor>(
  x: T,
  ...rest: Settings<TruncNormalOptions, ['mean', 'std', 'a', 'b']>
): T {
  const given = settle<TruncNormalOptions>('truncNormal_', ['mean', 'std', 'a', 'b'], rest, ['low', 'high']);
  const { mean = 0, std = 1, a = -2, b = 2, low = a, high = b } = given;
  if (low === mean - 2 * std && high === mean + 2 * std) return set(x, truncatedTensor(x.shape, mean, std, options(x)));
  // Resample values outside; if that is nearly always, clip the rest.
  const values = new Float64Array(elementCount(x.shape));
  let open = values.map((_, i) => i);
  for (let attempt = 0; attempt < 100 && open.length > 0; attempt++) {
    const sampled = normalTensor([open.length], mean, std).data as Float32Array;
    open.forEach((index, i) => {
      values[index] = sampled[i]!;
    });
    open = open.filter(index => values[index]! < low || values[index]! > high);
  }
  return setElements(
    x,
    values.map(v => Math.min(high, Math.max(low, v))),
  );
}
/**
 * Sets all elements to the same value. `init.constant_(layer.bias, 0.1)`
 * @example
 * nn.init.constant_(empty(2), 0.5) // [0.5, 0.5]
 */
export const constant_ = <T extends Tensor>(x: T, value: number): T => set(x, full(x.shape, value, options(x)));
/**
 * Sets all elements to 1.
 * @example
 * nn.init.ones_(empty(2)) // [1, 1]
 */
export const ones_ = <T extends Tensor>(x: T): T => constant_(x, 1);
/**
 * Sets all elements to 0.
 * @example
 * nn.init.zeros_(empty(2)) // [0, 0]
 */
export const zeros_ = <T extends Tensor>(x: T): T => constant_(x, 0);
/**
 * The identity matrix: a linear layer returns its inputs.
 * @throws {WRONG_ARGUMENT} if it is not a matrix
 * @example
 * nn.init.eye_(empty(2, 2)) // [[1, 0], [0, 1]]
 */
export function eye_<T extends Tensor>(x: T): T {
  if (x.ndim !== 2)
    throw wrongText({ call: 'init.eye_', argument: 'the tensor' }, `a tensor of ${x.ndim} dims`, 'a matrix');
  return set(x, eye(x.shape[0]!, x.shape[1]!, options(x)));
}
/**
 * A convolution that passes its channels through, per group.
 * @throws {WRONG_ARGUMENT} for other than three to five dims
 * @example
 * nn.init.dirac_(empty(2, 2, 3)) // [[[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 0]]]
 */
export function dirac_<T extends Tensor>(x: T, ...rest: Settings<{ readonly groups?: number }, ['groups']>): T {
  const { groups = 1 } = settle<{ groups?: number }>('init.dirac_', ['groups'], rest);
  const [out, inputs, ...kernel] = x.shape as [number, number, ...number[]];
  if (x.ndim < 3 || x.ndim > 5 || out % groups !== 0)
    throw wrongText(
      { call: 'init.dirac_', argument: 'the tensor' },
      `[${x.shape}]`,
      `a weight of a convolution with ${groups} groups`,
    );
  const values = new Float64Array(elementCount(x.shape));
  const size = elementCount(kernel);
  const center = kernel.reduce((at, k) => at * k + Math.floor(k / 2), 0);
  for (let g = 0; g < groups; g++)
    for (let c = 0; c < Math.min(out / groups, inputs); c++)
      values[((g * out) / groups + c) * inputs * size + c * size + center] = 1;
  return setElements(x, values);
}
/**
 * Glorot and Bengio's, uniform in ±gain·√(6 / (fanIn + fanOut)).
 * @throws {WRONG_ARGUMENT} for fewer than two dims
 * @example
 * const w = nn.init.xavierUniform_(empty(3, 5));
 * w.abs().max().item() <= Math.sqrt(6 / 8) // true
 */
export function xavierUniform_<T extends Tensor>(x: T, ...rest: Settings<GainOptions, ['gain']>): T {
  const { gain = 1 } = settle<GainOptions>('init.xavierUniform_', ['gain'], rest);
  const { fanIn, fanOut } = fansOf('init.xavierUniform_', x);
  const bound = gain * Math.sqrt(6 / (fanIn + fanOut));
  return uniform_(x, -bound, bound);
}
/**
 * Glorot and Bengio's, normal with standard deviation gain·√(2 / (fanIn + fanOut)).
 * @throws {WRONG_ARGUMENT} for fewer than two dims
 * @example
 * nn.init.xavierNormal_(empty(3, 5), 2).shape // [3, 5]
 */
export function xavierNormal_<T extends Tensor>(x: T, ...rest: Settings<GainOptions, ['gain']>): T {
  const { gain = 1 } = settle<GainOptions>('init.xavierNormal_', ['gain'], rest);
  const { fanIn, fanOut } = fansOf('init.xavierNormal_', x);
  return normal_(x, 0, gain * Math.sqrt(2 / (fanIn + fanOut)));
}
const nonlinearities = [
  'linear',
  'conv1d',
  'conv2d',
  'conv3d',
  'convTranspose1d',
  'convTranspose2d',
  'convTranspose3d',
  'sigmoid',
  'tanh',
  'relu',
  'leakyRelu',
  'selu',
] as const;
/** The functions supported by `calculateGain`, in PyTorch's spelling too. */
export type Nonlinearity =
  | (typeof nonlinearities)[number]
  | 'conv_transpose1d'
  | 'conv_transpose2d'
  | 'conv_transpose3d'
  | 'leaky_relu';
/** `leaky_relu` as leakyRelu. */
const spelled = (word: string): string => word.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
/**
 * The factor for weights with which a nonlinearity preserves the variance; `param` is the slope of `leakyRelu`.
 * @example
 * nn.init.calculateGain('relu') // 1.4142…
 */
export function calculateGain(nonlinearity: Nonlinearity, param = 0.01): number {
  switch (checkWord('init.calculateGain', 'nonlinearity', spelled(nonlinearity), nonlinearities)) {
    case 'tanh':
      return 5 / 3;
    case 'relu':
      return Math.SQRT2;
    case 'leakyRelu':
      return Math.sqrt(2 / (1 + param ** 2));
    case 'selu':
      return 3 / 4;
    default:
      return 1;
  }
}
/** Options of `kaimingUniform_` and `kaimingNormal_`. */
export interface KaimingOptions {
  /** The negative slope of the leakyRelu that follows; 0 by default. */
  readonly a?: number;
  /** Whether the variance is kept in the forward pass (`fanIn`) or the backward pass (`fanOut`). Default: `fanIn`. */
  readonly mode?: 'fanIn' | 'fanOut' | 'fan_in' | 'fan_out';
  /** The activation after the layer. Default: `leakyRelu`. */
  readonly nonlinearity?: Nonlinearity;
}
const kaimingOrder = ['a', 'mode', 'nonlinearity'] as const;
/** The arguments of `kaimingUniform_` and `kaimingNormal_` after the tensor: in PyTorch's order, or by name. */
export type KaimingRest = Settings<KaimingOptions, typeof kaimingOrder>;
function kaimingStd(call: string, x: Tensor, rest: KaimingRest): number {
  const { a = 0, mode = 'fanIn', nonlinearity = 'leakyRelu' } = settle<KaimingOptions>(call, kaimingOrder, rest);
  const fan = checkWord(call, 'mode', spelled(mode), ['fanIn', 'fanOut']);
  return calculateGain(nonlinearity, a) / Math.sqrt(fansOf(call, x)[fan]);
}
/**
 * He et al.'s, uniform. `init.kaimingUniform_(conv.weight, { nonlinearity: 'relu' })` @throws {WRONG_ARGUMENT}
 * @example
 * const w = nn.init.kaimingUniform_(empty(8, 6), { nonlinearity: 'relu' });
 * w.abs().max().item() <= 1 // true
 */
export function kaimingUniform_<T extends Tensor>(x: T, ...rest: KaimingRest): T {
  const bound = Math.sqrt(3) * kaimingStd('init.kaimingUniform_', x, rest);
  return uniform_(x, -bound, bound);
}
/**
 * He et al.'s, normal. `init.kaimingNormal_(conv.weight, { mode: 'fanOut', nonlinearity: 'relu' })` @throws {WRONG_ARGUMENT}
 * @example
 * nn.init.kaimingNormal_(empty(3, 5), { mode: 'fanOut', nonlinearity: 'relu' }).shape // [3, 5]
 */
export const kaimingNormal_ = <T extends Tensor>(x: T, ...rest: KaimingRest): T =>
  normal_(x, 0, kaimingStd('init.kaimingNormal_', x, rest));

/**
 * A (semi-)orthogonal matrix [d0, d1 · …], times gain (Saxe et al., 2013). Computed on the host.
 * @throws {WRONG_ARGUMENT} for fewer than two dims
 * @example
 * const Q = nn.init.orthogonal_(empty(3, 3));
 * Q.matmul(Q.t()).allclose(eye(3), { atol: 1e-5 }) // true
 */
export function orthogonal_<T extends Tensor>(x: T, ...rest: Settings<GainOptions, ['gain']>): T {
  const { gain = 1 } = settle<GainOptions>('init.orthogonal_', ['gain'], rest);
  if (x.ndim < 2)
    throw wrongText(
      { call: 'init.orthogonal_', argument: 'the tensor' },
      `a tensor of ${x.ndim} dims`,
      'one of two or more dims',
    );
  const rows = x.shape[0]!;
  const columns = elementCount(x.shape.slice(1));
  const [count, width] = [Math.min(rows, columns), Math.max(rows, columns)];
  const sampled = normalTensor([count, width]).data as Float32Array;
  const vectors = Array.from({ length: count }, (_, i) =>
    Float64Array.from(sampled.subarray(i * width, (i + 1) * width)),
  );
  const dot = (u: Float64Array, v: Float64Array): number => u.reduce((sum, value, i) => sum + value * v[i]!, 0);
  vectors.forEach((v, i) => {
    // Gram-Schmidt, twice: the second pass removes rounding errors.
    for (let pass = 0; pass < 2; pass++)
      for (let j = 0; j < i; j++) {
        const u = vectors[j]!;
        const share = dot(u, v);
        for (let k = 0; k < width; k++) v[k]! -= share * u[k]!;
      }
    const norm = Math.sqrt(dot(v, v));
    for (let k = 0; k < width; k++) v[k]! /= norm;
  });
  const at = (r: number, c: number): number => (rows <= columns ? vectors[r]![c]! : vectors[c]![r]!);
  return setElements(
    x,
    Float64Array.from({ length: rows * columns }, (_, i) => gain * at(Math.floor(i / columns), i % columns)),
  );
}
/**
 * A matrix [out, in] with a share of `sparsity` zeros in each column, the rest normal (Martens, 2010).
 * @throws {WRONG_ARGUMENT} if it is not a matrix
 * @example
 * nn.init.sparse_(empty(10, 4), 0.5).eq(0).sum(0) // [5, 5, 5, 5]
 */
export function sparse_<T extends Tensor>(
  x: T,
  sparsity: number,
  ...rest: Settings<Pick<NormalInit, 'std'>, ['std']>
): T {
  const { std = 0.01 } = settle<NormalInit>('init.sparse_', ['std'], rest);
  if (x.ndim !== 2)
    throw wrongText({ call: 'init.sparse_', argument: 'the tensor' }, `a tensor of ${x.ndim} dims`, 'a matrix');
  const [rows, columns] = x.shape as [number, number];
  const values = Float64Array.from(normalTensor(x.shape, 0, std).data as Float32Array);
  const order = uniformTensor(x.shape, 0, 1).data as Float32Array;
  const zeroCount = Math.ceil(sparsity * rows);
  for (let c = 0; c < columns; c++) {
    const positions = Array.from({ length: rows }, (_, r) => r).sort(
      (a, b) => order[a * columns + c]! - order[b * columns + c]!,
    );
    for (const r of positions.slice(0, zeroCount)) values[r * columns + c] = 0;
  }
  return setElements(x, values);
}
