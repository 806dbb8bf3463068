// The total norm of gradients, and the scaling of gradients to a norm, as recorded ops. The basis of clipping.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { lower, record, type Tensor, userLocation } from '../../tensor/index.ts';

/** The norm of all elements of some tensors. @throws {INVALID_OPTION} with `errorIfNonfinite` if it is not finite */
export function totalNorm(call: string, grads: readonly Tensor[], normType: number, errorIfNonfinite: boolean): Tensor {
  const norm = record(call, grads, (b, values) => normOf(b, values, normType));
  if (errorIfNonfinite && !Number.isFinite(norm.item()))
    throw new TrenioError(
      'INVALID_OPTION',
      { what: call, option: 'the norm of the gradients', got: String(norm.item()), expected: 'finite' },
      { location: userLocation() },
    );
  return norm;
}

/** Scales gradients with the total norm `norm` so that it becomes at most `maxNorm`. */
export function scaleTo(grads: readonly Tensor[], norm: Tensor, maxNorm: number): void {
  const { device } = norm;
  const b = device.trace.builder;
  b.location = userLocation();
  const total = device.valueOf(norm);
  const ratio = b.divide(b.like(total, maxNorm), b.add(total, b.like(total, 1e-6)));
  const factor = b.minimum(ratio, b.like(total, 1));
  for (const grad of grads) {
    const scaled = lower.inWide(b, device.valueOf(grad), x =>
      b.multiply(x, b.broadcastInDim(b.convert(factor, tensorTypeOf(x).elementType), [], grad.shape)),
    );
    grad.bind(scaled);
  }
}

/** (Σ |x|ᵖ)^(1/p) over all elements of all values, or their largest magnitude. */
function normOf(b: Builder, values: readonly Value[], p: number): Value {
  const isMax = p === Number.POSITIVE_INFINITY;
  const parts = values.map(v => {
    // the squares of 1e-4 and 1e3 under- and overflow in f16
    const x = lower.widen(b, v);
    const part = p === 2 ? b.multiply(x, x) : powered(b, b.unary('abs', x), isMax ? 1 : p);
    // Row by row, so that the squares are summed in the epilogue of the multiply that produces the rows, without another pass
    // over the gradient.
    const last = shapeOf(x).length - 1;
    const rows = last > 0 ? over(b, part, [last], isMax) : part;
    return b.convert(
      over(
        b,
        rows,
        shapeOf(rows).map((_, i) => i),
        isMax,
      ),
      'f32',
    );
  });
  const total = parts.reduce((sum: Value, part) => (isMax ? b.maximum(sum, part) : b.add(sum, part)));
  if (p === 2) return b.unary('sqrt', total);
  return isMax ? total : powered(b, total, 1 / p);
}
const powered = (b: Builder, x: Value, p: number): Value => (p === 1 ? x : b.binary('power', x, b.like(x, p)));
const over = (b: Builder, x: Value, dims: readonly number[], isMax: boolean): Value =>
  isMax ? b.reduce('maximum', x, b.fill(tensorTypeOf(x).elementType, [], 0), dims) : b.sum(x, dims);
