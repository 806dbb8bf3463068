// Convolution and pooling over images [N, C, H, W].
import type { Builder } from '../hlo/builder.ts';
import { imageDimensionNumbers } from '../hlo/image-dimension-numbers.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { lower, record, type Tensor, wrongArgument } from '../tensor/index.ts';

/** One number for both spatial dims, or one for each. */
export type Pair = number | readonly [number, number];
export function pairOf(pair: Pair): readonly [number, number] {
  if (typeof pair === 'number') return [pair, pair];
  if (Array.isArray(pair) && pair.length === 2) return pair as unknown as readonly [number, number];
  const fix = 'give one number for both, or two, such as [3, 3]';
  throw wrongArgument({ call: 'an image', argument: 'a size of a window or a step' }, pair, 'a number or two', fix);
}

export interface ConvOptions {
  readonly stride?: Pair;
  /** Zeros on each side. */
  readonly padding?: Pair;
  readonly dilation?: Pair;
  readonly groups?: number;
}

/** x [N, C, H, W] with weight [O, C / groups, kh, kw] → [N, O, H', W']. */
export function conv2d(x: Tensor, weight: Tensor, bias?: Tensor, options: ConvOptions = {}): Tensor {
  const groups = options.groups ?? 1;
  const [padY, padX] = pairOf(options.padding ?? 0);
  return record('conv2d', bias === undefined ? [x, weight] : [x, weight, bias], (b, [v, w, c]) => {
    if (
      x.ndim !== 4 ||
      weight.ndim !== 4 ||
      x.shape[1] !== weight.shape[1]! * groups ||
      weight.shape[0]! % groups !== 0
    ) {
      throw lower.mismatch(
        b,
        'conv2d',
        x.shape,
        weight.shape,
        `images [N, C, H, W] need weights [O, C / ${groups}, kh, kw]`,
      );
    }
    const [dilationY, dilationX] = pairOf(options.dilation ?? 1);
    const reach = [dilationY * (weight.shape[2]! - 1) + 1, dilationX * (weight.shape[3]! - 1) + 1] as const;
    if (reach[0] > x.shape[2]! + 2 * padY || reach[1] > x.shape[3]! + 2 * padX) {
      throw lower.mismatch(
        b,
        'conv2d',
        x.shape,
        weight.shape,
        `the kernel reaches over [${reach}], more than the padded image`,
      );
    }
    // Rounded as in a multiply of the type; summed in f32.
    const type = lower.productType(v!, w!);
    const read = (x: Value): Value => lower.widen(b, b.convert(x, type));
    const y = b.emit1('convolution', [read(v!), read(w!)], {
      windowStrides: pairOf(options.stride ?? 1),
      padding: [
        [padY, padY],
        [padX, padX],
      ],
      lhsDilation: [1, 1],
      rhsDilation: [dilationY, dilationX],
      windowReversal: [false, false],
      dimensionNumbers: imageDimensionNumbers,
      featureGroupCount: groups,
      batchGroupCount: 1,
      precision: ['DEFAULT', 'DEFAULT'],
    });
    if (c === undefined) return b.convert(y, type);
    return b.convert(b.add(y, b.broadcastInDim(lower.widen(b, c), [1], shapeOf(y))), type);
  });
}

export interface PoolOptions {
  /** The kernel's size by default. */
  readonly stride?: Pair;
  readonly padding?: Pair;
}

function pool(b: Builder, name: 'maximum' | 'add', x: Value, kernel: Pair, options: PoolOptions): Value {
  const [height, width] = pairOf(kernel);
  const [strideY, strideX] = pairOf(options.stride ?? kernel);
  const [padY, padX] = pairOf(options.padding ?? 0);
  const shape = shapeOf(x);
  if (shape.length !== 4 || height > shape[2]! + 2 * padY || width > shape[3]! + 2 * padX) {
    throw lower.mismatch(
      b,
      name === 'add' ? 'avgPool2d' : 'maxPool2d',
      shape,
      [height, width],
      'images are [N, C, H, W], no smaller than the window',
    );
  }
  const { elementType } = tensorTypeOf(x);
  const start = b.fill(elementType, [], name === 'add' ? 0 : -Infinity);
  return b.emit1(
    'reduce_window',
    [x, start],
    {
      windowDimensions: [1, 1, height, width],
      windowStrides: [1, 1, strideY, strideX],
      baseDilations: [1, 1, 1, 1],
      windowDilations: [1, 1, 1, 1],
      padding: [
        [0, 0],
        [0, 0],
        [padY, padY],
        [padX, padX],
      ],
    },
    [b.combiner(name, elementType)],
  );
}
/** The largest element of each window. */
export const maxPool2d = (x: Tensor, kernel: Pair, options: PoolOptions = {}): Tensor =>
  record('maxPool2d', [x], (b, [v]) => pool(b, 'maximum', v!, kernel, options));
/** The mean of each window, zeros of the padding included. */
export const avgPool2d = (x: Tensor, kernel: Pair, options: PoolOptions = {}): Tensor =>
  record('avgPool2d', [x], (b, [v]) => {
    const [height, width] = pairOf(kernel);
    return lower.inWide(b, v!, wide => {
      const total = pool(b, 'add', wide, kernel, options);
      return b.multiply(total, b.like(total, 1 / (height * width)));
    });
  });
/** The mean over windows that divide the image evenly into [height, width]. */
export function adaptiveAvgPool2d(x: Tensor, size: Pair): Tensor {
  const [height, width] = pairOf(size);
  return record('adaptiveAvgPool2d', [x], (b, [v]) => {
    const [n, c, h, w] = x.shape as [number, number, number, number];
    if (x.ndim !== 4 || h % height !== 0 || w % width !== 0) {
      throw lower.mismatch(b, 'adaptiveAvgPool2d', x.shape, [height, width], 'the image must divide evenly');
    }
    return lower.mean(b, b.reshape(v!, [n, c, height, h / height, width, w / width]), [3, 5], false);
  });
}
