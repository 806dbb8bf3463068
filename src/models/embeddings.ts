// Embeddings of texts: pooling of hidden states, and the contrastive loss with in-batch negatives (InfoNCE). Equal to
// sentence-transformers' Pooling and MultipleNegativesRankingLoss. B texts, T tokens, H width.
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import { functional as F } from '../nn/index.ts';
import { arange, type Tensor, userLocation } from '../tensor/index.ts';

const poolings: readonly Pooling[] = ['mean', 'cls', 'max', 'lasttoken'];
/** How hidden states become an embedding, with sentence-transformers' names. */
export type Pooling = 'mean' | 'cls' | 'max' | 'lasttoken';

const mismatch = (op: string, left: Tensor, right: Tensor, detail: string): TrenioError => {
  const [a, b] = [left, right].map(({ shape }) => `[${shape.join(', ')}]`) as [string, string];
  return new TrenioError('SHAPE_MISMATCH', { op, left: a, right: b, detail }, { location: userLocation() });
};

/**
 * Embeddings of texts: hidden states [B, T, H] and their mask [B, T] → [B, H]. `mean` is over the tokens of the text, `cls` takes
 * the first token, `max` the largest value of each dim, `lasttoken` the last token that is not padding.
 * @throws {SHAPE_MISMATCH}
 * @throws {INVALID_OPTION}
 * @example
 * const hidden = tensor([[[1, 2], [3, 4], [9, 9]]]), mask = tensor([[1, 1, 0]]);
 * poolEmbeddings(hidden, mask) // [[2, 3]]
 */
export function poolEmbeddings(hidden: Tensor, mask: Tensor, pooling: Pooling = 'mean'): Tensor {
  const isRight = hidden.ndim === 3 && mask.ndim === 2 && mask.shape.every((size, i) => size === hidden.shape[i]);
  if (!isRight) throw mismatch('poolEmbeddings', hidden, mask, 'hidden states are [B, T, H] and the mask [B, T]');
  const seen = mask.to(hidden.dtype).unsqueeze(-1); // [B, T, 1]
  switch (pooling) {
    case 'cls':
      return hidden.select(1, 0);
    case 'mean':
      return hidden.mul(seen).sum(1).div(seen.sum(1).clampMin(1e-9));
    case 'max':
      return hidden.maskedFill(seen.eq(0), -1e9).amax(1);
    case 'lasttoken': {
      const positions = arange(1, mask.shape[1]! + 1).to(hidden.dtype);
      const order = mask.to(hidden.dtype).mul(positions); // 0 for padding
      const isLast = order.eq(order.amax(1, true)).logicalAnd(mask.ne(0)).to(hidden.dtype);
      return hidden.mul(isLast.unsqueeze(-1)).sum(1);
    }
    default: {
      const expected = `one of ${poolings.join(', ')}`;
      const data = { what: 'poolEmbeddings', option: 'pooling', got: String(pooling), expected };
      throw new TrenioError('INVALID_OPTION', data, { location: userLocation() });
    }
  }
}

/** Options of `contrastiveLoss`. */
export interface ContrastiveLossOptions {
  /** Multiplies similarities: 1 / temperature. Default 20. */
  readonly scale?: number;
  /** The similarity of two embeddings. Default `cosine`. */
  readonly similarity?: 'cosine' | 'dot';
  /** Also ranks the anchors for each positive. Default false. */
  readonly isSymmetric?: boolean;
}

/**
 * The contrastive loss of a batch: each anchor [B, H] ranks its own text first among `candidates`, whose first B rows are the
 * matching texts in the same order [B, H]; further rows are hard negatives [B + N, H].
 * @throws {SHAPE_MISMATCH}
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 * @example
 * const anchors = tensor([[1, 0], [0, 1]]);
 * contrastiveLoss(anchors, anchors, { scale: 1 }) // 0.3132…
 */
export function contrastiveLoss(anchors: Tensor, candidates: Tensor, options: ContrastiveLossOptions = {}): Tensor {
  refuseUnknownOptions('contrastiveLoss', options, ['scale', 'similarity', 'isSymmetric']);
  const { scale = 20, similarity = 'cosine', isSymmetric = false } = options;
  const [rows, width] = anchors.shape as [number, number];
  const isRight =
    anchors.ndim === 2 && candidates.ndim === 2 && candidates.shape[1] === width && candidates.shape[0]! >= rows;
  if (!isRight)
    throw mismatch(
      'contrastiveLoss',
      anchors,
      candidates,
      'anchors are [B, H], candidates [B, H] and further negatives',
    );
  const invalid = (option: string, got: unknown, expected: string): TrenioError =>
    new TrenioError(
      'INVALID_OPTION',
      { what: 'contrastiveLoss', option, got: String(got), expected },
      { location: userLocation() },
    );
  if (!(scale > 0)) throw invalid('scale', scale, 'a number above 0');
  if (similarity !== 'cosine' && similarity !== 'dot') throw invalid('similarity', similarity, 'cosine or dot');
  const unit = (x: Tensor): Tensor => (similarity === 'cosine' ? F.normalize(x.float(), { dim: -1 }) : x.float());
  const scores = unit(anchors).matmul(unit(candidates).transpose(0, 1)).mul(scale); // [B, B + N]
  const own = arange(0, rows).to('int64');
  const forward = F.crossEntropy(scores, own);
  if (!isSymmetric) return forward;
  return forward.add(F.crossEntropy(scores.narrow(1, 0, rows).transpose(0, 1), own)).div(2);
}
