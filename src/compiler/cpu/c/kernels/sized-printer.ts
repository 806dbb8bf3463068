// Prints kernels over sizes that are known only when they run: the functions of each case, and one that selects the case.
import type { Cases } from '../../../ir/size-cases.ts';
import type { SizedCase, SizedKernel } from '../../ir/sized-kernel.ts';
import { Writer } from '../writer.ts';
import { printFused } from './fused-printer.ts';
import { sizeText, withQuantities } from './size-text.ts';

/** C with `@` for the kernel's name. `@_workspace` returns the bytes of workspace, if there is any. */
export function printSized({ operands, quantities, cases }: SizedKernel): { code: string; hasWorkspace: boolean } {
  const names = new Map<string, string>();
  const nameOf = (planned: SizedCase): string => {
    const text = printFused(planned.kernel);
    let name = names.get(text);
    if (name === undefined) {
      name = `case${names.size}`;
      names.set(text, name);
    }
    return name;
  };
  const select = new Writer();
  select.open('static void @(const trenio_rt *rt, char *const *p)');
  writeCases(select, cases, planned => `@_${nameOf(planned)}(rt, p);`);
  select.close();
  const workspace = new Writer();
  workspace.open('static int64_t @_workspace(char *const *p)');
  writeCases(workspace, cases, planned => `return ${sizeText(planned.workspaceBytes)};`);
  workspace.close();
  const hasWorkspace = needsWorkspace(cases);
  const functions = [...names].map(([text, name]) => (names.size === 1 ? text : text.replaceAll('@', `@_${name}`)));
  const parts = [...functions, ...(names.size === 1 ? [] : [`${select}`]), ...(hasWorkspace ? [`${workspace}`] : [])];
  return { code: withQuantities(parts.join('\n'), quantities, operands.length + 1), hasWorkspace };
}

const needsWorkspace = (cases: Cases<SizedCase>): boolean =>
  cases.kind === 'case'
    ? cases.value.workspaceBytes !== 0
    : needsWorkspace(cases.onTrue) || needsWorkspace(cases.onFalse);

function writeCases(out: Writer, cases: Cases<SizedCase>, leaf: (planned: SizedCase) => string): void {
  if (cases.kind === 'case') {
    out.line(leaf(cases.value));
    return;
  }
  const { quantity, least } = cases.condition;
  out.open(`if (${sizeText(quantity)} >= ${least})`);
  writeCases(out, cases.onTrue, leaf);
  out.close();
  out.open('else');
  writeCases(out, cases.onFalse, leaf);
  out.close();
}
