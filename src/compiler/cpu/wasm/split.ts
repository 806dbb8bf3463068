// The code of sums of a few long rows: chunks one after another, then their results in order.
import type { SplitKernel } from '../ir/fused-kernel.ts';
import { lanesOf } from '../ir/row.ts';
import { addI32, andI32, type Expr, i32Const, minI32, mulI32 } from './encoder.ts';
import { overElements } from './loops.ts';
import { bytesOfCells, cellAt, loadCell, PartialSums, storeCell } from './reductions.ts';
import type { Scope } from './scope.ts';

export function splitCode(kernel: SplitKernel, scope: Scope): void {
  const { f, sizes } = scope;
  const { nest, reductions, hoisted, uniform, uniformAfter, full, results, first, required, nodes } = kernel;
  const [rows, perChunk, chunks] = [sizes(kernel.rows), sizes(kernel.perChunk), sizes(kernel.chunks)];
  const lanes = kernel.order.kind === 'any' ? 4 : lanesOf(kernel.order);
  const innermost = nest.inner.filter(l => l.size !== 1).at(-1);
  const own = new PartialSums(scope, reductions, Math.max(1, lanes), kernel.pieces);
  const ofChunks = new PartialSums(scope, reductions, 1, kernel.chunkPieces);
  const partials = own.cells.map(c => scope.memory.scratch(bytesOfCells(c.combining!.held, chunks)));
  scope.evaluate(hoisted);
  f.loop(i32Const(0), i32Const(rows), 1, row => {
    scope.decode(nest.kept, row);
    scope.evaluate(uniform);
    f.loop(i32Const(0), i32Const(chunks), 1, chunk => {
      const lo = f.keep(mulI32(chunk, i32Const(perChunk)));
      const hi = f.keep(minI32(addI32(lo, i32Const(perChunk)), i32Const(sizes(first.size))));
      own.start();
      const after = kernel.pieces && { longest: kernel.pieces.each, call: (steps: Expr): void => own.after(steps) };
      const takesVectors = reductions.length === 0 || (lanes >= 4 && own.hasVectors());
      const elements = {
        loops: nest.inner,
        nodes,
        ranges: new Map([[first, [lo, hi] as const]]),
        outputs: full,
        takesVectors,
        after,
      };
      overElements(scope, elements, width => {
        for (const o of full) scope.store(o, width);
        const isOne = lanes === 0 || innermost === undefined;
        own.add(isOne ? i32Const(0) : andI32(scope.loop(innermost), i32Const(lanes - 1)), width);
      });
      own.joinPieces();
      own.fold();
      own.cells.forEach((c, i) => {
        const { held } = c.combining!;
        storeCell(f, held, cellAt(held, partials[i]!, chunk), loadCell(held, c.starts[0]!));
      });
    });
    ofChunks.start();
    f.loop(i32Const(0), i32Const(chunks), 1, chunk => {
      ofChunks.cells.forEach((c, i) => {
        const combining = c.combining!;
        const { held } = combining;
        const partial = loadCell(held, cellAt(held, partials[i]!, chunk));
        storeCell(f, held, c.starts[0]!, combining.combine(loadCell(held, c.starts[0]!), partial));
      });
      ofChunks.after(i32Const(1));
    });
    ofChunks.joinPieces();
    ofChunks.finish(i32Const(0));
    scope.evaluate(required.filter(n => n.kind === 'reduced'));
    scope.evaluate(uniformAfter);
    for (const o of results) scope.store(o, 'scalar');
  });
}
