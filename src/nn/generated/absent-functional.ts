// What torch.nn.functional of PyTorch's has and Trenio does not: calling it says what to use. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { absentFunction } from '../../tensor/index.ts';

/** @deprecated There is no `torch.nn.functional.linear_cross_entropy` here: use crossEntropy of linear(x, weight). */
export const linearCrossEntropy: never = absentFunction(
  'nn.functional.linearCrossEntropy',
  'use crossEntropy of linear(x, weight)',
);
/** @deprecated There is no `torch.nn.functional.affine_grid` here: compute the grid with linspace, meshgrid, stack and matmul. */
export const affineGrid: never = absentFunction(
  'nn.functional.affineGrid',
  'compute the grid with linspace, meshgrid, stack and matmul',
);
/** @deprecated There is no `torch.nn.functional.grid_sample` here: use interpolate for regular grids, or gather with computed positions. */
export const gridSample: never = absentFunction(
  'nn.functional.gridSample',
  'use interpolate for regular grids, or gather with computed positions',
);
/** @deprecated There is no `torch.nn.functional.conv_tbc` here: use conv1d of x.permute(1, 2, 0). */
export const convTbc: never = absentFunction('nn.functional.convTbc', 'use conv1d of x.permute(1, 2, 0)');
/** @deprecated There is no `torch.nn.functional.grouped_mm` here: use matmul of each group, or bmm of groups of one size. */
export const groupedMm: never = absentFunction(
  'nn.functional.groupedMm',
  'use matmul of each group, or bmm of groups of one size',
);
/** @deprecated There is no `torch.nn.functional.scaled_mm` here: use matmul of x.roundTo(format) times the scales. */
export const scaledMm: never = absentFunction(
  'nn.functional.scaledMm',
  'use matmul of x.roundTo(format) times the scales',
);
/** @deprecated There is no `torch.nn.functional.scaled_grouped_mm` here: use matmul of x.roundTo(format) times the scales. */
export const scaledGroupedMm: never = absentFunction(
  'nn.functional.scaledGroupedMm',
  'use matmul of x.roundTo(format) times the scales',
);
/** @deprecated There is no `torch.nn.functional.native_channel_shuffle` here: use channelShuffle. */
export const nativeChannelShuffle: never = absentFunction('nn.functional.nativeChannelShuffle', 'use channelShuffle');
/** @deprecated There is no `torch.nn.functional.multi_head_attention_forward` here: use nn.MultiheadAttention. */
export const multiHeadAttentionForward: never = absentFunction(
  'nn.functional.multiHeadAttentionForward',
  'use nn.MultiheadAttention',
);
/** @deprecated There is no `torch.nn.functional.upsample` here: use interpolate. */
export const upsample: never = absentFunction('nn.functional.upsample', 'use interpolate');
/** @deprecated There is no `torch.nn.functional.upsample_bilinear` here: use interpolate with { mode: 'bilinear', alignCorners: true }. */
export const upsampleBilinear: never = absentFunction(
  'nn.functional.upsampleBilinear',
  "use interpolate with { mode: 'bilinear', alignCorners: true }",
);
/** @deprecated There is no `torch.nn.functional.upsample_nearest` here: use interpolate with { mode: 'nearest' }. */
export const upsampleNearest: never = absentFunction(
  'nn.functional.upsampleNearest',
  "use interpolate with { mode: 'nearest' }",
);
