// Runs kernels that go row by row (kernels/rows-plan.ts): task by task, each row stage by stage.

import { canonicalIndex, sizeOf } from '../../ir/nest.ts';
import type { Node } from '../../ir/node.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import type { RowsKernel } from '../ir/fused-kernel.ts';
import type { DeferredStage, RowPass, RowPlan } from '../ir/row.ts';
import { lanesOf } from '../ir/row.ts';
import type { CpuTarget } from '../target/target.ts';
import { Frame, type Products, type Sizes } from './frame.ts';
import { overElements, type Range } from './loops.ts';
import type { ElementMemory } from './memory.ts';
import { finishReduction, startReduction } from './reduce.ts';

export function runRows(kernel: RowsKernel, memory: readonly ElementMemory[], target: CpuTarget, sizes: Sizes): void {
  const { row } = kernel;
  const [rows, width, tasks] = [sizes(kernel.rows), sizes(kernel.width), sizes(kernel.tasks)];
  const [perTask, chunks, chunk] = [sizes(kernel.perTask), sizes(kernel.chunks), sizes(kernel.chunk)];
  for (let task = 0; task < tasks; task++) {
    const runner = new RowRunner(row, memory, target, sizes);
    if (row.isRanged) {
      const lo = (task % chunks) * chunk;
      runner.run(Math.floor(task / chunks), [lo, Math.min(lo + chunk, width)]);
    } else for (let r = task * perTask; r < Math.min((task + 1) * perTask, rows); r++) runner.run(r);
    runner.finish();
  }
}

/** Rows of one task, in order. */
export class RowRunner {
  readonly #plan: RowPlan;
  readonly #frame: Frame;
  readonly #scratch = new Map<Node, ScalarValue[]>();
  /** The deferred last stage of the previous row, which runs together with a stage of this row. */
  #waiting: (() => void) | undefined;

  constructor(plan: RowPlan, memory: readonly ElementMemory[], target: CpuTarget, sizes: Sizes, products?: Products) {
    this.#plan = plan;
    this.#frame = new Frame(memory, target, sizes, products);
    this.#frame.evaluate(plan.hoisted);
  }

  /** `range`: of the innermost loop, where it runs over a part of its size. */
  run(row: number, range?: Range): void {
    const { nest, stages, deferred } = this.#plan;
    this.#frame.forgetKept();
    this.#frame.decode(nest.kept, row);
    stages.forEach(({ uniform, uniformOutputs, pass }, stage) => {
      this.#frame.evaluate(uniform);
      for (const o of uniformOutputs) this.#frame.store(o);
      if (deferred !== undefined && stage === stages.length - 2) this.finish();
      if (deferred !== undefined && stage === stages.length - 1) this.#waiting = this.#later(row, deferred);
      else if (pass !== undefined) this.#pass(pass, range);
    });
  }
  /** The deferred stage of the last row. */
  finish(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }

  #later(row: number, { saved, nodes, uniform, outputs }: DeferredStage): () => void {
    const { nest, hoisted } = this.#plan;
    const frame = new Frame(this.#frame.memory, this.#frame.target, this.#frame.sizes);
    frame.decode(nest.kept, row);
    for (const n of [...hoisted, ...uniform]) frame.set(n, this.#frame.value(n));
    const place = canonicalIndex(nest.inner);
    for (const { node: n } of saved) {
      const values = [...this.#scratch.get(n)!];
      frame.keep(n, () => values[frame.index(place)]!);
    }
    return () => {
      overElements(frame, nest.inner, nodes, new Map(), () => {
        for (const o of outputs) frame.store(o);
      });
    };
  }

  #pass(pass: RowPass, range: Range | undefined): void {
    const frame = this.#frame;
    const { nest } = this.#plan;
    const { reductions, outputs, nodes, saved, readBack, order, pieces, apart } = pass;
    const lanes = lanesOf(order);
    const place = canonicalIndex(nest.inner);
    const innermost = nest.inner.filter(l => l.size !== 1).at(-1);
    const ranges = new Map(range === undefined || innermost === undefined ? [] : [[innermost, range] as const]);
    const partials = reductions.map(r => startReduction(frame, r, lanes, pieces));
    const add = (): void => {
      const lane = lanes === 0 || innermost === undefined ? 0 : frame.loop(innermost) % lanes;
      for (const p of partials) p.add(lane);
    };
    const after = pieces && {
      longest: pieces.each,
      call(steps: number) {
        for (const p of partials) p.after(steps);
      },
    };
    for (const n of saved) if (!this.#scratch.has(n)) this.#scratch.set(n, new Array(frame.sizes(sizeOf(nest.inner))));
    const body = (): void => {
      for (const n of saved) this.#scratch.get(n)![frame.index(place)] = frame.value(n);
      for (const o of outputs) frame.store(o);
      if (apart === undefined) add();
    };
    overElements(frame, nest.inner, nodes, ranges, body, apart === undefined ? after : undefined);
    for (const n of saved) frame.keep(n, () => this.#scratch.get(n)![frame.index(place)]!);
    if (apart !== undefined) overElements(frame, nest.inner, [], ranges, add, after);
    for (const o of readBack) frame.keep(o.node, () => frame.memory[o.slot]!.get(frame.index(o.index)));
    reductions.forEach((r, i) => {
      frame.setReduced(r, finishReduction(frame, r, partials[i]!.total()));
    });
  }
}
