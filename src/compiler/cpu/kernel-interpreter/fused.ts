// Runs fused kernels (cpu/ir/fused-kernel.ts) of any form.
import { assertNever } from '../../../base/errors.ts';
import type { FusedKernel } from '../ir/fused-kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { runColumns } from './columns.ts';
import type { Sizes } from './frame.ts';
import type { ElementMemory } from './memory.ts';
import { runRows } from './rows.ts';
import { runSplit } from './split.ts';

export function runFused(kernel: FusedKernel, memory: readonly ElementMemory[], target: CpuTarget, sizes: Sizes): void {
  switch (kernel.kind) {
    case 'rows':
      runRows(kernel, memory, target, sizes);
      break;
    case 'columns':
      runColumns(kernel, memory, target, sizes);
      break;
    case 'split':
      runSplit(kernel, memory, target, sizes);
      break;
    case 'parts':
      for (const part of kernel.parts) runFused(part, memory, target, sizes);
      break;
    case 'sequence':
      runRows(kernel.first, memory, target, sizes);
      runColumns(kernel.second, memory, target, sizes);
      break;
    default:
      assertNever(kernel);
  }
}
