// The heads of attention: splitting a width into them and joining them again. The layer is multihead-attention.ts.
import { TrenioError } from '../../base/errors.ts';
import type { Tensor } from '../../tensor/index.ts';

/**
 * [B, S, heads · E] → [B, heads, S, E]
 * @example
 * nn.splitHeads(randn(2, 5, 12), 3).shape // [2, 3, 5, 4]
 */
export function splitHeads(x: Tensor, heads: number): Tensor {
  const [batch, length, width] = x.shape as [number, number, number];
  return x.reshape(batch, length, heads, width / heads).transpose(1, 2);
}
/**
 * [B, heads, S, E] → [B, S, heads · E]
 * @example
 * nn.mergeHeads(randn(2, 3, 5, 4)).shape // [2, 5, 12]
 */
export function mergeHeads(x: Tensor): Tensor {
  const [batch, heads, length, width] = x.shape as [number, number, number, number];
  return x.transpose(1, 2).reshape(batch, length, heads * width);
}

/**
 * Checks that a width divides into heads.
 * @throws {INVALID_OPTION}
 * @example
 * nn.checkHeads('Attention', 10, 3) // throws INVALID_OPTION
 */
export function checkHeads(what: string, width: number, heads: number): void {
  if (heads >= 1 && width % heads === 0) return;
  throw new TrenioError('INVALID_OPTION', {
    what,
    option: 'heads',
    got: String(heads),
    expected: `a divisor of the width ${width}`,
  });
}
