// Whether a kernel computes so little that the time to compile it counts, and the time to run it does not.

import type { OpName } from '../../../hlo/attributes.ts';
import type { OpRow } from '../../../hlo/op-row.ts';
import { opTable } from '../../../hlo/op-table.ts';
import { countOf } from '../../../hlo/ops/costs.ts';
import type { KernelMemory } from '../../ir/machine.ts';
import type { Step } from '../../ir/schedule.ts';
import { opsOf } from './step-description.ts';

/** Simple operations, and elements read or written: some 0.1 µs of work without vectors, 0.03 with them. */
const most = 1000;
/** Simple operations in a transcendental one. */
const perTranscendental = 16;

/** Whether a call of this kernel takes about as long as starting it. */
export function isLittle(step: Step, { operands }: KernelMemory): boolean {
  let work = 0;
  for (const { value } of operands) work += countOf(value.type);
  for (const op of opsOf(step)) {
    const { flops, transcendentals } = (opTable[op.name] as OpRow<OpName>).cost(op as never);
    work += flops + perTranscendental * transcendentals;
  }
  return work <= most;
}
