// The code of rows: each row stage by stage.
import { canonicalIndex, sizeOf } from '../../ir/nest.ts';
import type { Node } from '../../ir/node.ts';
import type { RowsKernel } from '../ir/fused-kernel.ts';
import type { RowPass, RowPlan } from '../ir/row.ts';
import { lanesOf } from '../ir/row.ts';
import { andI32, type Expr, i32Const } from './encoder.ts';
import { overElements } from './loops.ts';
import { bytesOfCells, cellAt, loadCell, loadCells, PartialSums, storeCell, storeCells } from './reductions.ts';
import type { Scope, Width } from './scope.ts';
import { isLaneType } from './vector-code.ts';

/** Tasks are cut where results do not depend on it, so all rows are one loop. */
export function rowsCode(kernel: RowsKernel, scope: Scope): void {
  allRows(kernel.row, scope, i32Const(scope.sizes(kernel.rows)));
}
export function allRows(plan: RowPlan, scope: Scope, rows: Expr): void {
  const printer = new RowCode(plan, scope);
  scope.f.loop(i32Const(0), rows, 1, row => printer.row(row));
}

/** Parallel partial results where any order of the elements gives the same bits. */
const anyLanes = 4;

export class RowCode {
  readonly #plan: RowPlan;
  readonly #scope: Scope;
  /** Rows of values for later stages. */
  readonly #scratch = new Map<Node, Expr>();

  constructor(plan: RowPlan, scope: Scope) {
    this.#plan = plan;
    this.#scope = scope;
    scope.evaluate(plan.hoisted);
  }

  row(row: Expr): void {
    const { nest, stages, deferred } = this.#plan;
    const scope = this.#scope;
    scope.forgetKept();
    scope.decode(nest.kept, row);
    stages.forEach(({ uniform, uniformOutputs, pass }, stage) => {
      scope.evaluate(uniform);
      for (const o of uniformOutputs) scope.store(o, 'scalar');
      if (deferred === undefined || stage < stages.length - 1) {
        if (pass !== undefined) this.#pass(pass);
        return;
      }
      const { nodes, outputs } = deferred;
      overElements(scope, { loops: nest.inner, nodes, outputs, takesVectors: true }, width => {
        for (const o of outputs) scope.store(o, width);
      });
    });
  }

  #pass(pass: RowPass): void {
    const scope = this.#scope;
    const { nest } = this.#plan;
    const { reductions, outputs, nodes, saved, readBack, order, pieces, apart } = pass;
    const lanes = order.kind === 'any' ? anyLanes : lanesOf(order);
    const innermost = nest.inner.filter(l => l.size !== 1).at(-1);
    const sums = new PartialSums(scope, reductions, Math.max(1, lanes), pieces);
    sums.start();
    const takesVectors = reductions.length === 0 || (lanes >= 4 && sums.hasVectors());
    const add = (width: Width): void => {
      const isOne = lanes === 0 || innermost === undefined;
      sums.add(isOne ? i32Const(0) : andI32(scope.loop(innermost), i32Const(lanes - 1)), width);
    };
    const after = pieces && { longest: pieces.each, call: (steps: Expr): void => sums.after(steps) };
    for (const n of saved)
      if (!this.#scratch.has(n))
        this.#scratch.set(n, scope.memory.scratch(bytesOfCells(n.type, scope.sizes(sizeOf(nest.inner)))));
    const isApart = apart !== undefined;
    const first = {
      loops: nest.inner,
      nodes,
      outputs,
      takesVectors: (isApart || takesVectors) && saved.every(n => isLaneType(n.type)),
      after: isApart ? undefined : after,
    };
    overElements(scope, first, width => {
      for (const n of saved) this.#save(n, width);
      for (const o of outputs) scope.store(o, width);
      if (!isApart) add(width);
    });
    for (const n of saved) scope.keep(n, width => this.#saved(n, width));
    if (isApart) overElements(scope, { loops: nest.inner, nodes: [], outputs: [], takesVectors, after }, add);
    for (const o of readBack) scope.keep(o.node, width => scope.readBack(o, width));
    sums.joinPieces();
    sums.fold();
    sums.finish(i32Const(0));
  }
  #place(n: Node): Expr {
    return cellAt(n.type, this.#scratch.get(n)!, this.#scope.index(canonicalIndex(this.#plan.nest.inner)));
  }
  #save(n: Node, width: Width): void {
    const value = this.#scope.value(n, width);
    (width === 'vector' ? storeCells : storeCell)(this.#scope.f, n.type, this.#place(n), value);
  }
  #saved(n: Node, width: Width): Expr {
    return (width === 'vector' ? loadCells : loadCell)(n.type, this.#place(n));
  }
}
