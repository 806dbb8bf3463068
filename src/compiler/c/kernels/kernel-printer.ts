// The C of the kernel of a fused group.
import { assertNever } from '../../../base/errors.ts';
import type { FusedKernel } from '../../ir/fused-kernel.ts';
import { printColumns } from './columns-printer.ts';
import { printRows } from './rows-printer.ts';
import { printSplit } from './split-printer.ts';

export interface PrintedKernel {
  /** C with `@` for the kernel's name. */
  readonly code: string;
  /** Bytes of the workspace; 0 for none. */
  readonly workspaceBytes: number;
  /** What a worker asks of rt->scratch. */
  readonly scratchBytes?: number;
}

export function printKernel(kernel: FusedKernel): PrintedKernel {
  switch (kernel.kind) {
    case 'rows':
      return { ...printRows(kernel), workspaceBytes: 0 };
    case 'columns':
      return printColumns(kernel);
    case 'split':
      return printSplit(kernel);
    case 'sequence': {
      const [a, b] = [printRows(kernel.first), printColumns(kernel.second)];
      const entry = 'static void @(const trenio_rt *rt, char *const *p) { @_first(rt, p); @_second(rt, p); }';
      const code = [renamed(a.code, 'first'), renamed(b.code, 'second'), entry].join('\n');
      return { code, workspaceBytes: b.workspaceBytes, scratchBytes: a.scratchBytes };
    }
    default:
      return assertNever(kernel);
  }
}

const renamed = (code: string, suffix: string): string => code.replaceAll('@', `@_${suffix}`);
