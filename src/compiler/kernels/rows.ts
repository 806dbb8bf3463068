// Prints kernels that go row by row: for each index of the kept loops, one or more passes over the inner loops.
//
//   softmax over [rows, 128]:     for each row: max over i1  (stage 0) → r0
//                                               sum of exp(x - r0), kept in s5  (stage 1) → r1
//                                               y = s5 / r1  (stage 2)
//
// An elementwise kernel is the case without reductions: one stage, the innermost loop inner. Values of an earlier stage
// that a later one needs are read back from where they were stored, kept in a scratch row, or computed again if cheap.
import { registerBytes, registerType } from '../emit/c-types.ts';
import { declareOperands, decodeLoops, type Nest, reductionsIn, requiredNodes, sizeOf, workOf } from './nest.ts';
import { maskOf } from './node.ts';
import { declare } from './print.ts';
import { RowPrinter, randomBlock } from './row-printer.ts';
import { cutTasks } from './tasks.ts';
import { Writer } from './writer.ts';

/** Scratch rows up to this many bytes lie on the stack; the runtime's stacks are 2 MB or more. */
const stackBytes = 128 * 1024;
/** A cut within a row is at a multiple of it: a vector of the narrowest elements. */
const wholeVectors = 64;
/** Rows of a task for which it pays to run a stage of one row beside that of another. */
const leastRows = 3;

/** The kernel's C, and what a worker asks of rt->scratch. */
export function printRows(nest: Nest): { readonly code: string; readonly scratchBytes: number } {
  const required = requiredNodes(nest.outputs);
  const reductions = reductionsIn(required);
  const innerMask = maskOf(nest.inner);
  const perElement = workOf(required.filter(n => (n.deps & innerMask) !== 0)) + nest.outputs.length + 0.5;
  const rows = sizeOf(nest.kept);
  const width = sizeOf(nest.inner);
  const hasRandom = required.some(n => n.kind === 'random');
  // Long rows without reductions are cut along the innermost loop, too.
  const one = nest.inner.filter(l => l.size !== 1);
  const cuttable = reductions.length === 0 && one.length === 1;
  const limit = hasRandom ? randomBlock : 1 << 20;
  const chunk = cuttable ? Math.min(limit, cutTasks(width, perElement, wholeVectors).perTask) : width;
  const ranged = cuttable && chunk < width && (width * perElement > 200_000 || (hasRandom && width > randomBlock));
  const multiple = width % wholeVectors === 0 ? wholeVectors : 1;
  const printer = new RowPrinter(nest, required, ranged, multiple);
  const chunks = ranged ? Math.ceil(width / chunk) : 1;
  const cut = ranged ? { perTask: 1, tasks: rows * chunks } : cutTasks(rows, width * perElement + 20);
  const parallel = rows * width * perElement >= 60_000 && cut.tasks > 1;

  const { out } = printer;
  const body = new Writer();
  printer.row(!ranged && cut.perTask >= leastRows && rows >= leastRows);
  const { deferred } = printer;
  body.open('static void @_task(void *arg, int64_t task, int worker)');
  body.line('const t_call *const call = arg;');
  const scratchBytes = declareRowState(body, printer, width);
  if (ranged) {
    body.line(
      `const int64_t row = ${chunks === 1 ? 'task' : `task / ${chunks}`}, lo = ${chunks === 1 ? '0' : `(task % ${chunks}) * ${chunk}`};`,
    );
    body.line(`const int64_t hi = lo + ${chunk} < ${width} ? lo + ${chunk} : ${width};`);
  }
  declareHoisted(body, printer);
  const loop = !ranged && rows > 1;
  if (loop) {
    const first = cut.tasks === 1 ? '0' : `task * ${cut.perTask}`;
    if (cut.tasks > 1)
      body.line(
        `const int64_t end = ${rows % cut.perTask === 0 ? `(task + 1) * ${cut.perTask}` : `(task + 1) * ${cut.perTask} < ${rows} ? (task + 1) * ${cut.perTask} : ${rows}`};`,
      );
    deferred?.declare(body, first);
    body.open(`for (int64_t row = ${first}; row < ${cut.tasks === 1 ? rows : 'end'}; row++)`);
  }
  if (rows > 1) decodeLoops(body, nest.kept, 'row');
  for (const line of out.lines) body.line(line);
  if (loop) body.close();
  deferred?.finish(body);
  body.close();
  return { code: `${body}\n${entryOf(cut.tasks, parallel)}`, scratchBytes };
}

/**
 * Rows `first` to `end` as a function `@_rows(call, first, end, worker)`, for a kernel that goes on with the same rows while
 * they are in the cache. All inner loops whole; and what a worker asks of rt->scratch.
 */
export function printRowRange(nest: Nest): { readonly code: string; readonly scratchBytes: number } {
  const printer = new RowPrinter(nest, requiredNodes(nest.outputs), false);
  printer.row();
  const body = new Writer();
  body.open('static inline void @_rows(const t_call *const call, int64_t first, int64_t end, int worker)');
  const scratchBytes = declareRowState(body, printer, sizeOf(nest.inner));
  declareHoisted(body, printer);
  body.open('for (int64_t row = first; row < end; row++)');
  decodeLoops(body, nest.kept, 'row');
  for (const line of printer.out.lines) body.line(line);
  body.close();
  body.close();
  return { code: body.toString(), scratchBytes };
}

/** Operands and scratch rows of a printed row; returns what they ask of rt->scratch, 0 where they lie on the stack. */
function declareRowState(body: Writer, printer: RowPrinter, width: number): number {
  body.line('char *const *const p = call->p;');
  declareOperands(body, printer.nest.operands);
  const scratch = printer.scratch.filter(n => !printer.deferred?.saved.some(s => s.node === n));
  const bytes = scratch.reduce((n, s) => n + 64 + width * registerBytes(s.type), 0);
  if (bytes <= stackBytes) {
    for (const s of scratch) body.line(`_Alignas(64) ${registerType(s.type)} s${s.id}[${width}];`);
    return 0;
  }
  body.line(`char *scratch = call->rt->scratch(call->rt, worker, ${bytes});`);
  for (const s of scratch) {
    const c = registerType(s.type);
    body.line(`${c} *const s${s.id} = (${c} *)scratch;`);
    body.line(`scratch += ${Math.ceil((width * registerBytes(s.type)) / 64) * 64};`);
  }
  return bytes;
}
function declareHoisted(body: Writer, printer: RowPrinter): void {
  for (const n of printer.required)
    if (printer.isHoisted(n) && n.kind !== 'literal') declare(body, n, printer.overrides, printer.random);
}

/** The kernel's own function: its tasks in parallel, or one after another. */
export function entryOf(tasks: number, parallel: boolean): string {
  const out = new Writer();
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (parallel) out.line(`rt->parallel(rt, @_task, &call, ${tasks});`);
  else if (tasks === 1) out.line('@_task(&call, 0, 0);');
  else out.line(`for (int64_t task = 0; task < ${tasks}; task++) @_task(&call, task, 0);`);
  out.close();
  return out.toString();
}
