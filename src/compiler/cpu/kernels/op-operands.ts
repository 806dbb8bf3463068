// The operands of a single op's kernel: a slot for each tensor that it reads, those that its regions read included, and for
// each result.
import { invariant } from '../../../base/errors.ts';
import type { Op } from '../../../hlo/program.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import { type KernelOperand, Operands } from '../../ir/operands.ts';
import { isFree } from '../../lowering/lowering-kinds.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { OpSlots } from '../ir/op-kernel.ts';

export interface OpOperands {
  readonly slots: OpSlots;
  readonly operands: readonly KernelOperand[];
}

/** Values that share memory share a slot. Tokens have none. */
export function operandsOf(op: Op): OpOperands {
  const operands = new Operands();
  const reads = op.operands.map(v => (v.type.kind === 'tensor' ? operands.slot(storageRootOf(v), 'read') : -1));
  const writes = op.results.map(v => (v.type.kind === 'tensor' ? operands.slot(v, 'write') : -1));
  const captured = new Map(
    [...capturesOf(op)].filter(v => !isFree(v)).map(v => [v, operands.slot(storageRootOf(v), 'read')]),
  );
  return { slots: { operands: reads, results: writes, captured }, operands: operands.list };
}

/** With results that may be written over the operand of the same number: see `KernelOperand.inPlaceOf`. */
export function withInPlace(
  { slots, operands }: OpOperands,
  mayOverwrite: (result: number) => boolean,
): readonly KernelOperand[] {
  const list = [...operands];
  slots.results.forEach((slot, i) => {
    const [operand, result] = [slots.operands[i], list[slot]];
    if (!mayOverwrite(i)) return;
    invariant(operand !== undefined && result !== undefined, 'a result is written over the operand of its number');
    list[slot] = { ...result, inPlaceOf: [operand] };
  });
  return list;
}
