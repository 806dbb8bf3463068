// A program of bf16 compiled for AMX, epilogues and all, with the instructions on tiles emulated.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { moduleOf } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { emulatedTiles } from './cpu/c/gemm/tile-kernel.testing.ts';
import { hostTarget, targetOf } from './index.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

test.runIf(hostTarget().bf16 !== 'none')(
  'multiplies in tiles, with the ops that follow them',
  { timeout: 180_000 },
  () => {
    const b = new Builder();
    const shapes = [
      [70, 96],
      [100, 96],
      [100, 50],
    ];
    const args = shapes.map((shape, i) => b.argument(tensorType('bf16', shape), i));
    const inputs = shapes.map(
      (shape, i): Literal =>
        literal(
          'bf16',
          shape,
          Array.from({ length: elementCount(shape) }, (_, j) => Math.sin(j * 1.7 + i) * 0.3),
        ),
    );
    const [x, w, v] = args;
    const along = (lhs: number, rhs: number) => ({
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [lhs],
      rhsContractingDimensions: [rhs],
    });
    const hidden = b.unary('tanh', b.dotGeneral(x!, w!, along(1, 1)));
    const scores = b.unary('exponential', b.dotGeneral(hidden, v!, along(1, 0)));
    const shares = b.divide(scores, b.broadcastInDim(b.sum(scores, [1]), [0], [70, 50]));
    const gradient = b.dotGeneral(hidden, x!, along(0, 0));
    const results = [hidden, shares, gradient];
    const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });

    const directory = mkdtempSync(join(tmpdir(), 'trenio-tiles-'));
    try {
      const header = join(directory, 'tiles.h');
      writeFileSync(header, emulatedTiles);
      const amx = targetOf('amx');
      const { program, run } = compileForTest(module, { ...amx, cflags: [...amx.cflags, '-include', header] });
      expect(program.units.some(({ source }) => source.includes('GEMM_TILES(32);'))).toBe(true);
      const got = run(inputs);
      interpret(module, inputs).forEach((expected, i) => {
        expectClose(got[i]!, expected, `result ${i}`, 2 ** -6);
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
