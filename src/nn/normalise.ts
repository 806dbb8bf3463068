// Layer normalisation as ops: two reductions over the last dims and one elementwise chain.
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, type Value } from '../hlo/program.ts';
import { lower } from '../tensor/index.ts';

/** (x - mean) / √(variance + eps) over the last `dims` dims, times weight, plus bias. */
export function normalise(
  b: Builder,
  x: Value,
  dims: number,
  weight: Value | undefined,
  bias: Value | undefined,
  eps: number,
): Value {
  return lower.inFull(b, x, wide => normaliseWide(b, wide, dims, weight, bias, eps));
}

function normaliseWide(
  b: Builder,
  x: Value,
  dims: number,
  weight: Value | undefined,
  bias: Value | undefined,
  eps: number,
): Value {
  const shape = shapeOf(x);
  const over = shape.map((_, i) => i).slice(shape.length - dims);
  const share = 1 / over.reduce((n, d) => n * shape[d]!, 1);
  const sum = b.sum(x, over);
  const mean = b.multiply(sum, b.like(sum, share));
  const off = b.subtract(x, lower.spreadAlong(b, mean, over, shape));
  const squares = b.sum(b.multiply(off, off), over);
  const variance = b.multiply(squares, b.like(squares, share));
  const scale = b.unary('rsqrt', b.add(variance, b.like(variance, eps)));
  let y: Value = b.multiply(off, lower.spreadAlong(b, scale, over, shape));
  if (weight !== undefined) y = b.multiply(y, b.broadcastInDim(lower.widen(b, weight), over, shape));
  if (bias !== undefined) y = b.add(y, b.broadcastInDim(lower.widen(b, bias), over, shape));
  return y;
}
