// Functions of torch.nn.functional that are aliases, in-place variants or combinations of others.
import * as surface from '../../tensor/generated/functional.ts';
import type { CeluOptions, CrossEntropyOptions, EluOptions, LeakyReluOptions } from '../../tensor/generated/options.ts';
import { oneHot as hot, type Tensor, tensor, wrongArgument } from '../../tensor/index.ts';
import { type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { type InterpolateOptions, type InterpolateRest, interpolate } from './resample.ts';

/** The options of `upsampleNearest` and `upsampleBilinear`. */
export type UpsampleOptions = Pick<InterpolateOptions, 'size' | 'scaleFactor'>;
/** The arguments of `upsampleNearest` and `upsampleBilinear` after the input. */
export type UpsampleRest = Settings<UpsampleOptions, ['size', 'scaleFactor']>;
const upsampleOptions = (call: string, rest: UpsampleRest): UpsampleOptions =>
  settle<UpsampleOptions>(call, ['size', 'scaleFactor'], rest);
/**
 * `interpolate`, under its older name.
 * @example
 * nn.functional.upsample(tensor([[[[1, 2]]]]), { scaleFactor: 2 }) // [[[[1, 1, 2, 2], [1, 1, 2, 2]]]]
 */
export const upsample = (x: Tensor, ...rest: InterpolateRest): Tensor => interpolate(x, ...rest);
/**
 * `interpolate` with the mode 'nearest'.
 * @example
 * nn.functional.upsampleNearest(tensor([[[[1, 2]]]]), { scaleFactor: 2 }) // [[[[1, 1, 2, 2], [1, 1, 2, 2]]]]
 */
export const upsampleNearest = (x: Tensor, ...rest: UpsampleRest): Tensor =>
  interpolate(x, { ...upsampleOptions('upsampleNearest', rest), mode: 'nearest' });
/**
 * `interpolate` with the mode 'bilinear' and aligned corners.
 * @example
 * nn.functional.upsampleBilinear(randn(1, 3, 4, 4), { scaleFactor: 2 }).shape // [1, 3, 8, 8]
 */
export const upsampleBilinear = (x: Tensor, ...rest: UpsampleRest): Tensor =>
  interpolate(x, { ...upsampleOptions('upsampleBilinear', rest), mode: 'bilinear', alignCorners: true });

/**
 * `relu`, in place.
 * @example
 * nn.functional.relu_(tensor([-1, 2])) // [0, 2]
 */
export const relu_ = (x: Tensor): Tensor => x.copy_(surface.relu(x));
/**
 * `elu`, in place.
 * @example
 * nn.functional.elu_(tensor([-1, 2])) // [-0.6321…, 2]
 */
export const elu_ = (x: Tensor, alpha: number | EluOptions = 1): Tensor => x.copy_(surface.elu(x, alpha));
/**
 * `celu`, in place.
 * @example
 * nn.functional.celu_(tensor([-1, 2])) // [-0.6321…, 2]
 */
export const celu_ = (x: Tensor, alpha: number | CeluOptions = 1): Tensor => x.copy_(surface.celu(x, alpha));
/**
 * `selu`, in place.
 * @example
 * nn.functional.selu_(tensor([-1, 2])) // [-1.1113…, 2.1014]
 */
export const selu_ = (x: Tensor): Tensor => x.copy_(surface.selu(x));
/**
 * `leakyRelu`, in place.
 * @example
 * nn.functional.leakyRelu_(tensor([-1, 2]), 0.1) // [-0.1, 2]
 */
export const leakyRelu_ = (x: Tensor, negativeSlope: number | LeakyReluOptions = 0.01): Tensor =>
  x.copy_(surface.leakyRelu(x, negativeSlope));
/**
 * `hardtanh`, in place.
 * @example
 * nn.functional.hardtanh_(tensor([-3, 2]), -2, 2) // [-2, 2]
 */
export const hardtanh_ = (x: Tensor, minVal = -1, maxVal = 1): Tensor => x.copy_(surface.hardtanh(x, minVal, maxVal));
/**
 * `threshold`, in place.
 * @example
 * nn.functional.threshold_(tensor([0, 2]), 1, 20) // [20, 2]
 */
export const threshold_ = (x: Tensor, limit: number, value: number): Tensor =>
  x.copy_(surface.threshold(x, limit, value));
/**
 * `rrelu`, in place.
 * @example
 * nn.functional.rrelu_(tensor([-8, 2]), { lower: 0.25, upper: 0.25 }) // [-2, 2]
 */
export const rrelu_ = (
  x: Tensor,
  ...rest: Parameters<typeof surface.rrelu> extends [Tensor, ...infer R] ? R : never
): Tensor => x.copy_(surface.rrelu(x, ...rest));

/**
 * 1 where the class is the index, 0 elsewhere: [...] → i64 [..., classes]. Without a number of classes, or with -1, it is the
 * largest index plus one, which is read from the tensor.
 *
 *     nn.functional.oneHot(tensor([0, 2], { dtype: 'i64' }), 3); // [[1, 0, 0], [0, 0, 1]]
 *
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.oneHot(tensor([0, 2], { dtype: 'int64' }), 3) // [[1, 0, 0], [0, 0, 1]]
 */
export function oneHot(index: Tensor, numClasses = -1): Tensor {
  if (!Number.isInteger(numClasses) || numClasses === 0 || numClasses < -1)
    throw wrongArgument({ call: 'oneHot', argument: 'numClasses' }, numClasses, 'a number of classes, or -1');
  const classes = numClasses === -1 ? index.amax().item<number>() + 1 : numClasses;
  return hot(index, classes, 'i64');
}

/**
 * p-norms of the differences of all pairs of rows: [n, m] → [n · (n − 1) / 2].
 * @throws {WRONG_ARGUMENT} for tensors other than matrices
 * @example
 * nn.functional.pdist(tensor([[0, 0], [3, 4], [0, 4]])) // [5, 4, 3]
 */
export function pdist(x: Tensor, p = 2): Tensor {
  if (x.ndim !== 2) throw wrongText({ call: 'pdist', argument: 'the input' }, `[${x.shape}]`, 'a matrix [n, m]');
  if (!(p >= 0)) throw wrongArgument({ call: 'pdist', argument: 'p' }, p, 'a number of at least 0');
  const n = x.shape[0]!;
  const first: number[] = [];
  const second: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      first.push(i);
      second.push(j);
    }
  const rows = (at: readonly number[]): Tensor => x.indexSelect(0, tensor(Int32Array.from(at), { device: x.device }));
  return rows(first).sub(rows(second)).norm(p, 1);
}

/**
 * A convolution over sequences [T, N, in] with the time first: weight [kernel, in, out], bias [out] → [T + 2 · pad − kernel +
 * 1, N, out].
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.convTbc(randn(10, 2, 4), randn(3, 4, 8), zeros(8), 1).shape // [10, 2, 8]
 */
export function convTbc(x: Tensor, weight: Tensor, bias: Tensor, pad = 0): Tensor {
  if (x.ndim !== 3 || weight.ndim !== 3)
    throw wrongText(
      { call: 'convTbc', argument: x.ndim === 3 ? 'the weight' : 'the input' },
      `[${(x.ndim === 3 ? weight : x).shape}]`,
      x.ndim === 3 ? '[kernel, in, out]' : '[T, N, in]',
    );
  return surface.conv1d(x.permute(1, 2, 0), weight.permute(2, 1, 0), bias, { padding: pad }).permute(2, 0, 1);
}

/** Options of `linearCrossEntropy`. */
export interface LinearCrossEntropyOptions extends CrossEntropyOptions<Tensor> {
  /** [C], or [C, …] as the first dims of the weight. */
  readonly linearBias?: Tensor | undefined;
}
const linearNames = ['weight', 'reduction', 'ignoreIndex', 'labelSmoothing'] as const;

/**
 * The cross entropy of x · linearWeightᵀ + bias, as the last layer of a language model: x [N, in] or [in], weight [C, in] or
 * [C, d…, in]. The compiler sees both in one program, as in any other step.
 *
 *     nn.functional.linearCrossEntropy(hidden, head.weight, labels, { ignoreIndex: 0 });
 *
 * @throws {SHAPE_MISMATCH}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const x = randn(4, 8), weight = randn(10, 8), target = randint(0, 10, [4]);
 * nn.functional.linearCrossEntropy(x, weight, target).shape // []
 */
export function linearCrossEntropy(
  x: Tensor,
  linearWeight: Tensor,
  target: Tensor,
  ...given: Settings<LinearCrossEntropyOptions, ['linearBias']>
): Tensor {
  const order = ['linearBias'] as const;
  const { linearBias, ...rest } = settle<LinearCrossEntropyOptions>('linearCrossEntropy', order, given, linearNames);
  const [classes, ...more] = linearWeight.shape.slice(0, -1) as [number, ...number[]];
  const product = x.matmul(linearWeight.reshape([-1, linearWeight.shape.at(-1)!]).t());
  const logits = linearBias === undefined ? product : product.add(linearBias.reshape([-1]));
  const shaped = more.length === 0 ? logits : logits.reshape([...x.shape.slice(0, -1), classes, ...more]);
  return surface.crossEntropy(shaped, target, rest);
}
