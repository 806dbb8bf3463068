// Prints kernels that work row by row (kernels/rows-plan.ts).

import { divides, type Extent } from '../../../ir/extent.ts';
import { registerBytes } from '../../../ir/registers.ts';
import type { RowsKernel } from '../../ir/fused-kernel.ts';
import type { RowPlan } from '../../ir/row.ts';
import { registerType } from '../scalar/c-types.ts';
import { Writer } from '../writer.ts';
import { declareOperands, decodeLoops } from './loops.ts';
import { declare } from './node-text.ts';
import { RowPrinter } from './row-printer.ts';
import { isMany, sizeText } from './size-text.ts';

export function printRows(kernel: RowsKernel): string {
  const { row, rows, width, chunk, chunks, perTask, tasks } = kernel;
  const { nest, isRanged } = row;
  const printer = new RowPrinter(nest, isRanged, kernel.multiple);
  printer.row(row);
  const { out, deferred } = printer;
  const body = new Writer();
  body.open('static void @_task(void *arg, int64_t task, int worker)');
  body.line('const t_call *const call = arg;');
  declareRowState(body, printer, row);
  if (isRanged) {
    body.line(
      `const int64_t row = ${chunks === 1 ? 'task' : `task / ${sizeText(chunks)}`}, lo = ${chunks === 1 ? '0' : `(task % ${sizeText(chunks)}) * ${sizeText(chunk)}`};`,
    );
    const [step, end] = [chunk, width].map(sizeText);
    body.line(`const int64_t hi = lo + ${step} < ${end} ? lo + ${step} : ${end};`);
  }
  declareHoisted(body, printer, row);
  const loop = !isRanged && isMany(rows);
  if (loop) {
    const [step, all] = [perTask, rows].map(sizeText);
    const first = isMany(tasks) ? `task * ${step}` : '0';
    if (isMany(tasks))
      body.line(
        `const int64_t end = ${divides(perTask, rows) ? `(task + 1) * ${step}` : `(task + 1) * ${step} < ${all} ? (task + 1) * ${step} : ${all}`};`,
      );
    deferred?.declare(body, first);
    body.open(`for (int64_t row = ${first}; row < ${isMany(tasks) ? 'end' : all}; row++)`);
  }
  if (isMany(rows)) decodeLoops(body, nest.kept, 'row');
  for (const line of out.lines) body.line(line);
  if (loop) body.close();
  deferred?.finish(body);
  body.close();
  return `${body}\n${entryOf(tasks, kernel.isParallel)}`;
}

/**
 * Rows `first` to `end` as a function `@_rows(call, first, end, worker)`, for a kernel that continues with the same rows while
 * they are in the cache. Inner loops are not split.
 */
export function printRowRange(row: RowPlan): string {
  const { nest } = row;
  const printer = new RowPrinter(nest, false);
  printer.row(row);
  const body = new Writer();
  body.open('static inline void @_rows(const t_call *const call, int64_t first, int64_t end, int worker)');
  declareRowState(body, printer, row);
  declareHoisted(body, printer, row);
  body.open('for (int64_t row = first; row < end; row++)');
  decodeLoops(body, nest.kept, 'row');
  for (const line of printer.out.lines) body.line(line);
  body.close();
  body.close();
  return body.toString();
}

/** Operands and scratch rows of a printed row. */
function declareRowState(body: Writer, printer: RowPrinter, { scratch: { nodes, width, bytes } }: RowPlan): void {
  body.line('char *const *const p = call->p;');
  declareOperands(body, printer.nest.operands);
  if (bytes === 0) {
    for (const s of nodes) body.line(`_Alignas(64) ${registerType(s.type)} s${s.id}[${sizeText(width)}];`);
    return;
  }
  body.line(`char *scratch = call->rt->scratch(call->rt, worker, ${sizeText(bytes)});`);
  for (const s of nodes) {
    const c = registerType(s.type);
    body.line(`${c} *const s${s.id} = (${c} *)scratch;`);
    const rowBytes = registerBytes(s.type);
    body.line(
      typeof width === 'number'
        ? `scratch += ${Math.ceil((width * rowBytes) / 64) * 64};`
        : `scratch += (${sizeText(width)} * ${rowBytes} + 63) / 64 * 64;`,
    );
  }
}
function declareHoisted(body: Writer, printer: RowPrinter, row: RowPlan): void {
  for (const n of row.hoisted) declare(body, n, printer.overrides, printer.random);
}

/** The kernel's own function: its tasks in parallel, or one after another. */
export function entryOf(tasks: Extent, parallel: boolean): string {
  const out = new Writer();
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (parallel) out.line(`rt->parallel(rt, @_task, &call, ${sizeText(tasks)});`);
  else if (tasks === 1) out.line('@_task(&call, 0, 0);');
  else out.line(`for (int64_t task = 0; task < ${sizeText(tasks)}; task++) @_task(&call, task, 0);`);
  out.close();
  return out.toString();
}
