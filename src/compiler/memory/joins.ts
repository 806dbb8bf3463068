// The concatenations of a block that are stored as one tensor, with the positions of their parts, so that memory-plan.ts can
// place the parts in them.
import type { Value } from '../../hlo/program.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';
import type { Block, Step } from '../ir/schedule.ts';
import { isJoin } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';

/** The alignment of a kernel's operands in memory. */
const alignment = 64;

export interface JoinPart {
  /** The value whose memory the part is. */
  readonly root: Value;
  /** Its first byte in the concatenation. */
  readonly at: number;
}
export interface Join {
  readonly step: Step;
  readonly value: Value;
  /** The parts that may be computed in place: aligned and not empty. */
  readonly parts: readonly JoinPart[];
}

/** The joins of a block in order, and the step of the block that writes a value. */
export function joinsOf(block: Block): { readonly joins: Join[]; readonly writers: ReadonlyMap<Value, Step> } {
  const writers = new Map<Value, Step>();
  const joins: Join[] = [];
  for (const step of block.steps) {
    for (const v of step.writes) writers.set(v, step);
    if (step.kind !== 'kernel' || !isJoin(step.op)) continue;
    const [value] = step.op.results as readonly [Value];
    const parts: JoinPart[] = [];
    let at = 0;
    for (const operand of step.op.operands) {
      const bytes = byteSize(tensorTypeOf(operand));
      const root = storageRootOf(operand);
      // a root may have several names, but not other bytes
      if (bytes > 0 && at % alignment === 0) parts.push({ root, at });
      at += bytes;
    }
    joins.push({ step, value, parts });
  }
  return { joins, writers };
}
