// Random cases of the decompositions of matrices.
import { transposes } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { product, swapped } from '../../hlo/ops/matrices.ts';
import type { Value } from '../../hlo/program.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import type { Random } from '../random.testing.ts';
import type { MakeCase } from './elementwise.testing.ts';

const batchOf = (r: Random): number[] => r.times(r.int(0, 1), () => r.int(1, 2));

/** x · xᵀ + 2 · identity: positive definite and well-conditioned. */
function positiveDefinite(b: Builder, x: Value): Value {
  const { shape } = tensorTypeOf(x);
  const index = tensorType('i32', shape);
  const rank = shape.length;
  const onDiagonal = b.compare('EQ', b.iota(index, rank - 2), b.iota(index, rank - 1));
  return b.add(product(b, x, swapped(b, x)), b.select(onDiagonal, b.like(x, 2), b.like(x, 0)));
}

const cholesky: MakeCase = r => {
  const n = r.int(1, 4);
  const lower = r.chance(0.5);
  return {
    args: [r.tensor([...batchOf(r), n, n])],
    build: (b, [x]) => [b.emit1('cholesky', [positiveDefinite(b, x!)], { lower })],
  };
};

const triangularSolve: MakeCase = r => {
  const [batch, n, m] = [batchOf(r), r.int(1, 4), r.int(1, 3)];
  const leftSide = r.chance(0.5);
  const attributes = { leftSide, lower: r.chance(0.5), unitDiagonal: r.chance(0.3), transposeA: r.pick(transposes) };
  return {
    args: [r.signed([...batch, n, n], 1, 2), r.tensor(leftSide ? [...batch, n, m] : [...batch, m, n])],
    build: (b, values) => [b.emit1('triangular_solve', values, attributes)],
  };
};

export const linearAlgebraCases = {
  cholesky,
  triangular_solve: triangularSolve,
} satisfies Record<string, MakeCase>;
