// Runs kernels that reduce over leading dims (kernels/columns-plan.ts): tasks of a block of columns and a chunk of rows, then
// the chunks in order.
import { invariant } from '../../../base/errors.ts';
import type { Loop } from '../../ir/index-expr.ts';
import { type Output, sizeOf } from '../../ir/nest.ts';
import type { Reduction } from '../../ir/node.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import type { ColumnsKernel } from '../ir/fused-kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { accumulatorFunctions } from './accumulate.ts';
import { Frame, type Sizes } from './frame.ts';
import { overElements, type Range } from './loops.ts';
import type { ElementMemory } from './memory.ts';
import { finishReduction, type PartialResults, startReduction } from './reduce.ts';
import { RowRunner } from './rows.ts';

/** Results of one reduction, of each chunk of an index of the outer loops, by column. */
type Partials = Map<Reduction, (readonly ScalarValue[])[]>;

export function runColumns(
  kernel: ColumnsKernel,
  memory: readonly ElementMemory[],
  target: CpuTarget,
  sizes: Sizes,
): void {
  const { nest, reductions } = kernel;
  const [chunks, blocks, tasks] = [sizes(kernel.chunks), sizes(kernel.blocks), sizes(kernel.tasks)];
  const columns = sizes(nest.column.size);
  const partials: Partials = new Map(reductions.map(r => [r, []]));
  for (let task = 0; task < tasks; task++) {
    const [unit, chunk] = [Math.floor(task / chunks), task % chunks];
    runTask(kernel, memory, target, sizes, unit, chunk, (frame, column, totals) => {
      if (kernel.chunks === 1) finish(kernel, frame, totals);
      else
        reductions.forEach((r, i) => {
          partials.get(r)![(Math.floor(unit / blocks) * chunks + chunk) * columns + column] = totals[i]!;
        });
    });
  }
  if (kernel.chunks !== 1) combine(kernel, memory, target, sizes, partials);
}

function runTask(
  kernel: ColumnsKernel,
  memory: readonly ElementMemory[],
  target: CpuTarget,
  sizes: Sizes,
  unit: number,
  chunk: number,
  done: (frame: Frame, column: number, totals: readonly (readonly ScalarValue[])[]) => void,
): void {
  const { nest, reductions, uniform, nodes, full, first, before } = kernel;
  const [block, blocks, perChunk] = [sizes(kernel.block), sizes(kernel.blocks), sizes(kernel.perChunk)];
  const { outer, reduced, column } = nest;
  const frame = new Frame(memory, target, sizes);
  frame.decode(outer, Math.floor(unit / blocks));
  frame.evaluate(uniform);
  const lo = (unit % blocks) * block;
  const hi = Math.min(lo + block, sizes(column.size));
  const partials: PartialResults[][] = [];
  for (let at = lo; at < hi; at++) {
    frame.setLoop(column, at);
    partials.push(reductions.map(r => startReduction(frame, r, 0, kernel.pieces)));
  }
  const all = partials.flat();
  const walk = (rows: Range | undefined): void => {
    const ranges = new Map<Loop, Range>([[column, [lo, hi]]]);
    if (rows !== undefined && first !== undefined) ranges.set(first, rows);
    const body = (): void => {
      for (const o of full) frame.store(o);
      for (const p of partials[frame.loop(column) - lo]!) p.add(0);
    };
    const call = (steps: number): void => {
      for (const p of all) p.after(steps);
    };
    const lastRow = reduced.findLast(l => l.size !== 1)!;
    const after = kernel.pieces && { loop: lastRow, longest: kernel.pieces.each, call };
    overElements(frame, [...reduced, column], nodes, ranges, body, after);
  };
  if (kernel.chunks === 1 || first === undefined) walk(undefined);
  else {
    const [from, to] = [chunk * perChunk, Math.min((chunk + 1) * perChunk, sizes(first.size))];
    if (before === undefined) walk([from, to]);
    else
      for (let start = from; start < to; start += before.rows) {
        const end = Math.min(start + before.rows, to);
        const rows = new RowRunner(before.row, memory, target, sizes);
        for (let row = start; row < end; row++) rows.run(row);
        walk([start, end]);
      }
  }
  for (let at = lo; at < hi; at++) {
    frame.setLoop(column, at);
    done(
      frame,
      at,
      partials[at - lo]!.map(p => p.total()),
    );
  }
}

function combine(
  kernel: ColumnsKernel,
  memory: readonly ElementMemory[],
  target: CpuTarget,
  sizes: Sizes,
  partials: Partials,
): void {
  const { nest, reductions, uniform } = kernel;
  const { outer, column } = nest;
  const [chunks, columns] = [sizes(kernel.chunks), sizes(column.size)];
  const frame = new Frame(memory, target, sizes);
  frame.evaluate(uniform.filter(n => n.deps === 0));
  for (let row = 0; row < sizes(sizeOf(outer)); row++) {
    frame.decode(outer, row);
    for (let at = 0; at < columns; at++) {
      frame.setLoop(column, at);
      const totals = reductions.map(r => {
        invariant(r.accumulator !== undefined, 'a reduction in chunks that must be applied in order');
        const { identity, combine: both } = accumulatorFunctions(r.accumulator);
        let total = identity;
        for (let chunk = 0; chunk < chunks; chunk++)
          total = both(total, partials.get(r)![(row * chunks + chunk) * columns + at]![0]!);
        return [total];
      });
      finish(kernel, frame, totals);
    }
  }
}

function finish(kernel: ColumnsKernel, frame: Frame, totals: readonly (readonly ScalarValue[])[]): void {
  kernel.reductions.forEach((r, i) => {
    frame.setReduced(r, finishReduction(frame, r, totals[i]!));
  });
  const store = (o: Output): void => {
    frame.evaluate([o.node]);
    frame.store(o);
  };
  kernel.results.forEach(store);
}
