// Loops around a kernel's elements, what it writes in them, and questions about its nodes that every printer asks.
import { invariant } from '../../base/errors.ts';
import type { ElementType } from '../../hlo/types.ts';
import { memoryType } from '../emit/c-types.ts';
import { type Combiner, combinerOf } from './combine.ts';
import { add, constantIndex, type Index, type Loop, loopIndex, scale } from './index-expr.ts';
import { type Node, type Reduction, reductionArgs, usesOf } from './node.ts';
import type { KernelOperand } from './operands.ts';
import { closure, loopName } from './print.ts';
import type { Writer } from './writer.ts';

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

export const sizeOf = (loops: readonly Loop[]): number => loops.reduce((n, l) => n * l.size, 1);
export function canonicalIndex(loops: readonly Loop[]): Index {
  let out = constantIndex(0);
  for (let d = loops.length - 1, stride = 1; d >= 0; d--) {
    out = add(out, scale(loopIndex(loops[d]!), stride));
    stride *= loops[d]!.size;
  }
  return out;
}

/** Declares the operands' pointers at the head of a function that has `char *const *p`. */
export function declareOperands(out: Writer, operands: readonly KernelOperand[]): void {
  operands.forEach(({ value, access }, i) => {
    invariant(value.type.kind === 'tensor', 'an operand that is no tensor');
    const c = memoryType(value.type.elementType);
    out.line(
      access === 'read' ? `const ${c} *const p${i} = (const ${c} *)p[${i}];` : `${c} *const p${i} = (${c} *)p[${i}];`,
    );
  });
}
/** i0, i1 … from a flat position over some loops. */
export function decodeLoops(out: Writer, loops: readonly Loop[], position: string): void {
  const real = loops.filter(l => l.size !== 1);
  real.forEach((loop, d) => {
    const below = sizeOf(real.slice(d + 1));
    const text = below === 1 ? position : `${position} / ${below}`;
    out.line(
      `const int64_t ${loopName(loop)} = ${d === 0 ? text : `${below === 1 ? text : `(${text})`} % ${loop.size}`};`,
    );
  });
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

/** Simple reductions: all that are one binary op each. */
export function simpleCombiner(r: Reduction): Combiner | undefined {
  return r.accumulator && combinerOf(r.accumulator);
}

/** `reduction(+:a0_0, a1_0)` for each way of combining. */
export function clausesOf(
  reductions: readonly Reduction[],
  combiners: ReadonlyMap<Reduction, Combiner | undefined>,
): string {
  const groups = new Map<string, string[]>();
  for (const r of reductions) {
    const { clause } = combiners.get(r)!;
    const names = groups.get(clause);
    if (names) names.push(`a${r.id}_0`);
    else groups.set(clause, [`a${r.id}_0`]);
  }
  return [...groups].map(([clause, names]) => ` reduction(${clause}:${names.join(', ')})`).join('');
}
