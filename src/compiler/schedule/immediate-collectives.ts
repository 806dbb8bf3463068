// Schedules collectives that run on the same cores as the program, as between ranks that share memory: each runs as soon as its
// operands are available, and the steps that depend on it follow at once, while the data is in the caches:
//
//   … grads of layer 2 │ all-reduce │ update 2 │ backward of layer 1 │ all-reduce │ update 1
//
// So gradients are never in memory all at once. For other collectives, see overlap.ts.
import type { Value } from '../../hlo/program.ts';
import { isCollective } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import { byPosition, type Placed } from './order.ts';

/**
 * The steps in order; those that need a collective run as soon as it has finished and their other operands are available.
 * `donated`: arguments that a step may overwrite, so not before the steps that read them earlier in the program.
 */
export function afterTheirCollectives(placed: readonly Placed[], donated: ReadonlySet<Value>): readonly Placed[] {
  /** When a value is available, and whether it depends on a collective. */
  const made = new Map<Value, { readonly at: number; readonly isLate: boolean }>();
  const lastRead = new Map<Value, number>();
  return byPosition(placed).map(each => {
    const { step, position } = each;
    const reads = step.reads.map(storageRootOf);
    const ends = step.kind === 'kernel' && isCollective(step.op);
    const isLate = ends || reads.some(v => made.get(v)?.isLate);
    const waitsFor = reads.map(v => Math.max(made.get(v)?.at ?? -1, donated.has(v) ? (lastRead.get(v) ?? -1) : -1));
    const at = isLate && !ends ? Math.min(position, Math.max(...waitsFor)) : position;
    for (const v of step.writes) made.set(v, { at, isLate });
    for (const v of reads) lastRead.set(v, Math.max(at, lastRead.get(v) ?? -1));
    return at === position ? each : { ...each, position: at };
  });
}
