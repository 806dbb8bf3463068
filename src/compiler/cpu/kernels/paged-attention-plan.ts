// The kernel of paged attention: a unit is a head of keys and a few adjacent tokens, which share the keys they read if they
// follow one another in a sequence.
import { pagedAttentionSizes } from '../../../hlo/ops/paged-attention.ts';
import type { Op } from '../../../hlo/program.ts';
import type { PlannedKernel } from '../ir/kernel.ts';
import { operandsOf } from './op-operands.ts';
import { cutTasks } from './tasks.ts';

/** Rows of queries that share a load of keys: their sums stay in registers. */
const rowsTogether = 8;

export function planPagedAttention(op: Op<'custom_call'>): PlannedKernel {
  const { tokens, heads, keyHeads, headDim, block, table } = pagedAttentionSizes(op);
  const share = heads / keyHeads;
  const together = Math.min(tokens, Math.max(1, Math.floor(rowsTogether / share)));
  const units = Math.ceil(tokens / together) * keyHeads;
  // Most sequences are shorter than their tables.
  const cut = cutTasks(units, (together * share * headDim * block * table) / 8);
  // Of each row: the query and the sums of values, the weights of 16 positions, the largest score and the sum of weights.
  const scratchBytes = 4 * together * share * (2 * headDim + 19) + 128;
  const { slots, operands } = operandsOf(op);
  const kernel = { kind: 'op', form: 'paged-attention', op, slots, together, cut, scratchBytes } as const;
  return { kernel, operands, workspaceBytes: 0, scratchBytes };
}
