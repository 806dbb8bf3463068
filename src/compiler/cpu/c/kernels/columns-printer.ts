// Prints reductions over leading dims (kernels/columns-plan.ts).
import { invariant } from '../../../../base/errors.ts';
import { divides, type Extent } from '../../../ir/extent.ts';
import type { Loop } from '../../../ir/index-expr.ts';
import { type Output, sizeOf } from '../../../ir/nest.ts';
import type { Node, Reduction } from '../../../ir/node.ts';
import type { ColumnsKernel } from '../../ir/fused-kernel.ts';
import { registerType, stored } from '../scalar/c-types.ts';
import type { Combiner } from '../scalar/combiners.ts';
import type { Writer } from '../writer.ts';
import { declareOperands, decodeLoops, simpleCombiner } from './loops.ts';
import { atom, declare, indexText, loopName } from './node-text.ts';
import { PieceSums } from './pairwise-sums.ts';
import { RowPrinter } from './row-printer.ts';
import { printRowRange } from './rows-printer.ts';
import { isMany, sizeText } from './size-text.ts';

export function printColumns(kernel: ColumnsKernel): string {
  const {
    nest,
    reductions,
    uniform,
    full,
    results,
    first,
    block,
    longestBlock,
    blocks,
    chunks,
    perChunk,
    tasks,
    before,
  } = kernel;
  const { outer, reduced, column, outputs, operands } = nest;
  const combiners = new Map(reductions.map(r => [r, simpleCombiner(r)]));
  const columns = column.size;
  const printer = new RowPrinter(
    { kept: outer, inner: [...reduced, column], outputs, operands },
    true,
    kernel.multiple,
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
  if (chunks !== 1) out.line(`char *const workspace = p[${operands.length}];`);
  out.line(
    `const int64_t unit = ${chunks === 1 ? 'task' : `task / ${sizeText(chunks)}, chunk = task % ${sizeText(chunks)}`};`,
  );
  const [width, all] = [block, columns].map(sizeText);
  out.line(
    `const int64_t lo = ${blocks === 1 ? '0' : `(unit % ${sizeText(blocks)}) * ${width}`}, hi = ${divides(block, columns) ? `lo + ${width}` : `lo + ${width} < ${all} ? lo + ${width} : ${all}`};`,
  );
  if (isMany(sizeOf(outer))) {
    out.line(`const int64_t row = unit / ${sizeText(blocks)};`);
    decodeLoops(out, outer, 'row');
  }
  for (const n of uniform) declare(out, n, printer.overrides, printer.random);
  each((r, k) => {
    out.line(`_Alignas(64) ${type(r, k)} ${accumulator(r, k)}[${longestBlock}];`);
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
  const ranges = new Map<Loop, readonly [string, string]>();
  if (chunks !== 1 && first) {
    const [step, end] = [perChunk, first.size].map(sizeText);
    out.line(
      `const int64_t from = chunk * ${step}, to = ${divides(perChunk, first.size) ? `from + ${step}` : `from + ${step} < ${end} ? from + ${step} : ${end}`};`,
    );
    ranges.set(first, ['from', 'to']);
  }
  const inBlock = (r: Reduction, k: number): string => at(accumulator(r, k));
  const sums =
    kernel.pieces &&
    new PieceSums(out, kernel.pieces, reductions, combiners, { length: longestBlock, at: at(''), each: columnLoop });
  const lastRow = reduced.findLast(l => l.size !== 1)!;
  sums?.declare();
  if (before !== undefined) {
    invariant(first !== undefined, 'rows are computed for chunks of whole rows');
    out.open(`for (int64_t first = from; first < to; first += ${before.rows})`);
    out.line(`const int64_t end = to - first < ${before.rows} ? to : first + ${before.rows};`);
    out.line('@_rows(call, first, end, worker);');
    ranges.set(first, ['first', 'end']);
  }
  printer.loops({
    nodes: kernel.nodes,
    roots: kernel.roots,
    inner: kernel.inner,
    simd: true,
    body: () => {
      for (const o of full) printer.store(o);
      for (const r of reductions) printer.update(r, combiners.get(r), inBlock);
    },
    ranges,
    ...(sums && {
      after: { loop: lastRow, longest: kernel.pieces!.each, print: (steps: string) => sums.after(steps) },
    }),
  });
  if (before !== undefined) out.close();
  sums?.finish();

  const partial = (r: Reduction, k: number): string =>
    `((${type(r, k)} *)(workspace + ${sizeText(kernel.partials.offsets.get(r)![k]!)}))`;
  const finish = (o: Output, text: string): void => {
    invariant(o.node.kind === 'reduced', 'a column kernel writes reductions and elements of full size');
    const { reduction, which } = o.node;
    const combiner = combiners.get(reduction);
    const value = combiner ? printer.finished(reduction, which, combiner, text) : text;
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
          `${partial(r, k)}[(unit / ${sizeText(blocks)} * ${sizeText(chunks)} + chunk) * ${sizeText(columns)} + ${loopName(column)}] = ${inBlock(r, k)};`,
        ),
      ),
    );
    out.close();
    printCombine(out, kernel, printer, combiners, { partial, finish });
  }
  printEntry(out, tasks, kernel.isParallel, chunks !== 1);
  return before === undefined ? out.toString() : `${printRowRange(before.row)}\n${out}`;
}

interface CombineParts {
  partial(r: Reduction, k: number): string;
  finish(o: Output, text: string): void;
}

/** The second pass of a chunked reduction: the chunks' partial results, combined in order. */
function printCombine(
  out: Writer,
  kernel: ColumnsKernel,
  printer: RowPrinter,
  combiners: ReadonlyMap<Reduction, Combiner | undefined>,
  parts: CombineParts,
): void {
  const { chunks, reductions, uniform, results } = kernel;
  const { outer, column, operands } = kernel.nest;
  out.open('static void @_combine(char *const *p)');
  declareOperands(out, operands);
  out.line(`char *const workspace = p[${operands.length}];`);
  for (const n of uniform) if (n.deps === 0) declare(out, n, printer.overrides, printer.random);
  const rows = sizeOf(outer);
  if (isMany(rows)) {
    out.open(`for (int64_t row = 0; row < ${sizeText(rows)}; row++)`);
    decodeLoops(out, outer, 'row');
  }
  out.line('#pragma omp simd');
  out.open(
    `for (int64_t ${loopName(column)} = 0; ${loopName(column)} < ${sizeText(column.size)}; ${loopName(column)}++)`,
  );
  for (const r of reductions) {
    const combiner = combiners.get(r)!;
    out.line(`${combiner.type} a${r.id}_0 = ${combiner.identity};`);
    out.line(
      `for (int64_t chunk = 0; chunk < ${sizeText(chunks)}; chunk++) a${r.id}_0 = ${combiner.combine(`a${r.id}_0`, `${parts.partial(r, 0)}[(${isMany(rows) ? `row * ${sizeText(chunks)} + ` : ''}chunk) * ${sizeText(column.size)} + ${loopName(column)}]`)};`,
    );
  }
  for (const o of results)
    parts.finish(
      o,
      reducedText(o.node, (r, k) => `a${r.id}_${k}`),
    );
  out.close();
  if (isMany(rows)) out.close();
  out.close();
}

function reducedText(node: Node, name: (r: Reduction, k: number) => string): string {
  invariant(node.kind === 'reduced', 'not a reduction');
  return name(node.reduction, node.which);
}

function printEntry(out: Writer, tasks: Extent, parallel: boolean, combine: boolean): void {
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (parallel) out.line(`rt->parallel(rt, @_task, &call, ${sizeText(tasks)});`);
  else if (tasks === 1) out.line('@_task(&call, 0, 0);');
  else out.line(`for (int64_t task = 0; task < ${sizeText(tasks)}; task++) @_task(&call, task, 0);`);
  if (combine) out.line('@_combine(p);');
  out.close();
}
