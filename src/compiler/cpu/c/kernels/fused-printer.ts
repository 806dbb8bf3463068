// The C of the kernel of a fused group.
import { assertNever } from '../../../../base/errors.ts';
import type { FusedKernel } from '../../ir/fused-kernel.ts';
import { printColumns } from './columns-printer.ts';
import { printRows } from './rows-printer.ts';
import { printSplit } from './split-printer.ts';

/** C with `@` for the kernel's name. */
export function printFused(kernel: FusedKernel): string {
  switch (kernel.kind) {
    case 'rows':
      return printRows(kernel);
    case 'columns':
      return printColumns(kernel);
    case 'split':
      return printSplit(kernel);
    case 'sequence': {
      const entry = 'static void @(const trenio_rt *rt, char *const *p) { @_first(rt, p); @_second(rt, p); }';
      return [renamed(printRows(kernel.first), 'first'), renamed(printColumns(kernel.second), 'second'), entry].join(
        '\n',
      );
    }
    case 'parts': {
      const calls = kernel.parts.map((_, i) => `@_part${i}(rt, p);`).join(' ');
      const entry = `static void @(const trenio_rt *rt, char *const *p) { ${calls} }`;
      return [...kernel.parts.map((part, i) => renamed(printFused(part), `part${i}`)), entry].join('\n');
    }
    default:
      return assertNever(kernel);
  }
}

const renamed = (code: string, suffix: string): string => code.replaceAll('@', `@_${suffix}`);
