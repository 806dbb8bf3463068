// The kernel of a fused group as data: its loops, what is computed in them, what is kept where, and how it is cut into tasks.
// Everything that decides a result, and nothing of how it is written in a language. Printed as C by print-kernel.ts and run as
// it stands by kernel-interpreter/.
import type { ColumnsKernel } from './columns-plan.ts';
import type { RowsKernel } from './rows-plan.ts';
import type { SplitKernel } from './split-plan.ts';

export type FusedKernel =
  | RowsKernel
  | ColumnsKernel
  | SplitKernel
  /** One after the other, over the same operands. */
  | { readonly kind: 'sequence'; readonly first: RowsKernel; readonly second: ColumnsKernel };
