// Changing the resolution of [N, C, …]: interpolation, and moving elements between channels and space.
//
// Along each dim, most modes are a product with a small matrix [to, from] of weights: one contraction per dim, and so is their
// gradient.
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { lower, record, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { checkWord, type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { type Size, sizesOf } from '../layers/sizes.ts';

const modes = ['nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic', 'area'] as const;
export type InterpolateMode = (typeof modes)[number];
/** Options of `interpolate`. */
export interface InterpolateOptions {
  /** The size of the output; or give `scaleFactor`. */
  readonly size?: Size | undefined;
  /** The size of the output as a multiple of that of the input, for each spatial dim or for all. */
  readonly scaleFactor?: number | readonly number[] | undefined;
  /** How values are interpolated. Default: `nearest`. */
  readonly mode?: InterpolateMode;
  /** The corners of input and output are at the same positions; for the linear modes and bicubic. */
  readonly alignCorners?: boolean | undefined;
  /** The scale is computed from the sizes, in place of `scaleFactor` itself. */
  readonly recomputeScaleFactor?: boolean | undefined;
  /** Only false. */
  readonly antialias?: false | undefined;
}
const interpolateOrder = ['size', 'scaleFactor', 'mode', 'alignCorners', 'recomputeScaleFactor'] as const;
/** The arguments of `interpolate` after its input: in PyTorch's order, or by name. */
export type InterpolateRest = Settings<InterpolateOptions, typeof interpolateOrder>;

/** The positions of the output elements of one dim in the input. */
interface Sampling {
  readonly from: number;
  readonly to: number;
  /** Input elements per output element. */
  readonly step: number;
  readonly alignCorners: boolean;
}
/** The position of the center of output element i, in elements of the input. */
function center({ from, to, step, alignCorners }: Sampling, i: number): number {
  if (alignCorners) return to > 1 ? (i * (from - 1)) / (to - 1) : 0;
  return step * (i + 0.5) - 0.5;
}
const clip = (i: number, size: number): number => Math.min(size - 1, Math.max(0, i));

function nearestIndices({ from, to, step }: Sampling, exact: boolean): number[] {
  return Array.from({ length: to }, (_, i) => clip(Math.floor((exact ? i + 0.5 : i) * step), from));
}
function linearRows(s: Sampling): number[][] {
  return Array.from({ length: s.to }, (_, i) => {
    const at = Math.max(0, center(s, i));
    const low = clip(Math.floor(at), s.from);
    const share = low === s.from - 1 ? 0 : at - low;
    const row = new Array<number>(s.from).fill(0);
    row[low]! += 1 - share;
    if (share > 0) row[low + 1]! += share;
    return row;
  });
}
/** Keys' cubic convolution with a = -0.75, edges repeated. */
function cubicRows(s: Sampling): number[][] {
  const a = -0.75;
  const near = (t: number): number => ((a + 2) * t - (a + 3)) * t * t + 1;
  const far = (t: number): number => ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
  return Array.from({ length: s.to }, (_, i) => {
    const at = center(s, i);
    const low = Math.floor(at);
    const t = at - low;
    const row = new Array<number>(s.from).fill(0);
    [far(t + 1), near(t), near(1 - t), far(2 - t)].forEach((weight, k) => {
      row[clip(low - 1 + k, s.from)]! += weight;
    });
    return row;
  });
}
const meanRows = ({ from, to }: Sampling): number[][] =>
  Array.from({ length: to }, (_, i) => {
    const [start, end] = [Math.floor((i * from) / to), Math.ceil(((i + 1) * from) / to)];
    return Array.from({ length: from }, (_, j) => (j >= start && j < end ? 1 / (end - start) : 0));
  });

/**
 * x [N, C, …] in another resolution: `size`, or the input's times `scaleFactor`.
 *
 *     interpolate(images, { scaleFactor: 2, mode: 'bilinear' })
 *
 * @throws {WRONG_ARGUMENT} if both or neither of size and scaleFactor are given, or if the mode does not support the number of dims
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * nn.functional.interpolate(tensor([[[1, 2]]]), { scaleFactor: 2 }) // [[[1, 1, 2, 2]]]
 */
export function interpolate(x: Tensor, ...rest: InterpolateRest): Tensor {
  const call = 'interpolate';
  const options = settle<InterpolateOptions>(call, interpolateOrder, rest, ['antialias']);
  if ((options.antialias ?? false) !== false)
    throw wrongArgument(
      { call, argument: 'antialias' },
      options.antialias,
      'false',
      "leave it out: reduce with the mode 'area', or resize images with Resize",
    );
  const { size, scaleFactor, alignCorners } = options;
  const mode = checkWord(call, 'mode', options.mode ?? 'nearest', modes);
  const n = x.ndim - 2;
  if (n < 1 || n > 3)
    throw wrongText(
      { call, argument: 'the input' },
      `a tensor of ${x.ndim} dims`,
      '[N, C, …] with one to three more dims',
    );
  const dims: Partial<Record<InterpolateMode, number>> = { linear: 1, bilinear: 2, trilinear: 3, bicubic: 2 };
  const fit = (['linear', 'bilinear', 'trilinear'] as const)[n - 1];
  if ((dims[mode] ?? n) !== n)
    throw wrongArgument({ call, argument: 'mode' }, mode, `a mode for ${n} spatial dims, such as '${fit}'`);
  if (alignCorners !== undefined && dims[mode] === undefined)
    throw wrongArgument({ call, argument: 'alignCorners' }, alignCorners, `nothing for the mode '${mode}'`);
  if ((size == null) === (scaleFactor == null))
    throw wrongArgument({ call, argument: 'size' }, size, 'either size or scaleFactor');
  const from = x.shape.slice(2);
  const factors =
    scaleFactor == null ? undefined : typeof scaleFactor === 'number' ? from.map(() => scaleFactor) : scaleFactor;
  if (factors !== undefined && (factors.length !== n || factors.some(f => !(f > 0))))
    throw wrongText({ call, argument: 'scaleFactor' }, `[${factors}]`, `a positive number, or ${n} of them`);
  const to = factors === undefined ? sizesOf(call, 'size', size!, n) : from.map((f, i) => Math.floor(f * factors[i]!));
  const samplings = from.map((f, i): Sampling => {
    const given = factors !== undefined && options.recomputeScaleFactor !== true ? 1 / factors[i]! : f / to[i]!;
    return { from: f, to: to[i]!, step: given, alignCorners: alignCorners ?? false };
  });
  return record(call, [x], (b, [v]) => {
    if (mode === 'nearest' || mode === 'nearest-exact') return nearest(b, v!, samplings, mode === 'nearest-exact');
    const rowsOf = mode === 'area' ? meanRows : mode === 'bicubic' ? cubicRows : linearRows;
    return lower.inWide(b, v!, wide =>
      lower.contractDims(
        b,
        wide,
        samplings.map(s => (s.from === s.to && (s.step === 1 || s.alignCorners) ? undefined : rowsOf(s))),
      ),
    );
  });
}
function nearest(b: Builder, x: Value, samplings: readonly Sampling[], exact: boolean): Value {
  return samplings.reduce((y: Value, sampling, i) => {
    const { from, to, step } = sampling;
    const shape = shapeOf(y);
    const dim = shape.length - samplings.length + i;
    if (from === to && step === 1) return y;
    const factor = to / from;
    if (Number.isInteger(factor) && step === 1 / factor) {
      // Each element, repeated.
      const split = [...shape.slice(0, dim + 1), factor, ...shape.slice(dim + 1)];
      const wide = b.broadcastInDim(
        y,
        shape.map((_, d) => (d <= dim ? d : d + 1)),
        split,
      );
      return b.reshape(
        wide,
        shape.map((d, k) => (k === dim ? to : d)),
      );
    }
    const positions = b.constant(literal('i32', [to], nearestIndices(sampling, exact)));
    return lower.indexSelect(b, 'interpolate', y, dim, positions);
  }, x);
}

/** Options of `unfold` and `fold`. */
export interface UnfoldOptions {
  /** The distance between the elements of the window, for each spatial dim or for all. */
  readonly dilation?: Size;
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding?: Size;
  /** The step of the window, for each spatial dim or for all. */
  readonly stride?: Size;
}
interface Patches {
  readonly kernel: readonly number[];
  /** The distance between the elements of the window, for each spatial dim or for all. */
  readonly dilation: readonly number[];
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding: readonly number[];
  /** The step of the window, for each spatial dim or for all. */
  readonly stride: readonly number[];
  readonly counts: readonly number[];
}
const patchOrder = ['dilation', 'padding', 'stride'] as const;
/** The arguments of `unfold` and `fold` after the kernel: in PyTorch's order, or by name. */
export type UnfoldRest = Settings<UnfoldOptions, typeof patchOrder>;
function patchesOf(call: string, size: readonly number[], kernelSize: Size, rest: UnfoldRest): Patches {
  const options = settle<UnfoldOptions>(call, patchOrder, rest);
  const kernel = sizesOf(call, 'kernelSize', kernelSize, 2);
  const dilation = sizesOf(call, 'dilation', options.dilation ?? 1, 2);
  const padding = sizesOf(call, 'padding', options.padding ?? 0, 2, 0);
  const stride = sizesOf(call, 'stride', options.stride ?? 1, 2);
  const counts = size.map(
    (d, i) => Math.floor((d + 2 * padding[i]! - dilation[i]! * (kernel[i]! - 1) - 1) / stride[i]!) + 1,
  );
  if (counts.some(count => count < 1))
    throw wrongText(
      { call, argument: 'kernelSize' },
      `[${kernel}]`,
      `a window that fits into the padded image [${size}]`,
    );
  return { kernel, dilation, padding, stride, counts };
}
/** The start positions of a kernel, row by row. */
const taps = ({ kernel: [kh, kw], dilation: [dh, dw] }: Patches): [number, number][] =>
  Array.from({ length: kh! * kw! }, (_, i) => [Math.floor(i / kw!) * dh!, (i % kw!) * dw!]);

/**
 * The patches of images as columns: [N, C, H, W] → [N, C · kh · kw, patches].
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.unfold(tensor([[[[1, 2], [3, 4]]]]), 2) // [[[1], [2], [3], [4]]]
 */
export function unfold(x: Tensor, kernelSize: Size, ...rest: UnfoldRest): Tensor {
  if (x.ndim === 3) return unfold(x.unsqueeze(0), kernelSize, ...rest).squeeze(0);
  const [n, c, h, w] = x.shape as [number, number, number, number];
  const patches = patchesOf('unfold', [h, w], kernelSize, rest);
  const [ch, cw] = patches.counts as [number, number];
  const [sh, sw] = patches.stride as [number, number];
  return record('unfold', [x], (b, [v]) => {
    const [ph, pw] = patches.padding as [number, number];
    const padded = lower.pad(b, v!, [0, 0, ph, pw], [0, 0, ph, pw], 0);
    const slices = taps(patches).map(([y, z]) =>
      b.reshape(b.slice(padded, [0, 0, y, z], [n, c, y + (ch - 1) * sh + 1, z + (cw - 1) * sw + 1], [1, 1, sh, sw]), [
        n,
        c,
        1,
        ch * cw,
      ]),
    );
    return b.reshape(b.concatenate(slices, 2), [n, c * slices.length, ch * cw]);
  });
}
/**
 * The sum of patches at their positions, the transpose of `unfold`: [N, C · kh · kw, patches] → [N, C, …size].
 * @throws {WRONG_ARGUMENT}
 * @example
 * nn.functional.fold(ones(1, 4, 4), 3, 2) // [[[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]]
 */
export function fold(x: Tensor, outputSize: Size, kernelSize: Size, ...rest: UnfoldRest): Tensor {
  if (x.ndim === 2) return fold(x.unsqueeze(0), outputSize, kernelSize, ...rest).squeeze(0);
  const [h, w] = sizesOf('fold', 'outputSize', outputSize, 2) as [number, number];
  const patches = patchesOf('fold', [h, w], kernelSize, rest);
  const [ch, cw] = patches.counts as [number, number];
  const [sh, sw] = patches.stride as [number, number];
  const [ph, pw] = patches.padding as [number, number];
  const positions = taps(patches);
  const [n, rows, columns] = x.shape as [number, number, number];
  if (rows % positions.length !== 0 || columns !== ch * cw)
    throw wrongText(
      { call: 'fold', argument: 'the input' },
      `[${x.shape}]`,
      `[N, C · ${positions.length}, ${ch * cw}]`,
    );
  const c = rows / positions.length;
  return record('fold', [x], (b, [v]) => {
    const apart = b.reshape(v!, [n, c, positions.length, ch, cw]);
    const [height, width] = [h + 2 * ph, w + 2 * pw];
    const terms = positions.map(([y, z], k) => {
      const patch = b.reshape(b.slice(apart, [0, 0, k, 0, 0], [n, c, k + 1, ch, cw]), [n, c, ch, cw]);
      const [endY, endX] = [height - (y + (ch - 1) * sh + 1), width - (z + (cw - 1) * sw + 1)];
      return b.pad(
        patch,
        b.fill(tensorTypeOf(patch).elementType, [], 0),
        [0, 0, y, z],
        [0, 0, endY, endX],
        [0, 0, sh - 1, sw - 1],
      );
    });
    const total = terms.reduce((sum, term) => b.add(sum, term));
    return b.slice(total, [0, 0, ph, pw], [n, c, ph + h, pw + w]);
  });
}
