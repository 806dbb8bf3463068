// The hidden states by which decoders classify sequences. B batch, T time (tokens), H width.
import { arange, type Tensor } from '../tensor/index.ts';

/**
 * The hidden state of the last token of each row that is not padding: [B, T, H] → [B, H]. Padding may be on either side.
 * @param padding its token id; without one, `attentionMask` says what is padding, and without that, nothing is
 */
export function lastTokens(
  hidden: Tensor,
  inputs: { readonly inputIds: Tensor; readonly attentionMask?: Tensor | undefined },
  padding: number | null | undefined,
): Tensor {
  const { inputIds, attentionMask } = inputs;
  const [batch, time, width] = hidden.shape as readonly [number, number, number];
  const isToken = padding == null ? attentionMask : inputIds.ne(padding);
  if (isToken === undefined) return hidden.select(1, time - 1);
  const last = arange(0, time, 1, { dtype: 'i32' }).mul(isToken.to('i32')).argmax(1).to('i32'); // [B]
  const rows = last.add(arange(0, batch * time, time, { dtype: 'i32' }));
  return hidden.reshape(batch * time, width).indexSelect(0, rows);
}
