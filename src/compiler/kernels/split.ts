// Prints kernels that reduce a few long rows, as the square sum of a whole parameter is: too few rows to share, so each is
// cut into chunks. A task reduces a chunk; then the chunks' results are combined in order. How many chunks there are
// depends on the shape only.
import { cBytes, registerType } from '../emit/c-types.ts';
import type { Loop } from './index-expr.ts';
import {
  clausesOf,
  declareOperands,
  decodeLoops,
  type Nest,
  reductionsIn,
  requiredNodes,
  simpleCombiner,
  sizeOf,
  stageOf,
} from './nest.ts';
import type { Reduction } from './node.ts';
import { atom, closure, declare } from './print.ts';
import { RowPrinter, randomBlock } from './row-printer.ts';
import { Writer } from './writer.ts';

const fewRows = 16;
const maxChunks = 64;
/** Work of a chunk, in additions. */
const chunkWork = 120_000;
/** Work of an element: that of a sum of squares, whatever else the kernel computes. Sums must not depend on what was fused. */
const elementWork = 2.5;

/** Undefined where rows are many, or short, or reduced in ways that cannot be cut. */
export function printSplit(nest: Nest): { readonly code: string; readonly workspaceBytes: number } | undefined {
  const required = requiredNodes(nest.outputs);
  const reductions = reductionsIn(required);
  const rows = sizeOf(nest.kept);
  const inner = nest.inner.filter(l => l.size !== 1);
  const [first] = inner;
  const combiners = new Map(reductions.map(r => [r, simpleCombiner(r)]));
  const printer = new RowPrinter(nest, required, inner.length === 1);
  const full = nest.outputs.filter(printer.isInnerOutput);
  const total = rows * sizeOf(inner) * elementWork;
  if (first === undefined || reductions.length === 0 || rows >= fewRows || total < 2 * chunkWork) return undefined;
  if (reductions.some(r => r.stage > 0 || combiners.get(r) === undefined) || full.some(o => stageOf(o) > 0))
    return undefined;

  const hasRandom = inner.length === 1 && required.some(n => n.kind === 'random');
  const wanted = hasRandom
    ? Math.ceil(first.size / randomBlock)
    : Math.min(maxChunks, Math.ceil(total / rows / chunkWork), first.size);
  const perChunk = Math.ceil(first.size / wanted);
  const chunks = Math.ceil(first.size / perChunk);

  const { out } = printer;
  const rowNodes = (stage: number, to: Writer): void => {
    for (const n of required)
      if (
        n.stage === stage &&
        !printer.isInner(n) &&
        n.kind !== 'literal' &&
        n.kind !== 'reduced' &&
        !printer.isHoisted(n)
      )
        declare(to, n, printer.overrides, printer.random);
  };
  const hoisted = (to: Writer): void => {
    for (const n of required)
      if (printer.isHoisted(n) && n.kind !== 'literal') declare(to, n, printer.overrides, printer.random);
  };
  let workspaceBytes = 0;
  const partials = new Map<Reduction, string>();
  for (const r of reductions) {
    partials.set(r, `((${combiners.get(r)!.type} *)(workspace + ${workspaceBytes}))`);
    workspaceBytes += Math.ceil((Math.max(8, cBytes(combiners.get(r)!.type)) * rows * chunks) / 64) * 64;
  }
  const accumulator = (r: Reduction): string => `a${r.id}_0`;

  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('const t_call *const call = arg;');
  out.line('char *const *const p = call->p;');
  declareOperands(out, nest.operands);
  out.line(`char *const workspace = p[${nest.operands.length}];`);
  out.line(
    `const int64_t ${rows > 1 ? `row = task / ${chunks}, ` : ''}lo = ${rows > 1 ? `task % ${chunks}` : 'task'} * ${perChunk};`,
  );
  out.line(`const int64_t hi = lo + ${perChunk} < ${first.size} ? lo + ${perChunk} : ${first.size};`);
  hoisted(out);
  if (rows > 1) decodeLoops(out, nest.kept, 'row');
  rowNodes(0, out);
  for (const r of reductions) out.line(`${combiners.get(r)!.type} ${accumulator(r)} = ${combiners.get(r)!.identity};`);
  const roots = [...full.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
  const ranges = new Map<Loop, readonly [string, string]>([[first, ['lo', 'hi']]]);
  printer.loops({
    nodes: closure(roots, n => !printer.isInner(n)),
    roots,
    simd: true,
    clauses: clausesOf(reductions, combiners),
    body: () => {
      for (const o of full) printer.store(o);
      for (const r of reductions) printer.update(r, combiners.get(r), accumulator);
    },
    ranges,
  });
  for (const r of reductions) out.line(`${partials.get(r)}[task] = ${accumulator(r)};`);
  out.close();

  out.open('static void @_combine(char *const *p)');
  declareOperands(out, nest.operands);
  out.line(`char *const workspace = p[${nest.operands.length}];`);
  hoisted(out);
  out.open(`for (int64_t row = 0; row < ${rows}; row++)`);
  if (rows > 1) decodeLoops(out, nest.kept, 'row');
  rowNodes(0, out);
  for (const r of reductions) {
    const combiner = combiners.get(r)!;
    out.line(`${combiner.type} ${accumulator(r)} = ${combiner.identity};`);
    out.line(
      `for (int64_t chunk = 0; chunk < ${chunks}; chunk++) ${accumulator(r)} = ${combiner.combine(accumulator(r), `${partials.get(r)}[row * ${chunks} + chunk]`)};`,
    );
    out.line(
      `const ${registerType(r.inputs[0]!.type)} r${r.id}_0 = ${printer.finished(combiner, r.inits[0]!, accumulator(r))};`,
    );
  }
  for (const n of required)
    if (n.kind === 'reduced') out.line(`const ${registerType(n.type)} ${atom(n)} = r${n.reduction.id}_${n.which};`);
  rowNodes(1, out);
  for (const o of nest.outputs) if (!printer.isInnerOutput(o)) printer.store(o);
  out.close();
  out.close();
  const entry = new Writer();
  entry.open('static void @(const trenio_rt *rt, char *const *p)');
  entry.line('t_call call = {rt, p};');
  entry.line(`rt->parallel(rt, @_task, &call, ${rows * chunks});`);
  entry.line('@_combine(p);');
  entry.close();
  return { code: `${out}\n${entry}`, workspaceBytes };
}
