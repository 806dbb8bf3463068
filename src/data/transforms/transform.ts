// Transforms: functions of an item and of random numbers that belong to the item. Those of this library can also be
// called, `transform(image)`: the random numbers are then those of the item that a loader is fetching, and otherwise follow
// `manualSeed`. They are objects of plain options, so that they can be sent to another thread.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Literal } from '../../hlo/literal.ts';
import { Callable, invoke } from '../../nn/module/callable.ts';
import { manualSeedOf } from '../../tensor/devices.ts';
import { isTensor, type Tensor, tensor } from '../../tensor/index.ts';
import { isLiteral } from '../../tensor/types/host-data.ts';
import { wrongOption } from '../check-options.ts';
import { ItemRandom } from '../datasets/item-random.ts';
import type { Image } from '../images/image.ts';

/** A function of items, with random numbers for this item in this epoch. */
export interface Transform<A, B> {
  /** Transforms one item; all randomness comes from `random`. */
  apply(input: A, random: ItemRandom): B;
}

/** Checks for an object, because a class also has an `apply`: the method of functions. */
export const isTransform = (value: unknown): value is Transform<never, unknown> =>
  ((typeof value === 'object' && value !== null) || value instanceof Callable) &&
  'apply' in value &&
  typeof value.apply === 'function';

/**
 * The base of transforms that can be called, as those of torchvision: with an image, or with a tensor where one is expected.
 * @example
 * const flip: transforms.CallableTransform<Image, Image> = new transforms.RandomHorizontalFlip(1);
 * flip({ width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 2) }).data // [2, 1]
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the call of the interface is the method `invoke`
export abstract class CallableTransform<A, B> extends Callable implements Transform<A, B> {
  /** Transforms one item; all randomness comes from `random`. */
  abstract apply(input: A, random: ItemRandom): B;
  /** @internal What it takes, for messages, unless the input is that; undefined: the input fits. */
  protected expects(_input: unknown): string | undefined {
    return undefined;
  }
  /** @internal `apply`, for an input of unknown origin. @throws {INVALID_OPTION} */
  checked(input: unknown, random: ItemRandom): B {
    const expected = this.expects(input);
    if (expected !== undefined) throw wrongOption(this.constructor.name, 'the input', input, expected);
    return this.apply(input as A, random);
  }
  /** @internal */
  override [invoke]([input]: readonly unknown[]): unknown {
    const result = this.checked(isTensor(input) ? input.literal() : input, randomNow());
    return isLiteral(result) ? tensor(result) : result;
  }
}
/** A transform is a function of an item. */
export interface CallableTransform<A, B> {
  /** Transforms one item; host data becomes a tensor. */
  (input: A extends Literal ? Literal | Tensor : A): B extends Literal ? Tensor : B;
}

/**
 * The base of transforms of images.
 * @example
 * new transforms.Grayscale() instanceof transforms.ImageTransform // true
 */
export abstract class ImageTransform<B = Image> extends CallableTransform<Image, B> {
  protected override expects(input: unknown): string | undefined {
    const { width, height, channels, data } = (input ?? {}) as Partial<Image>;
    const isImage = data instanceof Uint8Array && width! * height! * channels! === data.length && data.length > 0;
    return isImage
      ? undefined
      : 'an image { width, height, channels, data } with all its bytes; ToTensor comes after it';
  }
}
/**
 * The base of transforms of tensors [channels, height, width].
 * @example
 * new transforms.Normalize([0.5], [0.5]) instanceof transforms.TensorTransform // true
 */
export abstract class TensorTransform extends CallableTransform<Literal, Literal> {
  protected override expects(input: unknown): string | undefined {
    return isLiteral(input) ? undefined : 'a tensor [channels, height, width]: put ToTensor before it';
  }
}

/** Applies a transform to an input of unknown origin. @throws {INVALID_OPTION} */
export const applied = (transform: Transform<never, unknown>, input: unknown, random: ItemRandom): unknown =>
  transform instanceof CallableTransform
    ? (transform as CallableTransform<unknown, unknown>).checked(input, random)
    : transform.apply(input as never, random);

/** The item that a loader is fetching. */
interface Fetched {
  readonly seed: number;
  readonly epoch: number;
  readonly index: number;
  random?: ItemRandom;
}
const fetched = new AsyncLocalStorage<Fetched>();
/** Calls of transforms use the random numbers of this item, also after an `await`. */
export const fetching = <R>(item: Fetched, fetch: () => R): R => fetched.run(item, fetch);

/** No loader gets that far. */
const epochOfCalls = 2 ** 31;
function randomNow(): ItemRandom {
  const item = fetched.getStore();
  if (item !== undefined) {
    item.random ??= new ItemRandom(item.seed, item.epoch, item.index);
    return item.random;
  }
  const { seed, index } = manualSeedOf();
  return new ItemRandom(seed, epochOfCalls, index);
}
