// Functions of PyTorch's torch.nn.functional that Trenio does not have: calling one throws an error that names the replacement. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { absentFunction } from '../../tensor/index.ts';

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
