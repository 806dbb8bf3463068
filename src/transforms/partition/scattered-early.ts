// Gradients in parts are made right after the terms that they add: otherwise an optimizer, which is the first to read them, would
// find the whole gradients of all layers in memory.
import type { Op } from '../../hlo/program.ts';

export function scatteredEarly(ops: readonly Op[]): readonly Op[] {
  const own = new Set(ops);
  const after = new Map<Op, Op[]>();
  const isMoved = (op: Op): boolean => op.name === 'reduce_scatter' && own.has(op.operands[0]!.op!);
  for (const op of ops) {
    if (!isMoved(op)) continue;
    const maker = op.operands[0]!.op!;
    after.set(maker, [...(after.get(maker) ?? []), op]);
  }
  const placed = (op: Op): readonly Op[] => [op, ...(after.get(op) ?? []).flatMap(placed)];
  return ops.flatMap(op => (isMoved(op) ? [] : placed(op)));
}
