// The code of sums over leading dims: a cell for each column; chunks of rows one after another, then their results in order.
import type { Loop } from '../../ir/index-expr.ts';
import { sizeOf } from '../../ir/nest.ts';
import type { ColumnsKernel } from '../ir/fused-kernel.ts';
import { addI32, type Expr, i32Const, minI32, mulI32 } from './encoder.ts';
import { overElements, type Range } from './loops.ts';
import { bytesOfCells, cellAt, loadCell, PartialSums, storeCell } from './reductions.ts';
import { RowCode } from './rows.ts';
import type { Scope } from './scope.ts';

export function columnsCode(kernel: ColumnsKernel, scope: Scope): void {
  const { f, sizes } = scope;
  const { nest, reductions, uniform, nodes, full, results, first, before } = kernel;
  const { outer, reduced, column } = nest;
  const [columns, chunks, perChunk] = [sizes(column.size), sizes(kernel.chunks), sizes(kernel.perChunk)];
  const units = sizes(sizeOf(outer));
  const sums = new PartialSums(scope, reductions, columns, kernel.pieces);
  const isChunked = kernel.chunks !== 1 && first !== undefined;
  // results of chunks, added up as they come
  const totals = isChunked
    ? sums.cells.map(c =>
        c.starts.map((_, i) =>
          scope.memory.scratch(bytesOfCells(c.combining?.held ?? c.reduction.inputs[i]!.type, columns)),
        ),
      )
    : [];
  const rowCode = before && new RowCode(before.row, scope);
  const lastRow = reduced.findLast(l => l.size !== 1);
  const walk = (rows: Range | undefined): void => {
    const ranges = new Map<Loop, Range>();
    if (rows !== undefined && first !== undefined) ranges.set(first, rows);
    const after = kernel.pieces &&
      lastRow && { loop: lastRow, longest: kernel.pieces.each, call: (steps: Expr): void => sums.after(steps) };
    overElements(
      scope,
      {
        loops: [...reduced, column],
        nodes,
        ranges,
        outputs: full,
        takesVectors: reductions.length === 0 || sums.hasVectors(),
        after,
      },
      width => {
        for (const o of full) scope.store(o, width);
        sums.add(scope.loop(column), width);
      },
    );
  };
  const finish = (): void =>
    f.loop(i32Const(0), i32Const(columns), 1, at => {
      scope.setLoop(column, at);
      sums.finish(at);
      for (const o of results) {
        scope.evaluate([o.node]);
        scope.store(o, 'scalar');
      }
    });
  f.loop(i32Const(0), i32Const(units), 1, unit => {
    scope.forgetKept();
    scope.decode(outer, unit);
    scope.evaluate(uniform);
    if (!isChunked || first === undefined) {
      sums.start();
      walk(undefined);
      sums.joinPieces();
      finish();
      return;
    }
    const eachTotal = (act: (cell: Expr, total: Expr, at: number) => void): void =>
      f.loop(i32Const(0), i32Const(columns), 1, position =>
        sums.cells.forEach((c, at) => {
          const { held } = c.combining!;
          act(f.keep(cellAt(held, c.starts[0]!, position)), f.keep(cellAt(held, totals[at]![0]!, position)), at);
        }),
      );
    eachTotal((_, total, at) => {
      const { combining } = sums.cells[at]!;
      storeCell(f, combining!.held, total, combining!.identity());
    });
    f.loop(i32Const(0), i32Const(chunks), 1, chunk => {
      const from = f.keep(mulI32(chunk, i32Const(perChunk)));
      const to = f.keep(minI32(addI32(from, i32Const(perChunk)), i32Const(sizes(first.size))));
      sums.start();
      if (rowCode === undefined || before === undefined) walk([from, to]);
      else
        f.loop(from, to, before.rows, start => {
          const end = f.keep(minI32(addI32(start, i32Const(before.rows)), to));
          f.loop(start, end, 1, row => rowCode.row(row));
          scope.forgetKept();
          walk([start, end]);
        });
      sums.joinPieces();
      eachTotal((cell, total, at) => {
        const combining = sums.cells[at]!.combining!;
        const { held } = combining;
        storeCell(f, held, total, combining.combine(loadCell(held, total), loadCell(held, cell)));
      });
    });
    eachTotal((cell, total, at) => {
      const { held } = sums.cells[at]!.combining!;
      storeCell(f, held, cell, loadCell(held, total));
    });
    finish();
  });
}
