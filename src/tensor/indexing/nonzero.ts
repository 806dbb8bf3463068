// The positions where a mask is true. Their number depends on data, so the mask is read: the step runs up to it, and later ops on
// the positions are compiled once for each number of them. Masks in `where`, `maskedFill` and writes need no reading.
import { type Literal, numberAt } from '../../hlo/literal.ts';

/** For each dim, the index of every element that is not zero, in row-major order. */
export function nonzeroIndices({ type, data }: Literal): readonly BigInt64Array[] {
  const { shape } = type;
  const found: number[] = [];
  for (let i = 0; i < data.length; i++) if (numberAt({ type, data }, i) !== 0) found.push(i);
  const strides = shape.map((_, dim) => shape.slice(dim + 1).reduce((n, d) => n * d, 1));
  return shape.map((size, dim) => BigInt64Array.from(found, i => BigInt(Math.floor(i / strides[dim]!) % size)));
}
