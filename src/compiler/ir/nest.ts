import type { ElementType } from '../../hlo/types.ts';
import { type Extent, times } from './extent.ts';
import { add, constantIndex, type Index, type Loop, loopIndex, scale } from './index-expr.ts';
import { closure, type Node, type Reduction, reductionArgs, usesOf } from './node.ts';
import type { KernelOperand } from './operands.ts';

export interface Output {
  readonly node: Node;
  readonly slot: number;
  readonly index: Index;
  readonly type: ElementType;
}
export interface Nest {
  readonly kept: readonly Loop[];
  readonly inner: readonly Loop[];
  readonly outputs: readonly Output[];
  readonly operands: readonly KernelOperand[];
}

export function sizeOf(loops: readonly Loop<number>[]): number;
export function sizeOf(loops: readonly Loop[]): Extent;
export function sizeOf(loops: readonly Loop[]): Extent {
  return loops.reduce<Extent>((n, l) => times(n, l.size), 1);
}
export function canonicalIndex(loops: readonly Loop[]): Index {
  let out = constantIndex(0);
  let stride: Extent = 1;
  for (let d = loops.length - 1; d >= 0; d--) {
    out = add(out, scale(loopIndex(loops[d]!), stride));
    stride = times(stride, loops[d]!.size);
  }
  return out;
}

export function requiredNodes(outputs: readonly Output[]): Node[] {
  const roots = new Set<Node>();
  const visitIndex = (o: Output): void => {
    for (const n of closure([o.node], () => false)) roots.add(n);
  };
  for (const o of outputs) visitIndex(o);
  const queue = [...roots];
  for (let n = queue.pop(); n !== undefined; n = queue.pop()) {
    if (n.kind !== 'reduced') continue;
    for (const a of closure(reductionArgs(n.reduction), m => roots.has(m))) {
      roots.add(a);
      queue.push(a);
    }
  }
  return [...roots].sort((a, b) => a.id - b.id);
}
export const reductionsIn = (nodes: readonly Node[]): Reduction[] =>
  [...new Set(nodes.flatMap(n => (n.kind === 'reduced' ? [n.reduction] : [])))].sort((a, b) => a.id - b.id);

export const stageOf = (o: Output): number => Math.max(o.node.stage, usesOf(o.index).stage);
/** Work of an element: the distinct nodes computed for it. */
export const workOf = (nodes: readonly Node[]): number =>
  nodes.reduce(
    (sum, n) =>
      sum +
      (n.kind === 'expression' || n.kind === 'product' || n.kind === 'random'
        ? Math.max(0.3, n.cost - argsCost(n))
        : n.kind === 'load'
          ? 1
          : 0),
    0,
  );
const argsCost = (n: Node): number => (n.kind === 'expression' ? n.args.reduce((c, a) => c + a.cost, 0) : 0);
