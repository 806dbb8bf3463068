// A kernel that reduces a few long rows, as data; the square sum of a whole parameter is one. Too few rows to share, so each
// is cut into chunks. A task reduces a chunk; then the chunks' results are combined in order. How many chunks there are
// depends on the shape only.
import type { Loop } from './index-expr.ts';
import { type Nest, type Output, reductionsIn, requiredNodes, sizeOf, stageOf } from './nest.ts';
import type { Node, Reduction } from './node.ts';
import { closure } from './print.ts';
import { RowValues } from './row-plan.ts';
import { randomBlock } from './rows-plan.ts';

export interface SplitKernel {
  readonly kind: 'split';
  readonly nest: Nest;
  readonly required: readonly Node[];
  readonly reductions: readonly Reduction[];
  readonly rows: number;
  /** Known before the first row. */
  readonly hoisted: readonly Node[];
  /** One value a row, before the reductions and after them. */
  readonly uniform: readonly Node[];
  readonly uniformAfter: readonly Node[];
  /** What is computed of each element, in order, for these roots. */
  readonly nodes: readonly Node[];
  readonly roots: readonly Node[];
  /** Outputs with an element for each of the space, and those with one for each row. */
  readonly full: readonly Output[];
  readonly results: readonly Output[];
  /** The loop that is cut into chunks, the steps of each but the last, and how many there are; a task for each, row by row. */
  readonly first: Loop;
  readonly perChunk: number;
  readonly chunks: number;
}

const fewRows = 16;
const maxChunks = 64;
/** Work of a chunk, in additions. */
const chunkWork = 120_000;
/** Work of an element: that of a sum of squares, whatever else the kernel computes. Sums must not depend on what was fused. */
const elementWork = 2.5;

/** Undefined where rows are many, or short, or reduced in ways that cannot be cut. */
export function planSplit(nest: Nest): SplitKernel | undefined {
  const required = requiredNodes(nest.outputs);
  const reductions = reductionsIn(required);
  const rows = sizeOf(nest.kept);
  const inner = nest.inner.filter(l => l.size !== 1);
  const [first] = inner;
  const { isInner, isInnerOutput, isHoisted } = new RowValues(nest);
  const full = nest.outputs.filter(isInnerOutput);
  const total = rows * sizeOf(inner) * elementWork;
  if (first === undefined || reductions.length === 0 || rows >= fewRows || total < 2 * chunkWork) return undefined;
  if (reductions.some(r => r.stage > 0 || r.accumulator === undefined) || full.some(o => stageOf(o) > 0))
    return undefined;

  const hasRandom = inner.length === 1 && required.some(n => n.kind === 'random');
  const wanted = hasRandom
    ? Math.ceil(first.size / randomBlock)
    : Math.min(maxChunks, Math.ceil(total / rows / chunkWork), first.size);
  const perChunk = Math.ceil(first.size / wanted);
  const uniformOf = (stage: number): Node[] =>
    required.filter(
      n => n.stage === stage && !isInner(n) && n.kind !== 'literal' && n.kind !== 'reduced' && !isHoisted(n),
    );
  const roots = [...full.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
  return {
    kind: 'split',
    nest,
    required,
    reductions,
    rows,
    hoisted: required.filter(n => isHoisted(n) && n.kind !== 'literal'),
    uniform: uniformOf(0),
    uniformAfter: uniformOf(1),
    nodes: closure(roots, n => !isInner(n)),
    roots,
    full,
    results: nest.outputs.filter(o => !isInnerOutput(o)),
    first,
    perChunk,
    chunks: Math.ceil(first.size / perChunk),
  };
}
