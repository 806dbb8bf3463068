// Functions that drop out elements or channels of tensors. Their random bits are determined by the seed, the step, and how many
// random ops came before in the step: see `tensor/random/random.ts`.
import { TrenioError } from '../../base/errors.ts';
import { record, type Tensor, userLocation } from '../../tensor/index.ts';
import { type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { dropoutValue } from './attention.ts';

/** @throws {INVALID_OPTION} if p is not a probability */
export function checkProbability(p: number): void {
  if (!(p >= 0 && p <= 1)) {
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'dropout', option: 'p', got: String(p), expected: 'a probability in [0, 1]' },
      { location: userLocation() },
    );
  }
}

/** Options of the dropouts. */
export interface DropoutOptions {
  /** The probability that an element is set to zero; 0.5 by default. */
  readonly p?: number;
  /** Without it, the input is returned. */
  readonly training?: boolean;
  /** Accepted for compatibility with PyTorch; the compiler plans memory. */
  readonly inplace?: boolean;
}
/** The arguments of a dropout after its input: in PyTorch's order, or by name. */
export type DropoutRest = Settings<DropoutOptions, ['p', 'training', 'inplace']>;
function optionsOf(call: string, rest: DropoutRest, trainsByDefault = true): Required<Omit<DropoutOptions, 'inplace'>> {
  const { p = 0.5, training = trainsByDefault } = settle<DropoutOptions>(call, ['p', 'training', 'inplace'], rest);
  checkProbability(p);
  return { p, training };
}

/**
 * Zeros each element with probability p and multiplies the others by 1 / (1 − p). Does nothing unless `training`.
 * @throws {INVALID_OPTION}
 * @example
 * nn.functional.dropout(ones(3), 0.5, false) // [1, 1, 1]
 */
export function dropout(x: Tensor, ...rest: DropoutRest): Tensor {
  const { p, training } = optionsOf('dropout', rest);
  if (!training || p === 0) return x;
  return record('dropout', [x], (b, [v], trace) => dropoutValue(b, trace, x.device, v!, p));
}

/** A tensor of the shape in which each element is 0 with probability p, else 1 / (1 − p). */
const mask = (x: Tensor, shape: readonly number[], p: number): Tensor =>
  record(
    'dropout',
    [x],
    (b, [v], trace) => {
      const type = v!.type.kind === 'tensor' ? v!.type.elementType : 'f32';
      return dropoutValue(b, trace, x.device, b.fill(type, shape, 1), p);
    },
    { differentiable: false },
  );

/** Zeros whole channels of [N, C, …]. */
function channelDropout(call: string, ndims: readonly number[], x: Tensor, rest: DropoutRest): Tensor {
  const { p, training } = optionsOf(call, rest);
  if (!ndims.includes(x.ndim))
    throw wrongText({ call, argument: 'the input' }, `a tensor of ${x.ndim} dims`, `one of ${ndims.join(' or ')} dims`);
  if (!training || p === 0) return x;
  const kept = x.ndim === Math.max(...ndims) ? 2 : 1;
  return x.mul(
    mask(
      x,
      x.shape.map((d, i) => (i < kept ? d : 1)),
      p,
    ),
  );
}
/**
 * Zeros whole channels of sequences [N, C, L] or [C, L].
 * @throws {INVALID_OPTION}
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.dropout1d(ones(1, 8, 4), 0.5).shape // [1, 8, 4]
 */
export const dropout1d = (x: Tensor, ...rest: DropoutRest): Tensor => channelDropout('dropout1d', [2, 3], x, rest);
/**
 * Zeros whole channels of images [N, C, H, W] or [C, H, W].
 * @throws {INVALID_OPTION}
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.dropout2d(ones(1, 8, 4, 4), 0.5).shape // [1, 8, 4, 4]
 */
export const dropout2d = (x: Tensor, ...rest: DropoutRest): Tensor => channelDropout('dropout2d', [3, 4], x, rest);
/**
 * Zeros whole channels of volumes [N, C, D, H, W] or [C, D, H, W].
 * @throws {INVALID_OPTION}
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.dropout3d(ones(1, 8, 2, 4, 4), 0.5).shape // [1, 8, 2, 4, 4]
 */
export const dropout3d = (x: Tensor, ...rest: DropoutRest): Tensor => channelDropout('dropout3d', [4, 5], x, rest);

/** Sets dropped elements to the limit of selu for large negative inputs, then restores mean and variance. */
function alpha(x: Tensor, shape: readonly number[], p: number): Tensor {
  const low = -1.7580993408473766;
  const a = 1 / Math.sqrt((1 - p) * (1 + p * low * low));
  const shift = -a * low * p;
  if (p >= 1) return x.mul(0);
  const kept = mask(x, shape, p).mul(1 - p);
  return x.mul(kept).add(kept.sub(1).mul(-low)).mul(a).add(shift);
}
/**
 * Dropout that preserves the mean and variance of selu outputs.
 * @throws {INVALID_OPTION}
 * @example
 * nn.functional.alphaDropout(ones(3), 0.5, false) // [1, 1, 1]
 */
export function alphaDropout(x: Tensor, ...rest: DropoutRest): Tensor {
  const { p, training } = optionsOf('alphaDropout', rest, false);
  return !training || p === 0 ? x : alpha(x, x.shape, p);
}
/**
 * `alphaDropout` of whole channels.
 * @throws {INVALID_OPTION}
 * @example
 * nn.functional.featureAlphaDropout(ones(1, 8, 4), 0.5).shape // [1, 8, 4]
 */
export function featureAlphaDropout(x: Tensor, ...rest: DropoutRest): Tensor {
  const { p, training } = optionsOf('featureAlphaDropout', rest, false);
  return !training || p === 0
    ? x
    : alpha(
        x,
        x.shape.map((d, i) => (i < 2 ? d : 1)),
        p,
      );
}
