// The work before the first block and after the last: embeddings, patches, the head and its loss.

import type { Work } from '../work.ts';
import type { TransformerConfig } from '../workload.ts';
import { type BlockShape, backwardOf, multiply, sweep, unquantized } from './block.ts';

export interface EndWork {
  readonly forward: readonly Work[];
  readonly backward: readonly Work[];
}

/** Token lookup or patch projection; the sum with positions; norm and dropout if the model has them here. */
export function embeddingWork(config: TransformerConfig, shape: BlockShape): EndWork {
  const { batch, sequence, tensor, bytes } = shape;
  const type = unquantized(shape.type);
  const { hidden, patches } = config;
  const tokens = batch * sequence;
  const elements = tokens * hidden;
  const after = config.causal ? 1 : 8;
  const spread = sweep('embeddings, sum and norm', elements, after, 0, 2 * elements * bytes, elements * bytes);
  if (patches !== undefined) {
    const project = multiply(
      'patches',
      1,
      tokens,
      hidden / tensor,
      patches.channels * patches.patchSize ** 2,
      type,
      bytes,
    );
    return { forward: [project, spread], backward: [backwardOf(project, bytes)[1]!, spread] };
  }
  const row = { kind: 'row-move', rows: tokens, bytesPerRow: hidden * bytes } as const;
  return {
    forward: [{ ...row, name: 'embedding', direction: 'gather' }, spread],
    backward: [spread, { ...row, name: 'embedding, gradient', direction: 'scatter' }],
  };
}

/** The head with its loss. Logits are in f32. */
export function headWork(config: TransformerConfig, shape: BlockShape): EndWork {
  const { batch, sequence, tensor, bytes } = shape;
  const type = unquantized(shape.type);
  const { hidden, head } = config;
  const classify = (rows: number, classes: number): EndWork => {
    const logits = multiply('logits', 1, rows, classes, hidden, type, bytes);
    const loss = sweep('cross-entropy', rows * classes, 5, 1, rows * classes * 4, rows * classes * 4);
    const lossBack = sweep('cross-entropy, backward', rows * classes, 3, 1, rows * classes * 4, rows * classes * bytes);
    return { forward: [logits, loss], backward: [lossBack, ...backwardOf(logits, bytes)] };
  };
  switch (head.kind) {
    case 'causal-lm':
      return classify(batch * sequence, config.vocabulary / tensor);
    case 'masked-lm': {
      const rows = batch * head.predictionsPerSample(sequence);
      const words = classify(rows, config.vocabulary / tensor);
      const transform = multiply('transform', 1, rows, hidden, hidden, type, bytes);
      const pool = multiply('pooler', 1, batch, hidden, hidden, type, bytes);
      const both = [transform, pool];
      return {
        forward: [...both, ...words.forward],
        backward: [...words.backward, ...both.flatMap(work => backwardOf(work, bytes))],
      };
    }
    case 'classifier': {
      const pool = multiply('pooler', 1, batch, hidden, hidden, type, bytes);
      const words = classify(batch, head.classes);
      return { forward: [pool, ...words.forward], backward: [...words.backward, ...backwardOf(pool, bytes)] };
    }
  }
}
