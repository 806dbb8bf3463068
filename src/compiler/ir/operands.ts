// The memory that a kernel reads and writes, in the order of its p[].
import { invariant } from '../../base/errors.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { ElementType } from '../../hlo/types.ts';

export interface KernelOperand {
  readonly value: Value;
  readonly access: 'read' | 'write';
  /**
   * For a written operand: the read operands whose memory it may reuse, because each element is read before it is
   * written and never after.
   */
  readonly inPlaceOf?: readonly number[];
}

/** The contents of a slot. */
export function operandAt(operands: readonly KernelOperand[], slot: number): KernelOperand {
  const operand = operands[slot];
  invariant(operand !== undefined, `a kernel of ${operands.length} operands names number ${slot}`);
  return operand;
}
export const operandType = (operands: readonly KernelOperand[], slot: number): ElementType =>
  tensorTypeOf(operandAt(operands, slot).value).elementType;

/** Collects the operands of a kernel as it is built: one slot per value. */
export class Operands {
  readonly list: { value: Value; access: 'read' | 'write'; inPlaceOf?: number[] }[] = [];
  readonly #slots = new Map<Value, number>();

  /** `first`: the operands of another part of the same kernel. */
  constructor(first: Operands | undefined = undefined) {
    for (const { value, access } of first?.list ?? []) this.slot(value, access);
  }

  slot(value: Value, access: 'read' | 'write'): number {
    let slot = this.#slots.get(value);
    if (slot === undefined) {
      slot = this.list.length;
      this.#slots.set(value, slot);
      this.list.push({ value, access });
    } else if (access === 'write') this.list[slot]!.access = 'write';
    return slot;
  }
}
