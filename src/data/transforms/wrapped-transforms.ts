// Transforms made of others or of a function, and those of the type of tensors, under torchvision's names.
import { type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import { wrongOption } from '../check-options.ts';
import type { ItemRandom } from '../datasets/item-random.ts';
import type { Image } from '../images/image.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { applied, CallableTransform, ImageTransform, TensorTransform, type Transform } from './transform.ts';
import { checkTransforms, probability } from './transforms.ts';

/**
 * A function as a transform. In loader workers, the function is one of a module that calls `exportToWorkers`.
 * @example
 * const invert = new transforms.Lambda((image: Image) => ({ ...image, data: image.data.map(byte => 255 - byte) }));
 * invert({ width: 2, height: 1, channels: 1, data: Uint8Array.of(0, 250) }).data // [255, 5]
 */
export class Lambda<A, B> extends CallableTransform<A, B> {
  /** The function: of an item, and of its random numbers. */
  readonly lambd: (input: A, random: ItemRandom) => B;

  /** @throws {INVALID_OPTION} */
  constructor(lambd: (input: A, random: ItemRandom) => B) {
    super();
    if (typeof lambd !== 'function') throw wrongOption('Lambda', 'lambd', lambd, 'a function');
    this.lambd = lambd;
  }
  /** The result of the function. */
  apply(input: A, random: ItemRandom): B {
    return this.lambd(input, random);
  }
}

const inOrder = <T>(transforms: readonly Transform<T, T>[], input: T, random: ItemRandom): T =>
  transforms.reduce((value, one) => applied(one, value, random) as T, input);

/**
 * Applies transforms one after another, with probability `p`, all of them or none.
 * @example
 * const flip = new transforms.RandomApply([new transforms.RandomHorizontalFlip(1)], 1);
 * flip({ width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 2) }).data // [2, 1]
 */
export class RandomApply<T> extends CallableTransform<T, T> {
  /** The transforms. */
  readonly transforms: readonly Transform<T, T>[];
  /** Their probability. */
  readonly p: number;

  /** @throws {INVALID_OPTION} */
  constructor(transforms: readonly Transform<T, T>[], p = 0.5) {
    super();
    checkTransforms('RandomApply', transforms);
    this.transforms = transforms;
    this.p = probability('RandomApply', p);
  }
  /** Transforms one item, or returns it. */
  apply(input: T, random: ItemRandom): T {
    return random.uniform() < this.p ? inOrder(this.transforms, input, random) : input;
  }
}

/**
 * Applies one of several transforms, all with the same probability, or with the weights `p`.
 * @example
 * const choice = new transforms.RandomChoice([new transforms.Pad(1), new transforms.Pad(2)], [1, 0]);
 * choice({ width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 2) }).width // 4
 */
export class RandomChoice<T> extends CallableTransform<T, T> {
  /** The transforms. */
  readonly transforms: readonly Transform<T, T>[];
  /** The weight of each; undefined: equal. */
  readonly p: readonly number[] | undefined;

  /** @throws {INVALID_OPTION} */
  constructor(transforms: readonly Transform<T, T>[], p?: readonly number[]) {
    super();
    checkTransforms('RandomChoice', transforms);
    const isWeights = p === undefined || (p.length === transforms.length && p.every(w => w >= 0) && p.some(w => w > 0));
    if (!isWeights) throw wrongOption('RandomChoice', 'p', p, 'a weight for each transform, not all 0');
    this.transforms = transforms;
    this.p = p;
  }
  /** Transforms one item. */
  apply(input: T, random: ItemRandom): T {
    const weights = this.p ?? this.transforms.map(() => 1);
    let left = random.uniform() * weights.reduce((sum, w) => sum + w, 0);
    const chosen = weights.findIndex(w => {
      left -= w;
      return left < 0;
    });
    const one = this.transforms[chosen];
    return one === undefined ? input : (applied(one, input, random) as T);
  }
}

/**
 * Applies transforms in a random order.
 * @example
 * const order = new transforms.RandomOrder([new transforms.Pad(1), new transforms.Pad(2)]);
 * order({ width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 2) }).width // 8
 */
export class RandomOrder<T> extends CallableTransform<T, T> {
  /** The transforms. */
  readonly transforms: readonly Transform<T, T>[];

  /** @throws {INVALID_OPTION} */
  constructor(transforms: readonly Transform<T, T>[]) {
    super();
    checkTransforms('RandomOrder', transforms);
    this.transforms = transforms;
  }
  /** Transforms one item. */
  apply(input: T, random: ItemRandom): T {
    return inOrder(shuffled(this.transforms, random), input, random);
  }
}

/** In a random order. */
export function shuffled<T>(list: readonly T[], random: ItemRandom): readonly T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/**
 * An image as uint8 [channels, height, width], its bytes unchanged.
 * @example
 * new transforms.PILToTensor()({ width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 255) }) // [[[1, 255]]]
 */
export class PILToTensor extends ImageTransform<Literal> {
  /** The bytes of an image by channels. */
  apply({ width, height, channels, data }: Image): Literal {
    const plane = width * height;
    const out = Uint8Array.from(
      { length: data.length },
      (_, i) => data[(i % plane) * channels + Math.floor(i / plane)]!,
    );
    return { type: tensorType('ui8', [channels, height, width]), data: out };
  }
}

/**
 * Tensors between uint8, 0 to 255, and float32, 0 to 1.
 * @example
 * const image = { width: 2, height: 1, channels: 1, data: Uint8Array.of(0, 255) };
 * new transforms.ConvertImageDtype('float32')(new transforms.PILToTensor()(image)) // [[[0, 1]]]
 */
export class ConvertImageDtype extends TensorTransform {
  /** The type of the result. */
  readonly dtype: 'float32' | 'uint8';

  /** @throws {INVALID_OPTION} */
  constructor(dtype: 'float32' | 'uint8') {
    super();
    if (dtype !== 'float32' && dtype !== 'uint8')
      throw wrongOption('ConvertImageDtype', 'dtype', dtype, "'float32' or 'uint8'");
    this.dtype = dtype;
  }
  /** The tensor in the other type, or as it is. @throws {INVALID_OPTION} */
  apply(input: Literal): Literal {
    const { data, type } = input;
    const isFloat = data instanceof Float32Array;
    if (!isFloat && !(type.elementType === 'ui8' && data instanceof Uint8Array))
      throw wrongOption('ConvertImageDtype', 'the input', data, 'float32 or uint8');
    if (isFloat === (this.dtype === 'float32')) return input;
    if (isFloat) {
      const bytes = Uint8Array.from(data, value => Math.trunc(Math.fround(value * Math.fround(255.999))));
      return { type: tensorType('ui8', type.shape), data: bytes };
    }
    const floats = Float32Array.from(data, byte => byte / 255);
    return literalOfBytes(tensorType('f32', type.shape), new Uint8Array(floats.buffer));
  }
}

exportToWorkers(import.meta.url, { Lambda, RandomApply, RandomChoice, RandomOrder, PILToTensor, ConvertImageDtype });
