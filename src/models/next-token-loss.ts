// The loss of language models that predict the next token. B batch, T time (tokens), V vocabulary.
import { TrenioError } from '../base/errors.ts';
import { literal } from '../hlo/literal.ts';
import { shapeOf } from '../hlo/program.ts';
import { functional as F } from '../nn/index.ts';
import { record, type Tensor, userLocation } from '../tensor/index.ts';

/** Labels with this value are ignored. */
const ignored = -100;

/**
 * The mean cross entropy of predicting labels[t + 1] from logits[t]: logits [B, T, V], labels [B, T] (usually the token ids
 * themselves) → a number. Labels of -100 are ignored.
 * @throws {SHAPE_MISMATCH}
 * @example
 * nextTokenLoss(zeros(1, 3, 4), tensor([[0, 1, 2]], { dtype: 'int64' })) // 1.3862…
 */
export function nextTokenLoss(logits: Tensor, labels: Tensor): Tensor {
  const [batch, time, vocabulary] = logits.shape;
  if (logits.ndim !== 3 || labels.ndim !== 2 || labels.shape[0] !== batch || labels.shape[1] !== time) {
    const [left, right] = [logits, labels].map(t => `[${t.shape.join(', ')}]`) as [string, string];
    const detail = 'logits are [B, T, V] and labels [B, T]';
    throw new TrenioError('SHAPE_MISMATCH', { op: 'nextTokenLoss', left, right, detail }, { location: userLocation() });
  }
  // Shifts the labels instead of the logits, which are much larger.
  const next = record('nextToken', [labels], (b, [ids]) => {
    const fill = b.constant(literal(labels.type.elementType, [], [ignored]));
    const shifted = b.pad(b.slice(ids!, [0, 1], shapeOf(ids!)), fill, [0, 0], [0, 1]); // [B, T]
    return b.reshape(shifted, [batch! * time!]);
  });
  return F.crossEntropy(logits.reshape(batch! * time!, vocabulary!), next);
}
