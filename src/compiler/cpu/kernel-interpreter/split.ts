// Runs kernels that reduce a few long rows (kernels/split-plan.ts): a task for each chunk, then the chunks in order.

import type { ScalarValue } from '../../ir/scalar-value.ts';
import type { SplitKernel } from '../ir/fused-kernel.ts';
import { lanesOf } from '../ir/row.ts';
import type { CpuTarget } from '../target/target.ts';
import { Frame, type Sizes } from './frame.ts';
import { overElements } from './loops.ts';
import type { ElementMemory } from './memory.ts';
import { Partials } from './partials.ts';
import { finishReduction, startReduction } from './reduce.ts';

export function runSplit(kernel: SplitKernel, memory: readonly ElementMemory[], target: CpuTarget, sizes: Sizes): void {
  const { nest, reductions, hoisted, uniform, uniformAfter, full, results, first } = kernel;
  const [rows, perChunk, chunks] = [sizes(kernel.rows), sizes(kernel.perChunk), sizes(kernel.chunks)];
  const lanes = lanesOf(kernel.order);
  const innermost = nest.inner.filter(l => l.size !== 1).at(-1);
  const partials = reductions.map((): ScalarValue[] => []);
  for (let task = 0; task < rows * chunks; task++) {
    const lo = (task % chunks) * perChunk;
    const frame = new Frame(memory, target, sizes);
    frame.evaluate(hoisted);
    frame.decode(nest.kept, Math.floor(task / chunks));
    frame.evaluate(uniform);
    const own = reductions.map(r => startReduction(frame, r, lanes, kernel.pieces));
    overElements(
      frame,
      nest.inner,
      kernel.nodes,
      new Map([[first, [lo, Math.min(lo + perChunk, sizes(first.size))]]]),
      () => {
        for (const o of full) frame.store(o);
        const lane = lanes === 0 || innermost === undefined ? 0 : frame.loop(innermost) % lanes;
        for (const p of own) p.add(lane);
      },
      kernel.pieces && {
        longest: kernel.pieces.each,
        call(steps: number) {
          for (const p of own) p.after(steps);
        },
      },
    );
    own.forEach((p, i) => {
      partials[i]![task] = p.total()[0]!;
    });
  }
  const frame = new Frame(memory, target, sizes);
  frame.evaluate(hoisted);
  for (let row = 0; row < rows; row++) {
    frame.decode(nest.kept, row);
    frame.evaluate(uniform);
    reductions.forEach((r, i) => {
      const ofChunks = new Partials(r.accumulator!, 1, kernel.chunkPieces);
      for (const partial of partials[i]!.slice(row * chunks, (row + 1) * chunks)) {
        ofChunks.add(0, partial);
        ofChunks.after(1);
      }
      frame.setReduced(r, finishReduction(frame, r, [ofChunks.total()]));
    });
    frame.evaluate(kernel.required.filter(n => n.kind === 'reduced'));
    frame.evaluate(uniformAfter);
    for (const o of results) frame.store(o);
  }
}
