// Masks of packed sequences: tokens attend to tokens of their own example only. B batch, T time (tokens).
import { functional as F } from '../nn/index.ts';
import type { Tensor } from '../tensor/index.ts';

/** Inputs that keep the examples of packed sequences apart; see `packExamples`. */
export interface PackedInputs {
  /** The position of each token in its example [B, T], integers below T; default: the position in the sequence. */
  readonly positionIds?: Tensor | undefined;
  /** The number of each token's example [B, T]: attention does not cross examples. Default: one example in each sequence. */
  readonly segmentIds?: Tensor | undefined;
}

/** Added to scores: [B, 1, 1, T], with segments [B, 1, T, T]; undefined without padding and segments. */
export function attentionScoresMask(mask: Tensor | undefined, segments: Tensor | undefined): Tensor | undefined {
  const padding = mask && F.additiveMask(mask);
  if (segments === undefined) return padding;
  const isSame = segments.unsqueeze(1).eq(segments.unsqueeze(2)).unsqueeze(1); // [B, 1, T, T]
  const apart = isSame.logicalNot().to('f32').mul(lowest);
  // The sum of two of the lowest numbers would be infinite.
  return padding === undefined ? apart : apart.minimum(padding);
}
const lowest = -3.4028234663852886e38;
