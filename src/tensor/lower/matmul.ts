// Matrix products like PyTorch's `matmul`, each a single contraction: vectors, matrices, and batches that broadcast.
import type { DotDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { contract, productType, widen } from './narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from './shapes.ts';

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** x · y over the last dim of x and the last but one (for a vector, the only one) of y. */
export function matmul(b: Builder, x: Value, y: Value): Value {
  const type = productType(x, y);
  const [p, q] = [b.convert(x, type), b.convert(y, type)];
  const product = (l: Value, r: Value, dims: DotDimensionNumbers): Value =>
    b.convert(contract(b, l, r, type, dims), type);
  const [sx, sy] = [shapeOf(p), shapeOf(q)];
  if (sx.length === 0 || sy.length === 0) throw mismatch(b, 'matmul', sx, sy, 'both need at least one dim; use mul');
  const inner = Math.max(0, sy.length - 2);
  if (sx.at(-1) !== sy[inner]) {
    throw mismatch(
      b,
      'matmul',
      sx,
      sy,
      `the last dim of the left is ${sx.at(-1)}, dim ${inner - sy.length} of the right is ${sy[inner]}`,
    );
  }
  const summed = { lhsContractingDimensions: [sx.length - 1], rhsContractingDimensions: [inner] };
  if (sy.length <= 2) return product(p, q, { lhsBatchingDimensions: [], rhsBatchingDimensions: [], ...summed });
  if (sx.length === 1) {
    // [k] · [batch…, k, n] → [batch…, n]
    const rows = matmul(b, b.reshape(p, [1, sx[0]!]), q);
    return b.reshape(rows, [...sy.slice(0, -2), sy.at(-1)!]);
  }
  const batch = broadcastShapes(b, 'matmul', sx.slice(0, -2), sy.slice(0, -2));
  const [bp, bq] = [broadcastTo(b, p, [...batch, ...sx.slice(-2)]), broadcastTo(b, q, [...batch, ...sy.slice(-2)])];
  const dims = range(batch.length);
  return product(bp, bq, {
    lhsBatchingDimensions: dims,
    rhsBatchingDimensions: dims,
    lhsContractingDimensions: [batch.length + 1],
    rhsContractingDimensions: [batch.length],
  });
}

/** x · weightᵀ + bias: x [..., in], weight [out, in], bias [out] → [..., out]. */
export function linear(b: Builder, x: Value, weight: Value, bias: Value | undefined): Value {
  const [sx, sw] = [shapeOf(x), shapeOf(weight)];
  if (sw.length === 1 && sx.length > 0) {
    // a vector is a layer with one output, without its dim
    const product = linear(b, x, b.reshape(weight, [1, ...sw]), bias);
    return b.reshape(product, sx.slice(0, -1));
  }
  if (sx.length === 0 || sw.length !== 2 || sx.at(-1) !== sw[1]) {
    throw mismatch(b, 'linear', sx, sw, `the last dim of the input must be the layer's ${sw[1]} inputs`);
  }
  const type = productType(x, weight);
  const product = contract(b, x, weight, type, {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [sx.length - 1],
    rhsContractingDimensions: [1],
  });
  if (bias === undefined) return b.convert(product, type);
  return b.convert(b.add(product, broadcastTo(b, widen(b, bias), shapeOf(product))), type);
}
