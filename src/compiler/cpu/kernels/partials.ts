// The positions of the partial results of a reduction's chunks in the workspace.
import { ceilDiv, type Extent, plus, times } from '../../ir/extent.ts';
import type { Reduction } from '../../ir/node.ts';
import { registerBytes } from '../../ir/registers.ts';
import type { Partials } from '../ir/fused-kernel.ts';

export const noPartials: Partials = { offsets: new Map(), bytes: 0 };

/** `count` partial results for each input of each reduction, of `leastBytes` or more each. */
export function planPartials(reductions: readonly Reduction[], count: Extent, leastBytes = 0): Partials {
  let bytes: Extent = 0;
  const offsets = new Map<Reduction, readonly Extent[]>();
  for (const r of reductions) {
    const starts = r.inputs.map(input => {
      const start = bytes;
      const held = registerBytes(r.accumulator?.held ?? input.type);
      bytes = plus(bytes, times(ceilDiv(times(count, Math.max(leastBytes, held)), 64), 64));
      return start;
    });
    offsets.set(r, starts);
  }
  return { offsets, bytes };
}
