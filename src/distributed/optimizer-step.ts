// The end of a training step in one call: gradients averaged over the ranks along the axis `data` and over micro-batches,
// clipped, unscaled, the optimizer's step, and clearing the gradients. `optimizer.step()` runs the same program.
//
// Gradients are accumulated by calling backward() n times before optimizerStep, each with the mean over its micro-batch:
//
//   const dev = device();
//   dev.gradientAccumulationSteps = n;                     // and the DataLoader's option of the same name
//   … n times: lossFn(model.forward(data), target).backward();  dev.markStep() after each, if memory is short
//   optimizerStep(optimizer);
//
// The mean is over ranks × n micro-batches, summed as one balanced tree (tensor/gradient-sums.ts; the all-reduce adds
// ranks pairwise): with the same micro-batches, losses, gradients and parameters have the same bits for any number of
// ranks if ranks and n are powers of two. A script that leaves the setting at 1 and divides each loss by n itself, as
// in PyTorch, gets the mean too; but then its ranks sample different random numbers than a single rank would. Statistics of batch
// normalization are per rank, as in PyTorch.
import { TrenioError } from '../base/errors.ts';
import { clipGradNorm_, type GradScaler, Optimizer } from '../optim/index.ts';
import { atOneLocation, type Device, userLocation, wrongArgument } from '../tensor/index.ts';

/** Options of `optimizerStep`. */
export interface OptimizerStepOptions {
  /** Scales the averaged gradients to at most this norm before the step. */
  readonly maxGradNorm?: number | undefined;
  /** The loss was scaled with it: unscales gradients, skips a step that overflowed on any rank, and updates the scale. */
  readonly scaler?: GradScaler | undefined;
}

/**
 * Averages gradients over the ranks along the axis `data` and over micro-batches, steps, clears the gradients and marks the
 * step. Every rank must call it.
 * @throws {MICRO_BATCH_COUNT} if `device.gradientAccumulationSteps` is above 1 and `backward()` was called a different number
 * of times
 * @example
 * const w = new Parameter(tensor([1, 2]));
 * const optimizer = new SGD([w], { lr: 0.1 });
 * w.sum().backward();
 * // gradients are averaged over the ranks and clipped, and the optimizer steps
 * optimizerStep(optimizer, { maxGradNorm: 1 });
 * w.lt(tensor([1, 2])) // [true, true]
 */
export function optimizerStep(optimizer: Optimizer, options: OptimizerStepOptions = {}): void {
  if (!(optimizer instanceof Optimizer))
    throw wrongArgument({ call: 'optimizerStep', argument: 'the optimizer' }, optimizer, 'an optimizer, such as AdamW');
  if (typeof options !== 'object' || options === null)
    throw wrongArgument(
      { call: 'optimizerStep', argument: 'the options' },
      options,
      'an object, such as { maxGradNorm: 1 }',
    );
  atOneLocation(() => {
    const parameters = optimizer.parameters();
    for (const device of new Set(parameters.map(parameter => parameter.device))) {
      checkMicroBatches(device);
    }
    const { maxGradNorm, scaler } = options;
    if (maxGradNorm !== undefined) {
      scaler?.unscale_(optimizer);
      clipGradNorm_(parameters, maxGradNorm);
    }
    if (scaler === undefined) optimizer.step();
    else {
      scaler.step(optimizer);
      scaler.update();
    }
    optimizer.zeroGrad();
  });
}

function checkMicroBatches({ gradientAccumulationSteps: expected, microBatchesSoFar: got }: Device): void {
  // After a step that was marked before the optimizer's, the count is 0 again.
  if (expected > 1 && got % expected !== 0)
    throw new TrenioError('MICRO_BATCH_COUNT', { got, expected }, { location: userLocation() });
}
