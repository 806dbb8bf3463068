// The computation of one iteration of a kernel's loops: a graph of scalar values. Nodes are interned, so equal
// computations are one node; each has the set of loops it depends on, which determines its depth in the loop nest.
//
//   load x[768·i0 + i1] ──▶ expression "subtract" ──▶ expression "exponential" ──▶ stored, or reduced over i1
//   reduced #0 ─────────────▲            (known only after the loops of its stage: stage 1)
import type { Op, Region, Value } from '../../hlo/program.ts';
import type { ElementType } from '../../hlo/types.ts';
import { type Accumulator, accumulatorOfRegion, isIdentity } from './accumulator.ts';
import { type Extent, keyOfExtent, type Quantity } from './extent.ts';
import { keyOfScalarOp, type ScalarOp } from './scalar-op.ts';
import { keyOfScalarValue, type ScalarValue } from './scalar-value.ts';

/** One loop of a kernel, counting 0 … size-1. */
export interface Loop<Size extends Extent = Extent> {
  readonly id: number;
  readonly size: Size;
}

export type Term =
  | { readonly kind: 'loop'; readonly key: string; readonly min: number; readonly max: number; readonly loop: Loop }
  | {
      readonly kind: 'div' | 'mod';
      readonly key: string;
      readonly min: number;
      readonly max: number;
      readonly of: Index;
      readonly by: Extent;
    }
  /** Another term, or 1, times a quantity that is known only when the kernel runs: a stride, or a start. */
  | {
      readonly kind: 'scaled';
      readonly key: string;
      readonly min: number;
      readonly max: number;
      readonly of: Unscaled | undefined;
      readonly by: Quantity;
    }
  /** An index that is data: an element of the indices of a gather, already clamped to [0, max]. */
  | { readonly kind: 'data'; readonly key: string; readonly min: number; readonly max: number; readonly node: Node };

export type Unscaled = Exclude<Term, { readonly kind: 'scaled' }>;

/** constant + Σ coefficient · term, terms ordered by key; `key` names the whole form uniquely. */
export interface Index {
  readonly constant: number;
  readonly terms: readonly (readonly [coefficient: number, term: Term])[];
  readonly min: number;
  readonly max: number;
  readonly key: string;
}

/** Holds where low ≤ index < high, and index % modulus = remainder if a modulus is given. */
export interface Guard<Size extends Extent = Extent> {
  readonly index: Index;
  readonly low: number;
  readonly high: Size;
  readonly modulus?: Size;
  readonly remainder?: number;
}

/** A reduction over some of the kernel's loops; variadic as StableHLO's reduce. */
export interface Reduction {
  readonly id: number;
  /** (partial results, elements) → partial results. */
  readonly region: Region;
  /** The accumulator that the region is, if partial results may be combined in any grouping; else undefined. */
  readonly accumulator: Accumulator | undefined;
  readonly inputs: readonly Node[];
  readonly inits: readonly Node[];
  /** Scalars from outside that its region uses. */
  readonly captured: readonly (readonly [Value, Node])[];
  readonly stage: number;
}
/** Everything a reduction is computed from. */
export const reductionArgs = (r: Reduction): readonly Node[] => [
  ...r.inputs,
  ...r.inits,
  ...r.captured.map(([, n]) => n),
];

/** True if the initial value has no effect and is omitted. */
export function startsAtIdentity({ accumulator, inits }: Reduction): boolean {
  const [init] = inits;
  return init?.kind === 'literal' && accumulator !== undefined && isIdentity(accumulator, init.value);
}

interface Common {
  readonly id: number;
  readonly type: ElementType;
  /** Bit mask of the ids of the loops this value changes with. */
  readonly deps: number;
  /** The number of consecutive reductions it depends on. */
  readonly stage: number;
  /** The cost of recomputing it from memory, in additions. */
  readonly cost: number;
}
export type Node = Common &
  (
    | { readonly kind: 'load'; readonly slot: number; readonly index: Index; readonly guards: readonly Guard[] }
    | { readonly kind: 'literal'; readonly value: ScalarValue }
    | { readonly kind: 'index'; readonly index: Index }
    | { readonly kind: 'expression'; readonly op: ScalarOp; readonly args: readonly Node[] }
    /** An element of the multiply that this kernel is the epilogue of, at a position, rounded to the type. */
    | { readonly kind: 'product'; readonly position: Node }
    | { readonly kind: 'guarded'; readonly guards: readonly Guard[]; readonly onTrue: Node; readonly onFalse: Node }
    /** Philox: element `index` of the stream of a state (key, low and high half of the counter). */
    | { readonly kind: 'random'; readonly state: readonly Node[]; readonly index: Index }
    | { readonly kind: 'reduced'; readonly reduction: Reduction; readonly which: number }
  );
export type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>;

/** Every loop and data node an index depends on. */
export function visitTerms(index: Index, visit: (term: Term) => void): void {
  for (const [, t] of index.terms) {
    visitTerm(t, visit);
  }
}

function visitTerm(t: Term, visit: (term: Term) => void): void {
  visit(t);
  if (t.kind === 'div' || t.kind === 'mod') visitTerms(t.of, visit);
  else if (t.kind === 'scaled' && t.of !== undefined) visitTerm(t.of, visit);
}

export interface IndexUse {
  readonly deps: number;
  readonly stage: number;
}
export function usesOf(index: Index): IndexUse {
  let deps = 0;
  let stage = 0;
  visitTerms(index, t => {
    if (t.kind === 'loop') deps |= 1 << t.loop.id;
    else if (t.kind === 'data') {
      deps |= t.node.deps;
      stage = Math.max(stage, t.node.stage);
    }
  });
  return { deps, stage };
}
/** The data nodes an index reads. */
export function dataNodesOf(index: Index): Node[] {
  const nodes: Node[] = [];
  visitTerms(index, t => {
    if (t.kind === 'data') nodes.push(t.node);
  });
  return nodes;
}
export const maskOf = (loops: readonly Loop[]): number => loops.reduce((mask, l) => mask | (1 << l.id), 0);

export const guardKey = (g: Guard): string =>
  `${g.index.key}@${g.low}:${keyOfExtent(g.high)}:${keyOfExtent(g.modulus ?? 0)}:${g.remainder ?? 0}`;

/** The nodes a node is computed from, including those in its indices. */
export function argsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'load':
      return [...dataNodesOf(node.index), ...node.guards.flatMap(g => dataNodesOf(g.index))];
    case 'index':
      return dataNodesOf(node.index);
    case 'expression':
      return node.args;
    case 'guarded':
      return [node.onTrue, node.onFalse, ...node.guards.flatMap(g => dataNodesOf(g.index))];
    case 'product':
      return [node.position];
    case 'random':
      return [...node.state, ...dataNodesOf(node.index)];
    case 'literal':
    case 'reduced':
      return [];
  }
}
/** Every index form in a node. */
export function indicesOf(node: Node): readonly Index[] {
  switch (node.kind) {
    case 'load':
      return [node.index, ...node.guards.map(g => g.index)];
    case 'index':
    case 'random':
      return [node.index];
    case 'guarded':
      return node.guards.map(g => g.index);
    default:
      return [];
  }
}

/** The nodes that `roots` need, in an order in which each can be computed; not beyond those that `known` has already. */
export function closure(roots: Iterable<Node>, known: (node: Node) => boolean): Node[] {
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (seen.has(node) || known(node)) return;
    seen.add(node);
    for (const a of argsOf(node)) visit(a);
  };
  for (const r of roots) visit(r);
  return [...seen].sort((a, b) => a.id - b.id);
}

export class NodeGraph {
  readonly nodes: Node[] = [];
  readonly reductions: Reduction[] = [];
  readonly #interned = new Map<string, Node>();

  #add<K extends Node['kind']>(key: string, make: (id: number) => NodeOf<K>): Node {
    const found = this.#interned.get(key);
    if (found) return found;
    const node = make(this.nodes.length) as Node;
    this.nodes.push(node);
    this.#interned.set(key, node);
    return node;
  }

  load(type: ElementType, slot: number, index: Index, guards: readonly Guard[]): Node {
    return this.#add<'load'>(`load ${slot} ${index.key} ${guards.map(guardKey).join()}`, id => {
      const uses = [index, ...guards.map(g => g.index)].map(usesOf);
      return {
        kind: 'load',
        id,
        type,
        slot,
        index,
        guards,
        deps: uses.reduce((m, u) => m | u.deps, 0),
        stage: Math.max(...uses.map(u => u.stage)),
        cost: 1,
      };
    });
  }
  literal(type: ElementType, value: ScalarValue): Node {
    return this.#add<'literal'>(`literal ${type} ${keyOfScalarValue(value)}`, id => ({
      kind: 'literal',
      id,
      type,
      value,
      deps: 0,
      stage: 0,
      cost: 0,
    }));
  }
  index(index: Index): Node {
    return this.#add<'index'>(`index ${index.key}`, id => ({
      kind: 'index',
      id,
      type: 'i64',
      index,
      ...usesOf(index),
      cost: 0,
    }));
  }
  expression(type: ElementType, op: ScalarOp, args: readonly Node[], cost: number): Node {
    return this.#add<'expression'>(`${keyOfScalarOp(op)} ${type} ${args.map(a => a.id).join()}`, id => ({
      kind: 'expression',
      id,
      type,
      op,
      args,
      deps: args.reduce((m, a) => m | a.deps, 0),
      stage: args.reduce((s, a) => Math.max(s, a.stage), 0),
      cost: args.reduce((c, a) => c + a.cost, cost),
    }));
  }
  product(type: ElementType, position: Node): Node {
    return this.#add<'product'>(`product ${type} ${position.id}`, id => ({
      kind: 'product',
      id,
      type,
      position,
      deps: position.deps,
      stage: position.stage,
      cost: position.cost + 1,
    }));
  }
  guarded(guards: readonly Guard[], onTrue: Node, onFalse: Node): Node {
    if (guards.length === 0 || onTrue === onFalse) return onTrue;
    return this.#add<'guarded'>(`guarded ${guards.map(guardKey).join()} ${onTrue.id} ${onFalse.id}`, id => {
      const uses = guards.map(g => usesOf(g.index));
      return {
        kind: 'guarded',
        id,
        type: onTrue.type,
        guards,
        onTrue,
        onFalse,
        deps: uses.reduce((m, u) => m | u.deps, onTrue.deps | onFalse.deps),
        stage: Math.max(onTrue.stage, onFalse.stage, ...uses.map(u => u.stage)),
        cost: onTrue.cost + onFalse.cost + 1,
      };
    });
  }
  random(type: ElementType, state: readonly Node[], index: Index): Node {
    return this.#add<'random'>(`random ${type} ${state.map(s => s.id).join()} ${index.key}`, id => {
      const uses = usesOf(index);
      return {
        kind: 'random',
        id,
        type,
        state,
        index,
        deps: state.reduce((m, s) => m | s.deps, uses.deps),
        stage: state.reduce((m, s) => Math.max(m, s.stage), uses.stage),
        cost: 20,
      };
    });
  }
  /** The results of a reduction over the loops in the mask. */
  reduce(
    op: Op<'reduce'>,
    inputs: readonly Node[],
    inits: readonly Node[],
    captured: Reduction['captured'],
    over: number,
  ): readonly Node[] {
    const key = `reduce ${op.results[0].id} ${inputs.map(n => n.id).join()} ${inits.map(n => n.id).join()} ${over}`;
    const found = this.#interned.get(`${key} 0`);
    const stage = [...inputs, ...inits].reduce((s, n) => Math.max(s, n.stage), 0);
    const reduction: Reduction =
      found?.kind === 'reduced'
        ? found.reduction
        : {
            id: this.reductions.length,
            region: op.regions[0],
            accumulator: inputs.length === 1 ? accumulatorOfRegion(op.regions[0]) : undefined,
            inputs,
            inits,
            captured,
            stage,
          };
    if (!found) this.reductions.push(reduction);
    const deps = [...inputs, ...inits].reduce((m, n) => m | n.deps, 0) & ~over;
    return inputs.map((input, which) =>
      this.#add<'reduced'>(`${key} ${which}`, id => ({
        kind: 'reduced',
        id,
        type: input.type,
        reduction,
        which,
        deps,
        stage: stage + 1,
        cost: 1000,
      })),
    );
  }
}
