// Prints reductions over leading dims: sums of columns, as bias gradients are. A task has a block of columns and walks
// down its rows with one accumulator a column, which the compiler keeps in vectors:
//
//            columns lo … hi              tall and narrow ones are cut into chunks of rows as well; how many depends on
//   rows  ┌──────┬──────┬──────┐          the shape only, and the chunks are combined in order, so the result is the
//     ↓   │ task │ task │ task │          same on any number of threads.
//         └──────┴──────┴──────┘
import { invariant } from '../../base/errors.ts';
import { cBytes, registerType, stored } from '../emit/c-types.ts';
import type { Combiner } from './combine.ts';
import type { Loop } from './index-expr.ts';
import type { KernelOperand } from './kernel.ts';
import {
  declareOperands,
  decodeLoops,
  type Output,
  reductionsIn,
  requiredNodes,
  simpleCombiner,
  sizeOf,
  workOf,
} from './nest.ts';
import { maskOf, type Node, type Reduction } from './node.ts';
import { atom, closure, declare, indexText, loopName } from './print.ts';
import { RowPrinter } from './row-printer.ts';
import type { Writer } from './writer.ts';

export interface ColumnNest {
  readonly outer: readonly Loop[];
  readonly reduced: readonly Loop[];
  readonly column: Loop;
  readonly outputs: readonly Output[];
  readonly operands: readonly KernelOperand[];
}

/** Bytes of a task's accumulators, so that they and a row of what is read stay in the first cache. */
const blockBytes = 16 * 1024;
const maxChunks = 16;

export interface PrintedColumns {
  readonly code: string;
  readonly workspaceBytes: number;
}

/** Rows made before they are added up, so many at a time: `code` defines `@_rows(call, first, end, worker)`. */
export interface RowsBefore {
  readonly code: string;
  readonly rows: number;
}

/** `before` only where `isWholeRows` says so. */
export function printColumns(nest: ColumnNest, before?: RowsBefore): PrintedColumns {
  const { outer, reduced, column, outputs, operands } = nest;
  const required = requiredNodes(outputs);
  const reductions = reductionsIn(required);
  const combiners = new Map(reductions.map(r => [r, simpleCombiner(r)]));
  const innerMask = maskOf([...reduced, column]);
  const work = workOf(required.filter(n => (n.deps & innerMask) !== 0)) + outputs.length;
  const columns = column.size;
  const rows = sizeOf(reduced);
  // whole rows where they fit: memory is fastest when it is read on and on
  const accumulatorBytes = reductions.reduce(
    (n, r) => n + r.inputs.length * cBytes(combiners.get(r)?.type ?? 'double'),
    0,
  );
  const wanted = Math.ceil((columns * accumulatorBytes) / blockBytes);
  const block = Math.min(columns, Math.ceil(columns / wanted / 16) * 16);
  const blocks = Math.ceil(columns / block);
  const units = sizeOf(outer) * blocks;
  const first = reduced.find(l => l.size !== 1);
  const cuttable = first !== undefined && reductions.every(r => combiners.get(r) !== undefined);
  const chunks = cuttable ? chooseChunks(sizeOf(outer), rows, columns, first.size) : 1;
  const perChunk = first === undefined ? 1 : Math.ceil(first.size / chunks);
  const tasks = units * chunks;
  const parallel = tasks > 1 && sizeOf(outer) * rows * columns * work > 60_000;

  const printer = new RowPrinter(
    { kept: outer, inner: [...reduced, column], outputs, operands },
    required,
    true,
    commonFactor(columns, block),
  );
  const { out } = printer;
  const accumulator = (r: Reduction, k: number): string => `a${r.id}_${k}`;
  const type = (r: Reduction, k: number): string => combiners.get(r)?.type ?? registerType(r.inputs[k]!.type);
  const each = (visit: (r: Reduction, k: number) => void): void => {
    for (const r of reductions) for (let k = 0; k < r.inputs.length; k++) visit(r, k);
  };

  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('const t_call *const call = arg;');
  out.line('char *const *const p = call->p;');
  declareOperands(out, operands);
  if (chunks > 1) out.line(`char *const workspace = p[${operands.length}];`);
  out.line(`const int64_t unit = ${chunks === 1 ? 'task' : `task / ${chunks}, chunk = task % ${chunks}`};`);
  out.line(
    `const int64_t lo = ${blocks === 1 ? '0' : `(unit % ${blocks}) * ${block}`}, hi = ${columns % block === 0 ? `lo + ${block}` : `lo + ${block} < ${columns} ? lo + ${block} : ${columns}`};`,
  );
  if (sizeOf(outer) > 1) {
    out.line(`const int64_t row = unit / ${blocks};`);
    decodeLoops(out, outer, 'row');
  }
  for (const n of required)
    if (!printer.isInner(n) && n.kind !== 'literal' && n.kind !== 'reduced')
      declare(out, n, printer.overrides, printer.random);
  each((r, k) => {
    out.line(`_Alignas(64) ${type(r, k)} ${accumulator(r, k)}[${block}];`);
  });
  const columnLoop = (body: () => void): void => {
    out.line('#pragma omp simd');
    out.open(`for (int64_t ${loopName(column)} = lo; ${loopName(column)} < hi; ${loopName(column)}++)`);
    body();
    out.close();
  };
  const at = (name: string): string => `${name}[${loopName(column)} - lo]`;
  columnLoop(() =>
    each((r, k) => out.line(`${at(accumulator(r, k))} = ${combiners.get(r)?.identity ?? atom(r.inits[k]!)};`)),
  );
  const full = outputs.filter(o => o.node.kind !== 'reduced');
  const roots = [...full.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
  const ranges = new Map<Loop, readonly [string, string]>();
  if (chunks > 1 && first) {
    out.line(
      `const int64_t from = chunk * ${perChunk}, to = ${first.size % perChunk === 0 ? `from + ${perChunk}` : `from + ${perChunk} < ${first.size} ? from + ${perChunk} : ${first.size}`};`,
    );
    ranges.set(first, ['from', 'to']);
  }
  const inBlock = (r: Reduction, k: number): string => at(accumulator(r, k));
  if (before !== undefined) {
    invariant(first !== undefined && chunks > 1 && blocks === 1, 'rows are made for chunks of whole rows');
    out.open(`for (int64_t first = from; first < to; first += ${before.rows})`);
    out.line(`const int64_t end = to - first < ${before.rows} ? to : first + ${before.rows};`);
    out.line('@_rows(call, first, end, worker);');
    ranges.set(first, ['first', 'end']);
  }
  printer.loops({
    nodes: closure(roots, n => !printer.isInner(n)),
    roots,
    simd: true,
    body: () => {
      for (const o of full) printer.store(o);
      for (const r of reductions) printer.update(r, combiners.get(r), inBlock);
    },
    ranges,
  });
  if (before !== undefined) out.close();

  const results = outputs.filter(o => o.node.kind === 'reduced');
  let workspaceBytes = 0;
  const partials = new Map<string, number>();
  if (chunks > 1) {
    each((r, k) => {
      partials.set(accumulator(r, k), workspaceBytes);
      workspaceBytes += Math.ceil((chunks * sizeOf(outer) * columns * cBytes(type(r, k))) / 64) * 64;
    });
  }
  const partial = (r: Reduction, k: number): string =>
    `((${type(r, k)} *)(workspace + ${partials.get(accumulator(r, k))}))`;
  const finish = (o: Output, text: string): void => {
    invariant(o.node.kind === 'reduced', 'a column kernel writes reductions and elements of full size');
    const { reduction, which } = o.node;
    const combiner = combiners.get(reduction);
    const value = combiner ? printer.finished(combiner, reduction.inits[which]!, text) : text;
    out.line(`p${o.slot}[${indexText(o.index)}] = ${stored(o.type, value)};`);
  };
  if (chunks === 1) {
    columnLoop(() => {
      for (const o of results) finish(o, reducedText(o.node, inBlock));
    });
    out.close();
  } else {
    columnLoop(() =>
      each((r, k) =>
        out.line(
          `${partial(r, k)}[(unit / ${blocks} * ${chunks} + chunk) * ${columns} + ${loopName(column)}] = ${inBlock(r, k)};`,
        ),
      ),
    );
    out.close();
    printCombine(out, nest, required, printer, chunks, reductions, combiners, { partial, finish, results });
  }
  printEntry(out, tasks, parallel, chunks > 1);
  return { code: `${before === undefined ? '' : `${before.code}\n`}${out}`, workspaceBytes };
}

/** True when a kernel that adds up the columns of `rows` × `columns` goes through whole rows, in several chunks of them. */
export function isWholeRows(rows: number, columns: number, accumulators: number): boolean {
  return columns * accumulators * 8 <= blockBytes && chooseChunks(1, rows, columns, rows) >= maxChunks / 2;
}

/** A power of two, at most 64, that divides both. */
const commonFactor = (a: number, b: number): number => [64, 32, 16].find(n => a % n === 0 && b % n === 0) ?? 1;

interface CombineParts {
  partial(r: Reduction, k: number): string;
  finish(o: Output, text: string): void;
  readonly results: readonly Output[];
}

/** The second pass of a chunked reduction: the chunks' partial results, combined in order. */
function printCombine(
  out: Writer,
  nest: ColumnNest,
  required: readonly Node[],
  printer: RowPrinter,
  chunks: number,
  reductions: readonly Reduction[],
  combiners: ReadonlyMap<Reduction, Combiner | undefined>,
  parts: CombineParts,
): void {
  const { outer, column, operands } = nest;
  out.open('static void @_combine(char *const *p)');
  declareOperands(out, operands);
  out.line(`char *const workspace = p[${operands.length}];`);
  for (const n of required)
    if (n.deps === 0 && n.kind !== 'literal' && n.kind !== 'reduced')
      declare(out, n, printer.overrides, printer.random);
  const rows = sizeOf(outer);
  if (rows > 1) {
    out.open(`for (int64_t row = 0; row < ${rows}; row++)`);
    decodeLoops(out, outer, 'row');
  }
  out.line('#pragma omp simd');
  out.open(`for (int64_t ${loopName(column)} = 0; ${loopName(column)} < ${column.size}; ${loopName(column)}++)`);
  for (const r of reductions) {
    const combiner = combiners.get(r)!;
    out.line(`${combiner.type} a${r.id}_0 = ${combiner.identity};`);
    out.line(
      `for (int64_t chunk = 0; chunk < ${chunks}; chunk++) a${r.id}_0 = ${combiner.combine(`a${r.id}_0`, `${parts.partial(r, 0)}[(${rows > 1 ? `row * ${chunks} + ` : ''}chunk) * ${column.size} + ${loopName(column)}]`)};`,
    );
  }
  for (const o of parts.results)
    parts.finish(
      o,
      reducedText(o.node, (r, k) => `a${r.id}_${k}`),
    );
  out.close();
  if (rows > 1) out.close();
  out.close();
}

function reducedText(node: Node, name: (r: Reduction, k: number) => string): string {
  invariant(node.kind === 'reduced', 'not a reduction');
  return name(node.reduction, node.which);
}

function printEntry(out: Writer, tasks: number, parallel: boolean, combine: boolean): void {
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (parallel) out.line(`rt->parallel(rt, @_task, &call, ${tasks});`);
  else if (tasks === 1) out.line('@_task(&call, 0, 0);');
  else out.line(`for (int64_t task = 0; task < ${tasks}; task++) @_task(&call, task, 0);`);
  if (combine) out.line('@_combine(p);');
  out.close();
}

/**
 * Chunks that `first` steps of the outermost reduced loop are cut into. As if an element took two additions' work, and a
 * column eight bytes, whatever else the kernel computes: sums must not depend on what was fused with them.
 */
function chooseChunks(outer: number, rows: number, columns: number, first: number): number {
  const units = outer * Math.ceil((columns * 8) / blockBytes);
  const workPerUnit = (2 * outer * rows * columns) / units;
  if (units >= maxChunks || workPerUnit < 120_000) return 1;
  const wanted = Math.min(maxChunks, Math.ceil(maxChunks / units), Math.floor(workPerUnit / 60_000), first);
  return Math.max(1, Math.ceil(first / Math.ceil(first / Math.max(1, wanted))));
}
