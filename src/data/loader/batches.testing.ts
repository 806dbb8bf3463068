// The batches of a loop, as data that can be compared.
import { Tensor } from '../../tensor/index.ts';

/** A batch with a literal for each tensor. */
export function hostBatch(batch: unknown): unknown {
  if (batch instanceof Tensor) return batch.literal();
  if (Array.isArray(batch)) return batch.map(hostBatch);
  if (typeof batch !== 'object' || batch === null || ArrayBuffer.isView(batch)) return batch;
  return Object.fromEntries(Object.entries(batch).map(([name, part]) => [name, hostBatch(part)]));
}
/** All batches of an epoch. */
export const hostBatches = async (batches: AsyncIterable<unknown>): Promise<unknown[]> =>
  (await Array.fromAsync(batches)).map(hostBatch);
