// Samples images at arbitrary positions: torch.nn.functional.grid_sample, and affine_grid, which computes the positions.
//
// Positions are in [-1, 1] along each dim, x first: -1 and 1 are the outer edges of the corner elements, or with `alignCorners`
// their centers. Each output element is a sum over the taps around its position, each a lookup in the flattened image.
import { arange, full, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { checkWord, type Settings, settle, wrongText } from '../../tensor/settings.ts';

const modes = ['bilinear', 'nearest', 'bicubic'] as const;
const paddingModes = ['zeros', 'border', 'reflection'] as const;
/** Options of `gridSample`. */
export interface GridSampleOptions {
  /** 'bilinear' by default (trilinear in volumes); 'bicubic' for images only. */
  readonly mode?: 'bilinear' | 'nearest' | 'bicubic';
  /** The values outside the input: zeros by default. */
  readonly paddingMode?: 'zeros' | 'border' | 'reflection';
  /** -1 and 1 are the centers of the corner elements, not their outer edges; false by default. */
  readonly alignCorners?: boolean;
}

/** One tap along one dim: the element, and its weight. */
interface Tap {
  readonly at: Tensor;
  readonly weight: Tensor | undefined;
}

/** From [-1, 1] to elements. */
const unnormalized = (x: Tensor, size: number, align: boolean): Tensor =>
  align ? x.add(1).mul((size - 1) / 2) : x.add(1).mul(size).sub(1).div(2);

function reflected(x: Tensor, size: number, align: boolean): Tensor {
  const [twiceLow, twiceHigh] = align ? [0, 2 * (size - 1)] : [-1, 2 * size - 1];
  if (twiceLow === twiceHigh) return x.mul(0);
  const [low, span] = [twiceLow / 2, (twiceHigh - twiceLow) / 2];
  const off = x.sub(low).abs();
  const flips = off.detach().div(span).floor();
  const extra = off.sub(flips.mul(span));
  const isEven = flips.remainder(2).eq(0);
  return extra.add(low).where(isEven, extra.neg().add(span + low));
}
/** A position moved inside, according to the padding mode. */
function padded(x: Tensor, size: number, padding: (typeof paddingModes)[number], align: boolean): Tensor {
  if (padding === 'zeros') return x;
  const at = padding === 'border' ? x : reflected(x, size, align);
  // On the border itself no gradient flows, and NaN counts as the first element, as in PyTorch.
  const inside = at.gt(0).logicalAnd(at.lt(size - 1));
  return at.where(
    inside,
    at
      .detach()
      .clamp(0, size - 1)
      .nanToNum(),
  );
}

/** Keys' cubic convolution with a = -0.75, as in `interpolate`. */
function cubicWeights(t: Tensor): readonly Tensor[] {
  const a = -0.75;
  const near = (x: Tensor): Tensor =>
    x
      .mul(a + 2)
      .sub(a + 3)
      .mul(x)
      .mul(x)
      .add(1);
  const far = (x: Tensor): Tensor =>
    x
      .mul(a)
      .sub(5 * a)
      .mul(x)
      .add(8 * a)
      .mul(x)
      .sub(4 * a);
  const rest = t.neg().add(1);
  return [far(t.add(1)), near(t), near(rest), far(rest.add(1))];
}

/**
 * An image x [N, C, H, W] at the positions of a grid [N, h, w, 2] → [N, C, h, w]; a volume [N, C, D, H, W] at [N, d, h, w, 3] →
 * [N, C, d, h, w].
 *
 *     const grid = nn.functional.affineGrid(theta, [1, 3, 32, 32], { alignCorners: false });
 *     nn.functional.gridSample(images, grid, { mode: 'bilinear', paddingMode: 'border' });
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const image = tensor([[[[1, 2], [3, 4]]]]), center = zeros(1, 1, 1, 2);
 * nn.functional.gridSample(image, center, { alignCorners: true }) // [[[[2.5]]]]
 */
export function gridSample(
  input: Tensor,
  grid: Tensor,
  ...rest: Settings<GridSampleOptions, ['mode', 'paddingMode', 'alignCorners']>
): Tensor {
  const call = 'gridSample';
  const options = settle<GridSampleOptions>(call, ['mode', 'paddingMode', 'alignCorners'], rest);
  const mode = checkWord(call, 'mode', options.mode ?? 'bilinear', modes);
  const padding = checkWord(call, 'paddingMode', options.paddingMode ?? 'zeros', paddingModes);
  const { alignCorners = false } = options;
  const n = input.ndim - 2;
  if (n !== 2 && n !== 3)
    throw wrongText(
      { call, argument: 'the input' },
      `a tensor of ${input.ndim} dims`,
      '[N, C, H, W] or [N, C, D, H, W]',
    );
  if (grid.ndim !== input.ndim || grid.shape.at(-1) !== n || grid.shape[0] !== input.shape[0])
    throw wrongText(
      { call, argument: 'the grid' },
      `[${grid.shape}]`,
      `[${input.shape[0]}, …, ${n}], of ${n + 2} dims`,
    );
  if (mode === 'bicubic' && n !== 2)
    throw wrongArgument({ call, argument: 'mode' }, mode, "'bilinear' or 'nearest' for volumes");
  const [batch, channels, ...sizes] = input.shape as [number, number, ...number[]];
  const out = grid.shape.slice(1, -1);
  const count = out.reduce((p, d) => p * d, 1);
  // the taps along each dim of the input; the grid has x, the last dim, first
  const taps = sizes.map((size, i): readonly Tap[] => {
    const raw = unnormalized(grid.select(-1, n - 1 - i).to(input.dtype), size, alignCorners).reshape([batch, count]);
    if (mode === 'bicubic') {
      const low = raw.detach().floor();
      return cubicWeights(raw.sub(low)).map((weight, k) => ({
        at: padded(low.add(k - 1), size, padding, alignCorners),
        weight,
      }));
    }
    const at = padded(raw, size, padding, alignCorners);
    if (mode === 'nearest') return [{ at: at.detach().round(), weight: undefined }];
    const low = at.detach().floor();
    const share = at.sub(low);
    return [
      { at: low, weight: share.neg().add(1) },
      { at: low.add(1), weight: share },
    ];
  });
  const flat = input.reshape([batch, channels, sizes.reduce((p, d) => p * d, 1)]);
  const combined = taps.reduce<readonly (readonly Tap[])[]>(
    (lists, ofDim) => lists.flatMap(list => ofDim.map(tap => [...list, tap])),
    [[]],
  );
  const parts = combined.map(list => {
    let index: Tensor | undefined;
    let inside: Tensor | undefined;
    let weight: Tensor | undefined;
    list.forEach(({ at, weight: w }, i) => {
      const size = sizes[i]!;
      const within = at.ge(0).logicalAnd(at.le(size - 1));
      inside = inside === undefined ? within : inside.logicalAnd(within);
      const element = at
        .detach()
        .clamp(0, size - 1)
        .to('i64');
      index = index === undefined ? element : index.mul(size).add(element);
      if (w !== undefined) weight = weight === undefined ? w : weight.mul(w);
    });
    const found = flat.gather(2, index!.unsqueeze(1).expand([batch, channels, count]));
    const masked = found.where(inside!.unsqueeze(1), 0);
    return weight === undefined ? masked : masked.mul(weight.unsqueeze(1));
  });
  return parts.reduce((sum, part) => sum.add(part)).reshape([batch, channels, ...out]);
}

/**
 * The positions of an image [N, C, H, W] after an affine map theta [N, 2, 3] → [N, H, W, 2], for `gridSample`; of a volume [N,
 * C, D, H, W] with theta [N, 3, 4] → [N, D, H, W, 3].
 *
 *     nn.functional.affineGrid(tensor([[[1, 0, 0], [0, 1, 0]]]), [1, 3, 8, 8]); // the identity
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const identity = tensor([[[1, 0, 0], [0, 1, 0]]]);
 * nn.functional.affineGrid(identity, [1, 3, 4, 4]).shape // [1, 4, 4, 2]
 */
export function affineGrid(
  theta: Tensor,
  size: readonly number[],
  ...rest: Settings<Pick<GridSampleOptions, 'alignCorners'>, ['alignCorners']>
): Tensor {
  const call = 'affineGrid';
  const { alignCorners = false } = settle<Pick<GridSampleOptions, 'alignCorners'>>(call, ['alignCorners'], rest);
  const n = Array.isArray(size) ? size.length - 2 : 0;
  if ((n !== 2 && n !== 3) || !size.every(d => Number.isInteger(d) && d > 0))
    throw wrongText({ call, argument: 'size' }, `[${size}]`, '[N, C, H, W] or [N, C, D, H, W]');
  if (String(theta.shape) !== String([size[0], n, n + 1]))
    throw wrongText({ call, argument: 'theta' }, `[${theta.shape}]`, `[${size[0]}, ${n}, ${n + 1}]`);
  const sizes = size.slice(2);
  const given = { dtype: theta.dtype, device: theta.device };
  // x, y (, z, 1) of each element: [count, n + 1]
  const columns = sizes
    .map((d, i) => {
      const steps = arange(0, d, 1, given);
      const at = alignCorners
        ? d > 1
          ? steps.mul(2 / (d - 1)).sub(1)
          : steps.mul(0)
        : steps.mul(2).add(1).div(d).sub(1);
      return at
        .reshape(sizes.map((_, k) => (k === i ? d : 1)))
        .expand(sizes)
        .reshape([-1, 1]);
    })
    .reverse();
  const positions = [...columns, full([columns[0]!.shape[0]!, 1], 1, given)];
  // [N, count, n]: one product for each column
  const terms = positions.map((column, i) => column.unsqueeze(0).mul(theta.select(2, i).unsqueeze(1)));
  return terms.reduce((sum, term) => sum.add(term)).reshape([size[0]!, ...sizes, n]);
}
