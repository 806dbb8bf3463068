// Prints kernels that reduce a few long rows (kernels/split-plan.ts).

import { times } from '../../../ir/extent.ts';
import type { Loop } from '../../../ir/index-expr.ts';
import type { Node, Reduction } from '../../../ir/node.ts';
import type { SplitKernel } from '../../ir/fused-kernel.ts';
import { isRoundedSum } from '../../ir/pairwise-sum.ts';
import { lanesOf } from '../../ir/row.ts';
import { registerType } from '../scalar/c-types.ts';
import { Writer } from '../writer.ts';
import { foldLanes, LaneSet, laneCells, startLanes } from './lanes.ts';
import { clausesOf, declareOperands, decodeLoops, simpleCombiner } from './loops.ts';
import { atom, declare } from './node-text.ts';
import { PieceSums, variableCells } from './pairwise-sums.ts';
import { RowPrinter } from './row-printer.ts';
import { isMany, sizeText } from './size-text.ts';

export function printSplit(kernel: SplitKernel): string {
  const { nest, reductions, rows, full, first, chunks, perChunk } = kernel;
  const combiners = new Map(reductions.map(r => [r, simpleCombiner(r)]));
  const printer = new RowPrinter(nest, nest.inner.filter(l => l.size !== 1).length === 1);
  const { out } = printer;
  const lanes = lanesOf(kernel.order);
  const sets = lanes === 0 ? [] : reductions.map(r => new LaneSet(r, combiners.get(r)!.lanes, lanes));
  const put = (nodes: readonly Node[]): void => {
    for (const n of nodes) declare(out, n, printer.overrides, printer.random);
  };
  const partial = (r: Reduction): string =>
    `((${combiners.get(r)!.type} *)(workspace + ${sizeText(kernel.partials.offsets.get(r)![0]!)}))`;
  const accumulator = (r: Reduction): string => `a${r.id}_0`;

  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('const t_call *const call = arg;');
  out.line('char *const *const p = call->p;');
  declareOperands(out, nest.operands);
  out.line(`char *const workspace = p[${nest.operands.length}];`);
  out.line(
    `const int64_t ${isMany(rows) ? `row = task / ${sizeText(chunks)}, ` : ''}lo = ${isMany(rows) ? `task % ${sizeText(chunks)}` : 'task'} * ${sizeText(perChunk)};`,
  );
  const [step, end] = [perChunk, first.size].map(sizeText);
  out.line(`const int64_t hi = lo + ${step} < ${end} ? lo + ${step} : ${end};`);
  put(kernel.hoisted);
  if (isMany(rows)) decodeLoops(out, nest.kept, 'row');
  put(kernel.uniform);
  startLanes(out, sets, lanes);
  for (const r of lanes === 0 ? reductions : [])
    out.line(`${combiners.get(r)!.type} ${accumulator(r)} = ${combiners.get(r)!.identity};`);
  const ranges = new Map<Loop, readonly [string, string]>([[first, ['lo', 'hi']]]);
  const { pieces, chunkPieces } = kernel;
  const sums =
    pieces && new PieceSums(out, pieces, reductions, combiners, lanes === 0 ? variableCells : laneCells(out, lanes));
  sums?.declare();
  printer.loops({
    nodes: kernel.nodes,
    roots: kernel.roots,
    inner: kernel.inner,
    simd: kernel.order.kind !== 'given',
    clauses: kernel.order.kind === 'any' ? clausesOf(reductions, combiners) : '',
    body: lane => {
      for (const o of full) printer.store(o);
      for (const set of sets) set.update(out, atom(set.reduction.inputs[0]!, printer.overrides), lane);
      for (const r of lanes === 0 ? reductions : []) printer.update(r, combiners.get(r), accumulator);
    },
    ranges,
    ...(sums && { after: { longest: pieces!.each, print: (steps: string) => sums.after(steps) } }),
  });
  sums?.finish();
  foldLanes(out, sets, lanes);
  reductions.forEach((r, i) => {
    out.line(`${partial(r)}[task] = ${sets[i]?.result() ?? accumulator(r)};`);
  });
  out.close();

  out.open('static void @_combine(char *const *p)');
  declareOperands(out, nest.operands);
  out.line(`char *const workspace = p[${nest.operands.length}];`);
  put(kernel.hoisted);
  out.open(`for (int64_t row = 0; row < ${sizeText(rows)}; row++)`);
  if (isMany(rows)) decodeLoops(out, nest.kept, 'row');
  put(kernel.uniform);
  for (const r of reductions) {
    const combiner = combiners.get(r)!;
    const ofChunks =
      chunkPieces && isRoundedSum(r.accumulator)
        ? new PieceSums(out, chunkPieces, [r], combiners, variableCells)
        : undefined;
    out.line(`${combiner.type} ${accumulator(r)} = ${combiner.identity};`);
    ofChunks?.declare();
    out.open(`for (int64_t chunk = 0; chunk < ${sizeText(chunks)}; chunk++)`);
    out.line(
      `${accumulator(r)} = ${combiner.combine(accumulator(r), `${partial(r)}[row * ${sizeText(chunks)} + chunk]`)};`,
    );
    ofChunks?.after('1');
    out.close();
    ofChunks?.finish();
    out.line(
      `const ${registerType(r.inputs[0]!.type)} r${r.id}_0 = ${printer.finished(r, 0, combiner, accumulator(r))};`,
    );
  }
  for (const n of kernel.required)
    if (n.kind === 'reduced') out.line(`const ${registerType(n.type)} ${atom(n)} = r${n.reduction.id}_${n.which};`);
  put(kernel.uniformAfter);
  for (const o of kernel.results) printer.store(o);
  out.close();
  out.close();
  const entry = new Writer();
  entry.open('static void @(const trenio_rt *rt, char *const *p)');
  entry.line('t_call call = {rt, p};');
  entry.line(`rt->parallel(rt, @_task, &call, ${sizeText(times(rows, chunks))});`);
  entry.line('@_combine(p);');
  entry.close();
  return `${out}\n${entry}`;
}
