// How one row of a kernel is computed, as data: stages one after another, each with a pass over the inner loops. Decides which
// values are kept in scratch and which are recomputed, and how sums are held; row-printer.ts prints the plan, wasm/
// runs it. Not the loops over rows, nor how they are cut into tasks (rows-plan.ts).

import { boundOf, type Extent, plus, times } from '../../ir/extent.ts';
import { type Nest, type Output, reductionsIn, sizeOf, stageOf, workOf } from '../../ir/nest.ts';
import { argsOf, closure, dataNodesOf, indicesOf, type Node } from '../../ir/node.ts';
import { registerBytes } from '../../ir/registers.ts';
import {
  type DeferredStage,
  lanesOf,
  type RowPass,
  type RowPlan,
  type RowScratch,
  type RowStage,
  RowValues,
} from '../ir/row.ts';
import { planDeferred } from './deferred-plan.ts';
import { hasNarrow, laneLoop, planInnerLoop } from './inner-loop-plan.ts';
import { orderOf } from './lanes.ts';
import { planPieces } from './plan-pairwise-sums.ts';

/** Scratch rows of up to this many bytes are on the stack; the runtime's stacks are 2 MB or more. */
const stackBytes = 128 * 1024;
/** Up to this much work is recomputed in a later stage instead of storing a row of results. */
const cheap = 6;
/** With `mayDefer` the last stage may be left to `deferred`. */
export function planRow(nest: Nest, required: readonly Node[], isRanged: boolean, mayDefer = false): RowPlan {
  return new RowPlanner(nest, required, isRanged).plan(mayDefer);
}

class RowPlanner {
  readonly #nest: Nest;
  readonly #required: readonly Node[];
  readonly #isRanged: boolean;
  readonly #values: RowValues;
  /** Values of elements that an earlier stage left in scratch or memory. */
  readonly #kept = new Set<Node>();
  /** Nodes that indices refer to by name. */
  readonly #dataNodes: ReadonlySet<Node>;
  #deferred: DeferredStage | undefined;

  constructor(nest: Nest, required: readonly Node[], isRanged: boolean) {
    this.#nest = nest;
    this.#required = required;
    this.#isRanged = isRanged;
    this.#values = new RowValues(nest);
    this.#dataNodes = new Set(required.flatMap(n => indicesOf(n).flatMap(dataNodesOf)));
  }

  plan(mayDefer: boolean): RowPlan {
    const [nest, required] = [this.#nest, this.#required];
    const { isInner, isInnerOutput, isHoisted } = this.#values;
    const last = Math.max(0, ...required.map(n => n.stage), ...nest.outputs.map(stageOf));
    const stages: RowStage[] = [];
    for (let stage = 0; stage <= last; stage++) {
      const pass = this.#pass(stage, last, mayDefer && stage === last - 1);
      stages.push({
        uniform: required.filter(n => n.stage === stage && !isInner(n) && n.kind !== 'literal' && !isHoisted(n)),
        uniformOutputs: nest.outputs.filter(o => stageOf(o) === stage && !isInnerOutput(o)),
        ...(pass === undefined ? {} : { pass }),
      });
    }
    const hoisted = required.filter(n => isHoisted(n) && n.kind !== 'literal');
    const deferred = this.#deferred === undefined ? {} : { deferred: this.#deferred };
    return { nest, required, isRanged: this.#isRanged, hoisted, stages, ...deferred, scratch: this.#scratch(stages) };
  }

  #scratch(stages: readonly RowStage[]): RowScratch {
    const apart = new Set(this.#deferred?.saved.map(s => s.node));
    const nodes = stages.flatMap(s => s.pass?.saved ?? []).filter(n => !apart.has(n));
    const size = sizeOf(this.#nest.inner);
    const width = boundOf(size) ?? size;
    const bytes = nodes.reduce<Extent>((n, s) => plus(n, plus(64, times(width, registerBytes(s.type)))), 0);
    return { nodes, width, bytes: typeof bytes === 'number' && bytes <= stackBytes ? 0 : bytes };
  }

  #pass(stage: number, last: number, mayDefer: boolean): RowPass | undefined {
    const nest = this.#nest;
    const { isInner, isInnerOutput, isHoisted } = this.#values;
    const reductions = reductionsIn(this.#required).filter(r => r.stage === stage);
    const outputs = nest.outputs.filter(o => stageOf(o) === stage && isInnerOutput(o));
    if (reductions.length === 0 && outputs.length === 0) return undefined;
    const roots = [...outputs.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
    const nodes = closure(roots, n => !isInner(n) || this.#kept.has(n));
    const saved = stage === last ? [] : this.#savedAfter(stage, nodes, outputs);
    // rows that are cut into ranges have no reductions
    const order = orderOf(reductions, this.#nest.inner.at(-1));
    const isApart = order.kind === 'lanes' && hasNarrow(nodes, outputs);
    if (isApart) for (const n of reductions.flatMap(r => r.inputs)) if (isInner(n) && !saved.includes(n)) saved.push(n);
    if (mayDefer && order.kind === 'lanes' && !isApart && saved.length > 0)
      this.#deferred = planDeferred({
        nest,
        outputs: nest.outputs.filter(o => stageOf(o) === last),
        saved,
        isInner,
        isHoisted,
      });
    for (const n of saved) this.#kept.add(n);
    const readBack: Output[] = [];
    for (const o of outputs) {
      if (this.#kept.has(o.node) || o.node.kind === 'literal' || !isInner(o.node)) continue;
      this.#kept.add(o.node);
      readBack.push(o);
    }
    const inner = planInnerLoop(nest, {
      nodes,
      order: isApart ? { kind: 'any' } : order,
      isReduced: !isApart && reductions.length > 0,
      isRanged: this.#isRanged,
    });
    const apart = isApart ? laneLoop(lanesOf(order)) : undefined;
    const pieces = planPieces(reductions, sizeOf(nest.inner), Math.max(1, lanesOf(order)));
    return { reductions, outputs, nodes, roots, saved, readBack, order, pieces, inner, apart };
  }

  /** Values of this stage that later ones need and that are too expensive to compute again. */
  #savedAfter(stage: number, nodes: readonly Node[], outputs: readonly Output[]): Node[] {
    const known = (n: Node): boolean => !this.#values.isInner(n) || this.#kept.has(n);
    const here = new Set(nodes);
    const roots = this.#laterRoots(stage);
    const usedLater = new Set<Node>(roots);
    for (const n of closure(roots, known)) if (!here.has(n)) for (const a of argsOf(n)) usedLater.add(a);
    const storedHere = new Set(outputs.map(o => o.node));
    return nodes.filter(
      n =>
        usedLater.has(n) &&
        workOf(closure([n], known)) > cheap &&
        !storedHere.has(n) &&
        n.kind !== 'literal' &&
        !this.#kept.has(n) &&
        !this.#dataNodes.has(n),
    );
  }

  #laterRoots(stage: number): Node[] {
    return [
      ...this.#nest.outputs.filter(o => stageOf(o) > stage && this.#values.isInnerOutput(o)).map(o => o.node),
      ...reductionsIn(this.#required)
        .filter(r => r.stage > stage)
        .flatMap(r => r.inputs),
    ];
  }
}
