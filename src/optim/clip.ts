// Gradient clipping, under the names of torch.nn.utils. All of it is recorded: nothing is read, unless that is asked for.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { atOneLocation, lower, record, Tensor, userLocation, zeros } from '../tensor/index.ts';
import { averageGradients } from './average-gradients.ts';
import { checkParameters, checkSetting } from './optimizer.ts';
import { recordUpdate } from './record-update.ts';

/** Options of `clipGradNorm_`. */
export interface ClipGradNormOptions {
  /** p of the p-norm: a number above 0, or Infinity for the largest size; 2 by default. */
  readonly normType?: number;
  /** Throws where the norm is not finite. That reads it, which waits for the backward pass; false by default. */
  readonly errorIfNonfinite?: boolean;
}

/**
 * Scales all gradients so that their common norm is at most `maxNorm`, and returns the norm they had, as
 * torch.nn.utils.clip_grad_norm_. Parameters without gradients do not count. Call it between `backward()` and `step()`.
 *
 *     const norm = clipGradNorm_(model.parameters(), 1.0);
 *
 * @throws {INVALID_OPTION} for a norm that is not above 0, or with `errorIfNonfinite` where the gradients' is not finite
 * @throws {WRONG_ARGUMENT} for something else than parameters
 */
export function clipGradNorm_(
  parameters: Iterable<Tensor> | Tensor,
  maxNorm: number,
  options: ClipGradNormOptions = {},
): Tensor {
  checkSetting('clipGradNorm_', 'maxNorm', maxNorm, maxNorm > 0, 'a number above 0');
  const { normType = 2, errorIfNonfinite = false } = options;
  checkSetting('clipGradNorm_', 'normType', normType, normType > 0, 'a number above 0, or Infinity');
  const all = listed('clipGradNorm_', parameters);
  return atOneLocation(() => {
    averageGradients(all);
    return recordUpdate(all, () => clipped(all, maxNorm, normType, errorIfNonfinite));
  });
}

/**
 * Limits each element of all gradients to [-clipValue, clipValue], as torch.nn.utils.clip_grad_value_.
 *
 *     clipGradValue_(model.parameters(), 0.5);
 *
 * @throws {INVALID_OPTION} for a value that is not at least 0
 * @throws {WRONG_ARGUMENT} for something else than parameters
 */
export function clipGradValue_(parameters: Iterable<Tensor> | Tensor, clipValue: number): void {
  checkSetting('clipGradValue_', 'clipValue', clipValue, clipValue >= 0, 'a number of at least 0');
  const all = listed('clipGradValue_', parameters);
  atOneLocation(() => {
    averageGradients(all);
    recordUpdate(all, () => {
      for (const grad of gradsOf(all)) {
        const { device } = grad;
        const b = device.trace.builder;
        b.location = userLocation();
        grad.bind(
          lower.inWide(b, device.valueOf(grad), x =>
            b.minimum(b.maximum(x, b.like(x, -clipValue)), b.like(x, clipValue)),
          ),
        );
      }
    });
  });
}

function listed(call: string, parameters: Iterable<Tensor> | Tensor): readonly Tensor[] {
  if (parameters instanceof Tensor) return [parameters];
  checkParameters(call, parameters);
  return [...parameters];
}
const gradsOf = (parameters: readonly Tensor[]): readonly Tensor[] =>
  parameters.flatMap(({ grad }) => (grad === undefined ? [] : [grad]));

function clipped(parameters: readonly Tensor[], maxNorm: number, normType: number, errorIfNonfinite: boolean): Tensor {
  const grads = gradsOf(parameters);
  if (grads.length === 0) return zeros([], { device: parameters[0]?.device });
  const norm = record('clipGradNorm_', grads, (b, values) => normOf(b, values, normType));
  if (errorIfNonfinite && !Number.isFinite(norm.item()))
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'clipGradNorm_', option: 'the norm of the gradients', got: String(norm.item()), expected: 'finite' },
      { location: userLocation() },
    );
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
  return norm;
}

/** (Σ |x|ᵖ)^(1/p) over all elements of all values, or their largest size. */
function normOf(b: Builder, values: readonly Value[], p: number): Value {
  const isMax = p === Number.POSITIVE_INFINITY;
  const parts = values.map(v => {
    // f16 does not have the squares of 1e-4 and 1e3
    const x = lower.widen(b, v);
    const part = p === 2 ? b.multiply(x, x) : powered(b, b.unary('abs', x), isMax ? 1 : p);
    // Row by row, so that they are added up where a multiply makes the rows, and nothing goes through the gradient again.
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
