// Fractional max pooling (Graham, 2014): windows of equal size at pseudo-random positions, so that the output can have any size.
//
// Along each dim of `from` elements, window i of `to` starts at ⌊(i + u)·α⌋ − ⌊u·α⌋ with α = (from − kernel) / (to − 1), and
// the last one at from − kernel; u is uniform in [0, 1), one per dim of each channel of each image.

import { type Size, sizesOf } from '../../src/nn/layers/sizes.ts';
import { Module } from '../../src/nn/module/module.ts';
import { StateBuffer } from '../../src/nn/module/parameter.ts';
import { arange, randomBits, record, Tensor, tensor, wrongArgument } from '../../src/tensor/index.ts';
import { type Settings, settle, wrongText } from '../../src/tensor/settings.ts';

/** Options of fractional max pooling: exactly one of `outputSize` and `outputRatio`. */
export interface FractionalPoolOptions {
  /** The size of the output, for each spatial dim or for all. */
  readonly outputSize?: Size | undefined;
  /** The size of the output relative to the input, in (0, 1): one number, or one per dim. */
  readonly outputRatio?: number | readonly number[] | undefined;
  /** Also return the indices, [maxima, indices], for `maxUnpool2d` or `maxUnpool3d`; false by default. */
  readonly returnIndices?: boolean;
  /** The random numbers u [N, C, 2 or 3]; new ones by default. */
  readonly randomSamples?: Tensor | undefined;
}
const order = ['outputSize', 'outputRatio', 'returnIndices', 'randomSamples'] as const;
/** The arguments of fractional max pooling after the kernel size: in PyTorch's order, or by name. */
export type FractionalRest = Settings<
  FractionalPoolOptions,
  ['outputSize', 'outputRatio', 'returnIndices', 'randomSamples']
>;

/** Uniform in [0, 1), sampled when the step runs. */
const uniformLike = (x: Tensor, shape: readonly number[]): Tensor =>
  record(
    'fractionalMaxPool',
    [x],
    (b, _, trace) => {
      const bits = b.convert(randomBits(b, trace, x.device, shape), 'f32');
      return b.multiply(bits, b.like(bits, (1 - 2 ** -24) * 2 ** -32));
    },
    { differentiable: false },
  );

function ratios(call: string, given: number | readonly number[], n: number): readonly number[] {
  const list = typeof given === 'number' ? new Array<number>(n).fill(given) : given;
  if (!Array.isArray(list) || list.length !== n || !list.every(r => r > 0 && r < 1))
    throw wrongText({ call, argument: 'outputRatio' }, String(given), `a number between 0 and 1, or ${n} of them`);
  return list;
}

function pooled(n: number, given: Tensor, kernelSize: Size, rest: readonly unknown[]): readonly [Tensor, Tensor] {
  const call = `fractionalMaxPool${n}d`;
  const { outputSize, outputRatio, randomSamples } = settle<FractionalPoolOptions>(call, order, rest);
  if (given.ndim !== n + 1 && given.ndim !== n + 2)
    throw wrongText(
      { call, argument: 'the input' },
      `a tensor of ${given.ndim} dims`,
      `one of ${n + 1} or ${n + 2} dims`,
    );
  const x = given.ndim === n + 1 ? given.unsqueeze(0) : given;
  const [batch, channels, ...from] = x.shape as [number, number, ...number[]];
  const kernel = sizesOf(call, 'kernelSize', kernelSize, n);
  if ((outputSize === undefined) === (outputRatio === undefined))
    throw wrongArgument({ call, argument: 'outputSize' }, outputSize, 'either outputSize or outputRatio');
  const to =
    outputSize !== undefined
      ? sizesOf(call, 'outputSize', outputSize, n)
      : ratios(call, outputRatio!, n).map((r, i) => Math.floor(from[i]! * r));
  from.forEach((size, i) => {
    if (to[i]! < 1 || to[i]! + kernel[i]! - 1 > size)
      throw wrongText(
        { call, argument: 'the output size' },
        `[${to}]`,
        `at most ${size - kernel[i]! + 1} for dim ${i}`,
      );
  });
  if (randomSamples !== undefined && String(randomSamples.shape) !== String([batch, channels, n]))
    throw wrongText(
      { call, argument: 'randomSamples' },
      randomSamples instanceof Tensor ? `[${randomSamples.shape}]` : String(randomSamples),
      `a tensor [${batch}, ${channels}, ${n}]`,
    );
  const samples = randomSamples ?? uniformLike(x, [batch, channels, n]);
  // [N, C, to, kernel] elements of one dim; PyTorch's samples for images start with the width
  const positions = from.map((size, i) => {
    const u = samples.select(2, n === 2 ? 1 - i : i).unsqueeze(-1);
    const [count, width] = [to[i]!, kernel[i]!];
    const options = { device: x.device };
    const last = tensor([size - width], { ...options, dtype: 'i64' }).expand([batch, channels, 1]);
    let starts = last;
    if (count > 1) {
      const alpha = (size - width) / (count - 1);
      const steps = arange(0, count, 1, { ...options, dtype: u.dtype });
      const all = u.add(steps).mul(alpha).trunc().sub(u.mul(alpha).trunc()).to('i64');
      starts = all.where(arange(0, count, 1, options).lt(count - 1), size - width);
    }
    return starts.unsqueeze(-1).add(arange(0, width, 1, { ...options, dtype: 'i64' }));
  });
  // the elements of each window in the flattened input, [N, C, …to, …kernel]
  const flat = positions
    .map((at, i) => {
      const shape = [
        batch,
        channels,
        ...to.map((t, d) => (d === i ? t : 1)),
        ...kernel.map((k, d) => (d === i ? k : 1)),
      ];
      return at.reshape(shape).mul(from.slice(i + 1).reduce((p, d) => p * d, 1));
    })
    .reduce((sum, at) => sum.add(at));
  const [windows, size] = [to.reduce((p, d) => p * d, 1), kernel.reduce((p, d) => p * d, 1)];
  const index = flat.reshape([batch, channels, windows * size]);
  const elements = x.reshape([batch, channels, -1]).gather(2, index).reshape([batch, channels, windows, size]);
  const best = elements.max(-1);
  const at = index.reshape([batch, channels, windows, size]).gather(3, best.indices.unsqueeze(-1));
  const shape = given.ndim === n + 1 ? [channels, ...to] : [batch, channels, ...to];
  return [best.values.reshape(shape), at.reshape(shape)];
}

/**
 * Fractional max pooling of images [N, C, H, W] or [C, H, W]: the largest elements, and their indices in the flattened image.
 *
 *     const [y, positions] = nn.functional.fractionalMaxPool2dWithIndices(images, 2, { outputRatio: 0.7 });
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.fractionalMaxPool2dWithIndices(randn(1, 3, 8, 8), 2, { outputSize: 5 });
 * indices.shape // [1, 3, 5, 5]
 */
export const fractionalMaxPool2dWithIndices = (
  x: Tensor,
  kernelSize: Size,
  ...rest: FractionalRest
): readonly [Tensor, Tensor] => pooled(2, x, kernelSize, rest);
/**
 * Fractional max pooling of volumes [N, C, D, H, W] or [C, D, H, W]. Errors as `fractionalMaxPool2dWithIndices`.
 * @example
 * const [values, indices] = nn.functional.fractionalMaxPool3dWithIndices(randn(1, 3, 8, 8, 8), 2, { outputSize: 5 });
 * indices.shape // [1, 3, 5, 5, 5]
 */
export const fractionalMaxPool3dWithIndices = (
  x: Tensor,
  kernelSize: Size,
  ...rest: FractionalRest
): readonly [Tensor, Tensor] => pooled(3, x, kernelSize, rest);
/**
 * Fractional max pooling of images, without indices unless `returnIndices`. Errors as `fractionalMaxPool2dWithIndices`.
 * @example
 * nn.functional.fractionalMaxPool2d(randn(1, 3, 8, 8), 2, { outputSize: 5 }).shape // [1, 3, 5, 5]
 */
export const fractionalMaxPool2d = (x: Tensor, kernelSize: Size, ...rest: FractionalRest): Tensor =>
  chosen(2, x, kernelSize, rest);
/**
 * Fractional max pooling of volumes, without indices unless `returnIndices`. Errors as `fractionalMaxPool2dWithIndices`.
 * @example
 * nn.functional.fractionalMaxPool3d(randn(1, 3, 8, 8, 8), 2, { outputSize: 5 }).shape // [1, 3, 5, 5, 5]
 */
export const fractionalMaxPool3d = (x: Tensor, kernelSize: Size, ...rest: FractionalRest): Tensor =>
  chosen(3, x, kernelSize, rest);
function chosen(n: number, x: Tensor, kernelSize: Size, rest: readonly unknown[]): Tensor {
  const result = pooled(n, x, kernelSize, rest);
  const { returnIndices = false } = settle<FractionalPoolOptions>(`fractionalMaxPool${n}d`, order, rest);
  // The return type is that of the usual case, as for MaxPool2d.
  return returnIndices ? (result as unknown as Tensor) : result[0];
}

abstract class FractionalMaxPool extends Module {
  /** The size of the window, for each spatial dim or for all. */
  readonly kernelSize: readonly number[];
  /** The size of the output, for each spatial dim or for all. */
  readonly outputSize: readonly number[] | undefined;
  /** The size of the output as a share of that of the input, for each spatial dim. */
  readonly outputRatio: readonly number[] | undefined;
  /** Whether the indices of the maxima are returned, too. */
  readonly returnIndices: boolean;
  /** The positions of the windows, if they are given. */
  readonly _random_samples: StateBuffer | undefined;
  readonly #n: number;
  constructor(n: number, kernelSize: Size, rest: readonly unknown[]) {
    super();
    const call = `FractionalMaxPool${n}d`;
    const given = settle<FractionalPoolOptions>(call, order, rest);
    const { outputSize, outputRatio, returnIndices = false, randomSamples } = given;
    if ((outputSize === undefined) === (outputRatio === undefined))
      throw wrongArgument({ call, argument: 'outputSize' }, outputSize, 'either outputSize or outputRatio');
    this.#n = n;
    this.kernelSize = sizesOf(call, 'kernelSize', kernelSize, n);
    this.outputSize = outputSize === undefined ? undefined : sizesOf(call, 'outputSize', outputSize, n);
    this.outputRatio = outputRatio === undefined ? undefined : ratios(call, outputRatio, n);
    this.returnIndices = returnIndices;
    this._random_samples = randomSamples === undefined ? undefined : new StateBuffer(randomSamples);
  }
  override forward(x: Tensor): Tensor {
    const { outputSize, outputRatio, returnIndices, _random_samples: randomSamples } = this;
    return chosen(this.#n, x, this.kernelSize, [{ outputSize, outputRatio, returnIndices, randomSamples }]);
  }
}

/**
 * Fractional max pooling of images [N, C, H, W] or [C, H, W] (Graham, 2014): windows at pseudo-random positions, different in
 * each forward.
 *
 *     new nn.FractionalMaxPool2d(3, { outputRatio: [0.5, 0.6] })          new nn.FractionalMaxPool2d(2, { outputSize: 7 })
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.FractionalMaxPool2d(2, { outputSize: [5, 5] })(randn(1, 3, 8, 8)).shape // [1, 3, 5, 5]
 */
export class FractionalMaxPool2d extends FractionalMaxPool {
  constructor(kernelSize: Size, ...rest: FractionalRest) {
    super(2, kernelSize, rest);
  }
}
/**
 * Fractional max pooling of volumes [N, C, D, H, W] or [C, D, H, W]. Errors as `FractionalMaxPool2d`.
 * @example
 * new nn.FractionalMaxPool3d(2, { outputRatio: 0.5 })(randn(1, 3, 8, 8, 8)).shape // [1, 3, 4, 4, 4]
 */
export class FractionalMaxPool3d extends FractionalMaxPool {
  constructor(kernelSize: Size, ...rest: FractionalRest) {
    super(3, kernelSize, rest);
  }
}
